//! Makes a schema and an instance smaller while what was found of them still holds.

use super::json::Json;
use super::schema::Schema;

/// Smaller by every step that `keeps` accepts, until none is left.
pub fn minimise(mut schema: Schema, mut instance: Json, keeps: impl Fn(&Schema, &Json) -> bool) -> (Schema, Json) {
    let mut tries = 20_000;
    loop {
        let mut smaller = false;
        while let Some((root, inner)) = descend(&schema, &instance).filter(|(root, inner)| keeps(root, inner)) {
            (schema, instance, smaller) = (root, inner, true);
        }
        for document in 0..=schema.schemas.len() {
            let of = |schema: &Schema| match document {
                0 => schema.root.clone(),
                other => schema.schemas[other - 1].1.clone(),
            };
            let with = |value: Json| {
                let mut changed = schema.clone();
                match document {
                    0 => changed.root = value,
                    other => changed.schemas[other - 1].1 = value,
                }
                changed
            };
            let found = shrink(&of(&schema), &mut tries, true, |value| keeps(&with(value.clone()), &instance));
            if let Some(value) = found {
                (schema, smaller) = (with(value), true);
            }
        }
        if let Some(value) = shrink(&instance, &mut tries, false, |value| keeps(&schema, value)) {
            (instance, smaller) = (value, true);
        }
        if !schema.schemas.is_empty() {
            let without = Schema { schemas: Vec::new(), ..schema.clone() };
            if keeps(&without, &instance) {
                (schema, smaller) = (without, true);
            }
        }
        if !smaller || tries == 0 {
            return (schema, instance);
        }
    }
}

/// The subschema of one property or of the items, and the value it judges. Not where references could come to lead in circles.
fn descend(schema: &Schema, instance: &Json) -> Option<(Schema, Json)> {
    if schema.root.text().contains("Ref\"") || schema.root.text().contains("$ref") {
        return None;
    }
    let dialect = schema.root.get("$schema").cloned();
    let (mut inner, value) = match instance {
        Json::Object(members) => members.iter().find_map(|(name, value)| {
            let inner = schema.root.get("properties").and_then(|all| all.get(name));
            Some((inner.or_else(|| schema.root.get("additionalProperties"))?.clone(), value.clone()))
        })?,
        Json::Array(items) => (schema.root.get("items")?.clone(), items.first()?.clone()),
        _ => return None,
    };
    if let Some(dialect) = dialect {
        inner.set("$schema", dialect);
    }
    matches!(inner, Json::Object(_)).then(|| (Schema { root: inner, ..schema.clone() }, value))
}

/// The value after all edits that `keeps` accepts; none if it accepts no edit.
fn shrink(value: &Json, tries: &mut usize, schema: bool, keeps: impl Fn(&Json) -> bool) -> Option<Json> {
    let mut best = value.clone();
    let mut changed = false;
    let mut at = 0;
    while at < best.size() {
        let mut edit = 0;
        loop {
            let mut candidate = best.clone();
            let node = candidate.nth_mut(&mut at.clone());
            match node.map(|node| apply(node, edit, schema)) {
                None | Some(Edit::NoMore) => break,
                Some(Edit::Useless) => edit += 1,
                Some(Edit::Done) if *tries == 0 => break,
                Some(Edit::Done) => {
                    *tries -= 1;
                    if candidate.text().len() < best.text().len() && keeps(&candidate) {
                        (best, changed) = (candidate, true);
                        edit = 0;
                    } else {
                        edit += 1;
                    }
                }
            }
        }
        at += 1;
    }
    changed.then_some(best)
}

enum Edit {
    Done,
    Useless,
    NoMore,
}

/// The edit of this number at a node: removing a child, a simpler value, or a child in its place.
fn apply(node: &mut Json, edit: usize, schema: bool) -> Edit {
    const SIMPLER: &[&str] = &["{}", "true", "0", "1", "\"\"", "\"a\"", "null", "[]"];
    let children = node.children().len();
    if edit < children {
        match node {
            Json::Array(items) => drop(items.remove(edit)),
            Json::Object(members) => drop(members.remove(edit)),
            _ => {}
        }
        return Edit::Done;
    }
    let edit = edit - children;
    if let Some(text) = SIMPLER.get(edit) {
        // Another string would name another keyword's thing: a reference to nowhere, an unknown type.
        if schema && (matches!(node, Json::String(_)) || !matches!(*text, "{}" | "0" | "1")) {
            return Edit::Useless;
        }
        *node = match *text {
            "{}" => Json::Object(Vec::new()),
            "[]" => Json::Array(Vec::new()),
            "true" => Json::Bool(true),
            "null" => Json::Null,
            text => text
                .strip_prefix('"')
                .map_or_else(|| Json::number(text), |rest| Json::string(rest.trim_end_matches('"'))),
        };
        return Edit::Done;
    }
    // A subschema may take its parent's place only when both judge the same value: else references could lead in circles.
    let inner: Vec<Json> = if schema {
        let lists = ["allOf", "anyOf", "oneOf"].iter().filter_map(|keyword| node.get(keyword)).flat_map(Json::children);
        lists.chain(["not", "if", "then", "else"].iter().filter_map(|keyword| node.get(keyword))).cloned().collect()
    } else {
        node.children().into_iter().cloned().collect()
    };
    match inner.into_iter().nth(edit - SIMPLER.len()) {
        Some(child) if child.text() != node.text() => {
            *node = child;
            Edit::Done
        }
        Some(_) => Edit::Useless,
        None => Edit::NoMore,
    }
}
