//! The return tool: how a child with a contract hands in its result.

use crate::contract::Contract;
use crate::json::tape::{NodeId, Tag, Tape};
use crate::json::write;
use crate::members::{push_member, push_string};
use crate::schema::dialect::{Dialect, Draft};
use crate::schema::keyword::{Keyword, Schemas};

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

    /// The schema of its arguments, as JSON text, without what is not for the child's model: how returns merge and render.
    pub fn input_schema(&self, contract: &Contract) -> String {
        let schema = contract.schema();
        // With a metaschema of its author's own, the newest draft knows most keywords.
        let draft = contract.draft().unwrap_or(Draft::Draft202012);
        let mut copy = Copying { schema, draft, under: "", out: String::new() };
        if !self.wrapped {
            copy.value(0, Stands::Schema);
            return copy.out;
        }
        copy.out.push('{');
        // A schema with an id is a resource of its own: its references stay inside it wherever it stands.
        if !copy.is_resource(0) {
            if let Some(dialect) = schema.get(0, "$schema") {
                push_member(&mut copy.out, "$schema", &schema.json_text(dialect));
            }
            copy.under = "#/properties/result";
        }
        push_string(&mut copy.out, "type", Some("object"));
        push_member(&mut copy.out, "properties", "{");
        push_member(&mut copy.out, "result", "");
        copy.value(0, Stands::Schema);
        copy.out.push('}');
        push_member(&mut copy.out, "required", "[\"result\"]");
        push_member(&mut copy.out, "additionalProperties", "false");
        copy.out.push('}');
        copy.out
    }
}

/// What stands somewhere in a schema.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// A schema, or several.
    Schema,
    /// Schemas under names of their author's.
    Named,
    /// A value that is no schema.
    Data,
}

/// A schema being copied.
struct Copying<'s> {
    schema: &'s Tape,
    draft: Draft,
    /// Where local references lead to after the copying: empty for where they led before.
    under: &'static str,
    out: String,
}

impl Copying<'_> {
    /// Recursion is bounded by the depth limit that the tape was parsed under.
    fn value(&mut self, node: NodeId, stands: Stands) {
        let schema = self.schema;
        match schema.tag(node) {
            Tag::Array if stands != Stands::Data => {
                self.out.push('[');
                for (index, item) in schema.items(node).enumerate() {
                    if index > 0 {
                        self.out.push(',');
                    }
                    self.value(item, stands);
                }
                self.out.push(']');
            }
            Tag::Object if stands != Stands::Data => {
                let under = self.under;
                if node != 0 && stands == Stands::Schema && self.is_resource(node) {
                    self.under = "";
                }
                self.out.push('{');
                for (name, value) in schema.members(node) {
                    self.member(schema.string(name), value, node == 0, stands);
                }
                self.out.push('}');
                self.under = under;
            }
            _ => self.out.push_str(&schema.json_text(node)),
        }
    }

    fn member(&mut self, name: &str, value: NodeId, at_root: bool, stands: Stands) {
        if stands == Stands::Named {
            push_member(&mut self.out, name, "");
            return self.value(value, Stands::Schema);
        }
        let known = Keyword::find(name, Dialect::standard(self.draft));
        let stays = match known {
            Some((Keyword::Merge | Keyword::Render, _)) => false,
            Some((Keyword::Schema, _)) => !at_root || self.under.is_empty(),
            _ => true,
        };
        if !stays {
            return;
        }
        push_member(&mut self.out, name, "");
        if let (Some((Keyword::Ref | Keyword::RecursiveRef | Keyword::DynamicRef, _)), Some(target)) =
            (known, self.schema.as_string(value))
            && let Some(pointer) = target.strip_prefix('#').filter(|at| at.is_empty() || at.starts_with('/'))
            && !self.under.is_empty()
        {
            return write::string(&mut self.out, &write::concat(&[self.under, pointer]));
        }
        self.value(
            value,
            match known {
                Some((_, Schemas::Nowhere)) => Stands::Data,
                Some((_, Schemas::Members | Schemas::Dependencies)) => Stands::Named,
                // A reference may lead into what is no keyword.
                _ => Stands::Schema,
            },
        );
    }

    fn is_resource(&self, node: NodeId) -> bool {
        let id = if self.draft == Draft::Draft4 { "id" } else { "$id" };
        self.schema.get(node, id).is_some_and(|id| self.schema.tag(id) == Tag::String)
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
    fn a_property_may_be_named_as_a_keyword() {
        let schema = r##"{"$defs":{"n":{"type":"integer"}},"anyOf":[{"type":"object","properties":{
            "default":{"$ref":"#/$defs/n"},"x-merge":{"$ref":"#/$defs/n","x-merge":"sum"},"$ref":{"enum":["#/a"]}},
            "x-merge":"keep-by-child"},{"type":"null"}]}"##;
        let contract = Contract::compile(schema, &Options::default()).unwrap();
        let text = ReturnTool::of(&contract).input_schema(&contract);
        assert!(!text.contains("sum") && !text.contains("keep-by-child"), "{text}");
        let wrapped = Contract::compile(&text, &Options::default()).unwrap();
        assert!(wrapped.is_valid(br##"{"result":{"default":1,"x-merge":2,"$ref":"#/a"}}"##), "{text}");
        for wrong in
            [&br#"{"result":{"default":"1"}}"#[..], br#"{"result":{"x-merge":"2"}}"#, br#"{"result":{"$ref":"a"}}"#]
        {
            assert!(!wrapped.is_valid(wrong), "{text}");
        }
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
