//! Schemas of every dialect, with every group of keywords, whose references never go in circles at one value.
//!
//! A definition refers in place only to later definitions, and to any schema where a value inside is judged. Both engines end
//! then, the one without a budget of steps too.

use subcontract::schema::dialect::Draft;

use super::choices::Choices;
use super::instance::mutate;
use super::json::Json;
use super::values::{BOUNDS, DIVISORS, FORMATS, NAMES, NUMBERS, PATTERNS, STRINGS};

/// A schema, what it refers to and how it is compiled.
#[derive(Clone, Debug)]
pub struct Schema {
    pub draft: Draft,
    pub formats: bool,
    pub root: Json,
    /// Schemas of other documents, by URI.
    pub schemas: Vec<(String, Json)>,
    /// What each reference leads to, so that instances can be derived from it.
    pub targets: Vec<(String, Json)>,
}

impl Schema {
    /// Changes one value somewhere in the schema, which may then be none. What names schemas stays: both engines refuse
    /// references to nowhere, but only ours leaves those alone that nothing leads to.
    pub fn mutate(&mut self, choices: &mut Choices<'_>) {
        let before = self.root.clone();
        mutate(&mut self.root, choices);
        if names(&self.root) != names(&before) {
            self.root = before;
        }
    }
}

/// The strings that identify schemas or refer to them.
fn names(schema: &Json) -> Vec<&str> {
    const KEYWORDS: [&str; 8] =
        ["$schema", "$id", "id", "$ref", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef"];
    let own = KEYWORDS.iter().filter_map(|keyword| match schema.get(keyword) {
        Some(Json::String(text)) => Some(text.as_str()),
        _ => None,
    });
    own.chain(schema.children().into_iter().flat_map(names)).collect()
}

/// Where definitions stand and how references name them.
#[derive(Clone, Copy, PartialEq)]
enum Layout {
    /// In the document, by pointer or anchor.
    Local,
    /// In the document, some as resources of their own.
    Bundled,
    /// In another document.
    Elsewhere,
}

const ROOT: &str = "http://example.com/root.json";
const OTHER: &str = "http://example.com/other.json";
const DEFINITION_NAMES: [&str; 4] = ["x", "a/b", "m~n", "p%é"];
const POINTERS: [&str; 4] = ["x", "a~1b", "m~0n", "p%25%C3%A9"];
const TYPES: [&str; 7] = ["object", "array", "string", "number", "integer", "boolean", "null"];
const DEPTH: usize = 4;

pub fn generate(choices: &mut Choices<'_>) -> Schema {
    let draft = choices.pick(&[Draft::Draft202012, Draft::Draft201909, Draft::Draft7, Draft::Draft6, Draft::Draft4]);
    let formats = !choices.once_in(4);
    let layout = choices.pick(&[Layout::Local, Layout::Local, Layout::Local, Layout::Bundled, Layout::Elsewhere]);
    let dynamic = draft >= Draft::Draft201909 && layout != Layout::Elsewhere && choices.once_in(3);
    let definitions = choices.below(DEFINITION_NAMES.len() + 1);
    let mut writer = Writer { choices, draft, layout, dynamic, definitions, references: Vec::new(), in_other: false };
    writer.document(formats)
}

struct Writer<'w, 'c> {
    choices: &'w mut Choices<'c>,
    draft: Draft,
    layout: Layout,
    /// Dynamic references occur.
    dynamic: bool,
    definitions: usize,
    /// The references used, and the definition that each leads to; none for the root.
    references: Vec<(String, Option<usize>)>,
    in_other: bool,
}

/// Which references may stand at a place: to definitions from this one on, and to the root where a value inside is judged.
#[derive(Clone, Copy)]
struct Place {
    from: usize,
    inside: bool,
}

impl Place {
    const INSIDE: Place = Place { from: 0, inside: true };

    fn at_value(from: usize) -> Place {
        Place { from, inside: false }
    }
}

impl Writer<'_, '_> {
    fn document(&mut self, formats: bool) -> Schema {
        let at_least_2019 = self.draft >= Draft::Draft201909;
        let keyword = if at_least_2019 { "$defs" } else { "definitions" };
        self.in_other = self.layout == Layout::Elsewhere;
        let definitions: Vec<Json> = (0..self.definitions).map(|index| self.definition(index)).collect();
        self.in_other = false;
        let mut root = self.schema(DEPTH, Place::at_value(0), false);
        let hidden = self.layout == Layout::Bundled && !at_least_2019 && root.get("$ref").is_some();
        if hidden || matches!(root, Json::Bool(_)) {
            root = Json::object([("allOf", Json::Array(vec![root]))]);
        }
        let targets = self
            .references
            .iter()
            .map(|(uri, index)| (uri.clone(), index.map_or(&root, |index| &definitions[index]).clone()));
        let targets = targets.collect();
        let members =
            DEFINITION_NAMES.iter().zip(definitions).map(|(name, value)| ((*name).to_owned(), value)).collect();
        let members = Json::Object(members);
        let dialect = Json::string(self.draft.metaschema_uri());
        let mut schemas = Vec::new();
        if self.layout == Layout::Elsewhere {
            schemas.push((OTHER.to_owned(), Json::object([("$schema", dialect.clone()), (keyword, members)])));
        } else if self.definitions > 0 {
            root.set(keyword, members);
        }
        if self.layout == Layout::Bundled {
            root.set(if self.draft == Draft::Draft4 { "id" } else { "$id" }, Json::string(ROOT));
        }
        if self.dynamic {
            self.mark_dynamic(&mut root);
        }
        if self.choices.once_in(4) {
            root.set("$schema", dialect);
        }
        Schema { draft: self.draft, formats, root, schemas, targets }
    }

    /// Makes a resource's root answer to dynamic references.
    fn mark_dynamic(&mut self, root: &mut Json) {
        if self.draft == Draft::Draft202012 {
            root.set("$dynamicAnchor", Json::string("d"));
        } else {
            let yes = !self.choices.once_in(4);
            root.set("$recursiveAnchor", Json::Bool(yes));
        }
    }

    fn definition(&mut self, index: usize) -> Json {
        let resource = self.layout == Layout::Bundled && index.is_multiple_of(2);
        let anchored = self.layout == Layout::Local && index.is_multiple_of(2) && self.draft >= Draft::Draft6;
        let mut schema = self.schema(DEPTH - 1, Place::at_value(index + 1), resource);
        let hidden = self.draft <= Draft::Draft7 && schema.get("$ref").is_some();
        if (resource || anchored) && (hidden || matches!(schema, Json::Bool(_))) {
            schema = Json::object([("allOf", Json::Array(vec![schema]))]);
        }
        if resource {
            let id = if self.draft == Draft::Draft4 { "id" } else { "$id" };
            schema.set(id, Json::String(format!("d{index}.json")));
            if self.dynamic && !self.choices.once_in(3) {
                self.mark_dynamic(&mut schema);
            }
        } else if anchored && self.draft >= Draft::Draft201909 {
            schema.set("$anchor", Json::String(format!("n{index}")));
        } else if anchored {
            schema.set("$id", Json::String(format!("#n{index}")));
        }
        schema
    }

    fn reference(&mut self, place: Place) -> Option<Json> {
        let root = place.inside && !self.in_other;
        let count = self.definitions.saturating_sub(place.from);
        let chosen = self.choices.below((count + usize::from(root)).max(1));
        if chosen >= count {
            if !root {
                return None;
            }
            let uri = match self.layout {
                Layout::Bundled => self.choices.pick(&["/root.json", "root.json#", ROOT]),
                _ => "#",
            };
            return self.named(uri.to_owned(), None);
        }
        let index = place.from + chosen;
        let keyword = if self.draft >= Draft::Draft201909 { "$defs" } else { "definitions" };
        let pointer = format!("#/{keyword}/{}", POINTERS[index]);
        let uri = match self.layout {
            Layout::Local if index.is_multiple_of(2) && self.draft >= Draft::Draft6 && self.choices.once_in(2) => {
                format!("#n{index}")
            }
            Layout::Local => pointer,
            Layout::Bundled if index.is_multiple_of(2) => {
                self.choices.pick(&["", "/", "http://example.com/"]).to_owned() + &format!("d{index}.json")
            }
            Layout::Bundled => format!("/root.json{pointer}"),
            Layout::Elsewhere if self.in_other && self.choices.once_in(2) => pointer,
            Layout::Elsewhere => format!("{OTHER}{pointer}"),
        };
        self.named(uri, Some(index))
    }

    fn named(&mut self, uri: String, index: Option<usize>) -> Option<Json> {
        self.references.push((uri.clone(), index));
        Some(Json::String(uri))
    }

    fn schema(&mut self, depth: usize, place: Place, resource: bool) -> Json {
        if !resource && (depth == 0 || self.choices.is_spent() || self.choices.once_in(12)) {
            return match (self.draft, self.choices.below(5)) {
                (Draft::Draft4, 0..3) | (_, 0) => Json::Object(Vec::new()),
                (Draft::Draft4, _) | (_, 3..) => Json::object([("type", Json::string(self.choices.pick(&TYPES)))]),
                (_, 1) => Json::Bool(true),
                (_, _) => Json::Bool(false),
            };
        }
        let mut schema = Json::Object(Vec::new());
        for _ in 0..1 + self.choices.below(4) {
            self.add_keywords(&mut schema, depth - usize::from(depth > 0), place);
        }
        schema
    }

    fn inside(&mut self, depth: usize) -> Json {
        if self.dynamic && self.choices.once_in(6) {
            let (keyword, uri) = match (self.draft, self.layout) {
                (Draft::Draft202012, Layout::Bundled) => {
                    ("$dynamicRef", self.choices.pick(&["/root.json#d", "root.json#d"]))
                }
                (Draft::Draft202012, _) => ("$dynamicRef", "#d"),
                _ => ("$recursiveRef", "#"),
            };
            return Json::object([(keyword, Json::string(uri))]);
        }
        self.schema(depth, Place::INSIDE, false)
    }

    fn items(&mut self, depth: usize) -> Json {
        let length = 1 + self.choices.below(3);
        Json::Array((0..length).map(|_| self.inside(depth)).collect())
    }

    fn branches(&mut self, depth: usize, place: Place) -> Json {
        let length = 1 + self.choices.below(3);
        Json::Array((0..length).map(|_| self.schema(depth, place, false)).collect())
    }

    fn members(&mut self, keys: &[&str], depth: usize) -> Json {
        let mut members = Json::Object(Vec::new());
        for _ in 0..1 + self.choices.below(4) {
            let name = self.choices.pick(keys);
            let value = self.inside(depth);
            members.set(name, value);
        }
        members
    }

    fn names(&mut self, least: usize) -> Json {
        let mut names: Vec<Json> = Vec::new();
        for _ in 0..least + self.choices.below(3) {
            let name = Json::string(self.choices.pick(NAMES));
            if !names.contains(&name) {
                names.push(name);
            }
        }
        Json::Array(names)
    }

    fn count(&mut self) -> Json {
        // To the oldest draft 1.0 is no integer.
        let spellings: &[&str] =
            if self.draft == Draft::Draft4 { &["0", "1", "2"] } else { &["0", "1", "2", "3", "1.0", "2e0"] };
        Json::number(self.choices.pick(spellings))
    }

    /// A JSON value to compare with.
    fn value(&mut self, depth: usize) -> Json {
        value(self.choices, depth)
    }

    fn add_keywords(&mut self, schema: &mut Json, depth: usize, place: Place) {
        let draft = self.draft;
        let at = |least: Draft| draft >= least;
        match self.choices.below(40) {
            0 | 1 => schema.set("type", Json::string(self.choices.pick(&TYPES))),
            2 => {
                let mut types: Vec<Json> = Vec::new();
                for _ in 0..1 + self.choices.below(3) {
                    let name = Json::string(self.choices.pick(&TYPES));
                    if !types.contains(&name) {
                        types.push(name);
                    }
                }
                schema.set("type", Json::Array(types));
            }
            3 => {
                let mut values: Vec<Json> = Vec::new();
                for _ in 0..1 + self.choices.below(4) {
                    let value = self.value(2);
                    // The oldest metaschemas want them unique.
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
                schema.set("enum", Json::Array(values));
            }
            4 if at(Draft::Draft6) => {
                let value = self.value(2);
                schema.set("const", value);
            }
            5 => schema.set("multipleOf", Json::number(self.choices.pick(DIVISORS))),
            6 | 7 => {
                let (bound, exclusive) =
                    self.choices.pick(&[("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")]);
                let limit = Json::number(self.choices.pick(BOUNDS));
                if at(Draft::Draft6) {
                    schema.set(self.choices.pick(&[bound, exclusive]), limit);
                } else {
                    schema.set(bound, limit);
                    if self.choices.once_in(2) {
                        schema.set(exclusive, Json::Bool(self.choices.once_in(2)));
                    }
                }
            }
            8 => {
                let count = self.count();
                schema.set(self.choices.pick(&["minLength", "maxLength"]), count);
            }
            9 | 10 => schema.set("pattern", Json::string(self.choices.pick(PATTERNS).0)),
            11 | 12 => {
                let (name, since, _) = self.choices.pick(FORMATS);
                if at(since) {
                    schema.set("format", Json::string(name));
                }
            }
            13 => {
                let count = self.count();
                schema.set(self.choices.pick(&["minItems", "maxItems"]), count);
            }
            14 => schema.set("uniqueItems", Json::Bool(!self.choices.once_in(4))),
            15 | 16 => {
                let (prefix, rest) =
                    if at(Draft::Draft202012) { ("prefixItems", "items") } else { ("items", "additionalItems") };
                let items = self.items(depth);
                schema.set(prefix, items);
                if self.choices.once_in(2) {
                    let more = self.inside(depth);
                    schema.set(rest, more);
                }
            }
            17 | 18 => {
                let items = self.inside(depth);
                schema.set("items", items);
            }
            19 if at(Draft::Draft6) => {
                let contained = self.inside(depth);
                schema.set("contains", contained);
                if at(Draft::Draft201909) {
                    for keyword in ["minContains", "maxContains"] {
                        if self.choices.once_in(2) {
                            let count = self.count();
                            schema.set(keyword, count);
                        }
                    }
                }
            }
            20 => {
                let count = self.count();
                schema.set(self.choices.pick(&["minProperties", "maxProperties"]), count);
            }
            21 | 22 => {
                let names = self.names(1);
                schema.set("required", names);
            }
            23..=25 => {
                let members = self.members(NAMES, depth);
                schema.set("properties", members);
            }
            26 => {
                let patterns: Vec<&str> = PATTERNS.iter().map(|(pattern, _)| *pattern).collect();
                let members = self.members(&patterns, depth);
                schema.set("patternProperties", members);
            }
            27 => {
                let inner = self.inside(depth);
                schema.set("additionalProperties", inner);
            }
            28 if at(Draft::Draft6) => {
                let inner = self.inside(depth);
                schema.set("propertyNames", inner);
            }
            29 => self.add_dependencies(schema, depth, place),
            30 | 31 => {
                let list = self.branches(depth, place);
                schema.set(self.choices.pick(&["allOf", "anyOf", "oneOf"]), list);
            }
            32 => {
                let inner = self.schema(depth, place, false);
                schema.set("not", inner);
            }
            33 | 34 if at(Draft::Draft7) => {
                let condition = self.schema(depth, place, false);
                schema.set("if", condition);
                for keyword in ["then", "else"] {
                    if !self.choices.once_in(4) {
                        let inner = self.schema(depth, place, false);
                        schema.set(keyword, inner);
                    }
                }
            }
            35 | 36 => {
                if let Some(reference) = self.reference(place) {
                    schema.set("$ref", reference);
                }
            }
            37 | 38 if at(Draft::Draft201909) => {
                let keyword = self.choices.pick(&["unevaluatedProperties", "unevaluatedItems"]);
                let inner = if self.choices.once_in(3) { self.inside(depth) } else { Json::Bool(false) };
                schema.set(keyword, inner);
            }
            _ => {
                let list = self.branches(depth, place);
                schema.set("anyOf", list);
            }
        }
    }

    fn add_dependencies(&mut self, schema: &mut Json, depth: usize, place: Place) {
        let name = self.choices.pick(NAMES);
        let requires = self.choices.once_in(2);
        let value = if requires { self.names(1) } else { self.schema(depth, place, false) };
        let keyword = match requires {
            _ if self.draft <= Draft::Draft7 => "dependencies",
            true => "dependentRequired",
            false => "dependentSchemas",
        };
        let mut all = schema.get(keyword).cloned().unwrap_or(Json::Object(Vec::new()));
        all.set(name, value);
        schema.set(keyword, all);
    }
}

/// Any JSON value.
pub fn value(choices: &mut Choices<'_>, depth: usize) -> Json {
    match choices.below(if depth == 0 { 8 } else { 11 }) {
        0 => Json::Null,
        1 => Json::Bool(choices.once_in(2)),
        2..=4 => Json::number(choices.pick(NUMBERS)),
        5..=7 => Json::string(choices.pick(STRINGS)),
        8 => {
            let length = choices.below(4);
            Json::Array((0..length).map(|_| value(choices, depth - 1)).collect())
        }
        _ => {
            let mut object = Json::Object(Vec::new());
            for _ in 0..choices.below(4) {
                let name = choices.pick(NAMES);
                let member = value(choices, depth - 1);
                object.set(name, member);
            }
            object
        }
    }
}
