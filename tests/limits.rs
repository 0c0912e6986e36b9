//! Limits and router picks: the cases of `tests/fixtures/limits.json`, which `tests/js/limits.test.ts` runs through wasm.

use serde_json::{Value, json};
use subcontract::limits::pick::{self, Order};
use subcontract::limits::{Asked, Limits, Used};
use subcontract::members::Members;

fn cases(list: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("fixtures/limits.json")).unwrap();
    file[list].as_array().unwrap().clone()
}

#[test]
fn answers() {
    for case in cases("answers") {
        let limit = |name: &str| case["limits"].get(name).map(|limit| limit.as_u64().unwrap());
        let used = |name: &str| case["used"][name].as_u64().unwrap();
        let limits = Limits {
            max_depth: limit("maxDepth"),
            max_agents: limit("maxAgents"),
            max_concurrent: limit("maxConcurrent"),
            max_calls: limit("maxCalls"),
            timeout_ms: limit("timeoutMs"),
            max_tokens: limit("maxTokens"),
        };
        let used = Used {
            depth: used("depth"),
            agents: used("agents"),
            running: used("running"),
            calls: used("calls"),
            elapsed_ms: used("elapsedMs"),
            tokens: used("tokens"),
        };
        let asked = match case["asked"].as_str() {
            Some("start") => Asked::Start,
            Some("resume") => Asked::Resume,
            _ => Asked::GoOn,
        };
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
    let pick = Members::parse(text).unwrap();
    let agents = Members::parse(r#"{"pricer":true,"writer":false,"researcher":true}"#).unwrap();
    let order = if case["order"] == "sequence" { Order::Sequence } else { Order::Parallel };
    match pick::resolve(pick.value().member("pick").unwrap(), agents.value(), order) {
        Ok(steps) => serde_json::from_str(&pick::to_json(&steps)).unwrap(),
        Err(error) => json!({ "code": error.code, "pointer": error.pointer, "message": error.message }),
    }
}
