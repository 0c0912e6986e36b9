//! Issues: what is wrong with an instance, as data, and how they read to a model and in JSON.

use std::fmt;

use crate::json::write;

/// One violation of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Issue {
    /// JSON Pointer to the value at fault. A missing property is reported at the object that lacks it, an extra one at the property.
    pub instance_path: String,
    /// JSON Pointer through the schema, `$ref`s included, to the keyword that failed.
    pub schema_path: String,
    /// The violation with its data.
    pub kind: IssueKind,
}

/// The types of JSON Schema's `type`, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Types(pub(crate) u8);

impl Types {
    /// `null`
    pub const NULL: Types = Types(1);
    /// `true` and `false`
    pub const BOOLEAN: Types = Types(2);
    /// Numbers without a fraction.
    pub const INTEGER: Types = Types(4);
    /// Any number.
    pub const NUMBER: Types = Types(8);
    /// Strings.
    pub const STRING: Types = Types(16);
    /// Arrays.
    pub const ARRAY: Types = Types(32);
    /// Objects.
    pub const OBJECT: Types = Types(64);
    /// Every type.
    pub const ANY: Types = Types(127);

    /// The names, in the order null, boolean, integer, number, string, array, object.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        ["null", "boolean", "integer", "number", "string", "array", "object"]
            .into_iter()
            .enumerate()
            .filter_map(move |(bit, name)| (self.0 & 1 << bit != 0).then_some(name))
    }

    /// The type of this name.
    pub fn from_name(name: &str) -> Option<Types> {
        Types::ANY.names().position(|known| known == name).map(|bit| Types(1 << bit))
    }

    /// The union of two sets.
    #[must_use]
    pub const fn with(self, other: Types) -> Types {
        Types(self.0 | other.0)
    }

    /// Whether the two sets share a type.
    #[inline]
    pub const fn meets(self, other: Types) -> bool {
        self.0 & other.0 != 0
    }
}

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

    /// Appends the parameters as a JSON object, under Ajv's names where Ajv has them.
    pub fn write_params(&self, out: &mut String) {
        let mut params = Params::start(out);
        match self {
            IssueKind::Type { expected, found, double_encoded } => {
                let names: Vec<&str> = expected.names().collect();
                match names.as_slice() {
                    [one] => params.string("type", one),
                    several => params.list("type", several, &|out, name| write::string(out, name)),
                }
                params.string("found", found.names().next().unwrap_or_default());
                if *double_encoded {
                    params.raw("doubleEncoded", "true");
                }
            }
            IssueKind::Required { missing } => params.string("missingProperty", missing),
            IssueKind::AdditionalProperty { name } => params.string("additionalProperty", name),
            IssueKind::UnevaluatedProperty { name } => params.string("unevaluatedProperty", name),
            IssueKind::AdditionalItem { limit, .. } => params.integer("limit", *limit),
            IssueKind::UnevaluatedItem { index } => params.integer("index", *index),
            IssueKind::Enum { allowed, found } => {
                params.list("allowedValues", allowed, &|out, value| out.push_str(value));
                params.found(found);
            }
            IssueKind::Const { allowed, found } => {
                params.raw("allowedValue", allowed);
                params.found(found);
            }
            IssueKind::Bound { comparison, limit, found, .. } => {
                params.string("comparison", comparison);
                params.raw("limit", limit);
                params.found(found);
            }
            IssueKind::MultipleOf { multiple_of, found } => {
                params.raw("multipleOf", multiple_of);
                params.found(found);
            }
            IssueKind::Count { limit, found, .. } => {
                params.integer("limit", *limit);
                params.integer("found", *found);
            }
            IssueKind::Pattern { pattern } => params.string("pattern", pattern),
            IssueKind::Format { format } => params.string("format", format),
            IssueKind::UniqueItems { first, second } => {
                params.integer("i", *second);
                params.integer("j", *first);
            }
            IssueKind::Contains { min, max, found, .. } => {
                params.integer("minContains", *min);
                if let Some(max) = max {
                    params.integer("maxContains", *max);
                }
                params.integer("found", *found);
            }
            IssueKind::PropertyNames { name, .. } => params.string("propertyName", name),
            IssueKind::DependentRequired { property, missing, .. } => {
                params.string("property", property);
                params.string("missingProperty", missing);
            }
            IssueKind::OneOf { passing } if passing.is_empty() => params.raw("passingSchemas", "null"),
            IssueKind::OneOf { passing } => {
                params.list("passingSchemas", passing, &|out, index| write::integer(out, *index))
            }
            IssueKind::AnyOf | IssueKind::Not | IssueKind::FalseSchema | IssueKind::Other { .. } => {}
        }
        params.end();
    }

    /// What is wrong and what is wanted, for a model to repair from: lower case, no final period.
    pub fn message(&self) -> String {
        let mut out = String::new();
        match self {
            IssueKind::Type { expected, found, double_encoded } => {
                out.push_str("expected ");
                for (index, name) in expected.names().enumerate() {
                    out.push_str(if index == 0 { "" } else { " or " });
                    out.push_str(name);
                }
                out.push_str(", found ");
                out.push_str(found.names().next().unwrap_or_default());
                if *double_encoded {
                    out.push_str(": it is encoded twice, give the value itself and not a string of JSON");
                }
            }
            IssueKind::Required { missing } => quoted(&mut out, "missing required property ", missing, ""),
            IssueKind::AdditionalProperty { name } | IssueKind::UnevaluatedProperty { name } => {
                quoted(&mut out, "property ", name, " is not allowed here, remove it")
            }
            IssueKind::AdditionalItem { limit, .. } => counted(&mut out, "expected at most ", *limit, "item", "items"),
            IssueKind::UnevaluatedItem { .. } => out.push_str("this item is not allowed here, remove it"),
            IssueKind::Enum { allowed, found } => {
                out.push_str("expected one of ");
                for (index, value) in allowed.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { ", " });
                    out.push_str(value);
                }
                found_value(&mut out, found);
            }
            IssueKind::Const { allowed, found } => {
                out.push_str("expected ");
                out.push_str(allowed);
                found_value(&mut out, found);
            }
            IssueKind::Bound { comparison, limit, found, .. } => {
                out.push_str("expected a number ");
                out.push_str(comparison);
                out.push(' ');
                out.push_str(limit);
                found_value(&mut out, found);
            }
            IssueKind::MultipleOf { multiple_of, found } => {
                out.push_str("expected a multiple of ");
                out.push_str(multiple_of);
                found_value(&mut out, found);
            }
            IssueKind::Count { keyword, limit, found } => {
                let (one, many) = match *keyword {
                    "minLength" | "maxLength" => ("character", "characters"),
                    "minItems" | "maxItems" => ("item", "items"),
                    _ => ("property", "properties"),
                };
                let at = if keyword.starts_with("min") { "expected at least " } else { "expected at most " };
                counted(&mut out, at, *limit, one, many);
                out.push_str(", found ");
                write::integer(&mut out, *found);
            }
            IssueKind::Pattern { pattern } => {
                out.push_str("expected a string that matches the pattern ");
                out.push_str(pattern);
            }
            IssueKind::Format { format } => quoted(&mut out, "expected a string of format ", format, ""),
            IssueKind::UniqueItems { first, second } => {
                out.push_str("expected unique items, but items ");
                write::integer(&mut out, *first);
                out.push_str(" and ");
                write::integer(&mut out, *second);
                out.push_str(" are equal");
            }
            IssueKind::Contains { min, max, found, .. } => {
                match max {
                    Some(max) if found > max => {
                        counted(&mut out, "expected at most ", *max, "matching item", "matching items")
                    }
                    _ => counted(&mut out, "expected at least ", *min, "matching item", "matching items"),
                }
                out.push_str(", found ");
                write::integer(&mut out, *found);
            }
            IssueKind::PropertyNames { name, reason } => {
                quoted(&mut out, "property name ", name, " is not allowed");
                if let Some(reason) = reason {
                    out.push_str(": ");
                    out.push_str(&reason.message());
                }
            }
            IssueKind::DependentRequired { property, missing, .. } => {
                quoted(&mut out, "missing property ", missing, ", which is required because ");
                quoted(&mut out, "", property, " is present");
            }
            IssueKind::AnyOf => out.push_str("expected a value that meets at least one of the schemas in anyOf"),
            IssueKind::OneOf { passing } => {
                out.push_str("expected a value that meets exactly one of the schemas in oneOf, but it meets ");
                if passing.is_empty() {
                    out.push_str("none");
                }
                for (index, branch) in passing.iter().enumerate() {
                    out.push_str(if index == 0 { "number " } else { " and " });
                    write::integer(&mut out, *branch);
                }
            }
            IssueKind::Not => out.push_str("expected a value that does not meet the schema in not"),
            IssueKind::FalseSchema => out.push_str("no value is allowed here"),
            IssueKind::Other { message, .. } => out.push_str(message),
        }
        out
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

impl Issue {
    /// An issue at a place of the instance, for a check that is not a keyword of JSON Schema.
    pub fn other(instance_path: impl Into<String>, keyword: impl Into<String>, message: impl Into<String>) -> Issue {
        let kind = IssueKind::Other { keyword: keyword.into(), message: message.into() };
        Issue { instance_path: instance_path.into(), schema_path: String::new(), kind }
    }

    /// The keyword that failed.
    pub fn keyword(&self) -> &str {
        self.kind.keyword()
    }

    /// What is wrong and what is wanted.
    pub fn message(&self) -> String {
        self.kind.message()
    }

    /// The same issue without values of the instance.
    #[must_use]
    pub fn masked(self) -> Issue {
        Issue { kind: self.kind.masked(), ..self }
    }

    /// Appends `{instancePath, schemaPath, keyword, params, message}` as JSON.
    pub fn write_json(&self, out: &mut String) {
        let mut members = Params::start(out);
        members.string("instancePath", &self.instance_path);
        members.string("schemaPath", &self.schema_path);
        members.string("keyword", self.kind.keyword());
        members.name("params");
        self.kind.write_params(members.out);
        members.string("message", &self.kind.message());
        members.end();
    }

    /// Appends issues as a JSON array.
    pub fn write_json_list(issues: &[Issue], out: &mut String) {
        out.push('[');
        for (index, issue) in issues.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            issue.write_json(out);
        }
        out.push(']');
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.instance_path.is_empty() {
            f.write_str(&self.kind.message())
        } else {
            f.write_str(&write::concat(&[&self.instance_path, ": ", &self.kind.message()]))
        }
    }
}

fn quoted(out: &mut String, before: &str, name: &str, after: &str) {
    out.push_str(before);
    write::string(out, name);
    out.push_str(after);
}

fn counted(out: &mut String, before: &str, count: u64, one: &str, many: &str) {
    out.push_str(before);
    write::integer(out, count);
    out.push(' ');
    out.push_str(if count == 1 { one } else { many });
}

fn found_value(out: &mut String, found: &Option<String>) {
    if let Some(found) = found {
        out.push_str(", found ");
        out.push_str(found);
    }
}

/// Writes the members of one JSON object.
struct Params<'a> {
    out: &'a mut String,
    first: bool,
}

impl<'a> Params<'a> {
    fn start(out: &'a mut String) -> Params<'a> {
        out.push('{');
        Params { out, first: true }
    }

    fn name(&mut self, name: &str) {
        if !std::mem::take(&mut self.first) {
            self.out.push(',');
        }
        write::string(self.out, name);
        self.out.push(':');
    }

    fn string(&mut self, name: &str, value: &str) {
        self.name(name);
        write::string(self.out, value);
    }

    fn raw(&mut self, name: &str, value: &str) {
        self.name(name);
        self.out.push_str(value);
    }

    fn integer(&mut self, name: &str, value: u64) {
        self.name(name);
        write::integer(self.out, value);
    }

    fn found(&mut self, found: &Option<String>) {
        if let Some(found) = found {
            self.raw("found", found);
        }
    }

    fn list<T>(&mut self, name: &str, items: &[T], each: &dyn Fn(&mut String, &T)) {
        self.name(name);
        self.out.push('[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            each(self.out, item);
        }
        self.out.push(']');
    }

    fn end(self) {
        self.out.push('}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issue_serialises_with_ajvs_parameter_names() {
        let issue = Issue {
            instance_path: "/findings/0".into(),
            schema_path: "/properties/findings/items/required".into(),
            kind: IssueKind::Required { missing: "cla\"im".into() },
        };
        let mut out = String::new();
        issue.write_json(&mut out);
        assert_eq!(
            out,
            r#"{"instancePath":"/findings/0","schemaPath":"/properties/findings/items/required","keyword":"required","params":{"missingProperty":"cla\"im"},"message":"missing required property \"cla\\\"im\""}"#
        );
    }

    #[test]
    fn messages_say_what_was_found_and_what_is_wanted() {
        let says = |kind: IssueKind, text: &str| assert_eq!(kind.message(), text);
        let types = Types::STRING.with(Types::NULL);
        says(
            IssueKind::Type { expected: types, found: Types::INTEGER, double_encoded: false },
            "expected null or string, found integer",
        );
        says(IssueKind::Count { keyword: "minLength", limit: 1, found: 0 }, "expected at least 1 character, found 0");
        says(
            IssueKind::Count { keyword: "maxProperties", limit: 2, found: 3 },
            "expected at most 2 properties, found 3",
        );
        says(
            IssueKind::Enum { allowed: vec!["\"a\"".into(), "1".into()], found: Some("\"b\"".into()) },
            "expected one of \"a\", 1, found \"b\"",
        );
        says(
            IssueKind::Bound { keyword: "minimum", comparison: ">=", limit: "0".into(), found: Some("-1".into()) }
                .masked(),
            "expected a number >= 0",
        );
        says(
            IssueKind::OneOf { passing: vec![0, 2] },
            "expected a value that meets exactly one of the schemas in oneOf, but it meets number 0 and 2",
        );
    }
}
