//! The plan: a compiled schema, flat, with every reference resolved to an index. Plans may be cyclic.

use std::sync::Arc;

use super::format::Format;
use super::options::HostRegExp;
use super::pattern::Pattern;
use super::resolve::Place;
use crate::json::same;
use crate::json::tape::{NodeId, Tape};
use crate::validate::issue::Types;

/// The index of a schema in a plan.
pub(crate) type SchemaId = u32;

/// The schema that everything meets. Every plan has it first.
pub(crate) const EVERYTHING: SchemaId = 0;

/// No schema, where one is optional.
pub(crate) const NO_SCHEMA: SchemaId = u32::MAX;

/// A stretch of one of the plan's arenas.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    pub start: u32,
    pub length: u32,
}

impl Span {
    #[inline(always)]
    pub fn of<T>(self, arena: &[T]) -> &[T] {
        arena.get(self.start as usize..self.start as usize + self.length as usize).unwrap_or_default()
    }
}

/// A compiled schema.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schema {
    pub types: Types,
    /// `1.0` is no integer in draft 4.
    pub strict_integer: bool,
    /// It has a keyword that asks what its neighbours have evaluated.
    pub tracks: bool,
    pub ops: Span,
    pub resource: u32,
    pub place: Place,
}

/// One assertion or applicator.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Enum(u32),
    Const(NodeId),
    /// The bound's index, and whether it lies above the value.
    Bound {
        bound: u32,
        upper: bool,
        exclusive: bool,
    },
    MultipleOf(NodeId),
    MinLength(u32),
    MaxLength(u32),
    Pattern(u32),
    Format(Format),
    MinItems(u32),
    MaxItems(u32),
    UniqueItems,
    Array(u32),
    Contains(u32),
    MinProperties(u32),
    MaxProperties(u32),
    Object(u32),
    DependentRequired(u32),
    DependentSchema(u32),
    AllOf(Span),
    AnyOf(Span),
    OneOf(Span),
    Not(SchemaId),
    If(u32),
    Ref(SchemaId),
    DynamicRef(u32),
    UnevaluatedItems(SchemaId),
    UnevaluatedProperties(SchemaId),
}

/// The values of an `enum`: strings by hash, and the others.
#[derive(Debug, Default)]
pub(crate) struct EnumPlan {
    /// In order of hash, each in [`Plan::names`].
    pub strings: Vec<(u32, Span)>,
    pub others: Vec<NodeId>,
}

/// A numeric bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    pub node: NodeId,
    /// The bound as an integer, when it is written as a short one.
    pub small: Option<i64>,
}

#[derive(Debug)]
pub(crate) enum Matcher {
    Native(Pattern),
    Host(HostPattern),
}

/// A pattern that the host runs.
pub(crate) struct HostPattern {
    pub host: Arc<dyn HostRegExp>,
    pub handle: u32,
}

impl Drop for HostPattern {
    fn drop(&mut self) {
        self.host.release(self.handle);
    }
}

impl std::fmt::Debug for HostPattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("HostPattern").field(&self.handle).finish()
    }
}

/// `prefixItems` and `items`, or what older drafts call so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArrayPlan {
    pub prefix: Span,
    pub rest: SchemaId,
    /// The keyword of `rest`.
    pub rest_keyword: &'static str,
}

/// `contains` with its counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContainsPlan {
    pub schema: SchemaId,
    pub min: u32,
    pub max: u32,
    /// Whether matching items count as evaluated.
    pub evaluates: bool,
}

/// A property that a schema names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Property {
    pub hash: u32,
    pub required: bool,
    /// [`NO_SCHEMA`] when it is only required.
    pub schema: SchemaId,
    /// The name, in [`Plan::names`].
    pub name: Span,
}

/// The keywords that apply to an object's members.
#[derive(Debug)]
pub(crate) struct ObjectPlan {
    pub properties: Vec<Property>,
    /// Open addressing by hash: indices into `properties` plus one, zero for a free slot. Its length is a power of two.
    pub table: Vec<u32>,
    pub required: u32,
    pub patterns: Vec<(u32, SchemaId)>,
    pub additional: SchemaId,
    pub names: SchemaId,
}

/// One property of `dependentRequired` or `dependentSchemas`, or of `dependencies`.
#[derive(Clone, Debug)]
pub(crate) struct DependentPlan {
    pub name: Span,
    pub hash: u32,
    pub keyword: &'static str,
    /// The names that it requires.
    pub required: Vec<(u32, Span)>,
    pub schema: SchemaId,
}

/// `if`, `then` and `else`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IfPlan {
    pub condition: SchemaId,
    pub then: SchemaId,
    pub otherwise: SchemaId,
}

/// A reference that the dynamic scope may redirect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DynamicPlan {
    /// The index of the anchor's name.
    pub name: u32,
    pub fallback: SchemaId,
}

impl DynamicPlan {
    /// The schema that it leads to from these resources, outermost first.
    pub fn target(&self, plan: &Plan, scopes: &[u32]) -> SchemaId {
        let anchors = || plan.dynamic_anchors.iter().filter(|anchor| anchor.name == self.name);
        let outermost = scopes.iter().find_map(|scope| anchors().find(|anchor| anchor.resource == *scope));
        outermost.map_or(self.fallback, |anchor| anchor.schema)
    }
}

/// A schema that a dynamic reference of this name means when its resource is outermost in scope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DynamicAnchor {
    pub name: u32,
    pub resource: u32,
    pub schema: SchemaId,
}

/// A schema text that the plan refers to.
#[derive(Debug)]
pub(crate) struct PlanDocument {
    pub name: String,
    pub tape: Tape,
}

/// A compiled schema with all it refers to.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub root: SchemaId,
    pub schemas: Vec<Schema>,
    pub ops: Vec<Op>,
    pub lists: Vec<SchemaId>,
    /// The names of properties, and the strings of enumerations.
    pub names: Vec<u8>,
    pub enums: Vec<EnumPlan>,
    pub bounds: Vec<Bound>,
    pub patterns: Vec<Matcher>,
    pub arrays: Vec<ArrayPlan>,
    pub contains: Vec<ContainsPlan>,
    pub objects: Vec<ObjectPlan>,
    pub dependents: Vec<DependentPlan>,
    pub conditions: Vec<IfPlan>,
    pub dynamics: Vec<DynamicPlan>,
    pub dynamic_anchors: Vec<DynamicAnchor>,
    pub documents: Vec<PlanDocument>,
}

impl Plan {
    /// The tape of the document that a schema stands in.
    #[inline]
    pub fn tape(&self, place: Place) -> Option<&Tape> {
        self.documents.get(place.document as usize).map(|document| &document.tape)
    }

    /// Whether nothing meets the schema.
    pub fn is_never(&self, schema: SchemaId) -> bool {
        self.schemas.get(schema as usize).is_some_and(|schema| schema.types == Types(0))
    }
}

impl ObjectPlan {
    /// The property of a name. `expected` is tried first: members tend to come in the schema's order.
    #[inline(always)]
    pub fn find(&self, names: &[u8], hash: u32, name: &[u8], expected: usize) -> Option<(usize, &Property)> {
        if let Some(property) = self.properties.get(expected)
            && property.hash == hash
            && same(property.name.of(names), name)
        {
            return Some((expected, property));
        }
        let mask = self.table.len().wrapping_sub(1);
        let mut slot = hash as usize & mask;
        loop {
            let index = (*self.table.get(slot)? as usize).checked_sub(1)?;
            let property = self.properties.get(index)?;
            if property.hash == hash && same(property.name.of(names), name) {
                return Some((index, property));
            }
            slot = (slot + 1) & mask;
        }
    }
}
