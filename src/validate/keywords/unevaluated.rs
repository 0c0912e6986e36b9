//! `unevaluatedItems` and `unevaluatedProperties` (core, section 11).

use crate::json::tape::{Node, NodeId};
use crate::schema::plan::SchemaId;
use crate::validate::evaluate::Evaluator;
use crate::validate::marks::Marks;
use crate::validate::violation::Failure;

impl Evaluator<'_> {
    #[inline(never)]
    pub(in crate::validate) fn unevaluated_items(
        &mut self,
        schema: SchemaId,
        id: SchemaId,
        node: NodeId,
        found: &Node,
        marks: Marks,
    ) -> bool {
        if !self.charge(found.length as u64) {
            return false;
        }
        let (mut at, mut ok) = (node + 1, true);
        for position in 0..found.length {
            if !self.is_marked(marks, position) {
                self.mark(marks, position);
                ok &= self.unevaluated(schema, id, at, Failure::UnevaluatedItem(position));
                if !ok && !self.collecting {
                    break;
                }
            }
            at = self.tape.next(at);
        }
        ok
    }

    #[inline(never)]
    pub(in crate::validate) fn unevaluated_properties(
        &mut self,
        schema: SchemaId,
        id: SchemaId,
        node: NodeId,
        found: &Node,
        marks: Marks,
    ) -> bool {
        if !self.charge(found.length as u64) {
            return false;
        }
        let (mut at, mut ok) = (node + 1, true);
        for position in 0..found.length {
            if !self.is_marked(marks, position) {
                self.mark(marks, position);
                ok &= self.unevaluated(schema, id, at + 1, Failure::UnevaluatedProperty);
                if !ok && !self.collecting {
                    break;
                }
            }
            at = self.tape.next(at + 1);
        }
        ok
    }

    fn unevaluated(&mut self, schema: SchemaId, id: SchemaId, value: NodeId, failure: Failure) -> bool {
        if !self.plan.is_never(schema) {
            return self.child(schema, value);
        }
        self.depth += 1;
        self.fail(id, value, failure);
        self.depth -= 1;
        false
    }
}
