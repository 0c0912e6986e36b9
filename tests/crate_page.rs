//! The program of `docs/crate.md`, compiled and run as it stands there.

use subcontract::attempt::Via;
use subcontract::gate::{self, Attempt, Decision};
use subcontract::{Contract, Options, SchemaError};

/// What a loop does with the return of attempt `attempt`: the accepted text, what the child reads, or what the parent does.
fn judge(contract: &Contract, raw: &str, attempt: u32) -> Result<String, String> {
    let attempt = Attempt { attempt, max_retries: 1 };
    match gate::judge(contract, raw.as_bytes(), Via::ReturnTool, None, attempt) {
        Decision::Accept { text, .. } => Ok(text),
        Decision::Retry { feedback, .. } => Err(feedback),
        Decision::Exhausted { message, .. } => Err(message),
    }
}

fn run() -> Result<(), SchemaError> {
    let schema = r#"{"title":"count","type":"object","properties":{"lines":{"type":"integer"}},"required":["lines"]}"#;
    let contract = Contract::compile(schema, &Options::default())?;
    assert_eq!(
        judge(&contract, r#"{"lines":"many"}"#, 1).unwrap_err(),
        "Your return does not satisfy its schema (attempt 1 of 2). Call count with the whole corrected value.\n\
         Problems:\n1. /lines: expected integer, found string"
    );
    // Text is the truth: a number that no double holds goes out as it was written.
    assert_eq!(judge(&contract, r#"{"lines":9007199254740993}"#, 2).unwrap(), r#"{"lines":9007199254740993}"#);
    Ok(())
}

#[test]
fn the_program_of_the_page_runs() {
    run().unwrap();
}

#[test]
fn the_page_has_this_program() {
    let page = include_str!("../docs/crate.md");
    let block = page.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert!(include_str!("crate_page.rs").contains(block));
}
