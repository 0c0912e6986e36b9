//! The fuzz targets on mutated seeds: bounded, and the same in every run. CONTRIBUTING.md says how to go on for longer.
//!
//! `FUZZ_ROUNDS` multiplies how much is tried, `FUZZ_SEED` tries something else.

#[path = "fuzz/mutate.rs"]
mod mutate;
#[path = "fuzz/targets.rs"]
mod targets;

#[allow(dead_code, reason = "the differential test uses the rest")]
mod generator;

use std::path::Path;

use generator::choices::{Choices, bytes_of_case};
use mutate::mutated;

fn variable(name: &str, otherwise: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")),
        Err(_) => otherwise,
    }
}

/// The corpus of a target, in order of the names.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).expect("a seed can be read")).collect()
}

/// The rows of a fixture of JSON lines, one member of each.
fn rows(text: &str, member: &str) -> Vec<serde_json::Value> {
    let row = |line| serde_json::from_str::<serde_json::Value>(line).expect("a row is JSON");
    text.lines().map(|line| row(line)[member].take()).collect()
}

fn texts(text: &str) -> Vec<Vec<u8>> {
    rows(text, "text").into_iter().filter_map(|text| Some(text.as_str()?.as_bytes().to_vec())).collect()
}

/// Schemas from bug reports behind the byte of the default options, and their instances.
fn cases() -> Vec<(Vec<u8>, String)> {
    let text = include_str!("fixtures/cases/schema.jsonl");
    let schemas = rows(text, "schema").into_iter().map(|schema| format!("\u{5}{schema}").into_bytes());
    let instances = rows(text, "instance_text").into_iter().map(|text| text.as_str().unwrap_or_default().to_owned());
    // Some of the instances are large to be slow, which here would only be slow.
    schemas.zip(instances).filter(|(schema, instance)| schema.len() + instance.len() < 4096).collect()
}

/// Runs the seeds as they are, then mutants of them, of which many must still get through: else nothing behind the parser is
/// tried.
fn fuzz(name: &str, seeds: &[Vec<u8>], mutants: u64, target: fn(&[u8]) -> bool) {
    let run = |bytes: &[u8]| match std::panic::catch_unwind(|| target(bytes)) {
        Ok(through) => u64::from(through),
        Err(panic) => {
            eprintln!("{name} fails on {:?}", String::from_utf8_lossy(bytes));
            std::panic::resume_unwind(panic);
        }
    };
    assert!(seeds.iter().map(|seed| run(seed)).sum::<u64>() > 0);
    let (seed, mutants) = (variable("FUZZ_SEED", 1), mutants * variable("FUZZ_ROUNDS", 1));
    let through: u64 =
        (0..mutants).map(|case| run(&mutated(seeds, &mut Choices::new(&bytes_of_case(seed, case))))).sum();
    println!("{name}: {through} of {mutants} mutants got through");
    assert!(through > mutants / 20, "{through} of {mutants}");
}

#[test]
fn parse() {
    let mut seeds = corpus("parse");
    seeds.extend(texts(include_str!("fixtures/json/accepted.jsonl")));
    seeds.extend(texts(include_str!("fixtures/json/refused.jsonl")));
    fuzz("parse", &seeds, 40_000, targets::parse);
}

#[test]
fn compile() {
    let mut seeds = corpus("compile");
    seeds.extend(cases().into_iter().map(|(schema, _)| schema));
    fuzz("compile", &seeds, 12_000, targets::compile);
}

/// A schema and an instance each.
fn pairs() -> Vec<Vec<u8>> {
    let mut seeds = corpus("check");
    for (mut schema, instance) in cases() {
        schema.push(b'\n');
        schema.extend(instance.bytes().map(|byte| if byte == b'\n' { b' ' } else { byte }));
        seeds.push(schema);
    }
    for case in 0..400 {
        let bytes = bytes_of_case(7, case);
        let mut choices = Choices::new(&bytes);
        let schema = generator::schema::generate(&mut choices);
        let instance = generator::instance::generate(&schema, &mut choices);
        seeds.push(format!("\u{5}{}\n{}", schema.root.text(), instance.text()).into_bytes());
    }
    seeds
}

#[test]
fn check() {
    fuzz("check", &pairs(), 12_000, targets::check);
}

#[test]
fn push() {
    fuzz("push", &pairs(), 12_000, targets::push);
}
