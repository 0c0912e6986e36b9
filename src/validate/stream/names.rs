//! What a member name settles when it ends: whether the member is allowed, and what its value has to meet.

use super::{Breach, Duty, Question, Watch};
use crate::json::tape::{NodeId, Tape};
use crate::schema::plan::{NO_SCHEMA, ObjectPlan, Op};
use crate::validate::Validator;
use crate::validate::violation::Failure;

impl Watch {
    /// A member name has ended, the `count`th of its object.
    #[cfg_attr(fast, optimize(speed))]
    pub fn name(&mut self, validator: &Validator, tape: &Tape, node: NodeId, count: u32) -> Result<(), Breach> {
        let Some(&frame) = self.frames.last().filter(|_| !self.exhausted) else { return Ok(()) };
        let plan = &validator.plan;
        for index in frame.duties..self.pending {
            let Some((duty, schema)) = self.duty(plan, index) else { continue };
            for op in schema.ops.of(&plan.ops) {
                match *op {
                    Op::MaxProperties(limit) if count > limit => {
                        let failure = Failure::MaxProperties(limit);
                        return Err(Breach::Failed { schema: duty.schema, node: frame.node, failure });
                    }
                    Op::Object(object) => {
                        let Some(object) = plan.objects.get(object as usize) else { continue };
                        self.member(validator, tape, object, index, node)?;
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// What a duty of the object says of the member whose name this is.
    #[cfg_attr(fast, optimize(speed))]
    fn member(
        &mut self,
        validator: &Validator,
        tape: &Tape,
        object: &ObjectPlan,
        index: usize,
        node: NodeId,
    ) -> Result<(), Breach> {
        let plan = &validator.plan;
        let Some(duty) = self.duties.get_mut(index) else { return Ok(()) };
        let name = tape.node(node);
        let mut known = None;
        if let Some((place, property)) =
            object.find(&plan.names, name.link, tape.string_bytes(name), duty.expected as usize)
        {
            duty.expected = place as u32 + 1;
            duty.required += property.required as u32;
            known = (property.schema != NO_SCHEMA).then_some(property.schema);
        }
        let duty = *duty;
        let scope = duty.inside;
        if let Some(schema) = known {
            self.oblige(schema, scope);
        }
        let mut known = known.is_some();
        for (pattern, schema) in &object.patterns {
            if self.ask(validator, tape, scope, Question::Name(*pattern), node) == Some(true) {
                known = true;
                self.oblige(*schema, scope);
            }
        }
        if self.exhausted {
            return Ok(());
        }
        if !known && object.additional != NO_SCHEMA {
            if plan.is_never(object.additional) {
                let failure = Failure::AdditionalProperty;
                return Err(Breach::Failed { schema: duty.schema, node: node + 1, failure });
            }
            self.oblige(object.additional, scope);
        }
        if object.names != NO_SCHEMA {
            let names = Duty::new(object.names, scope);
            if self.ask(validator, tape, scope, Question::Schema(object.names), node) == Some(false) {
                return Err(Breach::Name { schema: duty.schema, names, node });
            }
        }
        Ok(())
    }
}
