//! `allOf`, `anyOf`, `oneOf`, `not` and `if` (core, sections 10.2.1 and 10.2.2).

use crate::json::tape::{Node, NodeId, Tag};
use crate::schema::plan::{NO_SCHEMA, SchemaId, Span};
use crate::validate::evaluate::Evaluator;
use crate::validate::marks::Marks;
use crate::validate::violation::{Failure, Violation};

impl Evaluator<'_> {
    #[inline(never)]
    pub(in crate::validate) fn all_of(&mut self, list: Span, node: NodeId, marks: Marks) -> bool {
        let plan = self.plan;
        let mut ok = true;
        for schema in list.of(&plan.lists) {
            if !self.eval(*schema, node, marks) {
                ok = false;
                if !self.collecting {
                    break;
                }
            }
        }
        ok
    }

    #[inline(never)]
    pub(in crate::validate) fn any_of(
        &mut self,
        list: Span,
        id: SchemaId,
        node: NodeId,
        found: &Node,
        marks: Marks,
    ) -> bool {
        let plan = self.plan;
        let mut met = false;
        for schema in list.of(&plan.lists) {
            met |= self.branch(*schema, node, found, marks);
            if met && marks == Marks::NONE || self.exhausted {
                break;
            }
        }
        if !met && self.fail(id, node, Failure::AnyOf) {
            self.best_branch(list, node, found, marks);
        }
        met
    }

    #[inline(never)]
    pub(in crate::validate) fn one_of(
        &mut self,
        list: Span,
        id: SchemaId,
        node: NodeId,
        found: &Node,
        marks: Marks,
    ) -> bool {
        let plan = self.plan;
        let (mut met, mut passing) = (0, 0u64);
        for (index, schema) in list.of(&plan.lists).iter().enumerate() {
            if self.branch(*schema, node, found, marks) {
                met += 1;
                passing |= 1u64.checked_shl(index as u32).unwrap_or(0);
            }
            if met > 1 && !self.collecting || self.exhausted {
                break;
            }
        }
        if met == 1 {
            return true;
        }
        if self.fail(id, node, Failure::OneOf(passing)) && met == 0 {
            self.best_branch(list, node, found, marks);
        }
        false
    }

    #[inline(never)]
    pub(in crate::validate) fn not(&mut self, schema: SchemaId, id: SchemaId, node: NodeId) -> bool {
        if !self.quiet(schema, node, Marks::NONE) {
            return true;
        }
        self.fail(id, node, Failure::Not);
        false
    }

    #[inline(never)]
    pub(in crate::validate) fn condition(&mut self, index: u32, node: NodeId, found: &Node, marks: Marks) -> bool {
        let plan = self.plan;
        let Some(condition) = plan.conditions.get(index as usize) else { return true };
        let met = self.branch(condition.condition, node, found, marks);
        let consequence = if met { condition.then } else { condition.otherwise };
        consequence == NO_SCHEMA || self.eval(consequence, node, marks)
    }

    /// Evaluates a schema that need not be met; what it evaluated counts only if it is.
    fn branch(&mut self, schema: SchemaId, node: NodeId, found: &Node, marks: Marks) -> bool {
        if marks == Marks::NONE {
            return self.quiet(schema, node, Marks::NONE);
        }
        let own = self.new_marks(found);
        let met = self.quiet(schema, node, own);
        self.release_marks(own, marks, met);
        met
    }

    /// Collects the violations of the branch that fits best. What it evaluated counts, lest its members be reported again.
    #[cold]
    fn best_branch(&mut self, list: Span, node: NodeId, found: &Node, marks: Marks) {
        let plan = self.plan;
        let start = self.memory.violations.len();
        let mut best: Option<(Misfit, Vec<Violation>, SchemaId)> = None;
        for schema in list.of(&plan.lists) {
            let own = self.new_marks(found);
            // This frame is larger than most, and counts twice.
            self.level += 1;
            self.eval(*schema, node, own);
            self.level -= 1;
            let unknown = found.length.saturating_sub(self.count_marks(own));
            self.release_marks(own, Marks::NONE, false);
            let violations: Vec<Violation> = self.memory.violations.drain(start..).collect();
            let misfit = self.misfit(node, found, &violations, unknown);
            if best.as_ref().is_none_or(|(least, ..)| misfit < *least) {
                best = Some((misfit, violations, *schema));
            }
            if self.exhausted {
                break;
            }
        }
        if let Some((_, violations, schema)) = best {
            if marks != Marks::NONE {
                let own = self.new_marks(found);
                self.level += 1;
                self.eval(schema, node, own);
                self.level -= 1;
                self.release_marks(own, marks, true);
                self.memory.violations.truncate(start);
            }
            self.memory.violations.extend(violations);
        }
    }

    /// How badly a branch fits: first whether the value is of the wrong type, or of the right one but none of the values
    /// allowed; then in how many of its direct members that are to have a given value it has another (a discriminator), then
    /// the number of violations, then how many of its members or items the branch says nothing of.
    fn misfit(&self, node: NodeId, found: &Node, violations: &[Violation], unknown: u32) -> Misfit {
        let mut misfit = Misfit { value: Fit::Unknown, wrong_tags: 0, violations: violations.len(), unknown };
        for violation in violations {
            if violation.node == node {
                misfit.value = misfit.value.max(self.fit(found, violation));
            } else if matches!(violation.failure, Failure::Const(_) | Failure::Enum)
                && found.tag == Tag::Object
                && violation.depth == self.depth + 1
            {
                misfit.wrong_tags += 1;
            }
        }
        misfit
    }

    /// What a violation at the value itself says of it.
    fn fit(&self, found: &Node, violation: &Violation) -> Fit {
        let same_type = |tag: Tag| match tag {
            Tag::False | Tag::True => matches!(found.tag, Tag::False | Tag::True),
            tag => tag == found.tag,
        };
        let allowed = match (violation.failure, self.schema_tape(violation.schema)) {
            (Failure::Type | Failure::Never, _) => false,
            (Failure::Const(value), Some(tape)) => same_type(tape.tag(value)),
            (Failure::Enum, Some(tape)) => {
                let place = self.plan.schemas.get(violation.schema as usize).map_or(0, |schema| schema.place.node);
                tape.get(place, "enum").is_some_and(|list| tape.items(list).any(|value| same_type(tape.tag(value))))
            }
            _ => return Fit::Unknown,
        };
        if allowed { Fit::OtherValue } else { Fit::OtherType }
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Misfit {
    value: Fit,
    wrong_tags: usize,
    violations: usize,
    unknown: u32,
}

/// Best first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Unknown,
    OtherValue,
    OtherType,
}
