//! The cases from public bug reports, each as its row says.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use subcontract::json::tape::{Limits, Tape};
use subcontract::schema::dialect::Draft;
use subcontract::schema::options::{HostRegExp, Options};
use subcontract::validate::Validator;

fn rows(name: &str) -> Vec<Value> {
    let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Stands for the host's `RegExp` in the rows whose pattern looks around. Wherever a `b` follows an `a`, `(?<=a+)b` matches.
struct Lookbehind;

impl HostRegExp for Lookbehind {
    fn compile(&self, source: &str) -> Result<u32, String> {
        if source == "(?<=a+)b" { Ok(1) } else { Err(format!("unknown here: {source}")) }
    }

    fn test(&self, _: u32, text: &str) -> bool {
        text.contains("ab")
    }
}

/// Compiles and checks one row; an error says what is not as the row has it.
fn check(row: &Value) -> Result<(), String> {
    let draft = row["draft"].as_str().unwrap();
    let mut options = Options::default();
    options.host = Some(Arc::new(Lookbehind));
    options.dialect = Some(match draft {
        "draft-04" | "draft4" => Draft::Draft4,
        "draft-06" | "draft6" => Draft::Draft6,
        "draft-07" | "draft7" => Draft::Draft7,
        other => Draft::from_name(other).ok_or_else(|| format!("unknown draft {other}"))?,
    });
    let validator = match Validator::compile(row["schema"].to_string().as_bytes(), &options) {
        Ok(validator) => validator,
        // A schema that may be valid or not may be refused.
        Err(error) if row.get("schema_valid").is_some_and(|valid| *valid != Value::Bool(true)) => {
            return if error.issues.is_empty() { Err("refused without a reason".into()) } else { Ok(()) };
        }
        Err(error) => return Err(format!("does not compile: {error}")),
    };
    if row.get("schema_valid") == Some(&Value::Bool(false)) {
        return Err("the schema compiles".into());
    }
    if row.get("should_lint") == Some(&Value::Bool(true)) && validator.lints().is_empty() {
        return Err("no lint".into());
    }
    let text = row["instance_text"].as_str().unwrap();
    let tape = Tape::parse(text.as_bytes(), Limits::default()).map_err(|error| format!("does not parse: {error}"))?;
    let report = validator.issues(&tape, 50);
    let paths: Vec<&str> = report.issues.iter().map(|issue| issue.instance_path.as_str()).collect();
    let valid = match validator.is_valid(&tape) {
        Ok(valid) => valid,
        Err(error) if row["valid"].is_null() => return if report.incomplete { Ok(()) } else { Err(error.to_string()) },
        Err(error) => return Err(error.to_string()),
    };
    if valid != report.issues.is_empty() {
        return Err(format!("is_valid says {valid}, issues are {paths:?}"));
    }
    if row["valid"].as_bool().is_some_and(|wanted| wanted != valid) {
        return Err(format!("valid: {valid}, issues are {paths:?}"));
    }
    if let Some(path) = row["error_path"].as_str() {
        let any = row["error_path_any"]
            .as_array()
            .is_some_and(|any| any.iter().any(|path| paths.contains(&path.as_str().unwrap())));
        if !paths.contains(&path) && !any {
            return Err(format!("no issue at {path:?} but at {paths:?}"));
        }
    }
    for path in row["error_paths_all"].as_array().into_iter().flatten() {
        if !paths.contains(&path.as_str().unwrap()) {
            return Err(format!("no issue at {path} but at {paths:?}"));
        }
    }
    if let Some(keyword) = row["error_keyword"].as_str()
        && !report.issues.iter().any(|issue| issue.keyword() == keyword)
    {
        return Err(format!("no issue of {keyword} but {:?}", report.issues));
    }
    for path in row["must_not_report"].as_array().into_iter().flatten() {
        if paths.contains(&path.as_str().unwrap()) {
            return Err(format!("an issue at {path}"));
        }
    }
    Ok(())
}

#[test]
fn every_row_is_as_it_says() {
    let rows = rows("cases/schema.jsonl");
    assert_eq!(rows.len(), 155);
    let mut wrong = Vec::new();
    for row in &rows {
        let started = Instant::now();
        if let Err(what) = check(row) {
            wrong.push(format!(
                "{}: {what}\n    {}\n    {} {}",
                row["id"], row["summary"], row["schema"], row["instance_text"]
            ));
        }
        if let Some(limit) = row["timeout_ms"].as_u64() {
            assert!(started.elapsed() < Duration::from_millis(limit), "{} takes {:?}", row["id"], started.elapsed());
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
