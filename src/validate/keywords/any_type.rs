//! `enum` and `const` (validation, section 6.1), by JSON value.

use crate::json::equal::equal;
use crate::json::hash_name;
use crate::json::tape::{Node, NodeId, Tag, Tape};
use crate::schema::plan::SchemaId;
use crate::validate::evaluate::Evaluator;
use crate::validate::violation::Failure;

impl<'a> Evaluator<'a> {
    #[inline(never)]
    pub(in crate::validate) fn enumeration(&mut self, index: u32, id: SchemaId, node: NodeId, found: &Node) -> bool {
        let plan = self.plan;
        let (Some(values), Some(tape)) = (plan.enums.get(index as usize), self.schema_tape(id)) else { return true };
        if found.tag == Tag::String {
            let string = self.tape.string_bytes(found);
            let hash = hash_name(string);
            let from = values.strings.partition_point(|value| value.0 < hash);
            let same = values.strings.get(from..).unwrap_or_default().iter().take_while(|value| value.0 == hash);
            for (_, value) in same {
                if tape.string_bytes(&tape.node(*value)) == string {
                    return true;
                }
            }
        } else {
            for value in &values.others {
                if !self.charge(1 + found.length as u64) {
                    return false;
                }
                if equal(self.tape, node, tape, *value) {
                    return true;
                }
            }
        }
        self.fail(id, node, Failure::Enum);
        false
    }

    #[inline(never)]
    pub(in crate::validate) fn constant(&mut self, value: NodeId, id: SchemaId, node: NodeId) -> bool {
        let Some(tape) = self.schema_tape(id) else { return true };
        if equal(self.tape, node, tape, value) {
            return true;
        }
        self.fail(id, node, Failure::Const(value));
        false
    }

    /// The tape that a schema stands on.
    pub(super) fn schema_tape(&self, id: SchemaId) -> Option<&'a Tape> {
        let plan = self.plan;
        plan.tape(plan.schemas.get(id as usize)?.place)
    }
}
