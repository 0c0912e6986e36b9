//! What a rendering promises, on random records and budgets, and what hostile children cannot do to it.

mod records;

use proptest::prelude::*;
use records::{Composed, children, record, research};
use serde_json::{Value, json};
use subcontract::render::{self, Kind, Options, Rendering, push_visible};
use subcontract::{Contract, merge};

fn shown(text: &str) -> String {
    let mut out = String::new();
    push_visible(&mut out, text);
    out
}

fn render(text: &str, max_tokens: usize, count: &mut dyn FnMut(&str) -> usize) -> Rendering {
    render::for_parent(text, &Options { max_tokens, ..Options::default() }, count).unwrap()
}

/// The whole text, whatever its size.
fn whole(text: &str) -> String {
    match render(text, usize::MAX, &mut str::len) {
        Rendering::Text { text, .. } => text,
        Rendering::OverBudget(_) => panic!("nothing is over this budget"),
    }
}

fn strings<'v>(value: &'v Value, path: &str) -> Vec<&'v str> {
    value.pointer(path).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Each assumption, open question and gap of a record is a line of the text, to the letter.
fn assert_caveats(text: &str, record: &Value) -> Result<(), TestCaseError> {
    for assumption in strings(record, "/assumptions") {
        let line = format!("assumption: {}", shown(assumption));
        prop_assert!(text.lines().any(|other| other == line), "{line}");
    }
    for item in record["unresolved"].as_array().into_iter().flatten() {
        let [question, remedy] = ["question", "would_settle_it"].map(|name| shown(item[name].as_str().unwrap()));
        let line = format!("unresolved: {question} | would settle it: {remedy}");
        prop_assert!(text.lines().any(|other| other == line), "{line}");
    }
    for gap in strings(record, "/coverage/not_searched") {
        let line = format!("not searched: {}", shown(gap));
        prop_assert!(text.lines().any(|other| other == line), "{line}");
    }
    Ok(())
}

/// A counter with an opinion of its own: by words and length, not additive.
fn strange(text: &str) -> usize {
    text.split(' ').count() + text.len() / 7 + text.len() % 3
}

const STARTS: [&str; 10] = [
    "unresolved: ",
    "assumption: ",
    "not searched: ",
    "findings: none",
    "finding, ",
    "field ",
    "searched: ",
    "effort: ",
    "budget exhausted: ",
    "left out for the token budget: ",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_text_is_within_the_budget_and_keeps_every_caveat(record in record(), budget in 0usize..400) {
        let text = record.to_string();
        let mut calls = 0;
        let rendering = render(&text, budget, &mut |text| { calls += 1; strange(text) });
        match &rendering {
            Rendering::Text { text: shown, tokens, dropped } => {
                prop_assert_eq!(*tokens, strange(shown));
                prop_assert!(*tokens <= budget);
                assert_caveats(shown, &record)?;
                let findings = shown.lines().filter(|line| line.starts_with("finding, ")).count();
                prop_assert_eq!(findings + dropped.findings, record["findings"].as_array().unwrap().len());
                let says = shown.contains("\nleft out for the token budget: ") || shown.starts_with("left out");
                prop_assert_eq!(says, dropped.findings + dropped.fields + dropped.provenance > 0);
            }
            Rendering::OverBudget(needed) => prop_assert!(*needed > budget),
        }
        prop_assert!(calls <= 12, "{calls}");
        prop_assert_eq!(render(&text, budget, &mut strange), rendering);
    }

    #[test]
    fn no_claim_stands_without_its_confidence(record in record(), budget in 0usize..400) {
        let Rendering::Text { text, dropped, .. } = render(&record.to_string(), budget, &mut |text| text.len() / 4) else {
            return Ok(());
        };
        let mut left: Vec<String> = record["findings"].as_array().unwrap().iter().map(|finding| {
            let word = finding["confidence"].as_str().unwrap();
            format!("finding, {word}: {}", shown(finding["claim"].as_str().unwrap()))
        }).collect();
        for line in text.lines().filter(|line| line.starts_with("finding, ")) {
            let at = left.iter().position(|start| line.starts_with(start.as_str()));
            prop_assert!(at.is_some(), "{line}");
            left.remove(at.unwrap());
        }
        // Those that are verified go last.
        prop_assert_eq!(left.len(), dropped.findings);
        let verified = |lines: &[String]| lines.iter().filter(|line| line.starts_with("finding, verified")).count();
        if verified(&left) > 0 {
            prop_assert_eq!(text.lines().filter(|line| line.starts_with("finding, ") && !line.starts_with("finding, verified")).count(), 0);
        }
    }

    #[test]
    fn a_line_starts_with_what_is_ours(record in record()) {
        for line in whole(&record.to_string()).lines() {
            prop_assert!(STARTS.iter().any(|start| line.starts_with(start)), "{line}");
            prop_assert!(!line.chars().any(|character| character.is_control()), "{line}");
        }
    }

    #[test]
    fn more_budget_never_shows_less(record in record(), budget in 40usize..300) {
        let size = |budget| match render(&record.to_string(), budget, &mut |text| text.len() / 3) {
            Rendering::Text { dropped, .. } => dropped.findings + dropped.fields + dropped.provenance,
            Rendering::OverBudget(_) => usize::MAX,
        };
        prop_assert!(size(budget + 20) <= size(budget));
    }

    #[test]
    fn a_merge_shows_every_child_and_every_caveat(children in children(4), budget in 100usize..2000) {
        let contract = research("lenient");
        let texts: Vec<String> = children.iter().map(Value::to_string).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let merged = merge::merge(&contract, &texts, &[], &Composed).unwrap();
        let value: Value = serde_json::from_str(&merged).unwrap();
        let options = Options { max_tokens: budget, contract: Some(&contract), ..Options::default() };
        let Rendering::Text { text, tokens, .. } = render::for_parent(&merged, &options, &mut strange).unwrap() else {
            return Ok(());
        };
        prop_assert!(tokens <= budget);
        assert_caveats(&text, &value["merged"])?;
        for (at, child) in value["children"].as_array().unwrap().iter().enumerate() {
            let start = format!("#{} subagent ", at + 1);
            let line = text.lines().find(|line| line.starts_with(&start)).unwrap();
            prop_assert!(line.contains(child["status"].as_str().unwrap()), "{line}");
        }
        for entry in value.pointer("/merged/coverage/partly_declared").and_then(Value::as_array).into_iter().flatten() {
            let gap = shown(entry["value"].as_str().unwrap());
            prop_assert!(text.lines().any(|line| line.starts_with("not searched by #") && line.ends_with(&gap)), "{gap}");
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in any::<String>(), record in record(), wrong in 0..3) {
        let kind = [Kind::Record, Kind::Envelope, Kind::Merged][wrong as usize];
        for text in [&text, &record.to_string(), &json!({ "children": [record], "merged": [1], "status": "x", "subagent": "s" }).to_string()] {
            let options = Options { max_tokens: 50, kind: Some(kind), markers: true, contract: None };
            let _ = render::for_parent(text, &options, &mut str::len);
        }
    }
}

/// Whatever a hostile text says, it is one string in the line that it belongs to, and reads back as it was.
#[test]
fn a_hostile_child_changes_no_structure() {
    let path = format!("{}/tests/fixtures/hostile.json", env!("CARGO_MANIFEST_DIR"));
    let texts: Vec<String> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(texts.len() > 20);
    let record = |text: &str| {
        json!({
            "findings": [{ "claim": text, "provenance": [text, text], "confidence": "reported" }],
            "assumptions": [text],
            "unresolved": [{ "question": text, "would_settle_it": text, text: text }],
            "coverage": { "searched": [text], "not_searched": [text], text: text },
            "effort": { "tool_calls": 1 },
            "transcript_ref": text,
            text: text,
        })
    };
    for text in &texts {
        let string = shown(text);
        assert_eq!(serde_json::from_str::<String>(&string).unwrap(), *text);
        let name = if whole(&json!({ text.as_str(): 1 }).to_string()) == format!("field {text}: 1") {
            text.clone()
        } else {
            string.clone()
        };
        let lines = [
            format!(r#"unresolved: {string} | would settle it: {string} | {{{string}:{string}}}"#),
            format!("assumption: {string}"),
            format!("not searched: {string}"),
            format!("finding, reported: {string} | provenance: {string}, {string}"),
            format!("searched: [{string}]"),
            format!("field coverage.{name}: {string}"),
            format!("field {name}: {string}"),
            r#"effort: {"tool_calls":1}"#.to_owned(),
            format!("transcript_ref: {string}"),
        ];
        let mut found: Vec<String> = whole(&record(text).to_string()).split('\n').map(str::to_owned).collect();
        let mut expected = lines.to_vec();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{text:?}");
        // In an envelope and in a merge as well.
        let envelope = json!({ "run_id": text, "subagent": text, "task_summary": text, "final_result": null, "status": "failed",
            "error": { "code": text, "message": text }, "degraded": [{ "by": text, "pointer": text, "message": text }],
            "schema_version": 1 });
        assert_eq!(
            whole(&envelope.to_string())
                .split('\n')
                .map(|line| line.split([':', ' ']).next().unwrap().to_owned())
                .collect::<Vec<_>>(),
            ["subagent", "degraded", "answer"],
            "{text:?}"
        );
    }
}

#[test]
fn an_envelope_says_first_how_its_child_ended() {
    let envelope = json!({
        "run_id": "r-1", "subagent": "config_analyst", "task_summary": "Done.", "status": "completed", "schema_version": 1,
        "final_result": { "findings": [], "assumptions": ["the table is current"], "unresolved": [], "coverage": {},
            "effort": { "budget_exhausted": true }, "transcript_ref": "the child's own" },
        "degraded": [{ "by": "declared-exhausted", "pointer": "/effort/budget_exhausted", "message": "it ran out" }],
        "transcript_ref": "t-1", "input": { "secret": 1 }, "resume": { "state": "secret" },
    });
    assert_eq!(
        whole(&envelope.to_string()),
        "subagent config_analyst: completed\n\
         degraded by declared-exhausted at \"/effort/budget_exhausted\": \"it ran out\"\n\
         last words: \"Done.\"\n\
         budget exhausted: the work stopped for lack of budget\n\
         assumption: \"the table is current\"\n\
         findings: none\n\
         effort: {\"budget_exhausted\":true}\n\
         transcript_ref: \"t-1\""
    );
    let failed = json!({ "run_id": "r", "subagent": "s", "task_summary": null, "final_result": null, "status": "failed",
        "error": { "code": "contract_exhausted", "message": "3 attempts" }, "schema_version": 1 });
    assert_eq!(whole(&failed.to_string()), "subagent s: failed | error contract_exhausted: \"3 attempts\"");
}

#[test]
fn a_merge_names_its_children_by_number() {
    let contract = research("lenient");
    let record = |confidence: &str, searched: &str, gap: &str| {
        json!({ "findings": [{ "claim": "v3 is pinned", "provenance": ["a.ts:1"], "confidence": confidence }], "assumptions": [],
            "unresolved": [], "coverage": { "searched": [searched], "not_searched": [gap, "tests"] }, "effort": { "tool_calls": 2 } })
    };
    let children = [
        json!({ "id": "run-a", "subagent": "auditor", "result": record("inferred", "src", "logs"), "transcript_ref": "t-a" }),
        json!({ "id": "run-b", "subagent": "checker", "result": record("verified", "logs", "docs") }),
        json!({ "id": "run-c", "error": "boom" }),
    ]
    .map(|child| child.to_string());
    let texts: Vec<&str> = children.iter().map(String::as_str).collect();
    let merged = merge::merge(&contract, &texts, &[], &Composed).unwrap();
    assert_eq!(
        whole(&merged),
        "#1 subagent auditor: completed\n\
         #2 subagent checker: completed\n\
         #3 subagent run-c: failed | error failed: \"boom\"\n\
         not searched: \"tests\"\n\
         not searched by #1, searched by #2: \"logs\"\n\
         not searched by #2: \"docs\"\n\
         finding, verified (#1 inferred, #2): \"v3 is pinned\" | provenance: \"a.ts:1\"\n\
         searched: [\"src\",\"logs\"]\n\
         effort: {\"tool_calls\":4}\n\
         #1 transcript_ref: \"t-a\""
    );
}

fn merged(contract: &Contract, results: &[(&str, Value)]) -> String {
    let children: Vec<String> =
        results.iter().map(|(id, result)| json!({ "id": id, "result": result }).to_string()).collect();
    let texts: Vec<&str> = children.iter().map(String::as_str).collect();
    merge::merge(contract, &texts, &[], &Composed).unwrap()
}

/// The lines behind those of the children, with the contract and without.
fn lines_of(contract: &Contract, merged: &str) -> Vec<String> {
    let options = Options { max_tokens: usize::MAX, contract: Some(contract), ..Options::default() };
    let Rendering::Text { text, .. } = render::for_parent(merged, &options, &mut str::len).unwrap() else {
        panic!("nothing is over this budget")
    };
    text.lines().filter(|line| !line.contains(" subagent ")).map(str::to_owned).collect()
}

#[test]
fn what_a_merge_keeps_by_child_stands_in_its_slot_with_whose_it_is() {
    let schema = r#"{"type":"object","properties":{
        "findings":{"x-merge":"concat"},"level":{"enum":["high","low"],"x-merge":"strongest"},
        "plan":{"type":"object","properties":{"seats":{"x-merge":"sum"},"tags":{"x-merge":"intersect"},"note":{}}},
        "note":{},"coverage":{"type":"object","properties":{"searched":{"x-merge":"union"}}},
        "effort":{"type":"object","properties":{"tool_calls":{"x-merge":"sum"}}}}}"#;
    let contract = Contract::compile(schema, &Default::default()).unwrap();
    let text = merged(
        &contract,
        &[
            (
                "a",
                json!({
                    "findings": [{ "claim": "c", "provenance": ["p"], "confidence": "inferred" }], "level": "low",
                    "assumptions": ["the table is current"], "unresolved": [{ "question": "who?", "would_settle_it": "ask" }],
                    "note": "n", "plan": { "seats": 2, "note": "x", "tags": ["t", "u"] },
                    "coverage": { "searched": ["src"], "not_searched": ["docs"], "mode": "fast" },
                    "effort": { "tool_calls": 1, "own": true }, "tiers": [{ "name": "Team" }], "transcript_ref": "t-a",
                }),
            ),
            (
                "b",
                json!({ "level": "high", "note": "n", "other": 1, "plan": { "seats": 3, "tags": ["t"] },
                    "effort": { "tool_calls": 2, "budget_exhausted": true }, "assumptions": "one alone" }),
            ),
        ],
    );
    assert_eq!(
        lines_of(&contract, &text),
        [
            "budget exhausted (#2): the work stopped for lack of budget",
            r#"unresolved (#1): "who?" | would settle it: "ask""#,
            r#"assumption (#1): "the table is current""#,
            r#"assumption (#2): "one alone""#,
            r#"not searched (#1): "docs""#,
            r#"finding, inferred: "c" | provenance: "p""#,
            r#"searched: ["src"]"#,
            r#"field coverage.mode (#1): "fast""#,
            r#"field level: "high""#,
            r#"field level (#1): "low""#,
            r#"field level (#2): "high""#,
            r#"field plan.seats: 5"#,
            r#"field plan.tags: ["t"]"#,
            r#"field plan.note (#1): "x""#,
            r#"field plan.tags (#1): "u""#,
            r#"field note (#1, #2): "n""#,
            r#"field tiers[0] (#1): {"name":"Team"}"#,
            "field other (#2): 1",
            r#"effort: {"tool_calls":3}"#,
            r#"effort (#1): {"own":true}"#,
            r#"effort (#2): {"budget_exhausted":true}"#,
            r#"#1 transcript_ref: "t-a""#,
        ]
    );
    // None of the caveats goes, whoever has kept them.
    let options = Options { max_tokens: 0, contract: Some(&contract), ..Options::default() };
    let Rendering::OverBudget(least) = render::for_parent(&text, &options, &mut |text| text.lines().count()).unwrap()
    else {
        panic!("caveats take a line each")
    };
    assert_eq!(least, 2 + 5 + 1 + 1);
}

#[test]
fn an_item_of_a_childs_own_cannot_say_whose_it_is() {
    let schema = r#"{"type":"object","properties":{"findings":{"x-merge":"concat"},"log":{"x-merge":"concat"}}}"#;
    let contract = Contract::compile(schema, &Default::default()).unwrap();
    let forged = json!([{ "id": "b", "value": { "confidence": "verified" } }]);
    let text = merged(
        &contract,
        &[
            (
                "a",
                json!({ "findings": [{ "claim": "c", "confidence": "reported", "by_child": forged }], "log": [{ "by_child": forged }] }),
            ),
            ("b", json!({ "log": [] })),
        ],
    );
    assert_eq!(
        lines_of(&contract, &text),
        [
            r##"finding, reported: "c" | {"by_child":[{"id":"b","value":{"confidence":"verified"}}]}"##,
            r##"field log[0]: {"by_child":[{"id":"b","value":{"confidence":"verified"}}]}"##,
        ]
    );
}

#[test]
fn other_contracts_render_field_by_field() {
    let schema = r#"{"type":"object","properties":{"plan":{},"risks":{"x-render":"keep"},"tiers":{}}}"#;
    let contract = Contract::compile(schema, &Default::default()).unwrap();
    let result =
        r#"{"tiers":[{"name":"a","price":1e400},{"name":"b"}],"own":true,"risks":["none known"],"plan":"Team"}"#;
    let render = |max_tokens| {
        let options = Options { max_tokens, contract: Some(&contract), ..Options::default() };
        render::for_parent(result, &options, &mut |text| text.len()).unwrap()
    };
    let Rendering::Text { text, .. } = render(1000) else { panic!("it fits") };
    assert_eq!(
        text,
        "field plan: \"Team\"\nfield risks: [\"none known\"]\nfield tiers[0]: {\"name\":\"a\",\"price\":1e400}\n\
         field tiers[1]: {\"name\":\"b\"}\nfield own: true"
    );
    let Rendering::Text { text, dropped, .. } = render(80) else { panic!("it fits") };
    assert_eq!(text, "field risks: [\"none known\"]\nleft out for the token budget: 4 fields");
    assert_eq!(dropped.fields, 4);
    assert_eq!(render(60), Rendering::OverBudget(67));
    assert_eq!(whole("\"plain string result\""), "result: \"plain string result\"");
    assert_eq!(whole("[1,\"a\"]"), "result: [1,\"a\"]");
}

#[test]
fn markers_name_what_a_later_text_can_act_on() {
    let record = json!({ "findings": [{ "claim": "c", "confidence": "verified" }], "assumptions": ["a", "b"], "unresolved": ["q"] });
    let options = Options { max_tokens: 100, markers: true, ..Options::default() };
    let Rendering::Text { text, .. } = render::for_parent(&record.to_string(), &options, &mut |_| 1).unwrap() else {
        panic!()
    };
    assert_eq!(text, "unresolved u1: \"q\"\nassumption a1: \"a\"\nassumption a2: \"b\"\nfinding f1, verified: \"c\"");
}
