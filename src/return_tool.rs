//! The return tool: how a child with a contract hands in its result.

use crate::contract::Contract;
use crate::json::tape::{NodeId, Tag, Tape};
use crate::json::write;
use crate::members::{push_member, push_string, quote};

/// The longest tool name that every provider takes.
const NAME_LIMIT: usize = 64;

/// The tool a child calls to return.
#[derive(Debug, Clone, PartialEq)]
pub struct ReturnTool {
    /// The contract's title in snake case, else `return_result`: also for a title that is not all ASCII, of which only a
    /// stump would be left, or that starts with a digit, which some providers refuse.
    pub name: String,
    /// Whether the arguments are `{ "result": … }`, because the contract's own values are no objects.
    pub wrapped: bool,
}

impl ReturnTool {
    /// The return tool of a contract.
    pub fn of(contract: &Contract) -> Self {
        let name = contract.title().filter(|title| title.is_ascii()).map(snake_case);
        let name = name.filter(|name| name.starts_with(|first: char| first.is_ascii_lowercase()));
        Self { name: name.unwrap_or_else(|| "return_result".to_owned()), wrapped: !contract.is_object() }
    }

    /// What the child's model reads about it.
    pub const DESCRIPTION: &'static str = "Return the result of your task to the agent that delegated it. Call this once, \
         when you are done, with the complete result: it ends your task. If it answers with problems, correct the whole \
         result and call it again.";

    /// The schema of its arguments, as JSON text.
    pub fn input_schema(&self, contract: &Contract) -> String {
        if self.wrapped { wrap(contract.schema()) } else { contract.schema_text().into_owned() }
    }
}

/// `{ "result": schema }` as an object schema in which the schema's own references still lead where they led.
fn wrap(schema: &Tape) -> String {
    let mut out = String::from("{");
    let mut inner = String::new();
    // A schema with an `$id` is a resource of its own: its references stay inside it wherever it stands.
    if is_resource(schema, 0, &["$id", "id"]) {
        inner.push_str(&schema.json_text(0));
    } else {
        if let Some(dialect) = schema.get(0, "$schema") {
            push_member(&mut out, "$schema", &schema.json_text(dialect));
        }
        rebase(schema, 0, &mut inner);
    }
    push_string(&mut out, "type", Some("object"));
    push_member(&mut out, "properties", "{");
    push_member(&mut out, "result", &inner);
    out.push('}');
    push_member(&mut out, "required", "[\"result\"]");
    push_member(&mut out, "additionalProperties", "false");
    out.push('}');
    out
}

/// Copies a schema with local pointer references moved under `/properties/result`. Data (`const`, `enum`, `default`,
/// `examples`) and embedded resources are left alone. Recursion is bounded by the depth limit that the tape was parsed
/// under.
fn rebase(schema: &Tape, node: NodeId, out: &mut String) {
    match schema.tag(node) {
        Tag::Array => {
            out.push('[');
            for (index, item) in schema.items(node).enumerate() {
                if index > 0 {
                    out.push(',');
                }
                rebase(schema, item, out);
            }
            out.push(']');
        }
        Tag::Object => {
            out.push('{');
            for (name, value) in schema.members(node) {
                let name = schema.string(name);
                if node == 0 && name == "$schema" {
                    continue;
                }
                push_member(out, name, "");
                match (name, schema.as_string(value)) {
                    ("$ref" | "$recursiveRef" | "$dynamicRef", Some(target)) => match target.strip_prefix('#') {
                        Some(pointer) if pointer.is_empty() || pointer.starts_with('/') => {
                            write::string(out, &write::concat(&["#/properties/result", pointer]));
                        }
                        _ => out.push_str(&quote(target)),
                    },
                    ("const" | "enum" | "default" | "examples", _) => out.push_str(&schema.json_text(value)),
                    _ if is_resource(schema, value, &["$id"]) => out.push_str(&schema.json_text(value)),
                    _ => rebase(schema, value, out),
                }
            }
            out.push('}');
        }
        _ => out.push_str(&schema.json_text(node)),
    }
}

fn is_resource(schema: &Tape, node: NodeId, names: &[&str]) -> bool {
    names.iter().any(|name| schema.get(node, name).is_some_and(|id| schema.tag(id) == Tag::String))
}

/// `VendorPricing` and `Vendor pricing (v2)` both as words of lower-case ASCII letters and digits.
fn snake_case(title: &str) -> String {
    let mut out = String::new();
    let mut after_lower = false;
    for c in title.chars() {
        if !c.is_ascii_alphanumeric() {
            after_lower = false;
            if !out.is_empty() && !out.ends_with('_') {
                out.push('_');
            }
            continue;
        }
        if c.is_ascii_uppercase() && after_lower {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
        after_lower = !c.is_ascii_uppercase();
    }
    out.truncate(NAME_LIMIT);
    out.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::options::Options;

    #[test]
    fn titles_become_names() {
        for (title, name) in [
            ("research_result", "research_result"),
            ("Vendor Pricing", "vendor_pricing"),
            ("VendorPricing", "vendor_pricing"),
            ("HTTP result (v2)", "http_result_v2"),
            ("  ", ""),
        ] {
            assert_eq!(snake_case(title), name);
        }
        for (title, name) in [
            ("Vendor Pricing", "vendor_pricing"),
            ("Été", "return_result"),
            ("結果", "return_result"),
            ("9 lives", "return_result"),
        ] {
            let schema = format!(r#"{{"title":"{title}","type":"object"}}"#);
            let contract = Contract::compile(&schema, &Options::default()).unwrap();
            assert_eq!(ReturnTool::of(&contract).name, name);
        }
        assert!(snake_case(&"ab ".repeat(60)).len() <= NAME_LIMIT);
    }

    #[test]
    fn a_wrapped_schema_judges_as_before() {
        let schema = r##"{"$defs":{"n":{"type":"integer"}},"type":"array","items":{"$ref":"#/$defs/n"},"default":[{"$ref":"#/x"}]}"##;
        let contract = Contract::compile(schema, &Options::default()).unwrap();
        let tool = ReturnTool::of(&contract);
        assert!(tool.wrapped);
        let text = tool.input_schema(&contract);
        assert!(text.contains(r##""default":[{"$ref":"#/x"}]"##), "data is left alone: {text}");
        let wrapped = Contract::compile(&text, &Options::default()).unwrap();
        assert!(wrapped.is_valid(br#"{"result":[1,2]}"#));
        assert!(!wrapped.is_valid(br#"{"result":["x"]}"#));
        assert!(!wrapped.is_valid(br#"{"result":[],"more":1}"#));
    }

    #[test]
    fn a_recursive_schema_is_wrapped() {
        let schema = r##"{"type":"array","items":{"$ref":"#"}}"##;
        let contract = Contract::compile(schema, &Options::default()).unwrap();
        let text = ReturnTool::of(&contract).input_schema(&contract);
        let wrapped = Contract::compile(&text, &Options::default()).unwrap();
        assert!(wrapped.is_valid(br#"{"result":[[[]],[]]}"#));
        assert!(!wrapped.is_valid(br#"{"result":[[1]]}"#));
    }

    #[test]
    fn a_schema_with_its_own_id_is_wrapped_untouched() {
        let schema = r##"{"$id":"urn:example:n","$defs":{"n":{"type":"integer"}},"$ref":"#/$defs/n"}"##;
        let contract = Contract::compile(schema, &Options::default()).unwrap();
        let text = ReturnTool::of(&contract).input_schema(&contract);
        let wrapped = Contract::compile(&text, &Options::default()).unwrap();
        assert!(wrapped.is_valid(br#"{"result":1}"#));
        assert!(!wrapped.is_valid(br#"{"result":"x"}"#));
    }
}
