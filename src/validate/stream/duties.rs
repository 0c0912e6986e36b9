//! Duties: the schemas that a value has to meet whatever its neighbours are, found by following what is unconditional.

use super::outlook::{self, Outlook};
use crate::schema::plan::{EVERYTHING, Op, Plan, SchemaId};
use crate::validate::issue::Types;

/// Of one value, more are not followed; the check at the end follows all.
const MOST: usize = 256;

/// A schema that a value has to meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Duty {
    pub schema: SchemaId,
    /// The resources entered before it.
    pub outside: Scope,
    /// The resources entered with it, once it is followed.
    pub inside: Scope,
    /// How many of the object's required properties have come.
    pub required: u32,
    /// The property that is expected next.
    pub expected: u32,
}

impl Duty {
    pub fn new(schema: SchemaId, scope: Scope) -> Duty {
        Duty { schema, outside: scope, inside: scope, required: 0, expected: 0 }
    }
}

/// A chain of entered resources in [`Scopes`], by its innermost link; zero is none.
pub(crate) type Scope = u32;

/// The dynamic scopes of the open containers, as a tree of links outwards. Empty in a plan without dynamic references.
#[derive(Debug, Default)]
pub(super) struct Scopes(Vec<(u32, Scope)>);

impl Scopes {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    fn innermost(&self, scope: Scope) -> Option<(u32, Scope)> {
        self.0.get((scope as usize).checked_sub(1)?).copied()
    }

    /// The chain inside a schema of this resource.
    fn entered(&mut self, plan: &Plan, scope: Scope, resource: u32) -> Scope {
        if plan.dynamics.is_empty() || self.innermost(scope).is_some_and(|(innermost, _)| innermost == resource) {
            return scope;
        }
        self.0.push((resource, scope));
        self.0.len() as Scope
    }

    pub fn outermost_first(&self, mut scope: Scope) -> Vec<u32> {
        let mut resources = Vec::new();
        while let Some((resource, outer)) = self.innermost(scope) {
            resources.push(resource);
            scope = outer;
        }
        resources.reverse();
        resources
    }
}

/// Adds to the duties from `start` on what they imply for a value of this kind: references, `allOf`, and of alternatives the
/// only one that such a value can meet.
#[cfg_attr(fast, optimize(speed))]
pub(super) fn follow(
    plan: &Plan,
    outlooks: &[Outlook],
    duties: &mut Vec<Duty>,
    scopes: &mut Scopes,
    start: usize,
    kind: Types,
) {
    let mut at = start;
    while let Some(duty) = duties.get_mut(at) {
        at += 1;
        let Some(schema) = plan.schemas.get(duty.schema as usize) else { continue };
        let inside = scopes.entered(plan, duty.outside, schema.resource);
        duty.inside = inside;
        for op in schema.ops.of(&plan.ops) {
            let one;
            let implied = match *op {
                Op::Ref(inner) => {
                    one = [inner];
                    &one
                }
                Op::AllOf(list) => list.of(&plan.lists),
                Op::AnyOf(list) | Op::OneOf(list) => match outlook::only(outlooks, list.of(&plan.lists), kind) {
                    Some(inner) => {
                        one = [inner];
                        &one
                    }
                    None => continue,
                },
                Op::DynamicRef(index) => {
                    let Some(reference) = plan.dynamics.get(index as usize) else { continue };
                    one = [reference.target(plan, &scopes.outermost_first(inside))];
                    &one
                }
                _ => continue,
            };
            for inner in implied.iter().filter(|inner| **inner != EVERYTHING) {
                let known = duties.get(start..).unwrap_or_default();
                if known.len() < MOST && known.iter().all(|other| other.schema != *inner) {
                    duties.push(Duty::new(*inner, inside));
                }
            }
        }
    }
}
