//! What an issue can be, each kind with its data.

use super::Types;

/// What a violation is. Values of the instance and of the schema are JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IssueKind {
    /// `type`
    Type {
        /// The types that are allowed.
        expected: Types,
        /// The type of the value.
        found: Types,
        /// The string holds JSON text of an allowed type: the value was encoded twice.
        double_encoded: bool,
    },
    /// `required`
    Required {
        /// The property that is missing.
        missing: String,
    },
    /// `additionalProperties: false`
    AdditionalProperty {
        /// The property that is not allowed.
        name: String,
    },
    /// `unevaluatedProperties: false`
    UnevaluatedProperty {
        /// The property that is not allowed.
        name: String,
    },
    /// `items: false` or `additionalItems: false` after a list of item schemas
    AdditionalItem {
        /// `items` or `additionalItems`.
        keyword: &'static str,
        /// How many items are allowed.
        limit: u64,
    },
    /// `unevaluatedItems: false`
    UnevaluatedItem {
        /// The item that is not allowed.
        index: u64,
    },
    /// `enum`
    Enum {
        /// The values that are allowed.
        allowed: Vec<String>,
        /// The value found; none when masked or long.
        found: Option<String>,
    },
    /// `const`
    Const {
        /// The value that is allowed.
        allowed: String,
        /// The value found; none when masked or long.
        found: Option<String>,
    },
    /// `minimum`, `maximum`, `exclusiveMinimum` or `exclusiveMaximum`
    Bound {
        /// The keyword.
        keyword: &'static str,
        /// `>=`, `<=`, `>` or `<`.
        comparison: &'static str,
        /// The bound.
        limit: String,
        /// The number found; none when masked.
        found: Option<String>,
    },
    /// `multipleOf`
    MultipleOf {
        /// The number that the value has to be a multiple of.
        multiple_of: String,
        /// The number found; none when masked.
        found: Option<String>,
    },
    /// `minLength`, `maxLength`, `minItems`, `maxItems`, `minProperties` or `maxProperties`
    Count {
        /// The keyword.
        keyword: &'static str,
        /// The limit: code points, items or properties.
        limit: u64,
        /// The count found.
        found: u64,
    },
    /// `pattern`
    Pattern {
        /// The pattern's source.
        pattern: String,
    },
    /// `format`
    Format {
        /// The format's name.
        format: String,
    },
    /// `uniqueItems`: two items are equal
    UniqueItems {
        /// The earlier index.
        first: u64,
        /// The later index.
        second: u64,
    },
    /// `contains`, `minContains` or `maxContains`
    Contains {
        /// The keyword that failed.
        keyword: &'static str,
        /// The least number of matching items.
        min: u64,
        /// The greatest number of matching items.
        max: Option<u64>,
        /// The number of matching items.
        found: u64,
    },
    /// `propertyNames`
    PropertyNames {
        /// The name at fault.
        name: String,
        /// What is wrong with it.
        reason: Option<Box<IssueKind>>,
    },
    /// `dependentRequired`, or the list form of `dependencies`
    DependentRequired {
        /// `dependentRequired` or `dependencies`.
        keyword: &'static str,
        /// The property that asks for the other.
        property: String,
        /// The property that is missing.
        missing: String,
    },
    /// `anyOf`: no branch is met
    AnyOf,
    /// `oneOf`: no branch is met, or several are
    OneOf {
        /// The branches that are met.
        passing: Vec<u64>,
    },
    /// `not`
    Not,
    /// The schema `false`
    FalseSchema,
    /// Any other check, such as a contract's own refinement
    Other {
        /// What to report as the keyword.
        keyword: String,
        /// What is wrong.
        message: String,
    },
}

impl IssueKind {
    /// The keyword that failed, or `false schema`.
    pub fn keyword(&self) -> &str {
        match self {
            IssueKind::Type { .. } => "type",
            IssueKind::Required { .. } => "required",
            IssueKind::AdditionalProperty { .. } => "additionalProperties",
            IssueKind::UnevaluatedProperty { .. } => "unevaluatedProperties",
            IssueKind::UnevaluatedItem { .. } => "unevaluatedItems",
            IssueKind::Enum { .. } => "enum",
            IssueKind::Const { .. } => "const",
            IssueKind::MultipleOf { .. } => "multipleOf",
            IssueKind::Pattern { .. } => "pattern",
            IssueKind::Format { .. } => "format",
            IssueKind::UniqueItems { .. } => "uniqueItems",
            IssueKind::PropertyNames { .. } => "propertyNames",
            IssueKind::AnyOf => "anyOf",
            IssueKind::OneOf { .. } => "oneOf",
            IssueKind::Not => "not",
            IssueKind::FalseSchema => "false schema",
            IssueKind::AdditionalItem { keyword, .. }
            | IssueKind::Bound { keyword, .. }
            | IssueKind::Count { keyword, .. }
            | IssueKind::Contains { keyword, .. }
            | IssueKind::DependentRequired { keyword, .. } => keyword,
            IssueKind::Other { keyword, .. } => keyword,
        }
    }

    /// The same violation without values of the instance. Property names, lengths and counts stay.
    #[must_use]
    pub fn masked(mut self) -> IssueKind {
        match &mut self {
            IssueKind::Enum { found, .. }
            | IssueKind::Const { found, .. }
            | IssueKind::Bound { found, .. }
            | IssueKind::MultipleOf { found, .. } => *found = None,
            _ => {}
        }
        self
    }
}
