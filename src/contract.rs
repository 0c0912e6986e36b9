//! A contract: a compiled schema that judges JSON text.

mod engine;
mod verdict;
mod wrapped;

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::error::{SchemaError, SchemaErrorCode};
use crate::intake::{self, Intake};
use crate::json::canonical;
use crate::json::tape::{Limits, NodeId, ParseError, Tape};
use crate::schema::dialect::Draft;
use crate::schema::options::Options;
use crate::validate::issue::Issue;
use crate::validate::{DEFAULT_ISSUE_CAP, Report, TooComplex, Validator};
use engine::Engine;
use verdict::flag_names;
pub(crate) use verdict::issues_json;
pub use verdict::{Accepted, Rejected, Verdict};

/// The most issues a verdict lists; the rest are counted.
pub const ISSUE_CAP: usize = DEFAULT_ISSUE_CAP;

/// A schema ready to judge returns and briefs.
///
/// # Example: a return that lacks a field
/// ```
/// use subcontract::{Contract, Options, Verdict};
///
/// let contract = Contract::compile(
///     r#"{"type":"object","required":["claim"],"properties":{"claim":{"type":"string"}}}"#,
///     &Options::default(),
/// )?;
/// assert!(contract.is_valid(br#"{"claim":"the adapter pins v3"}"#));
/// let Verdict::Rejected(rejected) = contract.check(b"{}") else { panic!("{{}} lacks a claim") };
/// assert_eq!(rejected.code, "schema_violation");
/// assert_eq!(rejected.issues[0].to_string(), r#"missing required property "claim""#);
/// # Ok::<(), subcontract::SchemaError>(())
/// ```
#[derive(Debug)]
pub struct Contract {
    schema: Tape,
    /// Made when it is first asked for: many contracts only judge.
    digest: OnceLock<String>,
    /// The draft of a schema without `$schema`.
    given: Draft,
    engine: Engine,
}

impl Contract {
    /// Compiles a schema text.
    ///
    /// # Errors
    /// When the text is no JSON, is no valid schema of its dialect, refers to a schema that was not given, or exceeds a
    /// limit.
    pub fn compile(schema: &str, options: &Options) -> Result<Self, SchemaError> {
        let validator = Validator::compile(schema.as_bytes(), options)?;
        Self::of(schema, options, Engine::Own(Box::new(validator)))
    }

    /// As [`Contract::compile`], with the verdicts of the `jsonschema` crate.
    ///
    /// # Errors
    /// As [`Contract::compile`]; also for options that the crate does not have.
    #[cfg(feature = "reference")]
    pub fn compile_by_reference(schema: &str, options: &Options) -> Result<Self, SchemaError> {
        let validator = crate::reference::Validator::compile(schema.as_bytes(), options)?;
        Self::of(schema, options, Engine::Reference(validator))
    }

    /// The schema has compiled, so that its text is known to parse.
    fn of(schema: &str, options: &Options, engine: Engine) -> Result<Self, SchemaError> {
        let no_json = |error: ParseError| SchemaError::new(SchemaErrorCode::InvalidJson, error.sentence());
        let tape = Tape::parse(schema.as_bytes(), Limits::default()).map_err(no_json)?;
        let given = options.dialect.unwrap_or(Draft::Draft202012);
        Ok(Self { schema: tape, digest: OnceLock::new(), given, engine })
    }

    /// `sha256-…` of the schema's canonical form.
    pub fn digest(&self) -> &str {
        self.digest.get_or_init(|| canonical::digest_of(&self.schema))
    }

    /// The schema, parsed.
    pub(crate) fn schema(&self) -> &Tape {
        &self.schema
    }

    /// The draft that the schema is written in; `None` for a metaschema of its author's own.
    pub fn draft(&self) -> Option<Draft> {
        match self.schema.get(0, "$schema").and_then(|node| self.schema.as_string(node)) {
            Some(uri) => Draft::from_uri(uri),
            None => Some(self.given),
        }
    }

    /// The schema's text.
    pub fn schema_text(&self) -> Cow<'_, str> {
        self.schema.json_text(0)
    }

    /// The schema's `title`.
    pub fn title(&self) -> Option<&str> {
        self.schema.get(0, "title").and_then(|node| self.schema.as_string(node))
    }

    /// Whether the schema says that its values are objects, as providers ask of a tool's arguments.
    pub fn is_object(&self) -> bool {
        self.schema.get(0, "type").and_then(|node| self.schema.as_string(node)) == Some("object")
    }

    /// Whether the text is JSON and satisfies the contract.
    pub fn is_valid(&self, text: &[u8]) -> bool {
        Tape::parse(text, Limits::default()).is_ok_and(|tape| self.is_valid_tape(&tape))
    }

    /// As [`Contract::is_valid`], for a text that is parsed.
    #[inline]
    pub(crate) fn is_valid_tape(&self, tape: &Tape) -> bool {
        self.engine.is_valid(tape) == Ok(true)
    }

    /// Judges a text that is JSON and nothing else.
    pub fn check(&self, text: &[u8]) -> Verdict {
        match Tape::parse(text, Limits::default()) {
            Ok(tape) => self.check_tape(&tape),
            Err(error) => Verdict::Rejected(intake::Refusal::from(error).into()),
        }
    }

    /// Judges a return as a model wrote it.
    ///
    /// # Example: an answer with prose around it
    /// ```
    /// use subcontract::intake::Intake;
    /// use subcontract::{Contract, Options, Verdict};
    ///
    /// let contract = Contract::compile(r#"{"type":"object","required":["claim"]}"#, &Options::default())?;
    /// let answer = b"<think>{\"claim\":9}?</think>\nAs asked:\n{\"claim\":1}";
    /// let Verdict::Accepted(accepted) = contract.read_return(answer, Some("stop"), Intake::Lenient) else { panic!() };
    /// assert_eq!(accepted.text, r#"{"claim":1}"#);
    /// assert_eq!(accepted.flags, ["leading_text"]);
    /// # Ok::<(), subcontract::SchemaError>(())
    /// ```
    pub fn read_return(&self, raw: &[u8], finish_reason: Option<&str>, intake: Intake) -> Verdict {
        let limits = Limits::default();
        let read = match intake {
            Intake::Strict => intake::strict(raw, finish_reason, limits).map(|tape| self.check_tape(&tape)),
            Intake::Lenient => intake::lenient(raw, finish_reason, limits, self.may_be_array())
                .map(|found| self.check_tape(&found.tape).after(found.flags)),
        };
        read.unwrap_or_else(|refusal| Verdict::Rejected(refusal.into()))
    }

    /// Whether an array can be meant: not if the schema's `type` says that it cannot be valid.
    pub(crate) fn may_be_array(&self) -> bool {
        let Some(kind) = self.schema.get(0, "type") else { return true };
        let names_array = |node| self.schema.as_string(node) == Some("array");
        names_array(kind) || self.schema.items(kind).any(names_array)
    }

    /// The values that violate the contract, as nodes, and whether they only lack something. Nothing when that takes too long
    /// to say.
    pub(crate) fn faults(&self, tape: &Tape) -> Option<Vec<(NodeId, bool)>> {
        self.engine.faults(tape)
    }

    /// The validator that a stream can follow a value with.
    pub(crate) fn validator(&self) -> Option<&Validator> {
        match &self.engine {
            Engine::Own(validator) => Some(validator),
            #[cfg(feature = "reference")]
            Engine::Reference(_) => None,
        }
    }

    /// As [`Contract::check`], for a text that is parsed.
    pub(crate) fn check_tape(&self, tape: &Tape) -> Verdict {
        let flags = flag_names(tape.flags());
        match self.engine.is_valid(tape) {
            Ok(true) => Verdict::Accepted(Accepted::of(tape)),
            Ok(false) => {
                let Report { issues, more, .. } = self.engine.issues(tape);
                Verdict::Rejected(Rejected { code: "schema_violation", issues, omitted: more, flags })
            }
            Err(TooComplex) => {
                let issue = Issue::other("", "too_complex", TooComplex::MESSAGE.to_owned());
                Verdict::Rejected(Rejected::new("too_complex", vec![issue], flags))
            }
        }
    }
}
