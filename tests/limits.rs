//! Limits and router picks: the cases of `tests/fixtures/limits.json`, which `tests/js/limits.test.ts` runs through wasm.

use serde_json::{Value, json};
use subcontract::limits::pick::{self, Agent, Order};
use subcontract::limits::{Asked, Limits, Used};
use subcontract::members;

fn cases(list: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("fixtures/limits.json")).unwrap();
    file[list].as_array().unwrap().clone()
}

#[test]
fn answers() {
    for case in cases("answers") {
        let limits: Limits = members::read(&case["limits"].to_string()).unwrap();
        let used: Used = members::read(&case["used"].to_string()).unwrap();
        let asked: Asked = members::read(&case["asked"].to_string()).unwrap();
        let answer: Value = serde_json::from_str(&limits.answer(&used, asked).to_json()).unwrap();
        assert_eq!(answer, case["answer"], "{}", case["name"]);
    }
}

#[test]
fn picks() {
    for case in cases("picks") {
        let text = json!({ "pick": case["pick"] }).to_string();
        assert_eq!(resolved(&text, &case), case["steps"], "{}", case["name"]);
    }
}

#[test]
fn refused_picks() {
    for case in cases("refusedPicks") {
        let text = json!({ "pick": case["pick"] }).to_string();
        assert_eq!(resolved(&text, &case), case["refusal"], "{}", case["name"]);
    }
}

#[test]
fn an_input_keeps_its_text() {
    let text = r#"{"pick":{"name":"pricer","input":{"id": 9007199254740993123, "big": 1e400}}}"#;
    let steps = resolved(text, &json!({}));
    assert_eq!(steps[0]["children"][0]["input"], r#"{"id": 9007199254740993123, "big": 1e400}"#);
}

fn resolved(text: &str, case: &Value) -> Value {
    let members = members::Members::parse(text).unwrap();
    let order = if case["order"] == "sequence" { Order::Sequence } else { Order::Parallel };
    let agents = [("pricer", true), ("writer", false), ("researcher", true)]
        .map(|(name, takes_input)| Agent { name: name.to_owned(), takes_input });
    match pick::resolve(members.value().member("pick").unwrap(), &agents, order) {
        Ok(steps) => serde_json::from_str(&pick::to_json(&steps)).unwrap(),
        Err(error) => json!({ "code": error.code, "pointer": error.pointer, "message": error.message }),
    }
}
