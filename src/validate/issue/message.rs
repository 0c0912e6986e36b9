//! The sentences of issues, for a model to repair from.

use super::IssueKind;
use crate::json::write;

impl IssueKind {
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

#[cfg(test)]
mod tests {
    use super::super::Types;
    use super::*;

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
