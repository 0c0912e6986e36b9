//! Instances derived from a schema: built to meet it, and then often changed in one place, so that both verdicts are common.

use super::choices::Choices;
use super::json::Json;
use super::schema::{Schema, value};
use super::values::{FORMATS, NAMES, NUMBERS, PATTERNS, STRINGS};

/// An instance for a schema.
pub fn generate(schema: &Schema, choices: &mut Choices<'_>) -> Json {
    if choices.once_in(10) {
        return value(choices, 3);
    }
    let mut instance = Builder { schema, choices }.satisfy(&schema.root, 5);
    while choices.once_in(3) {
        mutate(&mut instance, choices);
    }
    instance
}

/// Changes one value somewhere in it.
pub fn mutate(instance: &mut Json, choices: &mut Choices<'_>) {
    let mut skip = choices.below(instance.size().min(256));
    let Some(target) = instance.nth_mut(&mut skip) else { return };
    let other = value(choices, 1);
    match target {
        Json::Array(items) => match choices.below(4) {
            0 => items.push(other),
            1 => drop(items.pop()),
            2 if !items.is_empty() => items.push(items[choices.below(items.len())].clone()),
            _ => items.insert(0, other),
        },
        Json::Object(members) if choices.once_in(2) && !members.is_empty() => {
            members.remove(choices.below(members.len()));
        }
        Json::Object(_) => {
            let name = choices.pick(NAMES);
            target.set(name, other);
        }
        Json::Number(text) => *text = near(text, choices),
        Json::String(text) => match choices.below(3) {
            0 => text.push_str(choices.pick(STRINGS)),
            1 => drop(text.pop()),
            _ => *target = other,
        },
        _ => *target = other,
    }
}

/// A number that is the same in another spelling, or a little beside it.
fn near(text: &str, choices: &mut Choices<'_>) -> String {
    let plain = !text.contains(['.', 'e', 'E']);
    match choices.below(8) {
        0 if plain => format!("{text}.0"),
        1 if plain => format!("{text}e0"),
        2 if plain => format!("{text}.00e+0"),
        3 if plain => format!("{text}.00000000000000000001"),
        4 => text.strip_prefix('-').map_or_else(|| format!("-{text}"), str::to_owned),
        5 if plain => format!("{text}.5"),
        6 if plain && text.len() > 1 && text != "-0" => format!("{text}000e-3"),
        _ => choices.pick(NUMBERS).to_owned(),
    }
}

struct Builder<'s, 'w, 'c> {
    schema: &'s Schema,
    choices: &'w mut Choices<'c>,
}

impl Builder<'_, '_, '_> {
    fn satisfy(&mut self, schema: &Json, depth: usize) -> Json {
        if depth == 0 {
            return value(self.choices, 0);
        }
        let all = self.at_one_value(schema);
        let find = |keyword: &str| all.iter().filter_map(|schema| schema.get(keyword)).collect::<Vec<_>>();
        let fixed: Vec<&Json> = find("enum").into_iter().flat_map(Json::children).chain(find("const")).collect();
        if !fixed.is_empty() && !self.choices.once_in(8) {
            return fixed[self.choices.below(fixed.len())].clone();
        }
        let types: Vec<String> = find("type")
            .into_iter()
            .flat_map(|found| if let Json::Array(_) = found { found.children() } else { vec![found] })
            .filter_map(|name| if let Json::String(name) = name { Some(name.clone()) } else { None })
            .collect();
        let kind = if types.is_empty() { self.kind_of(&all) } else { types[self.choices.below(types.len())].clone() };
        match kind.as_str() {
            "object" => self.object(&all, depth),
            "array" => self.array(&all, depth),
            "string" => self.string(&all),
            "number" => self.number(&all),
            "integer" => {
                Json::number(self.choices.pick(&["0", "1", "2", "3", "-1", "1.0", "1e2", "9007199254740993", "10"]))
            }
            "boolean" => Json::Bool(self.choices.once_in(2)),
            _ => Json::Null,
        }
    }

    /// The schema, and those that it applies to the same value.
    fn at_one_value(&mut self, schema: &Json) -> Vec<Json> {
        let mut all = vec![schema.clone()];
        let mut at = 0;
        while at < all.len() && all.len() < 16 {
            let schema = all[at].clone();
            at += 1;
            if let Some(Json::String(uri)) = schema.get("$ref")
                && let Some((_, target)) = self.schema.targets.iter().find(|(name, _)| name == uri)
            {
                all.push(target.clone());
            }
            all.extend(schema.get("allOf").into_iter().flat_map(Json::children).cloned());
            for keyword in ["anyOf", "oneOf"] {
                let branches = schema.get(keyword).map(Json::children).unwrap_or_default();
                if !branches.is_empty() {
                    all.push(branches[self.choices.below(branches.len())].clone());
                }
            }
            if self.choices.once_in(2) {
                all.extend(["if", "then"].iter().filter_map(|keyword| schema.get(keyword)).cloned());
            } else {
                all.extend(schema.get("else").cloned());
            }
        }
        all
    }

    /// A type that some keyword has something to say of.
    fn kind_of(&mut self, all: &[Json]) -> String {
        let mut kinds = vec!["object"];
        for schema in all {
            let Json::Object(members) = schema else { continue };
            for (keyword, _) in members {
                kinds.push(match keyword.as_str() {
                    "items" | "prefixItems" | "additionalItems" | "minItems" | "maxItems" | "uniqueItems"
                    | "contains" | "unevaluatedItems" => "array",
                    "pattern" | "format" | "minLength" | "maxLength" => "string",
                    "multipleOf" | "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => "number",
                    _ => "object",
                });
            }
        }
        self.choices.pick(&kinds).to_owned()
    }

    fn object(&mut self, all: &[Json], depth: usize) -> Json {
        let mut object = Json::Object(Vec::new());
        for schema in all {
            for (keyword, often) in [("properties", 4), ("patternProperties", 2)] {
                let Some(Json::Object(members)) = schema.get(keyword) else { continue };
                for (name, member) in members {
                    if !self.choices.once_in(often) {
                        let name = if keyword == "properties" { name.clone() } else { self.matching(name) };
                        let member = self.satisfy(member, depth - 1);
                        object.set(&name, member);
                    }
                }
            }
            for name in schema.get("required").map(Json::children).unwrap_or_default() {
                if let Json::String(name) = name
                    && object.get(name).is_none()
                    && !self.choices.once_in(8)
                {
                    let member = self.additional(all, depth);
                    object.set(name, member);
                }
            }
        }
        if self.choices.once_in(3) {
            let member = self.additional(all, depth);
            object.set(self.choices.pick(NAMES), member);
        }
        object
    }

    fn additional(&mut self, all: &[Json], depth: usize) -> Json {
        let keywords = ["additionalProperties", "unevaluatedProperties"];
        let schema = all.iter().find_map(|schema| keywords.iter().find_map(|keyword| schema.get(keyword)));
        match schema {
            Some(schema) => self.satisfy(schema, depth - 1),
            None => value(self.choices, 1),
        }
    }

    fn array(&mut self, all: &[Json], depth: usize) -> Json {
        let length = self.choices.below(5);
        let mut items = Vec::new();
        for index in 0..length {
            let mut schemas = Vec::new();
            for schema in all {
                let prefix = ["prefixItems", "items"].iter().find_map(|keyword| match schema.get(keyword) {
                    Some(Json::Array(prefix)) => Some(prefix.as_slice()),
                    _ => None,
                });
                let rest = ["items", "additionalItems"].iter().find_map(|keyword| match schema.get(keyword) {
                    None | Some(Json::Array(_)) => None,
                    found => found,
                });
                schemas.extend(prefix.and_then(|prefix| prefix.get(index)).or(rest));
                schemas.extend(["contains", "unevaluatedItems"].iter().filter_map(|keyword| schema.get(keyword)));
            }
            items.push(match schemas.len() {
                0 => value(self.choices, 1),
                count => {
                    let schema = schemas[self.choices.below(count)];
                    self.satisfy(schema, depth - 1)
                }
            });
        }
        Json::Array(items)
    }

    fn string(&mut self, all: &[Json]) -> Json {
        let mut samples = Vec::new();
        for schema in all {
            if let Some(Json::String(pattern)) = schema.get("pattern") {
                samples.push(self.matching(pattern));
            }
            if let Some(Json::String(format)) = schema.get("format")
                && let Some((_, _, texts)) = FORMATS.iter().find(|(name, ..)| name == format)
            {
                samples.push(self.choices.pick(texts).to_owned());
            }
        }
        match samples.len() {
            0 => Json::string(self.choices.pick(STRINGS)),
            count => Json::String(samples.swap_remove(self.choices.below(count))),
        }
    }

    fn matching(&mut self, pattern: &str) -> String {
        let samples = PATTERNS.iter().find(|(known, _)| *known == pattern).map_or(STRINGS, |(_, samples)| samples);
        self.choices.pick(samples).to_owned()
    }

    fn number(&mut self, all: &[Json]) -> Json {
        let keywords = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
        let bounds: Vec<&String> = all
            .iter()
            .flat_map(|schema| keywords.iter().filter_map(|keyword| schema.get(keyword)))
            .filter_map(|bound| if let Json::Number(text) = bound { Some(text) } else { None })
            .collect();
        match bounds.len() {
            0 => Json::number(self.choices.pick(NUMBERS)),
            count => {
                let bound = bounds[self.choices.below(count)];
                if self.choices.once_in(2) { Json::Number(near(bound, self.choices)) } else { Json::number(bound) }
            }
        }
    }
}
