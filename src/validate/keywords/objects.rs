//! Keywords for objects: `properties` and its neighbours (core, section 10.3.2), `dependentSchemas`, and those of validation,
//! section 6.5.

use crate::json::tape::{Node, NodeId};
use crate::schema::plan::{NO_SCHEMA, ObjectPlan, Op, SchemaId};
use crate::validate::evaluate::Evaluator;
use crate::validate::marks::Marks;
use crate::validate::violation::Failure;

impl Evaluator<'_> {
    #[inline(never)]
    #[cfg_attr(fast, optimize(speed))]
    pub(in crate::validate) fn object(
        &mut self,
        index: u32,
        id: SchemaId,
        node: NodeId,
        found: &Node,
        marks: Marks,
    ) -> bool {
        let plan = self.plan;
        let Some(object) = plan.objects.get(index as usize) else { return true };
        if !self.charge(found.length as u64) {
            return false;
        }
        let (tape, names, end) = (self.tape, plan.names.as_slice(), found.link);
        let asks_of_all = !object.patterns.is_empty() || object.names != NO_SCHEMA;
        let (mut at, mut position, mut ok) = (node + 1, 0, true);
        let (mut required, mut expected) = (0, 0);
        while at < end {
            let name = tape.node(at);
            let mut known = false;
            let mut met = true;
            if let Some((place, property)) = object.find(names, name.link, tape.string_bytes(name), expected) {
                expected = place + 1;
                required += property.required as u32;
                if property.schema != NO_SCHEMA {
                    known = true;
                    met = self.child(property.schema, at + 1);
                }
            }
            if (asks_of_all || !known && object.additional != NO_SCHEMA) && (met || self.collecting) {
                let (matched, all) = self.besides_properties(object, id, at, known);
                known |= matched;
                met &= all;
            }
            if known {
                self.mark(marks, position);
            }
            if !met {
                if !self.collecting {
                    return false;
                }
                ok = false;
            }
            at = tape.next(at + 1);
            position += 1;
        }
        if required < object.required {
            self.missing(object, index, id, node);
            return false;
        }
        ok
    }

    /// Whether anything but `properties` applies to the member's value, and whether the member meets all of that.
    #[inline(never)]
    fn besides_properties(&mut self, object: &ObjectPlan, id: SchemaId, at: NodeId, known: bool) -> (bool, bool) {
        let (mut matched, mut met) = self.pattern_properties(object, at);
        if !known && !matched && object.additional != NO_SCHEMA && (met || self.collecting) {
            matched = true;
            met &= self.additional(object.additional, id, at + 1);
        }
        if object.names != NO_SCHEMA && (met || self.collecting) {
            met &= self.property_name(object.names, id, at);
        }
        (matched, met)
    }

    /// Whether any of the patterns matches the name, and whether the value meets the schemas of those that do.
    fn pattern_properties(&mut self, object: &ObjectPlan, at: NodeId) -> (bool, bool) {
        let name = self.tape.node(at);
        let (mut matched, mut met) = (false, true);
        for (pattern, schema) in &object.patterns {
            if self.matches(*pattern, name) {
                matched = true;
                met &= self.child(*schema, at + 1);
                if !met && !self.collecting {
                    break;
                }
            }
        }
        (matched, met)
    }

    fn additional(&mut self, schema: SchemaId, id: SchemaId, value: NodeId) -> bool {
        if !self.plan.is_never(schema) {
            return self.child(schema, value);
        }
        self.depth += 1;
        self.fail(id, value, Failure::AdditionalProperty);
        self.depth -= 1;
        false
    }

    /// `propertyNames` for one name. What is wrong with the name becomes the reason of one violation at the property.
    #[inline(never)]
    fn property_name(&mut self, schema: SchemaId, id: SchemaId, at: NodeId) -> bool {
        let before = self.memory.violations.len();
        if self.child(schema, at) {
            return true;
        }
        if self.collecting {
            let reason = self.memory.reasons.len() as u32;
            let first = self.memory.violations.drain(before..).next();
            self.memory.reasons.extend(first);
            self.fail(id, at + 1, Failure::PropertyNames(reason));
        }
        false
    }

    #[cold]
    fn missing(&mut self, object: &ObjectPlan, index: u32, id: SchemaId, node: NodeId) {
        for (property, plan) in object.properties.iter().enumerate().filter(|(_, plan)| plan.required) {
            let present = self.has_member(node, plan.name.of(&self.plan.names), plan.hash);
            if !present && !self.fail(id, node, Failure::Required { object: index, property: property as u32 }) {
                break;
            }
        }
    }

    #[inline(never)]
    pub(in crate::validate) fn property_count(&mut self, op: &Op, id: SchemaId, node: NodeId, found: &Node) -> bool {
        let failure = match *op {
            Op::MinProperties(limit) if found.length < limit => Failure::MinProperties(limit),
            Op::MaxProperties(limit) if found.length > limit => Failure::MaxProperties(limit),
            _ => return true,
        };
        self.fail(id, node, failure);
        false
    }

    #[inline(never)]
    pub(in crate::validate) fn dependent_required(&mut self, index: u32, id: SchemaId, node: NodeId) -> bool {
        let plan = self.plan;
        let Some(dependent) = plan.dependents.get(index as usize) else { return true };
        if !self.has_member(node, dependent.name.of(&plan.names), dependent.hash) {
            return true;
        }
        let mut ok = true;
        for (name, (hash, span)) in dependent.required.iter().enumerate() {
            if !self.has_member(node, span.of(&plan.names), *hash) {
                ok = false;
                if !self.fail(id, node, Failure::DependentRequired { dependent: index, name: name as u32 }) {
                    break;
                }
            }
        }
        ok
    }

    #[inline(never)]
    pub(in crate::validate) fn dependent_schema(&mut self, index: u32, node: NodeId, marks: Marks) -> bool {
        let plan = self.plan;
        let Some(dependent) = plan.dependents.get(index as usize) else { return true };
        !self.has_member(node, dependent.name.of(&plan.names), dependent.hash)
            || self.eval(dependent.schema, node, marks)
    }

    fn has_member(&mut self, node: NodeId, name: &[u8], hash: u32) -> bool {
        let members = self.tape.node(node).length;
        self.charge(members as u64);
        self.tape.find(node, name, hash).is_some()
    }
}
