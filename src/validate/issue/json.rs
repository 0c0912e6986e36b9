//! Issues as JSON, their parameters under Ajv's names.

use super::{Issue, IssueKind};
use crate::json::write;

impl IssueKind {
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
}

impl Issue {
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
}
