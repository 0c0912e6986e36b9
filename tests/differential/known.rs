//! Pairs on which the reference engine is known to be wrong, recognised as narrowly as the fault allows.
//!
//! A fault explains a disagreement only if the engines agree once what brings the fault out is taken away. Each has a row in
//! `fixtures/disagreements.jsonl` that says what the specification decides.

use subcontract::schema::dialect::Draft;
use subcontract::schema::pattern;

use crate::engines::{Engines, Outcome, agree};
use crate::generator::json::Json;
use crate::generator::schema::Schema;

struct Fault {
    name: &'static str,
    drafts: &'static [Draft],
    /// The pair without what brings the fault out.
    without: fn(&mut Schema, &mut Json),
}

const ALL: &[Draft] = &Draft::ALL;

const FAULTS: &[Fault] = &[
    Fault { name: "multipleOf judges a double", drafts: ALL, without: |_, instance| each(instance, &mut as_double) },
    Fault {
        name: "a dot matches U+2028",
        drafts: ALL,
        without: |_, instance| {
            each_text(instance, &mut |text| *text = text.replace(['\u{2028}', '\u{2029}', '\r'], "\n"))
        },
    },
    Fault {
        name: "word boundaries are Unicode's",
        drafts: ALL,
        without: |schema, instance| {
            if any_document(schema, r"\\b") {
                each_text(instance, &mut |text| *text = text.replace(|character: char| !character.is_ascii(), " "));
            }
        },
    },
    Fault {
        name: "a resource between them hides the outermost recursive anchor",
        drafts: &[Draft::Draft201909],
        without: |schema, _| {
            let resource = |value: &Json| value.get("$id").is_some() && value.get("$recursiveAnchor").is_none();
            each_document(schema, &mut |value| {
                if resource(value) {
                    value.set("$recursiveAnchor", Json::Bool(true));
                }
            });
        },
    },
    Fault {
        name: "contains evaluates items in 2019-09",
        drafts: &[Draft::Draft201909],
        without: |schema, _| {
            if any_document(schema, "unevaluatedItems") {
                remove(schema, "contains");
            }
        },
    },
    Fault {
        name: "A-labels pass for hostnames of old drafts",
        drafts: &[Draft::Draft4, Draft::Draft6],
        without: |_, instance| each_text(instance, &mut |text| *text = text.replace("xn--", "xn-")),
    },
    Fault {
        name: "1e400 is no integer",
        drafts: ALL,
        without: |schema, _| {
            each_document(schema, &mut |value| {
                if let Json::Number(text) = value
                    && text.parse().is_ok_and(f64::is_infinite)
                {
                    *text = "1000".to_owned();
                }
            })
        },
    },
    Fault {
        name: "patterns that nothing applies are checked",
        drafts: ALL,
        without: |schema, _| {
            each_document(schema, &mut |value| {
                if let Some(Json::String(pattern)) = value.get("pattern")
                    && pattern::check_syntax(pattern).is_err()
                {
                    value.set("pattern", Json::string(""));
                }
            });
        },
    },
    Fault {
        name: "-0 is below 0",
        drafts: ALL,
        without: |schema, _| {
            each_document(schema, &mut |value| {
                if *value == Json::number("-0") {
                    *value = Json::number("0");
                }
            })
        },
    },
    Fault {
        name: "any character can be escaped in a regex",
        drafts: ALL,
        without: |_, instance| {
            each_text(instance, &mut |text| {
                if let Some((before, after)) = text.split_once('\\')
                    && after
                        .starts_with(|next: char| !next.is_ascii_alphanumeric() && !r"^$\.*+?()[]{}|/".contains(next))
                {
                    *text = format!("{before}{after}");
                }
            })
        },
    },
];

/// What the crate panics with when references lead through `unevaluatedProperties` and back.
const PANIC: &str = "panic: pending schema target dropped";

/// The name of the fault that explains the pair's disagreement.
pub fn fault(schema: &Schema, instance: &Json) -> Option<&'static str> {
    let (own, theirs) = Engines::of(schema).judge(&instance.text());
    if matches!(own, Outcome::Judged(_)) && theirs == Outcome::Broken(PANIC.to_owned()) {
        return Some("the crate panics");
    }
    let explains = |fault: &&Fault| {
        let (mut without, mut value) = (schema.clone(), instance.clone());
        (fault.without)(&mut without, &mut value);
        let changed = value != *instance || without.root != schema.root || without.schemas != schema.schemas;
        let (own, theirs) = Engines::of(&without).judge(&value.text());
        changed && fault.drafts.contains(&schema.draft) && agree(&own, &theirs)
    };
    FAULTS.iter().find(explains).map(|fault| fault.name)
}

fn each(value: &mut Json, change: &mut impl FnMut(&mut Json)) {
    change(value);
    match value {
        Json::Array(items) => items.iter_mut().for_each(|item| each(item, change)),
        Json::Object(members) => members.iter_mut().for_each(|(_, value)| each(value, change)),
        _ => {}
    }
}

/// Strings and member names.
fn each_text(value: &mut Json, change: &mut impl FnMut(&mut String)) {
    each(value, &mut |value| match value {
        Json::String(text) => change(text),
        Json::Object(members) => members.iter_mut().for_each(|(name, _)| change(name)),
        _ => {}
    });
}

/// A number as `JSON.parse` would have it.
fn as_double(value: &mut Json) {
    if let Json::Number(text) = value
        && let Ok(double) = text.parse::<f64>()
        && double.is_finite()
    {
        *text = format!("{double}");
    }
}

fn each_document(schema: &mut Schema, change: &mut impl FnMut(&mut Json)) {
    each(&mut schema.root, change);
    schema.schemas.iter_mut().for_each(|(_, schema)| each(schema, change));
}

/// Whether the text of the schema, or of one given beside it, holds `part`.
fn any_document(schema: &Schema, part: &str) -> bool {
    let mut documents = std::iter::once(&schema.root).chain(schema.schemas.iter().map(|(_, document)| document));
    documents.any(|document| document.text().contains(part))
}

/// Removes a keyword wherever it stands.
fn remove(schema: &mut Schema, keyword: &str) {
    each_document(schema, &mut |value| {
        if let Json::Object(members) = value {
            members.retain(|(name, _)| name != keyword);
        }
    });
}
