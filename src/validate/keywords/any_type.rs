//! `enum` and `const` (validation, section 6.1), by JSON value.

use crate::json::equal::equal;
use crate::json::tape::{Node, NodeId, Tag, Tape};
use crate::json::{hash_name, same};
use crate::schema::plan::{SchemaId, Span};
use crate::validate::evaluate::Evaluator;
use crate::validate::violation::Failure;

/// So many strings are compared one by one; a hash of what they are compared with would take longer.
const FEW: usize = 8;

/// Those of an enumeration's strings that this one may equal.
#[inline(always)]
fn candidates<'a>(strings: &'a [(u32, Span)], string: &[u8]) -> &'a [(u32, Span)] {
    if strings.len() <= FEW { strings } else { of_hash(strings, hash_name(string)) }
}

#[inline(never)]
fn of_hash(strings: &[(u32, Span)], hash: u32) -> &[(u32, Span)] {
    let from = strings.partition_point(|value| value.0 < hash);
    let rest = strings.get(from..).unwrap_or_default();
    rest.get(..rest.partition_point(|value| value.0 == hash)).unwrap_or_default()
}

impl<'a> Evaluator<'a> {
    #[inline(never)]
    #[cfg_attr(fast, optimize(speed))]
    pub(in crate::validate) fn enumeration(&mut self, index: u32, id: SchemaId, node: NodeId, found: &Node) -> bool {
        let plan = self.plan;
        let Some(values) = plan.enums.get(index as usize) else { return true };
        if found.tag == Tag::String {
            let string = self.tape.string_bytes(found);
            if candidates(&values.strings, string).iter().any(|(_, value)| same(value.of(&plan.names), string)) {
                return true;
            }
        } else if let Some(tape) = self.schema_tape(id) {
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
