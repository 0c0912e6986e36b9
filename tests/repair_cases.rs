//! The reported cases of returns that models write: each row by the intake that its text needs, and where both do, by both.

use serde_json::Value;
use subcontract::intake::Intake;
use subcontract::{Contract, Options, Verdict};

/// Prose or a fence around the value: no JSON to strict intake.
const LENIENT_ONLY: [&str; 11] =
    ["R001", "R003", "R005", "R009", "R011", "R013", "R015", "R017", "R019", "R021", "R066"];
/// Calls without arguments; the text of an answer is no value when there is none.
const STRICT_ONLY: [&str; 2] = ["R025", "R027"];

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

fn list<'r>(row: &'r Value, name: &str) -> Vec<&'r Value> {
    row[name].as_array().into_iter().flatten().collect()
}

/// What a row expects of a verdict.
fn holds(row: &Value, verdict: &Verdict, context: &str) {
    let expected = &row["expected"];
    let kinds: Vec<&str> =
        [&expected["kind"]].into_iter().chain(list(expected, "also_ok")).filter_map(Value::as_str).collect();
    match verdict {
        Verdict::Accepted(accepted) => {
            let value: Value = serde_json::from_str(&accepted.text).unwrap();
            assert!(kinds.contains(&"value"), "{context}: accepted {value}");
            assert!(same(&expected["value"], &value), "{context}: {value}");
            for unwanted in list(expected, "must_not") {
                assert!(!same(unwanted, &value), "{context}: {value}");
            }
            for unwanted in list(expected, "must_not_silently") {
                assert!(!same(unwanted, &value) || !accepted.flags.is_empty(), "{context}: {value} without a flag");
            }
            for flag in list(expected, "flags") {
                assert!(accepted.flags.contains(&flag.as_str().unwrap()), "{context}: {:?}", accepted.flags);
            }
        }
        Verdict::Rejected(rejected) => {
            let kind = match rejected.code {
                "schema_violation" => "schema_error",
                // The rows know no limits; deeper than ours is refused under its own name.
                "too_deep" => "invalid_json",
                code => code,
            };
            assert!(kinds.contains(&kind), "{context}: {rejected:?}");
            assert!(!rejected.issues.is_empty(), "{context}");
            if kind != "schema_error" || kind != expected["kind"] {
                return;
            }
            if let Some(path) = expected["error_path"].as_str() {
                assert!(rejected.issues.iter().any(|issue| issue.instance_path == path), "{context}: {rejected:?}");
            }
            let messages: Vec<String> = rejected.issues.iter().map(ToString::to_string).collect();
            for name in list(expected, "missing").into_iter().chain(list(expected, "must_mention")) {
                let name = name.as_str().unwrap();
                assert!(messages.iter().any(|message| message.contains(name)), "{context}: {name} in {messages:?}");
            }
        }
    }
}

#[test]
fn every_case_is_read_as_its_row_says() {
    let path = format!("{}/tests/fixtures/cases/repair.jsonl", env!("CARGO_MANIFEST_DIR"));
    let rows = std::fs::read_to_string(path).unwrap();
    assert_eq!(rows.lines().count(), 54);
    for line in rows.lines() {
        // serde_json takes no lone surrogates; no raw text has one but as an escape.
        let row: Value = serde_json::from_str(line).unwrap();
        let id = row["id"].as_str().unwrap();
        let contract = Contract::compile(&row["schema"].to_string(), &Options::default()).unwrap();
        let raw = row["raw_text"].as_str().unwrap().as_bytes();
        let finish = row["finish_reason"].as_str();
        for (intake, other_only) in [(Intake::Strict, &LENIENT_ONLY[..]), (Intake::Lenient, &STRICT_ONLY[..])] {
            let verdict = contract.read_return(raw, finish, intake);
            if other_only.contains(&id) {
                assert!(matches!(verdict, Verdict::Rejected(_)), "{id} needs no other intake: {verdict:?}");
            } else {
                holds(&row, &verdict, &format!("{id} by {intake:?}"));
            }
            for length in [1, 3, usize::MAX] {
                let mut stream = contract.stream(intake);
                for piece in raw.chunks(length) {
                    stream.push(piece);
                }
                assert_eq!(stream.end(finish), verdict, "{id} by {intake:?}, in pieces of {length}");
            }
        }
    }
}
