//! How each part of a contract merges, read from its `x-merge` annotations.

use super::Refusal;
use crate::json::locate;
use crate::json::tape::{NodeId, Tag, Tape};
use crate::json::write::concat;

/// Subschemas nested deeper than this are kept by child.
const DEPTH_LIMIT: usize = 16;

/// Subschemas past this many are kept by child: references can make few into very many.
const COUNT_LIMIT: u32 = 10_000;

/// The way to the subschema whose rule is read.
struct Path {
    /// The subschemas around it: one that comes again refers to itself, and is kept by child.
    open: Vec<NodeId>,
    /// How many more are read.
    left: u32,
}

/// What merged objects carry beside the contract's own properties.
pub(super) const RESERVED: [&str; 2] = ["by_child", "partly_declared"];

/// How the values of one place merge. A place without a rule is kept by child.
#[derive(Debug)]
pub(super) enum Rule {
    /// Lists, one after the other in call order. `items` is the subschema of their items.
    Concat { items: Option<NodeId> },
    /// Lists, each value once.
    Union { items: Option<NodeId> },
    /// Lists of objects, one for each value of the member `key`; the other members merge by their own rules.
    Dedupe { key: Key, fields: Vec<Field> },
    /// Lists, the values that every child with a list has. `against` names the sibling that lists what contradicts a value.
    Intersect { items: Option<NodeId>, against: Option<String> },
    /// Numbers, added exactly.
    Sum,
    /// Booleans: true when one is.
    Any,
    /// Booleans: true when all are.
    All,
    /// The string that comes first among these, the schema's `enum`.
    Strongest { schema: NodeId, words: Vec<String> },
    /// Objects, whose properties merge by their own rules.
    Fields(Vec<Field>),
}

/// A property with a rule.
#[derive(Debug)]
pub(super) struct Field {
    pub name: String,
    pub rule: Rule,
    /// Whether every object has it, so that every merged one does.
    pub required: bool,
}

/// The member by which objects are one.
#[derive(Debug)]
pub(super) struct Key {
    pub name: String,
    /// Its subschema.
    pub schema: Option<NodeId>,
    /// Whether every object has it.
    pub required: bool,
}

impl Rule {
    /// Whether values of this kind merge by the rule; others are kept by child.
    pub fn takes(&self, tag: Tag) -> bool {
        match self {
            Rule::Concat { .. } | Rule::Union { .. } | Rule::Dedupe { .. } | Rule::Intersect { .. } => {
                tag == Tag::Array
            }
            Rule::Sum => tag == Tag::Number,
            Rule::Any | Rule::All => matches!(tag, Tag::True | Tag::False),
            Rule::Strongest { .. } => tag == Tag::String,
            Rule::Fields(_) => tag == Tag::Object,
        }
    }

    /// Reads the rule of a whole contract. `None`: its values are kept by child.
    pub fn of(schema: &Tape) -> Result<Option<Rule>, Refusal> {
        rule_at(schema, 0, &mut Path { open: Vec::new(), left: COUNT_LIMIT })
    }
}

fn rule_at(schema: &Tape, node: NodeId, path: &mut Path) -> Result<Option<Rule>, Refusal> {
    let target = resolved(schema, node);
    if path.left == 0 || path.open.len() > DEPTH_LIMIT || path.open.contains(&target) {
        return Ok(None);
    }
    path.left -= 1;
    path.open.push(target);
    let rule = rule_of(schema, node, target, path);
    path.open.pop();
    rule
}

/// The rule of a schema that refers to `target`, or is it.
fn rule_of(schema: &Tape, node: NodeId, target: NodeId, path: &mut Path) -> Result<Option<Rule>, Refusal> {
    let Some(named) = schema.get(node, "x-merge").or_else(|| schema.get(target, "x-merge")) else {
        let fields = fields_of(schema, target, path)?;
        return Ok(if fields.is_empty() { None } else { Some(Rule::Fields(fields)) });
    };
    let items = schema.get(target, "items").filter(|items| schema.tag(*items) != Tag::Array);
    let name = schema.string(named);
    let (name, parameter) = name.split_once(':').map_or((name, None), |(name, parameter)| (name, Some(parameter)));
    Ok(Some(match (name, parameter) {
        ("keep-by-child", None) => return Ok(None),
        ("concat", None) => Rule::Concat { items },
        ("union", None) => Rule::Union { items },
        ("intersect", against) if against != Some("") => Rule::Intersect { items, against: against.map(str::to_owned) },
        ("sum", None) => Rule::Sum,
        ("any", None) => Rule::Any,
        ("all", None) => Rule::All,
        ("dedupe", Some(key)) if !key.is_empty() && !RESERVED.contains(&key) => {
            let item = items.map(|items| resolved(schema, items));
            let mut fields = match item {
                Some(item) => fields_of(schema, item, path)?,
                None => Vec::new(),
            };
            if let Some(own) = fields.iter().position(|field| field.name == key) {
                fields.remove(own);
            }
            let key = Key {
                name: key.to_owned(),
                schema: item.and_then(|item| schema.get(schema.get(item, "properties")?, key)),
                required: item.is_some_and(|item| is_required(schema, item, key)),
            };
            Rule::Dedupe { key, fields }
        }
        ("strongest", None) if schema.get(target, "enum").is_some() => {
            Rule::Strongest { schema: target, words: strings(schema, target, "enum") }
        }
        _ => {
            return Err(refused(
                schema,
                node,
                "x-merge must be concat, dedupe:<key>, union, intersect, sum, any, all, strongest (beside an enum) or keep-by-child",
            ));
        }
    }))
}

fn fields_of(schema: &Tape, node: NodeId, path: &mut Path) -> Result<Vec<Field>, Refusal> {
    let mut fields = Vec::new();
    let Some(properties) = schema.get(node, "properties") else { return Ok(fields) };
    for (name, property) in schema.members(properties) {
        if let Some(rule) = rule_at(schema, property, path)? {
            let name = schema.string(name);
            if RESERVED.contains(&name) {
                return Err(refused(schema, property, "merged records use this property's name"));
            }
            let required = is_required(schema, node, name) && always_applies(schema, resolved(schema, property), &rule);
            fields.push(Field { name: name.to_owned(), rule, required });
        }
    }
    Ok(fields)
}

fn is_required(schema: &Tape, node: NodeId, name: &str) -> bool {
    strings(schema, node, "required").iter().any(|required| required == name)
}

/// The strings of a keyword's list.
#[inline(never)]
fn strings(schema: &Tape, node: NodeId, keyword: &str) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(list) = schema.get(node, keyword) {
        for item in schema.items(list) {
            if let Some(text) = schema.as_string(item) {
                out.push(text.to_owned());
            }
        }
    }
    out
}

/// Whether the rule takes every value that the subschema accepts.
fn always_applies(schema: &Tape, node: NodeId, rule: &Rule) -> bool {
    let wanted = match rule {
        // A sum may be too long to write out.
        Rule::Sum => return false,
        Rule::Strongest { words, .. } => {
            return schema.get(node, "enum").is_some_and(|all| schema.count(all) as usize == words.len());
        }
        Rule::Any | Rule::All => "boolean",
        Rule::Fields(_) => "object",
        _ => "array",
    };
    schema.get(node, "type").and_then(|of| schema.as_string(of)) == Some(wanted)
}

/// The schema that a local reference leads to, or the schema itself.
fn resolved(schema: &Tape, mut node: NodeId) -> NodeId {
    for _ in 0..DEPTH_LIMIT {
        let reference = schema.get(node, "$ref").and_then(|reference| schema.as_string(reference));
        match reference.and_then(|target| target.strip_prefix('#')).and_then(|pointer| schema.pointer(pointer)) {
            Some(target) => node = target,
            None => break,
        }
    }
    node
}

#[cold]
fn refused(schema: &Tape, node: NodeId, why: &str) -> Refusal {
    Refusal::new("merge_rule", concat(&[&locate::pointer(schema, node), ": ", why]))
}
