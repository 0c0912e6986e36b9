//! Keywords for numbers (validation, section 6.2), by exact decimal value.

use std::cmp::Ordering;

use crate::json::number::Decimal;
use crate::json::tape::{Node, NodeId};
use crate::schema::plan::{Bound, Op, SchemaId};
use crate::validate::evaluate::Evaluator;
use crate::validate::violation::Failure;

impl Evaluator<'_> {
    /// Whether a number has no fraction; strictly, whether it is written without one.
    pub(in crate::validate) fn is_integer(&self, found: &Node, strict: bool) -> bool {
        found.is_plain_integer() || !strict && Decimal::parse(self.tape.number_bytes(found)).is_integer()
    }

    #[inline(never)]
    pub(in crate::validate) fn number(&mut self, op: &Op, id: SchemaId, node: NodeId, found: &Node) -> bool {
        let plan = self.plan;
        let failure = match *op {
            Op::Bound { bound, upper, exclusive } => {
                let Some(plan) = plan.bounds.get(bound as usize) else { return true };
                let met = match self.compare(found, plan, id) {
                    Ordering::Equal => !exclusive,
                    Ordering::Less => upper,
                    Ordering::Greater => !upper,
                };
                if met {
                    return true;
                }
                Failure::Bound { bound, upper, exclusive }
            }
            Op::MultipleOf(divisor) => {
                let Some(tape) = self.schema_tape(id) else { return true };
                let divisor_number = Decimal::parse(tape.number(divisor).as_bytes());
                let number = Decimal::parse(self.tape.number_bytes(found));
                if !self.charge(number.multiple_of_cost(&divisor_number)) {
                    return false;
                }
                if number.is_multiple_of(&divisor_number) {
                    return true;
                }
                Failure::MultipleOf(divisor)
            }
            _ => return true,
        };
        self.fail(id, node, failure);
        false
    }

    fn compare(&mut self, found: &Node, bound: &Bound, id: SchemaId) -> Ordering {
        if let (Some(number), Some(limit)) = (self.tape.small_integer(found), bound.small) {
            return number.cmp(&limit);
        }
        let limit = self.schema_tape(id).map_or("", |tape| tape.number(bound.node));
        self.charge(found.length as u64 / 16);
        Decimal::parse(self.tape.number_bytes(found)).cmp(&Decimal::parse(limit.as_bytes()))
    }
}
