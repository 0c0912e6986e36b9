//! Validation: a compiled schema and a tape give a verdict and issues.
//!
//! ```
//! use subcontract::json::tape::{Limits, Tape};
//! use subcontract::schema::options::Options;
//! use subcontract::validate::Validator;
//!
//! let schema = r#"{"type": "object", "required": ["claim"], "properties": {"claim": {"minLength": 1}}}"#;
//! let validator = Validator::compile(schema.as_bytes(), &Options::default())?;
//!
//! let tape = Tape::parse(br#"{"claim": ""}"#, Limits::default())?;
//! assert_eq!(validator.is_valid(&tape), Ok(false));
//! let report = validator.issues(&tape, 50);
//! assert_eq!(report.issues[0].to_string(), "/claim: expected at least 1 character, found 0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod evaluate;
pub mod issue;
mod keywords;
mod marks;
pub(crate) mod stream;
mod violation;

use std::sync::{Mutex, OnceLock};

use crate::error::SchemaError;
use crate::json::sort::sort_pairs;
use crate::json::tape::{NodeId, Tape};
use crate::schema::lint::Lint;
use crate::schema::options::Options;
use crate::schema::plan::Plan;
use crate::schema::{Check, compile};
use evaluate::{Evaluator, Memory};
use issue::Issue;
use marks::Marks;
use stream::outlook::{self, Outlook};
use violation::Reporter;

/// How many issues a report holds unless told otherwise.
pub const DEFAULT_ISSUE_CAP: usize = 50;

const STEPS: u64 = 10_000_000;
const STEPS_PER_NODE: u64 = 64;

/// A check that was given up: the budget of steps or of schemas inside each other is spent (1,280 in all, 256 at one value: the
/// stack of a WebAssembly runtime has room for little more). A verdict's code for it is `too_complex`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooComplex;

impl TooComplex {
    /// What to tell of it.
    pub(crate) const MESSAGE: &str = "the check takes too many steps";
}

impl std::fmt::Display for TooComplex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(Self::MESSAGE)
    }
}

impl std::error::Error for TooComplex {}

/// The issues of one instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// In document order, up to the cap.
    pub issues: Vec<Issue>,
    /// How many more there are.
    pub more: usize,
    /// The budget was spent before all were found.
    pub incomplete: bool,
}

/// A compiled schema.
#[derive(Debug)]
pub struct Validator {
    plan: Plan,
    lints: Vec<Lint>,
    steps: u64,
    /// Kept from one check to the next, so that a check of a valid instance does not allocate.
    memory: Mutex<Memory>,
    /// What streams expect of each schema, worked out for the first one.
    outlooks: OnceLock<Vec<Outlook>>,
}

impl Validator {
    /// Compiles a schema text, and checks it against its metaschema.
    ///
    /// # Errors
    /// When the text is no schema of its dialect, refers to what is not there, or exceeds a limit.
    pub fn compile(schema: &[u8], options: &Options) -> Result<Validator, SchemaError> {
        Validator::compile_boxed(schema, options, Check::Metaschema).map_err(|error| *error)
    }

    /// As [`Validator::compile`]; metaschemas are not checked against another.
    pub(crate) fn compile_boxed(schema: &[u8], options: &Options, check: Check) -> Result<Validator, Box<SchemaError>> {
        let compiled = compile(schema, options, check)?;
        Ok(Validator {
            plan: compiled.plan,
            lints: compiled.lints,
            steps: options.steps.unwrap_or(STEPS),
            memory: Mutex::new(Memory::default()),
            outlooks: OnceLock::new(),
        })
    }

    /// What is valid in the schema and probably not meant.
    pub fn lints(&self) -> &[Lint] {
        &self.lints
    }

    /// The schema text that was compiled.
    pub fn schema(&self) -> Option<&Tape> {
        self.plan.documents.first().map(|document| &document.tape)
    }

    /// Whether an instance meets the schema.
    ///
    /// # Errors
    /// When the budget of steps is spent first.
    pub fn is_valid(&self, instance: &Tape) -> Result<bool, TooComplex> {
        self.is_valid_at(instance, 0)
    }

    /// As [`Validator::is_valid`], for a value inside a document.
    ///
    /// # Errors
    /// When the budget of steps is spent first.
    #[cfg_attr(fast, optimize(speed))]
    pub fn is_valid_at(&self, document: &Tape, node: NodeId) -> Result<bool, TooComplex> {
        self.with_memory(|memory| {
            let mut evaluator = Evaluator::new(&self.plan, document, memory, self.budget(document));
            let valid = evaluator.eval(self.plan.root, node, Marks::NONE);
            if evaluator.exhausted { Err(TooComplex) } else { Ok(valid) }
        })
    }

    /// All independent issues of an instance in document order, up to `cap`. None when it is valid.
    pub fn issues(&self, instance: &Tape, cap: usize) -> Report {
        self.issues_at(instance, 0, cap, &|_| true)
    }

    /// As [`Validator::issues`], for a value inside a document, and only for nodes that `wanted` accepts.
    pub(crate) fn issues_at(
        &self,
        document: &Tape,
        node: NodeId,
        cap: usize,
        wanted: &dyn Fn(NodeId) -> bool,
    ) -> Report {
        self.with_memory(|memory| {
            let mut evaluator = Evaluator::new(&self.plan, document, memory, self.budget(document));
            evaluator.collecting = true;
            evaluator.eval(self.plan.root, node, Marks::NONE);
            let incomplete = evaluator.exhausted;
            // Nodes are numbered in document order.
            let found = memory.violations.iter().enumerate().filter(|(_, violation)| wanted(violation.node));
            let mut order: Vec<(u32, u32)> = found.map(|(at, violation)| (violation.node, at as u32)).collect();
            sort_pairs(&mut order, &mut |a, b| a.cmp(b));
            let more = order.len().saturating_sub(cap);
            let reporter = Reporter { plan: &self.plan, tape: document, memory };
            let first = order.iter().take(cap).filter_map(|(_, at)| reporter.memory.violations.get(*at as usize));
            let issues = first.map(|violation| reporter.issue(violation)).collect();
            Report { issues, more, incomplete }
        })
    }

    /// The values that violate the schema, and whether they only lack something. Nothing when the budget is spent first.
    pub(crate) fn faults(&self, instance: &Tape) -> Option<Vec<(NodeId, bool)>> {
        self.with_memory(|memory| {
            let mut evaluator = Evaluator::new(&self.plan, instance, memory, self.budget(instance));
            evaluator.collecting = true;
            evaluator.eval(self.plan.root, 0, Marks::NONE);
            let exhausted = evaluator.exhausted;
            let faults = memory.violations.iter().map(|violation| (violation.node, violation.failure.lacks()));
            (!exhausted).then(|| faults.collect())
        })
    }

    #[inline]
    fn outlooks(&self) -> &[Outlook] {
        self.outlooks.get_or_init(|| outlook::outlooks(&self.plan))
    }

    fn budget(&self, document: &Tape) -> u64 {
        self.steps.saturating_add(document.node_count() as u64 * STEPS_PER_NODE)
    }

    /// Runs a check in the kept memory, or in its own while another thread uses that.
    #[inline]
    fn with_memory<T>(&self, check: impl FnOnce(&mut Memory) -> T) -> T {
        match self.memory.try_lock() {
            Ok(mut memory) => check(&mut memory),
            Err(_) => check(&mut Memory::default()),
        }
    }
}
