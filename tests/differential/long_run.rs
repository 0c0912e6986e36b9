//! The differential test for as long as one likes: `cargo xtask differential --seconds N [--seed S]`.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::generator::choices::bytes_of_case;
use crate::generator::json::Json;
use crate::{Tally, compare};

fn variable(name: &str, otherwise: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")),
        Err(_) => otherwise,
    }
}

#[test]
#[ignore = "runs for as long as DIFFERENTIAL_SECONDS says; `cargo xtask differential` starts it"]
fn for_as_long_as_asked() {
    let seconds = variable("DIFFERENTIAL_SECONDS", 10);
    let seed = variable("DIFFERENTIAL_SEED", 1);
    let first = variable("DIFFERENTIAL_CASE", 0);
    let (started, end) = (Instant::now(), Duration::from_secs(seconds));
    let mut tally = Tally::default();
    let mut found: BTreeMap<Vec<String>, u64> = BTreeMap::new();
    let mut reported = Duration::ZERO;
    let mut case = first;
    while started.elapsed() < end {
        if let Err(disagreement) = compare(&bytes_of_case(seed, case), &mut tally) {
            let smallest = disagreement.minimised();
            let count = found.entry(keywords(&smallest.schema.root)).or_default();
            *count += 1;
            // The same few keywords are most often the same disagreement.
            if *count <= 3 {
                println!("seed {seed}, case {case}: {smallest}");
            }
        }
        case += 1;
        if started.elapsed() - reported > Duration::from_secs(30) {
            reported = started.elapsed();
            println!("{}", summary(reported, seed, case - first, &tally, found.len()));
        }
    }
    println!("{}", summary(started.elapsed(), seed, case - first, &tally, found.len()));
    assert!(found.is_empty(), "disagreements by keyword: {found:#?}");
}

fn summary(elapsed: Duration, seed: u64, schemas: u64, tally: &Tally, found: usize) -> String {
    let Tally { pairs, valid, refused, unable, known } = tally;
    format!(
        "{} s, seed {seed}: {schemas} schemas, {pairs} pairs ({valid} valid, {refused} of refused schemas, {unable} given up), \
         known faults {known:?}, {found} kinds of disagreement",
        elapsed.as_secs()
    )
}

/// The member names of a schema, each once.
fn keywords(schema: &Json) -> Vec<String> {
    fn collect(value: &Json, all: &mut Vec<String>) {
        if let Json::Object(members) = value {
            all.extend(members.iter().map(|(name, _)| name.clone()).filter(|name| name.len() > 3));
        }
        value.children().into_iter().for_each(|child| collect(child, all));
    }
    let mut all = Vec::new();
    collect(schema, &mut all);
    all.sort();
    all.dedup();
    all
}
