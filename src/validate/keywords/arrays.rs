//! Keywords for arrays: `prefixItems`, `items`, `contains` (core, section 10.3.1) and those of validation, section 6.4.

use crate::json::equal::first_repeated;
use crate::json::tape::{Node, NodeId};
use crate::schema::plan::{NO_SCHEMA, Op, SchemaId};
use crate::validate::evaluate::Evaluator;
use crate::validate::marks::Marks;
use crate::validate::violation::Failure;

impl Evaluator<'_> {
    #[inline(never)]
    #[cfg_attr(fast, optimize(speed))]
    pub(in crate::validate) fn array(
        &mut self,
        index: u32,
        id: SchemaId,
        node: NodeId,
        found: &Node,
        marks: Marks,
    ) -> bool {
        let plan = self.plan;
        let Some(array) = plan.arrays.get(index as usize) else { return true };
        if !self.charge(found.length as u64) {
            return false;
        }
        let (tape, end, prefix) = (self.tape, found.link, array.prefix.of(&plan.lists));
        let closed = plan.is_never(array.rest);
        let (mut at, mut position, mut ok) = (node + 1, 0, true);
        while at < end {
            let item = prefix.get(position as usize).copied();
            let schema = item.unwrap_or(array.rest);
            if schema == NO_SCHEMA {
                break;
            }
            self.mark(marks, position);
            let met = if closed && item.is_none() {
                self.depth += 1;
                self.fail(id, at, Failure::AdditionalItem { limit: array.prefix.length, keyword: array.rest_keyword });
                self.depth -= 1;
                false
            } else {
                self.child(schema, at)
            };
            if !met {
                if !self.collecting {
                    return false;
                }
                ok = false;
            }
            at = tape.next(at);
            position += 1;
        }
        ok
    }

    #[inline(never)]
    pub(in crate::validate) fn whole_array(&mut self, op: &Op, id: SchemaId, node: NodeId, found: &Node) -> bool {
        let failure = match *op {
            Op::MinItems(limit) if found.length < limit => Failure::MinItems(limit),
            Op::MaxItems(limit) if found.length > limit => Failure::MaxItems(limit),
            Op::UniqueItems if found.length > 1 => {
                // Sorting compares each item with some twenty others at most.
                if !self.charge((found.link - node) as u64 * 4) {
                    return false;
                }
                match first_repeated(self.tape, node) {
                    Some((first, second)) => Failure::UniqueItems { first, second },
                    None => return true,
                }
            }
            _ => return true,
        };
        self.fail(id, node, failure);
        false
    }

    #[inline(never)]
    pub(in crate::validate) fn contains(
        &mut self,
        index: u32,
        id: SchemaId,
        node: NodeId,
        found: &Node,
        marks: Marks,
    ) -> bool {
        let plan = self.plan;
        let Some(contains) = plan.contains.get(index as usize) else { return true };
        if !self.charge(found.length as u64) {
            return false;
        }
        let collecting = std::mem::replace(&mut self.collecting, false);
        let (mut at, mut position, mut matching) = (node + 1, 0, 0);
        let all = marks != Marks::NONE && contains.evaluates || contains.max != u32::MAX || collecting;
        while at < found.link && (all || matching < contains.min) {
            if self.child(contains.schema, at) {
                matching += 1;
                if contains.evaluates {
                    self.mark(marks, position);
                }
            }
            at = self.tape.next(at);
            position += 1;
        }
        self.collecting = collecting;
        if matching >= contains.min && matching <= contains.max {
            return true;
        }
        self.fail(id, node, Failure::Contains { contains: index, found: matching });
        false
    }
}
