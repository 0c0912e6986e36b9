//! The `#[wasm_bindgen]` surface: the one place where the core meets JavaScript.
//!
//! Text to be judged is written into a kept buffer (`input`) and named by its length. Everything else crosses as strings;
//! answers are JSON, an error among them as `{"error":{"code","message","issues"}}`.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use wasm_bindgen::prelude::*;

use crate::contract::{Contract, Verdict, issues_json};
use crate::envelope::{self, ContractSource, EnvelopeParts};
use crate::intake::{self, Intake};
use crate::json::canonical;
use crate::json::tape::{Flags, Limits, ParseError, Tape};
use crate::members::{self, Read, Unreadable, Value, push_member, push_string, read_name};
use crate::repair::{self, Problem};
use crate::resume::{self, Expected, ResumeState};
use crate::return_tool::ReturnTool;
use crate::schema::dialect::Draft;
use crate::schema::options::{Formats, Options, Trust};
use crate::validate::issue::Issue;
use host_patterns::HostPatterns;
use stream::StreamHandle;

mod delegation;
mod gate;
mod host_patterns;
mod limits;
mod records;
mod seal;
mod stream;

thread_local! {
    /// Text is written where the parser reads it, and judged in the buffers of the text before.
    static INPUT: RefCell<Tape> = const { RefCell::new(Tape::EMPTY) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes room for `length` bytes of text and says where they go; what was written before is kept. The place holds until the
/// next call of this or of [`release_input`].
#[wasm_bindgen]
pub fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|tape| {
        let buffer = tape.buffer();
        // Growing by resize and never shrinking: what JavaScript writes lies within the vector's length.
        if buffer.len() < length {
            buffer.resize(length, 0);
        }
        buffer.as_mut_ptr()
    })
}

fn with_input<T>(length: usize, read: impl FnOnce(&[u8]) -> T) -> T {
    INPUT.with_borrow_mut(|tape| read(tape.buffer().get(..length).unwrap_or_default()))
}

fn with_parsed_input<T>(length: usize, read: impl FnOnce(Result<&Tape, ParseError>) -> T) -> T {
    INPUT.with_borrow_mut(|tape| {
        let parsed = tape.parse_buffer(length, Limits::default());
        read(parsed.map(|()| &*tape))
    })
}

/// Gives a large input buffer back.
#[wasm_bindgen]
pub fn release_input() {
    INPUT.set(Tape::EMPTY);
}

/// Takes the answer of a call that has one to fetch.
#[wasm_bindgen]
pub fn answer() -> String {
    ANSWER.take()
}

/// A compiled contract.
#[wasm_bindgen]
pub struct ContractHandle(Rc<Contract>);

/// Compiles the schema text in the input buffer. Options as JSON.
///
/// # Errors
/// A schema error as JSON.
#[wasm_bindgen]
pub fn compile(length: usize, options: &str) -> Result<ContractHandle, String> {
    let given: CompileOptions = parse_options(options)?;
    let unknown = || error_json("unknown_dialect", "the option `dialect` is none of the five", "[]");
    let dialect = given.dialect.map(|name| Draft::from_name(&name).ok_or_else(unknown)).transpose()?;
    let options = Options { dialect, ..given.options };
    with_input(length, |schema| {
        let schema = std::str::from_utf8(schema)
            .map_err(|_| error_json("invalid_json", "the schema is not valid UTF-8", "[]"))?;
        let compiled = match given.engine {
            EngineName::Own => Contract::compile(schema, &options),
            #[cfg(feature = "reference")]
            EngineName::Reference => Contract::compile_by_reference(schema, &options),
        };
        compiled
            .map(|contract| ContractHandle(Rc::new(contract)))
            .map_err(|error| error_json(error.code.as_str(), &error.message, &issues_json(&error.issues)))
    })
}

#[wasm_bindgen]
impl ContractHandle {
    /// `sha256-…` of the schema's canonical form.
    pub fn digest(&self) -> String {
        self.0.digest().to_owned()
    }

    /// The schema's title.
    pub fn title(&self) -> Option<String> {
        self.0.title().map(str::to_owned)
    }

    /// Whether the text in the input buffer satisfies the contract.
    pub fn is_valid(&self, length: usize) -> bool {
        with_parsed_input(length, |parsed| parsed.is_ok_and(|tape| self.0.is_valid_tape(tape)))
    }

    /// Judges the text in the input buffer. True means: accepted, and the text goes out as it came in. Else the verdict is
    /// the [`answer`].
    pub fn check(&self, length: usize) -> bool {
        with_parsed_input(length, |parsed| {
            let verdict = match parsed {
                Ok(tape) if goes_out_as_given(tape) && self.0.is_valid_tape(tape) => return true,
                Ok(tape) => self.0.check_tape(tape),
                Err(error) => Verdict::Rejected(intake::Refusal::from(error).into()),
            };
            ANSWER.set(verdict.to_json());
            false
        })
    }

    /// Judges a return by strict or lenient intake, as [`ContractHandle::check`].
    pub fn read_return(&self, length: usize, finish_reason: Option<String>, lenient: bool) -> Option<String> {
        with_input(length, |text| {
            verdict_json(text, self.0.read_return(text, finish_reason.as_deref(), intake_of(lenient)))
        })
    }

    /// A return that streams in, read by strict or lenient intake.
    pub fn stream(&self, lenient: bool) -> StreamHandle {
        StreamHandle::new(Rc::clone(&self.0), intake_of(lenient))
    }

    /// `{ name, description, wrapped, inputSchema }` of the return tool.
    pub fn return_tool(&self) -> String {
        let tool = ReturnTool::of(&self.0);
        let mut out = String::from("{");
        push_string(&mut out, "name", Some(&tool.name));
        push_string(&mut out, "description", Some(ReturnTool::DESCRIPTION));
        push_member(&mut out, "wrapped", if tool.wrapped { "true" } else { "false" });
        push_member(&mut out, "inputSchema", &tool.input_schema(&self.0));
        out.push('}');
        out
    }
}

fn intake_of(lenient: bool) -> Intake {
    if lenient { Intake::Lenient } else { Intake::Strict }
}

/// What the parent's model reads when its brief was refused, from a verdict's code and issues.
///
/// # Errors
/// When the issues are not of their shape.
#[wasm_bindgen]
pub fn brief_feedback(agent: &str, code: &str, issues: &str, omitted: usize) -> Result<String, String> {
    let issues: Vec<Issue> = parse_options(issues)?;
    Ok(repair::for_parent(agent, Problem { code, issues: &issues, omitted, base: "", early: false, contract: None }))
}

/// What the parent's model reads about an agent's tool.
#[wasm_bindgen]
pub fn brief_tool_description(description: &str) -> String {
    repair::brief_tool_description(description)
}

/// Which contract holds: `final_schema`, `output_schema` or `none`.
#[wasm_bindgen]
pub fn choose_contract(final_schema: bool, output_schema: bool) -> String {
    ContractSource::choose(final_schema, output_schema).as_str().to_owned()
}

/// Writes an envelope from its parts.
///
/// # Errors
/// The refusal as JSON.
#[wasm_bindgen]
pub fn build_envelope(parts: &str) -> Result<String, String> {
    let parts: EnvelopeParts = parse_options(parts)?;
    envelope::build(&parts).map_err(envelope_refusal)
}

/// Checks that a text is an envelope.
///
/// # Errors
/// The refusal as JSON.
#[wasm_bindgen]
pub fn parse_envelope(text: &str) -> Result<(), String> {
    envelope::parse(text).map(drop).map_err(envelope_refusal)
}

/// What the parent's model sees of an envelope.
///
/// # Errors
/// The refusal as JSON.
#[wasm_bindgen]
pub fn envelope_for_model(text: &str) -> Result<String, String> {
    envelope::for_model(text).map_err(envelope_refusal)
}

/// What goes out as `SUBAGENT_FINISHED.result`.
///
/// # Errors
/// The refusal as JSON.
#[wasm_bindgen]
pub fn envelope_for_event(text: &str) -> Result<String, String> {
    envelope::for_event(text).map_err(envelope_refusal)
}

/// A child's last text, cut to what an envelope carries beside a typed result.
#[wasm_bindgen]
pub fn task_summary(text: &str) -> Option<String> {
    envelope::task_summary(text)
}

/// Writes resume state.
///
/// # Errors
/// The refusal as JSON.
#[wasm_bindgen]
pub fn write_resume_state(state: &str) -> Result<String, String> {
    let state: ResumeState = parse_options(state)?;
    resume::write(state).map_err(resume_refusal)
}

/// Reads resume state and compares it with what the host expects; the state as JSON.
///
/// # Errors
/// The refusal as JSON.
#[wasm_bindgen]
pub fn open_resume_state(text: &str, expected: &str) -> Result<String, String> {
    let expected: Expected = parse_options(expected)?;
    resume::open(text, &expected).map(|_| text.to_owned()).map_err(resume_refusal)
}

/// `sha256-…` of a JSON text's canonical form.
///
/// # Errors
/// When the text is no JSON.
#[wasm_bindgen]
pub fn digest_of(text: &str) -> Result<String, String> {
    canonical::digest(text.as_bytes()).map_err(|error| error_json(error.code.as_str(), &error.to_string(), "[]"))
}

/// Traps, so that the shim's recovery can be tested.
#[wasm_bindgen]
pub fn trap() {
    #[cfg(target_arch = "wasm32")]
    core::arch::wasm32::unreachable();
}

/// How a schema is compiled, as JavaScript says it.
struct CompileOptions {
    dialect: Option<String>,
    options: Options,
    engine: EngineName,
}

#[derive(Clone, Copy, Default)]
enum EngineName {
    #[default]
    Own,
    #[cfg(feature = "reference")]
    Reference,
}

impl EngineName {
    const NAMES: &[(&str, EngineName)] = &[
        ("own", EngineName::Own),
        #[cfg(feature = "reference")]
        ("reference", EngineName::Reference),
    ];
}

impl Read for EngineName {
    fn read(value: Value<'_>) -> Result<Self, Unreadable> {
        read_name(value, Self::NAMES)
    }
}

impl Read for Formats {
    fn read(value: Value<'_>) -> Result<Self, Unreadable> {
        read_name(value, &[("assert", Formats::Assert), ("annotate", Formats::Annotate)])
    }
}

impl Read for Trust {
    fn read(value: Value<'_>) -> Result<Self, Unreadable> {
        read_name(value, &[("author", Trust::Author), ("model", Trust::Model)])
    }
}

impl Read for CompileOptions {
    fn read(value: Value<'_>) -> Result<Self, Unreadable> {
        value.only(&["dialect", "formats", "schemas", "trust", "engine"])?;
        let schemas = value.member("schemas").into_iter().flat_map(Value::members);
        let schemas = schemas.map(|(uri, text)| Ok((uri.to_owned(), String::read(text)?)));
        let options = Options {
            formats: value.may("formats")?.unwrap_or_default(),
            trust: value.may("trust")?.unwrap_or_default(),
            schemas: schemas.collect::<Result<_, Unreadable>>()?,
            host: Some(Arc::new(HostPatterns)),
            ..Options::default()
        };
        Ok(Self { dialect: value.may("dialect")?, options, engine: value.may("engine")?.unwrap_or_default() })
    }
}

/// As it came over the wire: enough of it to write feedback from.
impl Read for Issue {
    fn read(value: Value<'_>) -> Result<Self, Unreadable> {
        let text = |name: &str| value.need::<String>(name);
        Ok(Issue::other(text("instancePath")?, text("keyword")?, text("message")?))
    }
}

fn parse_options<T: Read>(text: &str) -> Result<T, String> {
    members::read(text).map_err(|error| error_json("invalid_options", &error.0, "[]"))
}

fn error_json(code: &str, message: &str, issues: &str) -> String {
    let mut error = String::from("{");
    push_string(&mut error, "code", Some(code));
    push_string(&mut error, "message", Some(message));
    push_member(&mut error, "issues", issues);
    error.push('}');
    let mut out = String::from("{");
    push_member(&mut out, "error", &error);
    out.push('}');
    out
}

fn envelope_refusal(refusal: envelope::Refusal) -> String {
    error_json(refusal.code(), &refusal.to_string(), "[]")
}

fn resume_refusal(refusal: resume::Refusal) -> String {
    error_json(refusal.code(), &refusal.to_string(), "[]")
}

/// Whether the JSON value is the whole text, byte for byte.
fn goes_out_as_given(tape: &Tape) -> bool {
    let is_space = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
    let text = tape.text();
    tape.flags() == Flags::default() && tape.offset(0) == 0 && !is_space(text.last())
}

/// Nothing for the common case, in which the accepted text is the one that JavaScript already holds.
fn verdict_json(given: &[u8], verdict: Verdict) -> Option<String> {
    match &verdict {
        Verdict::Accepted(accepted) if accepted.flags.is_empty() && accepted.text.as_bytes() == given => None,
        _ => Some(verdict.to_json()),
    }
}
