//! Random research records and children, and the host's normalisation, for the tests of merging and rendering.
#![allow(dead_code, reason = "each test file uses its part")]

use proptest::prelude::*;
use serde_json::{Value, json};
use subcontract::merge::Normalize;
use subcontract::{Contract, Options};

/// As much of NFC as these tests have texts for.
pub struct Composed;

impl Normalize for Composed {
    fn nfc(&self, text: &str) -> String {
        text.replace("e\u{301}", "é").replace("A\u{30a}", "Å").replace('\u{212b}', "Å")
    }
}

/// The research record's two forms, as the TypeScript side publishes them.
pub fn research(form: &str) -> Contract {
    let path = format!("{}/tests/fixtures/research-result.json", env!("CARGO_MANIFEST_DIR"));
    let forms: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    Contract::compile(&forms[form].to_string(), &Options::default()).unwrap()
}

/// A text that often equals another's, to the letter or after folding.
pub fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec![
            "the table is current",
            " the table  is\u{a0}current ",
            "The table is current",
            "café",
            "cafe\u{301}",
            "the adapter pins v3",
            "logs",
            "tickets",
            "src/",
            "x",
        ])
        .prop_map(str::to_owned),
        1 => "[a-c ]{1,6}".prop_filter("something", |text| !text.trim().is_empty()),
        1 => any::<String>().prop_filter("something", |text| !text.is_empty()),
    ]
}

pub fn texts(most: usize) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(text(), 0..=most)
}

pub fn finding() -> impl Strategy<Value = Value> {
    let own = prop::option::of(text());
    (text(), texts(3), prop::sample::select(vec!["verified", "inferred", "reported"]), own).prop_map(
        |(claim, provenance, confidence, own)| {
            let mut finding = json!({ "claim": claim, "provenance": provenance, "confidence": confidence });
            if let Some(own) = own {
                finding["severity"] = own.into();
            }
            finding
        },
    )
}

/// A record that the lenient form accepts.
pub fn record() -> impl Strategy<Value = Value> {
    let question =
        (text(), text()).prop_map(|(question, remedy)| json!({"question": question, "would_settle_it": remedy}));
    let lists = (prop::option::of(texts(4)), prop::option::of(texts(4)));
    let effort = (prop::option::of(0u32..50), prop::option::of(any::<bool>()));
    (
        prop::collection::vec(finding(), 0..6),
        texts(4),
        prop::collection::vec(question, 0..4),
        lists,
        effort,
        prop::option::of(text()),
    )
        .prop_map(|(findings, assumptions, unresolved, (searched, not_searched), (calls, exhausted), own)| {
            let mut record = json!({ "findings": findings, "assumptions": assumptions, "unresolved": unresolved,
                "coverage": {}, "effort": {} });
            let mut set = |slot: &str, name: &str, value: Option<Value>| {
                if let Some(value) = value {
                    record[slot][name] = value;
                }
            };
            set("coverage", "searched", searched.map(Into::into));
            set("coverage", "not_searched", not_searched.map(Into::into));
            set("effort", "tool_calls", calls.map(Into::into));
            set("effort", "budget_exhausted", exhausted.map(Into::into));
            if let Some(own) = own {
                record["recommendation"] = own.into();
            }
            record
        })
}

/// A child with an id, in one of the forms that a merge takes.
pub fn child(id: String) -> impl Strategy<Value = Value> {
    let failed = id.clone();
    let enveloped = id.clone();
    prop_oneof![
        4 => record().prop_map(move |record| json!({ "id": id, "result": record })),
        1 => text().prop_map(move |message| json!({ "id": failed, "error": { "code": "timeout", "message": message } })),
        2 => record().prop_map(move |record| json!({
            "run_id": enveloped, "subagent": "analyst", "task_summary": null, "final_result": record,
            "status": "completed", "attempts": [], "contract": { "source": "output_schema", "digest": "sha256-0" },
            "effort": { "measured": { "tool_calls": 1 } }, "schema_version": 1,
            "degraded": [{ "by": "verified-needs-provenance", "message": "a finding lacks it" }],
        })),
    ]
}

/// Children under ids of their own.
pub fn children(most: usize) -> impl Strategy<Value = Vec<Value>> {
    (1..=most).prop_flat_map(|count| (0..count).map(|at| child(format!("run-{at}"))).collect::<Vec<_>>())
}

/// As the merge compares texts.
pub fn folded(text: &str) -> String {
    Composed.nfc(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The result of a child, whatever its form.
pub fn result_of(child: &Value) -> Option<&Value> {
    child.get("result").or_else(|| child.get("final_result"))
}

pub fn id_of(child: &Value) -> &str {
    child.get("id").or_else(|| child.get("run_id")).and_then(Value::as_str).unwrap()
}

pub fn strings(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}
