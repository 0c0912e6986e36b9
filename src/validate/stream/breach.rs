//! What a stream was rejected for, and the issue it becomes.

use super::duties::Duty;
use super::outlook;
use super::{Question, Watch};
use crate::json::tape::{NodeId, Tag, Tape};
use crate::schema::plan::SchemaId;
use crate::validate::Validator;
use crate::validate::evaluate::Evaluator;
use crate::validate::issue::{Issue, IssueKind, Types};
use crate::validate::violation::{Failure, Reporter, Violation};

/// A violation that nothing which may follow can mend.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Breach {
    /// No value of this kind meets the schema.
    Kind { duty: Duty, node: NodeId },
    /// A keyword that failed, with its data.
    Failed { schema: SchemaId, node: NodeId, failure: Failure },
    /// The string being read is longer than a schema allows.
    TooLong { node: NodeId },
    /// A required property did not come.
    Missing { schema: SchemaId, object: u32, node: NodeId },
    /// A member name does not meet the schema of the names.
    Name { schema: SchemaId, names: Duty, node: NodeId },
    /// The value does not meet one of the schema's keywords, or without that, the schema.
    Value { duty: Duty, op: Option<u32>, node: NodeId },
}

impl Watch {
    /// The issue of a breach, on a sealed tape.
    #[cold]
    pub fn issue(&mut self, validator: &Validator, tape: &Tape, breach: Breach) -> Option<Issue> {
        let violation = self.violation(validator, tape, breach)?;
        let mut issue = Reporter { plan: &validator.plan, tape, memory: &self.memory }.issue(&violation);
        if matches!(breach, Breach::Kind { .. } | Breach::TooLong { .. }) {
            // Only the beginning of the value is known.
            match &mut issue.kind {
                IssueKind::Enum { found, .. } | IssueKind::Const { found, .. } => *found = None,
                IssueKind::Type { found, .. } if *found == Types::INTEGER => *found = Types::NUMBER,
                _ => {}
            }
        }
        Some(issue)
    }

    fn violation(&mut self, validator: &Validator, tape: &Tape, breach: Breach) -> Option<Violation> {
        let plan = &validator.plan;
        let at = |schema, node, failure| Some(Violation { node, schema, depth: 0, failure });
        match breach {
            Breach::Failed { schema, node, failure } => {
                self.memory.violations.clear();
                at(schema, node, failure)
            }
            Breach::TooLong { node } => {
                let is_limit = |violation: &&Violation| matches!(violation.failure, Failure::MaxLength { .. });
                let mut other = None;
                for duty in self.duties.get(self.pending..).unwrap_or_default().to_vec() {
                    self.collect(validator, tape, duty, None, node);
                    let found = self.memory.violations.iter().find(is_limit);
                    if found.is_some() {
                        return found.copied();
                    }
                    // Of alternatives that all have a limit none is the one to name.
                    other = other.or_else(|| self.memory.violations.first().copied());
                }
                other
            }
            Breach::Missing { schema, object, node } => {
                let object_plan = plan.objects.get(object as usize)?;
                let missing = object_plan.properties.iter().position(|property| {
                    property.required && tape.find(node, property.name.of(&plan.names), property.hash).is_none()
                })?;
                at(schema, node, Failure::Required { object, property: missing as u32 })
            }
            Breach::Name { schema, names, node } => {
                let reason = self.first_violation(validator, tape, names, None, node)?;
                self.memory.reasons.clear();
                self.memory.reasons.push(reason);
                at(schema, node + 1, Failure::PropertyNames(0))
            }
            Breach::Kind { duty, node } => {
                self.collect(validator, tape, duty, None, node);
                let mut here = self.memory.violations.iter().filter(|violation| violation.node == node);
                let of_kind = |violation: &&Violation| matches!(violation.failure, Failure::Type | Failure::Never);
                let first = here.clone().find(of_kind).or_else(|| here.next()).copied();
                first.or_else(|| at(duty.schema, node, Failure::Type))
            }
            Breach::Value { duty, op, node } => self.first_violation(validator, tape, duty, op, node),
        }
    }

    fn first_violation(
        &mut self,
        validator: &Validator,
        tape: &Tape,
        duty: Duty,
        op: Option<u32>,
        node: NodeId,
    ) -> Option<Violation> {
        self.collect(validator, tape, duty, op, node);
        self.memory.violations.iter().min_by_key(|violation| violation.node).copied()
    }

    /// Leaves the violations of a value in the memory.
    fn collect(&mut self, validator: &Validator, tape: &Tape, duty: Duty, op: Option<u32>, node: NodeId) {
        let scopes = self.scopes.outermost_first(if op.is_some() { duty.inside } else { duty.outside });
        let mut evaluator = Evaluator::new(&validator.plan, tape, &mut self.memory, validator.budget(tape));
        evaluator.enter_scopes(&scopes);
        evaluator.collecting = true;
        evaluator.answer(op.map_or(Question::Schema(duty.schema), |op| Question::Keyword(duty.schema, op)), node);
    }
}

impl Breach {
    /// The node of the value at fault, which need not be on the tape yet.
    pub fn node(&self) -> NodeId {
        match *self {
            Breach::Kind { node, .. }
            | Breach::Failed { node, .. }
            | Breach::TooLong { node, .. }
            | Breach::Missing { node, .. }
            | Breach::Name { node, .. }
            | Breach::Value { node, .. } => node,
        }
    }
}

/// Whether a value's kind is among those that can meet the schema.
#[inline]
pub(super) fn can_meet(all: &[outlook::Outlook], duty: Duty, tag: Tag) -> bool {
    outlook::of(all, duty.schema).kinds.meets(outlook::kind(tag))
}
