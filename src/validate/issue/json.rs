//! Issues as JSON, their parameters under Ajv's names.

use super::{Issue, IssueKind};
use crate::json::write::decimal;
use crate::members::{list, push_integer, push_member, push_string, quote_list};

impl IssueKind {
    /// Appends the parameters as a JSON object, under Ajv's names where Ajv has them.
    pub fn write_params(&self, out: &mut String) {
        out.push('{');
        match self {
            IssueKind::Type { expected, found, double_encoded } => {
                let names: Vec<&str> = expected.names().collect();
                match names.as_slice() {
                    [one] => push_string(out, "type", Some(one)),
                    several => push_member(out, "type", &quote_list(several)),
                }
                push_string(out, "found", Some(found.names().next().unwrap_or_default()));
                if *double_encoded {
                    push_member(out, "doubleEncoded", "true");
                }
            }
            IssueKind::Required { missing } => push_string(out, "missingProperty", Some(missing)),
            IssueKind::AdditionalProperty { name } => push_string(out, "additionalProperty", Some(name)),
            IssueKind::UnevaluatedProperty { name } => push_string(out, "unevaluatedProperty", Some(name)),
            IssueKind::AdditionalItem { limit, .. } => push_integer(out, "limit", *limit),
            IssueKind::UnevaluatedItem { index } => push_integer(out, "index", *index),
            IssueKind::Enum { allowed, found } => {
                push_member(out, "allowedValues", &list(allowed.iter().cloned()));
                push_found(out, found);
            }
            IssueKind::Const { allowed, found } => {
                push_member(out, "allowedValue", allowed);
                push_found(out, found);
            }
            IssueKind::Bound { comparison, limit, found, .. } => {
                push_string(out, "comparison", Some(comparison));
                push_member(out, "limit", limit);
                push_found(out, found);
            }
            IssueKind::MultipleOf { multiple_of, found } => {
                push_member(out, "multipleOf", multiple_of);
                push_found(out, found);
            }
            IssueKind::Count { limit, found, .. } => {
                push_integer(out, "limit", *limit);
                push_integer(out, "found", *found);
            }
            IssueKind::Pattern { pattern } => push_string(out, "pattern", Some(pattern)),
            IssueKind::Format { format } => push_string(out, "format", Some(format)),
            IssueKind::UniqueItems { first, second } => {
                push_integer(out, "i", *second);
                push_integer(out, "j", *first);
            }
            IssueKind::Contains { min, max, found, .. } => {
                push_integer(out, "minContains", *min);
                if let Some(max) = max {
                    push_integer(out, "maxContains", *max);
                }
                push_integer(out, "found", *found);
            }
            IssueKind::PropertyNames { name, .. } => push_string(out, "propertyName", Some(name)),
            IssueKind::DependentRequired { property, missing, .. } => {
                push_string(out, "property", Some(property));
                push_string(out, "missingProperty", Some(missing));
            }
            IssueKind::OneOf { passing } if passing.is_empty() => push_member(out, "passingSchemas", "null"),
            IssueKind::OneOf { passing } => {
                push_member(out, "passingSchemas", &list(passing.iter().map(|index| decimal(*index))));
            }
            IssueKind::AnyOf | IssueKind::Not | IssueKind::FalseSchema | IssueKind::Other { .. } => {}
        }
        out.push('}');
    }
}

impl Issue {
    /// Appends `{instancePath, schemaPath, keyword, params, message}` as JSON.
    pub fn write_json(&self, out: &mut String) {
        out.push('{');
        push_string(out, "instancePath", Some(&self.instance_path));
        push_string(out, "schemaPath", Some(&self.schema_path));
        push_string(out, "keyword", Some(self.keyword()));
        push_member(out, "params", "");
        self.kind.write_params(out);
        push_string(out, "message", Some(&self.message()));
        out.push('}');
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

fn push_found(out: &mut String, found: &Option<String>) {
    if let Some(found) = found {
        push_member(out, "found", found);
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
}
