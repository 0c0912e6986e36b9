//! The published form of merged records: a JSON Schema that every merge under a contract satisfies.

use super::rule::{Field, Key, Rule};
use super::{Refusal, SCHEMA_VERSION};
use crate::contract::Contract;
use crate::json::locate;
use crate::json::tape::{NodeId, Tag, Tape};
use crate::json::write::{concat, decimal, separated};
use crate::members::{push_member, push_string, quote, quote_list};
use crate::schema::dialect::{Dialect, Draft};
use crate::schema::keyword::Keyword;

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The JSON Schema of what [`merge`](super::merge) gives under a contract. The contract's own schema is embedded in it, as a
/// resource of its own, and judges each child's `result`.
///
/// # Errors
/// For an `x-merge` that there is not.
pub fn merged_schema(contract: &Contract) -> Result<String, Refusal> {
    let schema = contract.schema();
    let writer = Writer { schema, draft: contract.draft(), id: resource_id(contract) };
    let kept = closed(&[("by_child", &writer.kept(&writer.reference(0)))], &["by_child"]);
    let merged = match Rule::of(schema)? {
        Some(rule) => any_of(&[&writer.rule(&rule), &kept, r#"{"type":"null"}"#]),
        None => any_of(&[&kept, r#"{"type":"null"}"#]),
    };
    let text = r#"{"type":"string"}"#;
    let settled = array(&closed(
        &[("question", text), ("by", text), ("holds", r#"{"type":"boolean"}"#)],
        &["question", "by", "holds"],
    ));
    let disagreement = closed(&[("at", text), ("values", &writer.kept(text))], &["at", "values"]);
    let record = closed(
        &[
            ("merged", &merged),
            ("disagreements", &array(&disagreement)),
            ("settled", &settled),
            ("children", &with(&array(&child(&writer.reference(0))), "minItems", "1")),
            ("contract", &with("{}", "const", &quote(contract.digest()))),
            ("schema_version", &with("{}", "const", &decimal(SCHEMA_VERSION.into()))),
        ],
        &["merged", "disagreements", "children", "contract", "schema_version"],
    );

    let mut out = String::from("{");
    push_string(&mut out, "$schema", Some(DIALECT));
    push_string(&mut out, "title", Some(&concat(&["merged_", contract.title().unwrap_or("result")])));
    // The record's own members go on after these.
    out.push(',');
    out.push_str(record.get(1..record.len() - 1).unwrap_or_default());
    push_member(&mut out, "$defs", &with("{}", "contract", &writer.resource()));
    out.push('}');
    Ok(out)
}

struct Writer<'s> {
    schema: &'s Tape,
    draft: Option<Draft>,
    /// What the embedded contract is called.
    id: String,
}

impl Writer<'_> {
    /// A reference into the embedded contract.
    fn reference(&self, node: NodeId) -> String {
        let mut uri = self.id.clone();
        uri.push('#');
        for byte in locate::pointer(self.schema, node).bytes() {
            if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/".contains(&byte) {
                uri.push(byte as char);
            } else {
                uri.push('%');
                uri.extend([byte >> 4, byte & 15].map(|half| char::from_digit(half.into(), 16).unwrap_or('0')));
            }
        }
        with("{}", "$ref", &quote(&uri))
    }

    /// The contract's schema as a resource that says its dialect and its id.
    fn resource(&self) -> String {
        let mut out = String::from("{");
        if let Some(draft) = self.draft.filter(|_| self.schema.get(0, "$schema").is_none()) {
            let fragment = if draft <= Draft::Draft7 { "#" } else { "" };
            push_string(&mut out, "$schema", Some(&concat(&[draft.metaschema_uri(), fragment])));
        }
        let id = id_keyword(self.draft);
        push_string(&mut out, id, Some(&self.id));
        if self.schema.tag(0) != Tag::Object {
            push_member(&mut out, "allOf", &concat(&["[", &self.schema.json_text(0), "]"]));
        }
        let hidden = hides_siblings(self.schema, self.draft);
        for (name, value) in self.schema.members(0) {
            let (name, value) = (self.schema.string(name), self.schema.json_text(value));
            match name {
                _ if name == id => {}
                // Beside it an id would count for nothing, and in `allOf` it hides nothing: what it hid is left out.
                "$ref" if hidden => push_member(&mut out, "allOf", &concat(&["[{\"$ref\":", &value, "}]"])),
                _ if hidden && self.draft.is_some_and(|draft| asserts(name, draft)) => {}
                _ => push_member(&mut out, name, &value),
            }
        }
        out.push('}');
        out
    }

    fn rule(&self, rule: &Rule) -> String {
        let items = |items: &Option<NodeId>| match items {
            Some(node) => array(&self.reference(*node)),
            None => r#"{"type":"array"}"#.to_owned(),
        };
        match rule {
            Rule::Concat { items: of } | Rule::Union { items: of } | Rule::Intersect { items: of, .. } => items(of),
            Rule::Sum => r#"{"type":"number"}"#.to_owned(),
            Rule::Any | Rule::All => r#"{"type":"boolean"}"#.to_owned(),
            Rule::Strongest { schema, .. } => self.reference(*schema),
            Rule::Fields(fields) => self.fields(fields, None),
            Rule::Dedupe { key, fields, .. } => array(&self.fields(fields, Some(key))),
        }
    }

    /// An object of fields; with a key, one that a `dedupe` makes of several items, if they are objects.
    fn fields(&self, fields: &[Field], key: Option<&Key>) -> String {
        let mut properties = String::from("{");
        let mut required: Vec<&str> = Vec::new();
        let mut partly = None;
        if let Some(Key { name, schema, required: must }) = key {
            let value = schema.map_or_else(|| "true".to_owned(), |node| self.reference(node));
            push_member(&mut properties, name, &value);
            required.extend(must.then_some(name.as_str()));
            required.push("by_child");
        }
        for Field { name, rule, required: must } in fields {
            push_member(&mut properties, name, &self.rule(rule));
            required.extend(must.then_some(name.as_str()));
            if let Rule::Intersect { items, .. } = rule {
                // Several such lists share one list of what only some have: its values may be of any of their kinds.
                let value = items.filter(|_| partly.is_none()).map(|node| self.reference(node));
                partly = Some(value.unwrap_or_else(|| "true".to_owned()));
            }
        }
        if let Some(value) = partly {
            let ids = r#"{"type":"array","items":{"type":"string"}}"#;
            let entry = closed(
                &[("slot", r#"{"type":"string"}"#), ("value", &value), ("declared_by", ids), ("searched_by", ids)],
                &["slot", "value", "declared_by"],
            );
            push_member(&mut properties, "partly_declared", &array(&entry));
        }
        push_member(&mut properties, "by_child", &self.kept(r#"{"type":"object"}"#));
        properties.push('}');
        let mut out = with("{}", "properties", &properties);
        if key.is_none() {
            out = with(&out, "type", r#""object""#);
        }
        with(&out, "required", &quote_list(&required))
    }

    /// A list of what each child has.
    fn kept(&self, value: &str) -> String {
        array(&closed(&[("id", r#"{"type":"string"}"#), ("value", value)], &["id", "value"]))
    }
}

fn child(result: &str) -> String {
    let (text, any) = (r#"{"type":"string"}"#, "true");
    let status = r#"{"enum":["completed","failed","suspended","cancelled"]}"#;
    let error = r#"{"type":"object","required":["code","message"]}"#;
    closed(
        &[
            ("id", text),
            ("subagent", text),
            ("status", status),
            ("task_summary", text),
            ("result", result),
            ("returned", any),
            ("error", error),
            ("degraded", r#"{"type":"array"}"#),
            ("amendments", r#"{"type":"array"}"#),
            ("flags", r#"{"type":"array"}"#),
            ("effort", any),
            ("input", any),
            ("transcript_ref", text),
        ],
        &["id", "status"],
    )
}

/// The id that the contract's schema has, else one made of its digest.
fn resource_id(contract: &Contract) -> String {
    let (schema, draft) = (contract.schema(), contract.draft());
    let own = schema.get(0, id_keyword(draft)).and_then(|id| schema.as_string(id));
    match own.map(|id| id.trim_end_matches('#')).filter(|id| !id.starts_with('#') && !id.is_empty()) {
        Some(id) if !hides_siblings(schema, draft) => id.to_owned(),
        _ => concat(&["urn:subcontract:", contract.digest()]),
    }
}

fn id_keyword(draft: Option<Draft>) -> &'static str {
    if draft == Some(Draft::Draft4) { "id" } else { "$id" }
}

/// Whether the schema's `$ref` makes all beside it count for nothing, as it does up to draft 7.
fn hides_siblings(schema: &Tape, draft: Option<Draft>) -> bool {
    draft.is_some_and(|draft| draft <= Draft::Draft7) && schema.get(0, "$ref").is_some()
}

fn asserts(name: &str, draft: Draft) -> bool {
    Keyword::find(name, Dialect::standard(draft)).is_some_and(|(keyword, _)| !keyword.asserts_nothing())
}

fn closed(properties: &[(&str, &str)], required: &[&str]) -> String {
    let mut members = String::from("{");
    for (name, schema) in properties {
        push_member(&mut members, name, schema);
    }
    members.push('}');
    let out = with(r#"{"type":"object"}"#, "properties", &members);
    with(&with(&out, "required", &quote_list(required)), "additionalProperties", "false")
}

fn array(items: &str) -> String {
    with(r#"{"type":"array"}"#, "items", items)
}

fn any_of(schemas: &[&str]) -> String {
    with("{}", "anyOf", &concat(&["[", &separated(schemas, ","), "]"]))
}

/// An object's text with one more member.
fn with(object: &str, name: &str, value: &str) -> String {
    let mut out = object.strip_suffix('}').unwrap_or(object).to_owned();
    push_member(&mut out, name, value);
    out.push('}');
    out
}
