//! Both engines behind one question: what do they make of this schema, and of these instances?

use std::panic::{AssertUnwindSafe, catch_unwind};

use subcontract::SchemaErrorCode;
use subcontract::json::tape::{Limits, Tape};
use subcontract::reference;
use subcontract::schema::options::{Formats, Options};
use subcontract::validate::Validator;

use crate::generator::schema::Schema;

/// What an engine makes of an instance.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The schema does not compile.
    Refused {
        code: &'static str,
        message: String,
    },
    Judged(bool),
    /// Ours only: a budget is spent, or a pattern lies outside of what runs without a host.
    Unable,
    /// A bug, whatever the other engine says.
    Broken(String),
}

pub struct Engines {
    own: Result<Validator, Outcome>,
    theirs: Result<reference::Validator, Outcome>,
}

pub fn options(schema: &Schema) -> Options {
    let mut options = Options::default();
    options.dialect = Some(schema.draft);
    options.formats = if schema.formats { Formats::Assert } else { Formats::Annotate };
    options.schemas = schema.schemas.iter().map(|(uri, schema)| (uri.clone(), schema.text())).collect();
    options
}

impl Engines {
    pub fn of(schema: &Schema) -> Engines {
        Engines::compile(&schema.root.text(), &options(schema))
    }

    pub fn compile(schema: &str, options: &Options) -> Engines {
        let own = guarded(|| Validator::compile(schema.as_bytes(), options)).and_then(|compiled| {
            compiled.map_err(|error| match error.code {
                SchemaErrorCode::UnsupportedPattern | SchemaErrorCode::TooComplex => Outcome::Unable,
                code => Outcome::Refused { code: code.as_str(), message: error.message },
            })
        });
        let theirs = guarded(|| reference::Validator::compile(schema.as_bytes(), options)).and_then(|compiled| {
            compiled.map_err(|error| Outcome::Refused { code: error.code.as_str(), message: error.message })
        });
        Engines { own, theirs }
    }

    /// Our outcome and the reference's. The reference is not asked where ours gives up: it has no budget to end by.
    pub fn judge(&self, instance: &str) -> (Outcome, Outcome) {
        let Ok(tape) = Tape::parse(instance.as_bytes(), Limits::default()) else {
            return (Outcome::Broken(format!("no JSON: {instance}")), Outcome::Unable);
        };
        let own = match &self.own {
            Ok(validator) => guarded(|| judge(validator, &tape)).unwrap_or_else(|broken| broken),
            Err(outcome) => outcome.clone(),
        };
        if own == Outcome::Unable {
            return (own, Outcome::Unable);
        }
        let theirs = match &self.theirs {
            Ok(validator) => guarded(|| Outcome::Judged(validator.is_valid(&tape))).unwrap_or_else(|broken| broken),
            Err(outcome) => outcome.clone(),
        };
        (own, theirs)
    }
}

fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, Outcome> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Outcome::Broken(format!("panic: {}", text.unwrap_or_default()))
    })
}

/// Our verdict, which the issues must bear out.
fn judge(validator: &Validator, tape: &Tape) -> Outcome {
    let Ok(valid) = validator.is_valid(tape) else { return Outcome::Unable };
    let report = validator.issues(tape, 50);
    if !report.incomplete && report.issues.is_empty() != valid {
        return Outcome::Broken(format!("is_valid says {valid}, issues are {:?}", report.issues));
    }
    Outcome::Judged(valid)
}

/// Whether there is nothing to explain.
pub fn agree(own: &Outcome, theirs: &Outcome) -> bool {
    match (own, theirs) {
        (Outcome::Broken(_), _) => false,
        (Outcome::Unable, _) | (Outcome::Refused { .. }, Outcome::Refused { .. }) => true,
        (own, theirs) => own == theirs,
    }
}

/// Whether two disagreements are of one kind: the same verdicts, or refusals with the same code.
pub fn alike(one: &(Outcome, Outcome), other: &(Outcome, Outcome)) -> bool {
    let same = |one: &Outcome, other: &Outcome| match (one, other) {
        (Outcome::Refused { code: one, .. }, Outcome::Refused { code: other, .. }) => one == other,
        (Outcome::Broken(_), Outcome::Broken(_)) => true,
        (one, other) => one == other,
    };
    same(&one.0, &other.0) && same(&one.1, &other.1)
}
