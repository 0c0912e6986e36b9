//! The return tool: how a child with a contract hands in its result.

use serde_json::{Map, Value};

use crate::contract::Contract;

/// The longest tool name that every provider takes.
const NAME_LIMIT: usize = 64;

/// The tool a child calls to return.
#[derive(Debug, Clone, PartialEq)]
pub struct ReturnTool {
    /// The contract's title in snake case, else `return_result`.
    pub name: String,
    /// Whether the arguments are `{ "result": … }`, because the contract's own values are no objects.
    pub wrapped: bool,
}

impl ReturnTool {
    /// The return tool of a contract.
    pub fn of(contract: &Contract) -> Self {
        let name = contract.title().map(snake_case).filter(|name| !name.is_empty());
        Self { name: name.unwrap_or_else(|| "return_result".to_owned()), wrapped: !contract.is_object() }
    }

    /// What the child's model reads about it.
    pub const DESCRIPTION: &'static str = "Return the result of your task to the agent that delegated it. Call this once, \
         when you are done, with the complete result: it ends your task. If it answers with problems, correct the whole \
         result and call it again.";

    /// The schema of its arguments, as JSON text.
    pub fn input_schema(&self, contract: &Contract) -> String {
        let text = contract.schema_text();
        if self.wrapped { wrap(&text) } else { text.into_owned() }
    }
}

/// `{ "result": schema }` as an object schema in which the schema's own references still lead where they led.
fn wrap(schema: &str) -> String {
    let mut inner: Value = serde_json::from_str(schema).unwrap_or_default();
    let mut outer = Map::new();
    // A schema with an `$id` is a resource of its own: its references stay inside it wherever it stands.
    let is_resource = ["$id", "id"].iter().any(|key| inner.get(key).is_some_and(Value::is_string));
    if !is_resource {
        rebase(&mut inner);
        if let Some(dialect) = inner.as_object_mut().and_then(|members| members.shift_remove("$schema")) {
            outer.insert("$schema".to_owned(), dialect);
        }
    }
    outer.insert("type".to_owned(), "object".into());
    outer.insert("properties".to_owned(), Map::from_iter([("result".to_owned(), inner)]).into());
    outer.insert("required".to_owned(), vec![Value::from("result")].into());
    outer.insert("additionalProperties".to_owned(), false.into());
    Value::from(outer).to_string()
}

/// Moves local pointer references under `/properties/result`. Data (`const`, `enum`, `default`, `examples`) and embedded
/// resources are left alone.
fn rebase(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(rebase),
        Value::Object(members) => {
            for (key, value) in members.iter_mut() {
                match (key.as_str(), value) {
                    ("$ref" | "$recursiveRef" | "$dynamicRef", Value::String(target)) => {
                        if let Some(pointer) = target.strip_prefix('#').filter(|p| p.is_empty() || p.starts_with('/')) {
                            *target = format!("#/properties/result{pointer}");
                        }
                    }
                    ("const" | "enum" | "default" | "examples", _) => {}
                    (_, value) if value.get("$id").is_some_and(Value::is_string) => {}
                    (_, value) => rebase(value),
                }
            }
        }
        _ => {}
    }
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
            ("結果", ""),
        ] {
            assert_eq!(snake_case(title), name);
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
