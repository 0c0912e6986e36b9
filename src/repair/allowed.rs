//! What a contract allows at a place, in a few words.

use super::visible::plain;
use crate::json::pointer;
use crate::json::tape::{NodeId, Tag, Tape};
use crate::validate::issue::{Issue, IssueKind};

/// How many characters name what is allowed.
const LIMIT: usize = 120;

/// The values of an `enum`, as many as fit, and the value found.
pub(super) fn values(allowed: &[String], found: Option<&str>) -> String {
    let mut out = String::from("expected one of ");
    push_some(&mut out, &mut allowed.iter().map(String::as_str));
    if let Some(found) = found {
        out.push_str(", found ");
        out.push_str(found);
    }
    out
}

/// Appends what the schema allows where the issue is, if that helps beyond what the issue says.
pub(super) fn push(schema: &Tape, issue: &Issue, out: &mut String) {
    let Some(place) = parent(schema, &issue.schema_path) else { return };
    match &issue.kind {
        IssueKind::Required { missing } => {
            let property = schema.get(place, "properties").and_then(|properties| schema.get(properties, missing));
            if let Some(summary) = property.and_then(|property| summary(schema, property)) {
                for part in [" (", &summary, ")"] {
                    out.push_str(part);
                }
            }
        }
        IssueKind::AdditionalProperty { .. } | IssueKind::UnevaluatedProperty { .. } => {
            let Some(properties) = schema.get(place, "properties") else { return };
            if schema.count(properties) > 0 {
                out.push_str("; allowed: ");
                push_some(out, &mut schema.members(properties).map(|(name, _)| schema.source(name)));
            }
        }
        IssueKind::AnyOf => push_branches(schema, place, "anyOf", out),
        IssueKind::OneOf { passing } if passing.is_empty() => push_branches(schema, place, "oneOf", out),
        _ => {}
    }
}

fn push_branches(schema: &Tape, place: NodeId, keyword: &str, out: &mut String) {
    let Some(list) = schema.get(place, keyword) else { return };
    let branches: Vec<String> = schema.items(list).filter_map(|branch| summary(schema, branch)).collect();
    if !branches.is_empty() {
        out.push_str(": ");
        push_some(out, &mut branches.iter().map(String::as_str));
    }
}

/// The schema that holds the keyword an issue names.
fn parent(schema: &Tape, path: &str) -> Option<NodeId> {
    let mut tokens = pointer::tokens(path)?;
    tokens.pop()?;
    tokens.iter().try_fold(0, |at, token| pointer::step(schema, at, token))
}

/// A schema in a word or two; nothing for one that a word does not say.
fn summary(schema: &Tape, node: NodeId) -> Option<String> {
    let string = |name: &str| schema.get(node, name).and_then(|node| schema.as_string(node));
    if let Some(title) = string("title") {
        return Some(plain(title, 40));
    }
    let mut out = String::new();
    if let Some(value) = schema.get(node, "const") {
        push_some(&mut out, &mut std::iter::once(schema.source(value)));
    } else if let Some(list) = schema.get(node, "enum") {
        out.push_str("one of ");
        push_some(&mut out, &mut schema.items(list).map(|value| schema.source(value)));
    } else if let Some(target) = string("$ref") {
        out.push_str(target.rsplit(['/', '#']).next().unwrap_or_default());
    } else {
        let types = schema.get(node, "type")?;
        match schema.tag(types) {
            Tag::Array => {
                for (index, name) in schema.items(types).enumerate() {
                    out.push_str(if index > 0 { " or " } else { "" });
                    out.push_str(schema.string(name));
                }
            }
            _ => out.push_str(schema.string(types)),
        }
        if let Some(format) = string("format") {
            out.push_str(", format ");
            out.push_str(format);
        }
        if let Some(required) = schema.get(node, "required").filter(|list| schema.count(*list) > 0) {
            out.push_str(" with ");
            push_some(&mut out, &mut schema.items(required).map(|name| schema.source(name)));
        }
    }
    (!out.is_empty()).then_some(out)
}

/// Appends texts until they are long enough, and how many more there are. One that is too long alone is cut.
fn push_some(out: &mut String, texts: &mut dyn Iterator<Item = &str>) {
    let mut length = 0;
    let mut more = 0;
    for (index, text) in texts.enumerate() {
        let count = text.chars().count();
        if index > 0 && length + count > LIMIT {
            more += 1;
            continue;
        }
        length += count + 2;
        out.push_str(if index > 0 { ", " } else { "" });
        super::visible::push_plain(out, text, LIMIT);
    }
    if more > 0 {
        out.push_str(" and ");
        crate::json::write::integer(out, more);
        out.push_str(" more");
    }
}
