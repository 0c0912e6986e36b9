//! The `#[wasm_bindgen]` surface: the one place where the core meets JavaScript.
//!
//! Text to be judged is written into a kept buffer (`input`) and named by its length. Everything else crosses as strings;
//! answers are JSON, an error among them as `{"error":{"code","message","issues"}}`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

use crate::attempt::Via;
use crate::contract::{Contract, Verdict, issues_json};
use crate::envelope::{self, ContractSource, EnvelopeParts};
use crate::gate::{self, Attempt};
use crate::json::canonical;
use crate::members::{push_member, quote};
use crate::repair::{self, Problem};
use crate::resume::{self, Expected, ResumeState};
use crate::return_tool::ReturnTool;
use crate::schema::dialect::Draft;
use crate::schema::options::{Formats, Options, Trust};
use crate::validate::issue::Issue;
use host_patterns::HostPatterns;
use stream::StreamHandle;

mod host_patterns;
mod stream;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for `length` bytes of text and says where they go. The place holds until the next call.
#[wasm_bindgen]
pub fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|buffer| {
        // Growing by resize and never shrinking: what JavaScript writes lies within the vector's length.
        if buffer.len() < length {
            buffer.resize(length, 0);
        }
        buffer.as_mut_ptr()
    })
}

fn with_input<T>(length: usize, read: impl FnOnce(&[u8]) -> T) -> T {
    INPUT.with_borrow(|buffer| read(buffer.get(..length).unwrap_or_default()))
}

/// Gives a large input buffer back.
#[wasm_bindgen]
pub fn release_input() {
    INPUT.with_borrow_mut(|buffer| *buffer = Vec::new());
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
    let options = given.options()?;
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
        with_input(length, |text| self.0.is_valid(text))
    }

    /// Judges the text in the input buffer. Nothing means: accepted, and the text goes out as it came in.
    pub fn check(&self, length: usize) -> Option<String> {
        with_input(length, |text| verdict_json(text, self.0.check(text)))
    }

    /// Judges a return by strict intake, as [`ContractHandle::check`].
    pub fn read_return(&self, length: usize, finish_reason: Option<String>) -> Option<String> {
        with_input(length, |text| verdict_json(text, self.0.read_return(text, finish_reason.as_deref())))
    }

    /// A return that streams in.
    pub fn stream(&self) -> StreamHandle {
        StreamHandle::new(Rc::clone(&self.0))
    }

    /// `{ name, description, wrapped, inputSchema }` of the return tool.
    pub fn return_tool(&self) -> String {
        let tool = ReturnTool::of(&self.0);
        let mut out = String::from("{");
        push_member(&mut out, "name", &quote(&tool.name));
        push_member(&mut out, "description", &quote(ReturnTool::DESCRIPTION));
        push_member(&mut out, "wrapped", if tool.wrapped { "true" } else { "false" });
        push_member(&mut out, "inputSchema", &tool.input_schema(&self.0));
        out.push('}');
        out
    }

    /// Judges the return in the input buffer; the decision as JSON.
    ///
    /// # Errors
    /// When the options are not of their shape.
    pub fn judge(&self, length: usize, options: &str) -> Result<String, String> {
        let options: JudgeOptions = parse_options(options)?;
        let attempt = options.attempt();
        let finish = options.finish_reason.as_deref();
        let decision = with_input(length, |raw| gate::judge(&self.0, raw, options.via, finish, attempt));
        Ok(decision.to_json())
    }

    /// Judges the end of a child without a return; the decision as JSON.
    ///
    /// # Errors
    /// When the options are not of their shape.
    pub fn judge_no_return(&self, options: &str) -> Result<String, String> {
        let options: NoReturnOptions = parse_options(options)?;
        let attempt = Attempt { attempt: options.attempt, max_retries: options.max_retries };
        let finish = options.finish_reason.as_deref();
        Ok(gate::judge_no_return(&self.0, options.return_tool, finish, attempt).to_json())
    }

    /// Refuses a return for the contract's own refinement, whose issues these are; the decision as JSON.
    ///
    /// # Errors
    /// When the options are not of their shape.
    pub fn refuse_refined(&self, issues: &str, options: &str) -> Result<String, String> {
        let options: JudgeOptions = parse_options(options)?;
        let issues = parse_issues(issues)?;
        Ok(gate::refuse_refined(&self.0, issues, options.via, options.attempt()).to_json())
    }
}

/// What the parent's model reads when its brief was refused, from a verdict's code and issues.
///
/// # Errors
/// When the issues are not of their shape.
#[wasm_bindgen]
pub fn brief_feedback(agent: &str, code: &str, issues: &str, omitted: usize) -> Result<String, String> {
    let issues = parse_issues(issues)?;
    Ok(repair::for_parent(agent, Problem { code, issues: &issues, omitted, base: "" }))
}

/// What the parent's model reads about an agent's tool.
#[wasm_bindgen]
pub fn brief_tool_description(description: &str) -> String {
    repair::brief_tool_description(description)
}

/// Which contract holds: `final_schema`, `output_schema` or `none`.
#[wasm_bindgen]
pub fn choose_contract(final_schema: bool, output_schema: bool) -> String {
    match ContractSource::choose(final_schema, output_schema) {
        ContractSource::FinalSchema => "final_schema",
        ContractSource::OutputSchema => "output_schema",
        ContractSource::None => "none",
    }
    .to_owned()
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
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct CompileOptions {
    dialect: Option<String>,
    formats: FormatsName,
    schemas: BTreeMap<String, String>,
    trust: TrustName,
    engine: EngineName,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "snake_case")]
enum FormatsName {
    #[default]
    Assert,
    Annotate,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "snake_case")]
enum TrustName {
    #[default]
    Author,
    Model,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "snake_case")]
enum EngineName {
    #[default]
    Own,
    #[cfg(feature = "reference")]
    Reference,
}

impl CompileOptions {
    fn options(&self) -> Result<Options, String> {
        let unknown = || error_json("unknown_dialect", "the option `dialect` is none of the five", "[]");
        let dialect = self.dialect.as_deref().map(|name| Draft::from_name(name).ok_or_else(unknown)).transpose()?;
        Ok(Options {
            dialect,
            formats: match self.formats {
                FormatsName::Assert => Formats::Assert,
                FormatsName::Annotate => Formats::Annotate,
            },
            trust: match self.trust {
                TrustName::Author => Trust::Author,
                TrustName::Model => Trust::Model,
            },
            schemas: self.schemas.iter().map(|(uri, text)| (uri.clone(), text.clone())).collect(),
            host: Some(Arc::new(HostPatterns)),
            ..Options::default()
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JudgeOptions {
    attempt: u32,
    max_retries: u32,
    via: Via,
    #[serde(default)]
    finish_reason: Option<String>,
}

impl JudgeOptions {
    fn attempt(&self) -> Attempt {
        Attempt { attempt: self.attempt, max_retries: self.max_retries }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NoReturnOptions {
    attempt: u32,
    max_retries: u32,
    return_tool: bool,
    #[serde(default)]
    finish_reason: Option<String>,
}

/// An issue as it came over the wire: enough of it to write feedback from.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireIssue {
    instance_path: String,
    keyword: String,
    message: String,
}

fn parse_options<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error_json("invalid_options", &error.to_string(), "[]"))
}

fn parse_issues(text: &str) -> Result<Vec<Issue>, String> {
    let issues: Vec<WireIssue> = parse_options(text)?;
    Ok(issues.into_iter().map(|issue| Issue::other(issue.instance_path, issue.keyword, issue.message)).collect())
}

fn error_json(code: &str, message: &str, issues: &str) -> String {
    let mut error = String::from("{");
    push_member(&mut error, "code", &quote(code));
    push_member(&mut error, "message", &quote(message));
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

/// Nothing for the common case, in which the accepted text is the one that JavaScript already holds.
fn verdict_json(given: &[u8], verdict: Verdict) -> Option<String> {
    match &verdict {
        Verdict::Accepted(accepted) if accepted.flags.is_empty() && accepted.text.as_bytes() == given => None,
        _ => Some(verdict.to_json()),
    }
}
