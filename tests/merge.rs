//! What a merge promises, on random records: an oracle that knows only what must not happen.

mod records;

use proptest::prelude::*;
use records::{Composed, children, folded, id_of, research, result_of, strings};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use subcontract::merge::{self, Refusal, merged_schema};
use subcontract::schema::dialect::Draft;
use subcontract::schema::options::Trust;
use subcontract::{Contract, Options, Verdict};

fn merge_texts(contract: &Contract, texts: &[String], order: &[&str]) -> Result<String, Refusal> {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    merge::merge(contract, &texts, order, &Composed)
}

fn merged(contract: &Contract, children: &[Value]) -> String {
    let texts: Vec<String> = children.iter().map(Value::to_string).collect();
    merge_texts(contract, &texts, &[]).unwrap()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn set<'a>(texts: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    texts.into_iter().map(folded).collect()
}

/// What must be in a merge, whatever its order: sets of what each slot says.
fn said(merge: &Value) -> Vec<BTreeSet<String>> {
    let merged = &merge["merged"];
    let findings = merged["findings"].as_array().cloned().unwrap_or_default();
    vec![
        set(strings(&merged["assumptions"])),
        merged["unresolved"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|item| ["question", "would_settle_it"].map(|name| folded(item[name].as_str().unwrap())).join(" | "))
            .collect(),
        set(strings(&merged["coverage"]["searched"])),
        set(strings(&merged["coverage"]["not_searched"])),
        findings
            .iter()
            .map(|finding| {
                let sources = set(strings(&finding["provenance"]));
                format!("{} {} {sources:?}", folded(finding["claim"].as_str().unwrap()), finding["confidence"])
            })
            .collect(),
        [merged["effort"]["tool_calls"].to_string(), merged["effort"]["budget_exhausted"].to_string()].into(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn merges_can_be_merged_in_any_grouping(children in children(6), cut in 0usize..6, other in 0usize..6) {
        let contract = research("lenient");
        let whole = merged(&contract, &children);
        let group = |cut: usize| {
            let (left, right) = children.split_at(cut.min(children.len()));
            let parts = [left, right].into_iter().filter(|part| !part.is_empty());
            let parts: Vec<String> = parts.map(|part| merged(&contract, part)).collect();
            merge_texts(&contract, &parts, &[]).unwrap()
        };
        prop_assert_eq!(&group(cut), &whole);
        prop_assert_eq!(&group(other), &whole);
        // A merge of some, beside the rest as they are.
        let (left, right) = children.split_at(cut.min(children.len()));
        if !left.is_empty() {
            let mut texts = vec![merged(&contract, left)];
            texts.extend(right.iter().map(Value::to_string));
            prop_assert_eq!(&merge_texts(&contract, &texts, &[]).unwrap(), &whole);
        }
    }

    #[test]
    fn a_child_that_comes_twice_counts_once(children in children(5), again in 0usize..5) {
        let contract = research("lenient");
        let whole = merged(&contract, &children);
        let mut texts: Vec<String> = children.iter().map(Value::to_string).collect();
        texts.push(children[again % children.len()].to_string());
        texts.push(whole.clone());
        prop_assert_eq!(merge_texts(&contract, &texts, &[]).unwrap(), whole);
    }

    #[test]
    fn arrival_changes_the_order_and_nothing_else(
        (children, shuffled) in children(6).prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
    ) {
        let contract = research("lenient");
        let whole = merged(&contract, &children);
        let texts: Vec<String> = shuffled.iter().map(Value::to_string).collect();
        let order: Vec<&str> = children.iter().map(id_of).collect();
        prop_assert_eq!(&merge_texts(&contract, &texts, &order).unwrap(), &whole);
        prop_assert_eq!(said(&parsed(&merge_texts(&contract, &texts, &[]).unwrap())), said(&parsed(&whole)));
    }

    #[test]
    fn nothing_that_a_child_said_is_lost(children in children(6)) {
        let contract = research("lenient");
        let merge = parsed(&merged(&contract, &children));
        let merged = &merge["merged"];
        prop_assert_eq!(merge["children"].as_array().unwrap().len(), children.len());
        for (child, kept) in children.iter().zip(merge["children"].as_array().unwrap()) {
            prop_assert_eq!(id_of(child), id_of(kept));
            let Some(result) = result_of(child) else {
                prop_assert_eq!(&kept["status"], "failed");
                prop_assert_eq!(&kept["error"], &child["error"]);
                continue;
            };
            prop_assert_eq!(&kept["result"], result);
            prop_assert!(set(strings(&result["assumptions"])).is_subset(&set(strings(&merged["assumptions"]))));
            for question in result["unresolved"].as_array().unwrap() {
                let same = |other: &Value| ["question", "would_settle_it"].iter().all(|name| {
                    folded(other[name].as_str().unwrap()) == folded(question[name].as_str().unwrap())
                });
                prop_assert!(merged["unresolved"].as_array().unwrap().iter().any(same), "{question}");
            }
            for gap in strings(&result["coverage"]["not_searched"]) {
                let everyone = set(strings(&merged["coverage"]["not_searched"])).contains(&folded(gap));
                let some = merged["coverage"]["partly_declared"].as_array().into_iter().flatten();
                let mut some = some.filter(|entry| folded(entry["value"].as_str().unwrap()) == folded(gap));
                prop_assert!(everyone || some.any(|entry| strings(&entry["declared_by"]).contains(&id_of(child))), "{gap}");
            }
            for finding in result["findings"].as_array().unwrap() {
                let claim = folded(finding["claim"].as_str().unwrap());
                let shown: Vec<&Value> = merged["findings"].as_array().unwrap().iter()
                    .filter(|other| folded(other["claim"].as_str().unwrap()) == claim).collect();
                prop_assert_eq!(shown.len(), 1);
                let sources = set(strings(&finding["provenance"]));
                prop_assert!(sources.is_subset(&set(strings(&shown[0]["provenance"]))));
                let own = shown[0]["by_child"].as_array().unwrap().iter().any(|kept| {
                    kept["id"] == id_of(child) && kept["value"]["confidence"] == finding["confidence"]
                        && kept["value"].get("severity") == finding.get("severity")
                });
                prop_assert!(own, "{finding} in {}", shown[0]);
            }
            if let Some(own) = result.get("recommendation") {
                let kept = json!({ "id": id_of(child), "value": { "recommendation": own } });
                prop_assert!(merged["by_child"].as_array().unwrap().contains(&kept));
            }
        }
    }

    #[test]
    fn what_is_shown_was_said(children in children(6)) {
        let contract = research("lenient");
        let merge = parsed(&merged(&contract, &children));
        let results: Vec<&Value> = children.iter().filter_map(result_of).collect();
        let rank = |word: &Value| ["verified", "inferred", "reported"].iter().position(|known| word == known).unwrap();
        for (at, finding) in merge["merged"]["findings"].as_array().into_iter().flatten().enumerate() {
            let claim = folded(finding["claim"].as_str().unwrap());
            let given: Vec<&Value> = results.iter().flat_map(|result| result["findings"].as_array().unwrap())
                .filter(|other| folded(other["claim"].as_str().unwrap()) == claim)
                .map(|other| &other["confidence"]).collect();
            let strongest = given.iter().min_by_key(|word| rank(word)).unwrap();
            prop_assert_eq!(&&finding["confidence"], strongest);
            let differ = given.iter().any(|word| word != strongest);
            let place = format!("/findings/{at}/confidence");
            let listed = merge["disagreements"].as_array().unwrap().iter().find(|entry| entry["at"] == place.as_str());
            prop_assert_eq!(listed.is_some(), differ);
            if let Some(listed) = listed {
                let values: Vec<&Value> = listed["values"].as_array().unwrap().iter().map(|kept| &kept["value"]).collect();
                prop_assert_eq!(values, given);
            }
        }
        // A gap that is shown as everyone's is everyone's who declares any.
        for gap in strings(&merge["merged"]["coverage"]["not_searched"]) {
            let lists = results.iter().filter_map(|result| result["coverage"].get("not_searched"));
            for list in lists {
                prop_assert!(set(strings(list)).contains(&folded(gap)));
            }
        }
        let calls: u64 = results.iter().filter_map(|result| result["effort"]["tool_calls"].as_u64()).sum();
        prop_assert_eq!(merge["merged"]["effort"]["tool_calls"].as_u64().unwrap_or(0), calls);
    }

    #[test]
    fn every_merge_satisfies_the_published_contract(children in children(5)) {
        let contract = research("lenient");
        let published = Contract::compile(&merged_schema(&contract).unwrap(), &Options::default()).unwrap();
        let text = merged(&contract, &children);
        if let Verdict::Rejected(rejected) = published.check(text.as_bytes()) {
            prop_assert!(false, "{:?} in {text}", rejected.issues.iter().map(ToString::to_string).collect::<Vec<_>>());
        }
    }

    #[test]
    fn no_text_makes_a_merge_panic(texts in prop::collection::vec(any::<String>(), 0..4), json in records::record()) {
        let contract = research("lenient");
        let _ = merge_texts(&contract, &texts, &[]);
        let _ = merge_texts(&contract, &[json.to_string()], &[]);
        let _ = merge_texts(&contract, &[json!({ "id": "a", "result": json, "merged": 1 }).to_string()], &["a", "a"]);
    }
}

#[test]
fn the_annotations_of_merging_are_known_keywords() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"array","x-merge":"union","x-render":"keep"}}}"#;
    let mut options = Options::default();
    options.trust = Trust::Model;
    assert!(Contract::compile(schema, &options).is_ok());
    assert!(Contract::compile(&schema.replace("x-render", "x-other"), &options).is_err());
    for form in ["lenient", "strict"] {
        assert!(Contract::compile(&research(form).schema_text(), &options).is_ok(), "{form}");
    }
}

fn refusal(contract: &Contract, texts: &[&str]) -> (&'static str, String) {
    let error = merge::merge(contract, texts, &[], &Composed).unwrap_err();
    (error.code(), error.to_string())
}

#[test]
fn misuse_is_refused() {
    let contract = Contract::compile("true", &Options::default()).unwrap();
    assert_eq!(refusal(&contract, &[]), ("merge_no_children", "there are no children to merge".into()));
    assert_eq!(refusal(&contract, &[r#"{"settled":[]}"#]).0, "merge_no_children");
    assert_eq!(
        refusal(&contract, &[r#"{"id":"a","result":1}"#, r#"{"id":"a","result":2}"#]),
        ("merge_conflict", "two different children share the id \"a\"".into())
    );
    // Too deep for a canonical form.
    let deep = |leaf: u32| format!(r#"{{"id":"a","result":{}{leaf}{}}}"#, "[".repeat(511), "]".repeat(511));
    assert_eq!(refusal(&contract, &[&deep(1), &deep(2)]).0, "merge_conflict");
    for wrong in [r#""task_summary":5"#, r#""degraded":"x""#, r#""flags":{}"#, r#""transcript_ref":[]"#] {
        let text = format!(r#"{{"id":"a","result":1,{wrong}}}"#);
        assert_eq!(refusal(&contract, &[&text]).0, "merge_unreadable", "{text}");
    }
    for error in ["5", "{}", r#"{"code":"x"}"#] {
        assert_eq!(refusal(&contract, &[&format!(r#"{{"id":"a","error":{error}}}"#)]).0, "merge_unreadable", "{error}");
    }
    for text in ["", "[]", "{}", r#"{"id":"a"}"#, r#"{"id":"a","result":1,"x":1}"#, r#"{"id":1,"result":1}"#] {
        assert_eq!(refusal(&contract, &[text]).0, "merge_unreadable", "{text}");
    }
    assert_eq!(
        refusal(&contract, &[r#"{"merged":1,"children":[],"schema_version":2}"#]),
        ("merge_unknown_version", "this merged record's schema_version is unknown".into())
    );
    assert_eq!(refusal(&contract, &[r#"{"merged":1,"children":[],"schema_version":1}"#]).0, "merge_other_contract");
    for schema in [
        r#"{"properties":{"a":{"x-merge":"append"}}}"#,
        r#"{"properties":{"a":{"x-merge":1}}}"#,
        r#"{"properties":{"a":{"x-merge":"strongest"}}}"#,
        r#"{"properties":{"by_child":{"x-merge":"sum"}}}"#,
        r#"{"x-merge":"dedupe"}"#,
        r#"{"x-merge":"dedupe:"}"#,
        r#"{"x-merge":"intersect:"}"#,
    ] {
        let contract = Contract::compile(schema, &Options::default()).unwrap();
        assert_eq!(refusal(&contract, &[r#"{"id":"a","result":{}}"#]).0, "merge_rule", "{schema}");
        assert_eq!(merged_schema(&contract).unwrap_err().code(), "merge_rule");
    }
}

#[test]
fn contracts_of_old_drafts_have_a_published_merge_of_their_own_dialect() {
    let old = |dialect| {
        let mut options = Options::default();
        options.dialect = Some(dialect);
        options
    };
    let four = r##"{"$schema":"http://json-schema.org/draft-04/schema#","id":"http://example.test/n","properties":{"n":{
        "$ref":"#/definitions/n","x-merge":"sum"}},"definitions":{"n":{"type":"number","maximum":9,"exclusiveMaximum":true}}}"##;
    let hiding = r##"{"$schema":"http://json-schema.org/draft-07/schema#","$id":"http://example.test/none","$ref":"#/definitions/all",
        "type":"string","definitions":{"all":{"properties":{"n":{"type":"number","exclusiveMaximum":9,"x-merge":"sum"}}}}}"##;
    let tuple = r#"{"properties":{"n":{"type":"number","exclusiveMaximum":9,"x-merge":"sum"},"t":{"items":[{"type":"string"}]}}}"#;
    for (schema, options) in [
        (four, Options::default()),
        (hiding, Options::default()),
        (tuple, old(Draft::Draft7)),
        (tuple, old(Draft::Draft201909)),
    ] {
        let contract = Contract::compile(schema, &options).unwrap();
        let published = merged_schema(&contract).unwrap();
        let published =
            Contract::compile(&published, &Options::default()).unwrap_or_else(|error| panic!("{error} {published}"));
        let child = |id: &str, n: u32| json!({ "id": id, "result": { "n": n, "t": ["x", 1] } });
        let text = merged(&contract, &[child("a", 1), child("b", 8), child("c", 9)]);
        let record = parsed(&text);
        assert_eq!((&record["merged"]["n"], &record["children"][2]["status"]), (&json!(9), &json!("failed")), "{text}");
        assert!(published.is_valid(text.as_bytes()), "{text} {}", published.schema_text());
        assert!(!published.is_valid(text.replace(r#""result":{"n":8"#, r#""result":{"n":10"#).as_bytes()), "{text}");
    }
}

#[test]
fn an_answered_question_is_no_longer_open_however_questions_merge() {
    for rule in ["union", "concat", "dedupe:question"] {
        let schema = json!({ "properties": { "unresolved": { "type": "array", "x-merge": rule } } }).to_string();
        let contract = Contract::compile(&schema, &Options::default()).unwrap();
        let asks = |id: &str, questions: &[&str]| {
            let unresolved: Vec<Value> = questions.iter().map(|question| json!({ "question": question })).collect();
            json!({ "id": id, "result": { "unresolved": unresolved } })
        };
        let settled = json!({ "settled": [{ "question": "why?", "by": "b" }] });
        let merge = parsed(&merged(&contract, &[asks("a", &["why?", "when?"]), asks("b", &[]), settled]));
        let open = merge["merged"]["unresolved"].as_array().unwrap();
        assert_eq!((open.len(), &open[0]["question"]), (1, &json!("when?")), "{merge}");
        assert_eq!(merge["settled"][0]["holds"], json!(true), "{merge}");
    }
}

#[test]
fn a_contract_that_refers_to_itself_is_read_once() {
    let schema = r##"{"properties":{"n":{"x-merge":"sum"},"a":{"$ref":"#"},"b":{"$ref":"#"},"c":{"$ref":"#"},"d":{"$ref":"#"}}}"##;
    let contract = Contract::compile(schema, &Options::default()).unwrap();
    let child = |id: &str| json!({ "id": id, "result": { "n": 1, "a": { "n": 2 } } });
    let merge = parsed(&merged(&contract, &[child("x"), child("y")]));
    assert_eq!(merge["merged"]["n"], json!(2));
    assert!(merged_schema(&contract).unwrap().len() < 20_000);
}

#[test]
fn contracts_with_references_and_other_dialects_have_a_published_merge() {
    for schema in [
        r##"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","required":["plans"],
            "properties":{"plans":{"type":"array","items":{"$ref":"#/definitions/plan"},"x-merge":"dedupe:name"}},
            "definitions":{"plan":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},
                "a b%":{"type":"array","items":{"type":"integer"},"x-merge":"concat"}}}}}"##,
        r##"{"$id":"https://example.test/plans","$ref":"#/$defs/all","$defs":{"all":{"type":"object","properties":{
            "plans":{"type":"array","items":{"type":"object","properties":{"self":{"$ref":"#"},
                "a b%":{"type":"array","x-merge":"concat"}}},"x-merge":"dedupe:name"}}}}}"##,
    ] {
        let contract = Contract::compile(schema, &Options::default()).unwrap();
        let published = merged_schema(&contract).unwrap();
        let published =
            Contract::compile(&published, &Options::default()).unwrap_or_else(|error| panic!("{error} {published}"));
        let children = [
            json!({ "id": "a", "result": { "plans": [{ "name": "Team", "a b%": [1] }, { "name": "Solo" }] } }),
            json!({ "id": "b", "result": { "plans": [{ "name": "Team", "a b%": [2] }] } }),
            json!({ "id": "c", "result": { "plans": "none" } }),
        ];
        let text = merged(&contract, &children);
        assert!(text.starts_with(r#"{"merged":{"plans":[{"name":"Team","a b%":[1,2],"by_child":"#), "{text}");
        assert!(published.is_valid(text.as_bytes()), "{text}");
        assert!(!published.is_valid(text.replace("[1,2]", "1").as_bytes()));
        assert_eq!(parsed(&text)["children"][2]["status"], "failed");
    }
}
