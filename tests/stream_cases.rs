//! The cases from public bug reports about streams. They also run through wasm (`tests/js/stream.test.ts`).

#[allow(dead_code, reason = "the property tests generate more")]
mod generator;
#[allow(dead_code, reason = "the property tests cut texts, here they are cut already")]
#[path = "streams/pieces.rs"]
mod pieces;

use generator::json::Json;
use pieces::{Shown, is_kept};
use serde_json::Value;
use subcontract::intake::Intake;
use subcontract::stream::Status;
use subcontract::{Contract, Options, Verdict};

/// A row. Where it cuts a text between the halves of a surrogate pair, which UTF-8 cannot, the pieces are joined.
fn row(line: &str) -> Value {
    serde_json::from_str(&line.replace(r#"\ud83d", "\ude00"#, r"\ud83d\ude00")).unwrap()
}

fn pieces_of(row: &Value) -> Vec<Vec<u8>> {
    let chunks = row["chunks"].as_array().unwrap().iter().map(|chunk| chunk.as_str().unwrap());
    let bytes = row["format"] == "base64-bytes";
    chunks.map(|chunk| if bytes { base64(chunk) } else { chunk.as_bytes().to_vec() }).collect()
}

fn base64(text: &str) -> Vec<u8> {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bits = text.trim_end_matches('=').bytes().flat_map(|digit| {
        let value = ALPHABET.bytes().position(|known| known == digit).unwrap();
        (0..6).rev().map(move |bit| value >> bit & 1)
    });
    let mut bytes = Vec::new();
    while let Some(byte) = (0..8).try_fold(0, |byte, _| Some(byte << 1 | bits.next()?)) {
        bytes.push(byte as u8);
    }
    bytes
}

/// By value: the rows' numbers stand in another spelling.
fn plain(json: &Json) -> Value {
    serde_json::from_str(&json.text()).unwrap()
}

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

/// A fence around the value: no JSON to strict intake.
const LENIENT_ONLY: &str = "T019";
/// A call without arguments; the text of an answer is no value when there is none.
const STRICT_ONLY: &str = "T021";

#[test]
fn every_case_streams_as_its_row_says() {
    let path = format!("{}/tests/fixtures/cases/stream.jsonl", env!("CARGO_MANIFEST_DIR"));
    let rows = std::fs::read_to_string(path).unwrap();
    // Deltas of tool calls are put together in TypeScript.
    let rows: Vec<&str> = rows.lines().filter(|line| !line.contains(r#""tool-call-deltas""#)).collect();
    assert_eq!(rows.len(), 16);
    for (line, intake) in rows.iter().flat_map(|line| [(*line, Intake::Strict), (*line, Intake::Lenient)]) {
        let row = row(line);
        let id = row["id"].as_str().unwrap();
        let schema = row.get("schema").map_or("true".to_owned(), Value::to_string);
        let contract = Contract::compile(&schema, &Options::default()).unwrap();
        let mut stream = contract.stream(intake);
        stream.watch();
        let mut shown = Shown::default();
        for (index, piece) in pieces_of(&row).iter().enumerate() {
            let before = shown.value.clone();
            let status = stream.push(piece);
            shown.apply(stream.edits(), &stream);
            if let Some(before) = &before {
                assert!(is_kept(before, shown.value.as_ref().unwrap()), "{id}: after chunk {index}");
            }
            if row["expected"].get("must_not_finalize_before_end").is_some() {
                assert_ne!(status, Status::Complete, "{id}: after chunk {index}");
            }
            if let Some(hidden) = row["expected"]["must_not_show"].as_str() {
                assert!(!shown.value.as_ref().is_some_and(|value| value.text().contains(hidden)), "{id}");
            }
            if let Some(acceptable) = row["expected"]["partial_after"][index.to_string()].as_array() {
                let found = shown.value.as_ref().map_or(Value::Null, plain);
                assert!(acceptable.iter().any(|value| same(value, &found)), "{id}: {found} after chunk {index}");
            }
        }
        match (id, intake) {
            (LENIENT_ONLY, Intake::Strict) => {
                assert_eq!((stream.status(), stream.rejected_at()), (Status::InvalidJson, Some(1)), "{id}");
                continue;
            }
            (STRICT_ONLY, Intake::Lenient) => {
                assert!(matches!(stream.end(None), Verdict::Rejected(rejected) if rejected.code == "no_return"));
                continue;
            }
            _ => {}
        }
        let wanted = &row["expected"]["final"];
        let kinds = [&wanted["kind"]].into_iter().chain(wanted["also_ok"].as_array().into_iter().flatten());
        let kinds: Vec<&str> = kinds.filter_map(Value::as_str).collect();
        match stream.end(row["finish_reason"].as_str()) {
            Verdict::Accepted(accepted) => {
                let found = serde_json::from_str(&accepted.text).unwrap();
                assert!(kinds.contains(&"value") && same(&wanted["value"], &found), "{id}: {found}");
            }
            Verdict::Rejected(rejected) => assert!(kinds.contains(&rejected.code), "{id}: {rejected:?}"),
        }
    }
}
