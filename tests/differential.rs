//! Our engine against the reference engine: random schemas and instances, verdict for verdict. Where the two disagree the
//! specification decides, and the pair becomes a row of `fixtures/disagreements.jsonl`.
#![cfg(feature = "reference")]

#[path = "differential/engines.rs"]
mod engines;
#[path = "differential/known.rs"]
mod known;
#[path = "differential/long_run.rs"]
mod long_run;
#[path = "differential/rows.rs"]
mod rows;

mod generator;
#[allow(dead_code, reason = "the other users of the suite read its files case by case")]
mod suite;

use engines::{Engines, agree, alike};
use generator::choices::Choices;
use generator::json::Json;
use generator::minimise::minimise;
use generator::schema::Schema;
use generator::{instance, schema};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

const INSTANCES: usize = 6;

/// A pair on which the engines disagree without a known reason.
struct Disagreement {
    schema: Schema,
    instance: Json,
}

impl Disagreement {
    fn minimised(self) -> Disagreement {
        let found = Engines::of(&self.schema).judge(&self.instance.text());
        let (schema, instance) = minimise(self.schema, self.instance, |schema, instance| {
            let now = Engines::of(schema).judge(&instance.text());
            !agree(&now.0, &now.1) && alike(&now, &found) && known::fault(schema, instance).is_none()
        });
        Disagreement { schema, instance }
    }
}

impl std::fmt::Display for Disagreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (own, theirs) = Engines::of(&self.schema).judge(&self.instance.text());
        let Schema { draft, formats, root, schemas, .. } = &self.schema;
        writeln!(f, "{draft:?}, formats {}", if *formats { "asserted" } else { "annotated" })?;
        writeln!(f, "  schema    {}", root.text())?;
        for (uri, schema) in schemas {
            writeln!(f, "  {uri} {}", schema.text())?;
        }
        writeln!(f, "  instance  {}\n  ours      {own:?}\n  reference {theirs:?}", self.instance.text())
    }
}

/// What came of one schema with its instances.
#[derive(Default)]
struct Tally {
    pairs: u64,
    valid: u64,
    refused: u64,
    unable: u64,
    known: std::collections::BTreeMap<&'static str, u64>,
}

/// Judges the instances that the bytes make for the schema that they make.
fn compare(bytes: &[u8], tally: &mut Tally) -> Result<(), Disagreement> {
    let mut choices = Choices::new(bytes);
    let mut schema = schema::generate(&mut choices);
    if choices.once_in(8) {
        schema.mutate(&mut choices);
    }
    let engines = Engines::of(&schema);
    for _ in 0..INSTANCES {
        let instance = instance::generate(&schema, &mut choices);
        let (own, theirs) = engines.judge(&instance.respelled(&mut choices));
        tally.pairs += 1;
        match own {
            engines::Outcome::Judged(valid) => tally.valid += u64::from(valid),
            engines::Outcome::Refused { .. } => tally.refused += 1,
            _ => tally.unable += 1,
        }
        if agree(&own, &theirs) {
            continue;
        }
        match known::fault(&schema, &instance) {
            Some(fault) => *tally.known.entry(fault).or_default() += 1,
            None => return Err(Disagreement { schema, instance }),
        }
    }
    Ok(())
}

#[test]
fn random_pairs_get_the_reference_engines_verdict() {
    let config = Config { cases: 1500, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Config::default() };
    let bytes = proptest::collection::vec(any::<u8>(), 0..1200);
    let found = std::cell::RefCell::new(None);
    let outcome = TestRunner::new(config).run(&bytes, |bytes| match compare(&bytes, &mut Tally::default()) {
        Ok(()) => Ok(()),
        Err(disagreement) => {
            *found.borrow_mut() = Some(disagreement);
            Err(TestCaseError::fail("the engines disagree"))
        }
    });
    if let Some(disagreement) = found.take() {
        panic!("{}", disagreement.minimised());
    }
    outcome.unwrap();
}
