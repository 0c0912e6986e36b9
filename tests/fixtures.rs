//! The fixtures of `tests/fixtures`, which also run through wasm (`tests/js/fixtures.test.ts`): whole results are compared.

mod records;

use records::Composed;
use serde_json::{Value, json};
use subcontract::attempt::Via;
use subcontract::envelope::{self, EnvelopeParts};
use subcontract::follow_ups;
use subcontract::gate::{self, Attempt, Refusal};
use subcontract::guards;
use subcontract::json::tape::{Limits, Tape};
use subcontract::members::{self, Read, Unreadable};
use subcontract::merge;
use subcontract::render::{self, Kind};
use subcontract::resume::{self, Expected, ResumeState};
use subcontract::schema::dialect::Draft;
use subcontract::schema::options::{Formats, Trust};
use subcontract::tokens::estimate;
use subcontract::validate::issue::Issue;
use subcontract::{Contract, Options};

/// Compares `actual` with each case's `field`. With `ACCEPT_FIXTURES` set it writes what it found instead, for a person to
/// read and commit.
fn run(file: &str, list: &str, field: &str, actual: impl Fn(&Value) -> Value) {
    let path = format!("{}/tests/fixtures/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let mut fixtures: Value = serde_json::from_str(&text).unwrap();
    let accept = std::env::var_os("ACCEPT_FIXTURES").is_some();
    let cases = fixtures[list].as_array_mut().unwrap();
    assert!(!cases.is_empty(), "{file} has no {list}");
    for case in cases {
        let found = actual(case);
        if accept {
            case[field] = found;
        } else {
            assert_eq!(found, case[field], "{file}: {}", case["name"]);
        }
    }
    if accept {
        std::fs::write(&path, format!("{}\n", serde_json::to_string_pretty(&fixtures).unwrap())).unwrap();
    }
}

fn compile(case: &Value) -> Result<Contract, subcontract::SchemaError> {
    let given = &case["options"];
    let mut options = Options::default();
    options.dialect = given["dialect"].as_str().map(|name| Draft::from_name(name).unwrap());
    if given["formats"] == "annotate" {
        options.formats = Formats::Annotate;
    }
    if given["trust"] == "model" {
        options.trust = Trust::Model;
    }
    for (uri, text) in given["schemas"].as_object().into_iter().flatten() {
        options.schemas.push((uri.clone(), text.as_str().unwrap().to_owned()));
    }
    Contract::compile(case["schema"].as_str().unwrap(), &options)
}

fn compile_plain(case: &Value) -> Contract {
    Contract::compile(case["schema"].as_str().unwrap(), &Options::default()).unwrap()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn read<T: Read>(value: &Value) -> T {
    members::read(&value.to_string()).unwrap()
}

fn attempt(options: &Value) -> Attempt {
    let number = |name: &str| options[name].as_u64().unwrap() as u32;
    Attempt { attempt: number("attempt"), max_retries: number("maxRetries") }
}

// One test a file: with ACCEPT_FIXTURES its lists are rewritten one after the other.

#[test]
fn verdicts() {
    run("verdicts.json", "verdicts", "verdict", |case| {
        let contract = compile(case).unwrap();
        let text = case["text"].as_str().unwrap().as_bytes();
        let verdict = contract.check(text);
        assert_eq!(contract.is_valid(text), matches!(verdict, subcontract::Verdict::Accepted(_)), "{}", case["name"]);
        parsed(&verdict.to_json())
    });
    run("verdicts.json", "schemaErrors", "error", |case| {
        let error = compile(case).err().unwrap_or_else(|| panic!("{} compiles", case["name"]));
        let mut issues = String::new();
        Issue::write_json_list(&error.issues, &mut issues);
        json!({ "code": error.code.as_str(), "message": error.message, "issues": parsed(&issues) })
    });
}

#[test]
fn decisions() {
    run("decisions.json", "returns", "decision", |case| {
        let options = &case["options"];
        let via: Via = read(&options["via"]);
        let raw = case["raw"].as_str().unwrap().as_bytes();
        let finish_reason = options["finishReason"].as_str();
        parsed(&gate::judge(&compile_plain(case), raw, via, finish_reason, attempt(options)).to_json())
    });
    run("decisions.json", "refusals", "decision", |case| {
        let options = &case["options"];
        let given = &case["refusal"];
        let issues = given["issues"].as_array().unwrap().iter();
        let text = |issue: &Value, name: &str| issue[name].as_str().unwrap().to_owned();
        let refusal = Refusal {
            code: text(given, "code"),
            issues: issues
                .map(|issue| Issue::other(text(issue, "instancePath"), text(issue, "keyword"), text(issue, "message")))
                .collect(),
            omitted: given["omitted"].as_u64().unwrap_or_default() as usize,
            early: given["early"].as_bool().unwrap_or_default(),
        };
        parsed(&gate::refuse(&compile_plain(case), refusal, read(&options["via"]), attempt(options)).to_json())
    });
    run("decisions.json", "ends", "decision", |case| {
        let options = &case["options"];
        let could_call = options["returnTool"].as_bool().unwrap();
        let finish_reason = options["finishReason"].as_str();
        parsed(&gate::judge_no_return(&compile_plain(case), could_call, finish_reason, attempt(options)).to_json())
    });
}

#[test]
fn merges() {
    run("merge.json", "merges", "merge", |case| {
        let contract = compile_plain(case);
        let children: Vec<&str> = strings(&case["children"]);
        match merge::merge(&contract, &children, &strings(&case["order"]), &Composed) {
            Ok(text) => {
                let again = merge::merge(&contract, &[&text], &[], &Composed).unwrap();
                assert_eq!(again, text, "{}", case["name"]);
                let published =
                    Contract::compile(&merge::merged_schema(&contract).unwrap(), &Options::default()).unwrap();
                assert!(published.is_valid(text.as_bytes()), "{}", case["name"]);
                json!({ "text": text, "rendering": parsed(&rendered(&text, &json!({ "maxTokens": 10_000 })).unwrap()), "briefs": briefs(&text) })
            }
            Err(error) => refusal(error.code(), &error.to_string()),
        }
    });
    run("merge.json", "renders", "rendering", |case| {
        match rendered(case["value"].as_str().unwrap(), &case["options"]) {
            Ok(text) => parsed(&text),
            Err(error) => refusal("unreadable_record", &error.0),
        }
    });
    run("merge.json", "followUps", "briefs", |case| briefs(case["value"].as_str().unwrap()));
}

/// Each open question with what was searched, which stands once in the core's answer.
fn briefs(text: &str) -> Value {
    let mut answer = parsed(&follow_ups::follow_ups(text, &Composed).unwrap());
    let searched = answer["already_searched"].take();
    for question in answer["questions"].as_array_mut().unwrap() {
        question["already_searched"] = searched.clone();
    }
    answer["questions"].take()
}

/// Much of both in one record, which a child may return: the answer is no larger than the record.
#[test]
fn many_questions_after_much_was_searched() {
    let questions: Vec<Value> =
        (0..20_000).map(|at| json!({ "question": "q", "would_settle_it": at.to_string() })).collect();
    let others: Vec<Value> = (0..20_000).map(|at| json!({ "question": at.to_string() })).collect();
    let all = [questions, others].concat();
    let record = json!({
        "unresolved": all,
        "coverage": { "searched": ["x".repeat(1 << 20)] },
    });
    let text = record.to_string();
    let answer = follow_ups::follow_ups(&text, &Composed).unwrap();
    assert!(answer.len() < text.len() * 2, "{} for {}", answer.len(), text.len());
    let answer = parsed(&answer);
    assert_eq!(answer["questions"].as_array().unwrap().len(), 20_001);
    assert_eq!(answer["questions"][0]["would_settle_it"].as_array().unwrap().len(), 20_000);
}

/// Counts four characters as a token, as the other side of these fixtures does.
fn rendered(text: &str, options: &Value) -> Result<String, Unreadable> {
    let kind = match options["kind"].as_str() {
        Some("result") => Some(Kind::Record),
        Some("envelope") => Some(Kind::Envelope),
        _ => None,
    };
    let options = render::Options {
        max_tokens: options["maxTokens"].as_u64().unwrap() as usize,
        kind,
        contract: None,
        markers: options["markers"] == true,
    };
    Ok(render::for_parent(text, &options, &mut |text| text.chars().count().div_ceil(4))?.to_json())
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// What every feedback keeps to, whatever was returned.
#[test]
fn feedback_is_short_and_keeps_its_lines() {
    let text = include_str!("fixtures/decisions.json");
    let fixtures: Value = serde_json::from_str(text).unwrap();
    let lists = ["returns", "refusals", "ends"].into_iter();
    let mut seen = 0;
    for case in lists.flat_map(|list| fixtures[list].as_array().unwrap()) {
        let Some(feedback) = case["decision"]["feedback"].as_str() else { continue };
        seen += 1;
        let tokens = subcontract::tokens::estimate(feedback);
        assert!(tokens <= subcontract::repair::FEEDBACK_TOKENS, "{}: {tokens} tokens", case["name"]);
        assert!(!feedback.chars().any(|c| c != '\n' && c.is_control()), "{}", case["name"]);
        for (number, line) in feedback.lines().enumerate().skip(2) {
            let ours = [format!("{}. ", number - 1), "and ".to_owned(), "You were stopped there".to_owned()];
            assert!(ours.iter().any(|start| line.starts_with(start)), "{}: {line}", case["name"]);
        }
    }
    assert!(seen > 20);
}

#[test]
fn guards() {
    let schemas: Value =
        serde_json::from_str::<Value>(include_str!("fixtures/guards.json")).unwrap()["schemas"].clone();
    run("guards.json", "guards", "findings", |case| {
        let schema = schemas[case["schema"].as_str().unwrap()].as_str().unwrap();
        let contract = Contract::compile(schema, &Options::default()).unwrap();
        let text = case["result"].as_str().unwrap();
        assert!(contract.is_valid(text.as_bytes()), "{}", case["name"]);
        let tape = Tape::parse(text.as_bytes(), Limits::default()).unwrap();
        let guard = case["guard"].as_str().unwrap();
        parsed(&guards::to_json(&guards::find(guard, &contract, &tape, &read(&case["evidence"])).unwrap()))
    });
}

#[test]
fn estimates() {
    run("tokens.json", "texts", "estimate", |case| json!(estimate(case["text"].as_str().unwrap())));
}

fn refusal(code: &str, message: &str) -> Value {
    json!({ "refusal": code, "message": message })
}

#[test]
fn envelopes() {
    run("envelopes.json", "envelopes", "built", |case| {
        let parts: EnvelopeParts = read(&case["parts"]);
        match envelope::build(&parts) {
            Ok(text) => json!({
                "text": text,
                "forModel": envelope::for_model(&text).unwrap(),
                "forEvent": envelope::for_event(&text).unwrap(),
            }),
            Err(error) => refusal(error.code(), &error.to_string()),
        }
    });
    run("envelopes.json", "texts", "read", |case| match envelope::parse(case["text"].as_str().unwrap()) {
        Ok(members) => json!({ "text": members.write(|_| true) }),
        Err(error) => refusal(error.code(), &error.to_string()),
    });
}

#[test]
fn resume_states() {
    run("resume.json", "states", "opened", |case| {
        let expected: Expected = read(&case["expected"]);
        let text = match case.get("state") {
            Some(state) => {
                let state: ResumeState = read(state);
                resume::write(state)
            }
            None => Ok(case["text"].as_str().unwrap().to_owned()),
        };
        match text.and_then(|text| resume::open(&text, &expected).map(|_| text)) {
            Ok(text) => json!({ "text": text }),
            Err(error) => refusal(error.code(), &error.to_string()),
        }
    });
}
