//! Violations: what the evaluator notes, small and without text, and the issues they become.

use super::evaluate::Memory;
use super::issue::{Issue, IssueKind, Types};
use crate::json::number::Decimal;
use crate::json::tape::{NodeId, Tag, Tape};
use crate::json::{locate, pointer, write};
use crate::schema::plan::{Plan, SchemaId};

/// What a keyword found wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Failure {
    Never,
    Type,
    Enum,
    Const(NodeId),
    Bound {
        bound: u32,
        upper: bool,
        exclusive: bool,
    },
    MultipleOf(NodeId),
    MinLength {
        limit: u32,
        found: u32,
    },
    MaxLength {
        limit: u32,
        found: u32,
    },
    Pattern,
    Format,
    MinItems(u32),
    MaxItems(u32),
    UniqueItems {
        first: u32,
        second: u32,
    },
    AdditionalItem {
        limit: u32,
        keyword: &'static str,
    },
    Contains {
        contains: u32,
        found: u32,
    },
    MinProperties(u32),
    MaxProperties(u32),
    /// The object plan, and the property in it.
    Required {
        object: u32,
        property: u32,
    },
    AdditionalProperty,
    /// What is wrong with the name, among the reasons.
    PropertyNames(u32),
    /// The dependent plan, and the name in it.
    DependentRequired {
        dependent: u32,
        name: u32,
    },
    UnevaluatedItem(u32),
    UnevaluatedProperty,
    AnyOf,
    /// The first 64 branches as bits.
    OneOf(u64),
    Not,
}

impl Failure {
    /// Whether more in the value could mend it.
    pub fn lacks(self) -> bool {
        use Failure::{DependentRequired, MinItems, MinProperties, Required};
        matches!(self, Required { .. } | DependentRequired { .. } | MinItems(_) | MinProperties(_))
    }
}

/// A violation and where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Violation {
    pub node: NodeId,
    pub schema: SchemaId,
    pub depth: u32,
    pub failure: Failure,
}

/// Values longer than this are not quoted in an issue.
const QUOTED: usize = 80;

/// Turns violations into issues.
pub(super) struct Reporter<'a> {
    pub plan: &'a Plan,
    pub tape: &'a Tape,
    pub memory: &'a Memory,
}

impl Reporter<'_> {
    pub fn issue(&self, violation: &Violation) -> Issue {
        let kind = self.kind(violation);
        let instance_path = locate::pointer(self.tape, violation.node);
        let mut schema_path = String::new();
        if let Some(schema) = self.plan.schemas.get(violation.schema as usize)
            && let Some(document) = self.plan.documents.get(schema.place.document as usize)
        {
            if !document.name.is_empty() {
                schema_path.push_str(&document.name);
                schema_path.push('#');
            }
            schema_path.push_str(&locate::pointer(&document.tape, schema.place.node));
            if !matches!(violation.failure, Failure::Never) {
                pointer::push_name(&mut schema_path, kind.keyword());
            }
            if let IssueKind::DependentRequired { property, .. } = &kind {
                pointer::push_name(&mut schema_path, property);
            }
        }
        Issue { instance_path, schema_path, kind }
    }

    fn kind(&self, violation: &Violation) -> IssueKind {
        match violation.failure {
            Failure::Never => IssueKind::FalseSchema,
            Failure::Type => self.type_kind(violation),
            Failure::Enum => {
                let allowed = self.keyword_node(violation, "enum").map(|(tape, list)| {
                    let values = tape.items(list);
                    values.map(|value| tape.json_text(value).into_owned()).collect()
                });
                IssueKind::Enum { allowed: allowed.unwrap_or_default(), found: self.quoted(violation.node) }
            }
            Failure::Const(value) => {
                IssueKind::Const { allowed: self.schema_text(violation, value), found: self.quoted(violation.node) }
            }
            Failure::Bound { bound, upper, exclusive } => {
                let node = self.plan.bounds.get(bound as usize).map_or(0, |bound| bound.node);
                let beside = if upper { "exclusiveMaximum" } else { "exclusiveMinimum" };
                // In draft 4 the exclusive keyword is a boolean beside the bound, which carries the number.
                let numeric =
                    self.keyword_node(violation, beside).is_some_and(|(tape, node)| tape.tag(node) == Tag::Number);
                let (keyword, comparison) = match (upper, exclusive) {
                    (false, false) => ("minimum", ">="),
                    (false, true) => (if numeric { beside } else { "minimum" }, ">"),
                    (true, false) => ("maximum", "<="),
                    (true, true) => (if numeric { beside } else { "maximum" }, "<"),
                };
                let limit = self.schema_text(violation, node);
                IssueKind::Bound { keyword, comparison, limit, found: self.quoted(violation.node) }
            }
            Failure::MultipleOf(divisor) => IssueKind::MultipleOf {
                multiple_of: self.schema_text(violation, divisor),
                found: self.quoted(violation.node),
            },
            Failure::MinLength { limit, found } => count("minLength", limit, found),
            Failure::MaxLength { limit, found } => count("maxLength", limit, found),
            Failure::MinItems(limit) => count("minItems", limit, self.tape.count(violation.node)),
            Failure::MaxItems(limit) => count("maxItems", limit, self.tape.count(violation.node)),
            Failure::MinProperties(limit) => count("minProperties", limit, self.tape.count(violation.node)),
            Failure::MaxProperties(limit) => count("maxProperties", limit, self.tape.count(violation.node)),
            Failure::Pattern => IssueKind::Pattern { pattern: self.keyword_string(violation, "pattern") },
            Failure::Format => IssueKind::Format { format: self.keyword_string(violation, "format") },
            Failure::UniqueItems { first, second } => {
                IssueKind::UniqueItems { first: first.into(), second: second.into() }
            }
            Failure::AdditionalItem { limit, keyword } => IssueKind::AdditionalItem { keyword, limit: limit.into() },
            Failure::Contains { contains, found } => {
                let (min, max) =
                    self.plan.contains.get(contains as usize).map_or((1, u32::MAX), |plan| (plan.min, plan.max));
                let given = |keyword| self.keyword_node(violation, keyword).is_some();
                let keyword = match found < min {
                    true if given("minContains") => "minContains",
                    true => "contains",
                    false => "maxContains",
                };
                let max = (max != u32::MAX).then_some(max.into());
                IssueKind::Contains { keyword, min: min.into(), max, found: found.into() }
            }
            Failure::Required { object, property } => {
                let property =
                    self.plan.objects.get(object as usize).and_then(|plan| plan.properties.get(property as usize));
                let missing = property.map(|property| self.name(property.name.of(&self.plan.names)));
                IssueKind::Required { missing: missing.unwrap_or_default() }
            }
            Failure::DependentRequired { dependent, name } => {
                let Some(plan) = self.plan.dependents.get(dependent as usize) else { return IssueKind::FalseSchema };
                let missing = plan.required.get(name as usize).map(|(_, name)| self.name(name.of(&self.plan.names)));
                IssueKind::DependentRequired {
                    keyword: plan.keyword,
                    property: self.name(plan.name.of(&self.plan.names)),
                    missing: missing.unwrap_or_default(),
                }
            }
            Failure::AdditionalProperty => IssueKind::AdditionalProperty { name: self.member_name(violation.node) },
            Failure::UnevaluatedProperty => IssueKind::UnevaluatedProperty { name: self.member_name(violation.node) },
            Failure::PropertyNames(reason) => IssueKind::PropertyNames {
                name: self.member_name(violation.node),
                reason: self.memory.reasons.get(reason as usize).map(|reason| Box::new(self.kind(reason))),
            },
            Failure::UnevaluatedItem(index) => IssueKind::UnevaluatedItem { index: index.into() },
            Failure::AnyOf => IssueKind::AnyOf,
            Failure::OneOf(passing) => {
                IssueKind::OneOf { passing: (0..64).filter(|branch| passing & 1 << branch != 0).collect() }
            }
            Failure::Not => IssueKind::Not,
        }
    }

    fn type_kind(&self, violation: &Violation) -> IssueKind {
        let schema = self.plan.schemas.get(violation.schema as usize);
        let expected = schema.map_or(Types::ANY, |schema| schema.types);
        let node = violation.node;
        let found = match self.tape.tag(node) {
            Tag::Null => Types::NULL,
            Tag::False | Tag::True => Types::BOOLEAN,
            Tag::Number if Decimal::parse(self.tape.number(node).as_bytes()).is_integer() => Types::INTEGER,
            Tag::Number => Types::NUMBER,
            Tag::String => Types::STRING,
            Tag::Array => Types::ARRAY,
            Tag::Object => Types::OBJECT,
        };
        let string = self.tape.string(node).trim_start();
        let double_encoded = found == Types::STRING
            && (expected.meets(Types::OBJECT) && string.starts_with('{')
                || expected.meets(Types::ARRAY) && string.starts_with('['))
            && Tape::parse(string.as_bytes(), Default::default()).is_ok();
        IssueKind::Type { expected, found, double_encoded }
    }

    /// A keyword of the schema that was violated, and the tape that it stands on.
    fn keyword_node(&self, violation: &Violation, keyword: &str) -> Option<(&Tape, NodeId)> {
        let schema = self.plan.schemas.get(violation.schema as usize)?;
        let tape = self.plan.tape(schema.place)?;
        Some((tape, tape.get(schema.place.node, keyword)?))
    }

    fn keyword_string(&self, violation: &Violation, keyword: &str) -> String {
        self.keyword_node(violation, keyword).map(|(tape, node)| tape.string(node).to_owned()).unwrap_or_default()
    }

    fn schema_text(&self, violation: &Violation, node: NodeId) -> String {
        let schema = self.plan.schemas.get(violation.schema as usize);
        let tape = schema.and_then(|schema| self.plan.tape(schema.place));
        tape.map(|tape| tape.json_text(node).into_owned()).unwrap_or_default()
    }

    /// The value's text if it is short.
    fn quoted(&self, node: NodeId) -> Option<String> {
        if self.tape.tag(node) == Tag::String {
            let mut out = String::new();
            write::string(&mut out, self.tape.string(node));
            return (out.len() <= QUOTED).then_some(out);
        }
        let text = self.tape.json_text(node);
        (text.len() <= QUOTED).then(|| text.into_owned())
    }

    /// The name of the member whose value this is; for a name, itself.
    fn member_name(&self, value: NodeId) -> String {
        self.tape.string(value.saturating_sub(1)).to_owned()
    }

    fn name(&self, bytes: &[u8]) -> String {
        std::str::from_utf8(bytes).unwrap_or_default().to_owned()
    }
}

fn count(keyword: &'static str, limit: u32, found: u32) -> IssueKind {
    IssueKind::Count { keyword, limit: limit.into(), found: found.into() }
}
