//! The result envelope: what a parent gets back for one delegation, as JSON text.
//!
//! The host fills in [`EnvelopeParts`]; [`build`] refuses parts that contradict each other and writes the wire form, in
//! which the child's accepted text stands to the letter. The same parts give the same bytes.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::attempt::AttemptRecord;
use crate::members::{Members, push_member, quote};

/// The version this writer writes, and the newest that its reader knows.
pub const SCHEMA_VERSION: u32 = 1;

/// The longest `task_summary` in characters, its cut mark included.
pub const SUMMARY_LIMIT: usize = 600;

/// How a delegation ended, or that it waits for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The return was accepted, or the child has no contract and ended.
    Completed,
    /// No return was accepted, or the run itself failed.
    Failed,
    /// The child waits for the interrupts in `resume`.
    Suspended,
    /// Somebody stopped the run.
    Cancelled,
}

/// Where the contract of a delegation came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContractSource {
    /// The `final_schema` of this call.
    FinalSchema,
    /// The agent's own `outputSchema`.
    OutputSchema,
    /// There is none: the child answers in prose.
    None,
}

impl ContractSource {
    /// The contract that holds: an explicit `final_schema` wins over the agent's `outputSchema`.
    pub fn choose(final_schema: bool, output_schema: bool) -> Self {
        match (final_schema, output_schema) {
            (true, _) => Self::FinalSchema,
            (false, true) => Self::OutputSchema,
            (false, false) => Self::None,
        }
    }
}

/// Which contract a return was judged by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContractRef {
    /// Where it came from.
    pub source: ContractSource,
    /// `sha256-…` of its schema; absent without a contract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

/// Why a delegation did not complete.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvelopeError {
    /// A stable code, such as `contract_exhausted`.
    pub code: String,
    /// One sentence without any value that the child returned.
    pub message: String,
    /// The issues of the last attempt, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issues: Option<Box<RawValue>>,
}

/// What the host counted.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredEffort {
    /// Tool calls the child made, its return tool not among them.
    pub tool_calls: u64,
    /// Milliseconds from its start to its end, suspensions not among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// What the provider last said of why a generation ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish_reason: Option<String>,
}

/// What the host knows of a delegation when it ends or is suspended. Field names are the wire's.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvelopeParts {
    /// The child's `subagentRunId`.
    pub run_id: String,
    /// The agent's name.
    pub subagent: String,
    /// The child's last words: its whole answer without a contract, else see [`task_summary`].
    #[serde(default)]
    pub task_summary: Option<String>,
    /// The accepted return as exact JSON text; absent when there is none.
    #[serde(default)]
    pub result_text: Option<String>,
    /// How it ended.
    pub status: Status,
    /// Every attempt, first to last.
    #[serde(default)]
    pub attempts: Vec<AttemptRecord>,
    /// What the accepted text and its JavaScript value do not share, such as `unsafe_integer`.
    #[serde(default)]
    pub flags: Vec<String>,
    /// The brief as exact JSON text; absent for an agent without `inputSchema`.
    #[serde(default)]
    pub input_text: Option<String>,
    /// The parent's tool call that delegated.
    #[serde(default)]
    pub tool_call_id: Option<String>,
    /// The contract that held.
    pub contract: ContractRef,
    /// What the host measured. What the child claims of itself is taken from its result.
    pub effort: MeasuredEffort,
    /// The child's token usage as AG-UI's array.
    #[serde(default)]
    pub usage: Option<Box<RawValue>>,
    /// Why it did not complete.
    #[serde(default)]
    pub error: Option<EnvelopeError>,
    /// What a resumed run needs: `interrupts` and `state`.
    #[serde(default)]
    pub resume: Option<Box<RawValue>>,
}

/// Why an envelope was not built or not read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The parts contradict each other; the sentence says how.
    Inconsistent(&'static str),
    /// A part that should be JSON text is not.
    NotJson {
        /// The part's name.
        part: &'static str,
        /// The parser's sentence.
        message: String,
    },
    /// The text is no envelope.
    Unreadable(String),
    /// The envelope was written by a version this reader does not know.
    UnknownVersion(String),
}

impl Refusal {
    /// The stable code of this refusal.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Inconsistent(_) => "envelope_inconsistent",
            Self::NotJson { .. } => "envelope_not_json",
            Self::Unreadable(_) => "envelope_unreadable",
            Self::UnknownVersion(_) => "envelope_unknown_version",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inconsistent(why) => write!(f, "the envelope's parts contradict each other: {why}"),
            Self::NotJson { part, message } => write!(f, "{part} is no JSON text: {message}"),
            Self::Unreadable(why) => write!(f, "this is no envelope: {why}"),
            Self::UnknownVersion(version) => {
                write!(f, "schema_version {version} is unknown; this version reads {SCHEMA_VERSION}")
            }
        }
    }
}

impl std::error::Error for Refusal {}

/// Writes the wire form of an envelope.
///
/// # Errors
/// [`Refusal::Inconsistent`] when a status and the parts that belong to it disagree, [`Refusal::NotJson`] when the
/// return's or the brief's text is no JSON.
pub fn build(parts: &EnvelopeParts) -> Result<String, Refusal> {
    parts.consistent()?;
    let result = raw("result_text", parts.result_text.as_deref())?;
    let input = raw("input_text", parts.input_text.as_deref())?;

    let mut out = String::from("{");
    push_member(&mut out, "run_id", &quote(&parts.run_id));
    push_member(&mut out, "subagent", &quote(&parts.subagent));
    let summary = parts.task_summary.as_deref().map(quote);
    push_member(&mut out, "task_summary", summary.as_deref().unwrap_or("null"));
    push_member(&mut out, "final_result", result.as_ref().map_or("null", |value| value.get()));
    push_member(&mut out, "status", &json(&parts.status)?);
    push_member(&mut out, "attempts", &json(&parts.attempts)?);
    if !parts.flags.is_empty() {
        push_member(&mut out, "flags", &json(&parts.flags)?);
    }
    if let Some(input) = &input {
        push_member(&mut out, "input", input.get());
    }
    if let Some(id) = &parts.tool_call_id {
        push_member(&mut out, "tool_call_id", &quote(id));
    }
    push_member(&mut out, "contract", &json(&parts.contract)?);
    push_member(&mut out, "effort", &effort(&parts.effort, result.as_deref())?);
    if let Some(usage) = &parts.usage {
        push_member(&mut out, "usage", usage.get());
    }
    if let Some(error) = &parts.error {
        push_member(&mut out, "error", &json(error)?);
    }
    if let Some(resume) = &parts.resume {
        push_member(&mut out, "resume", resume.get());
    }
    push_member(&mut out, "schema_version", &SCHEMA_VERSION.to_string());
    out.push('}');
    Ok(out)
}

impl EnvelopeParts {
    fn consistent(&self) -> Result<(), Refusal> {
        let typed = self.contract.source != ContractSource::None;
        let why = match self.status {
            Status::Completed if typed && self.result_text.is_none() => {
                "completed under a contract, but there is no result"
            }
            Status::Completed if self.error.is_some() => "completed, but with an error",
            Status::Failed if self.error.is_none() => "failed, but without an error",
            Status::Suspended if self.resume.is_none() => "suspended, but without resume state",
            status if status != Status::Completed && self.result_text.is_some() => {
                "a result, but the run did not complete"
            }
            status if status != Status::Suspended && self.resume.is_some() => {
                "resume state, but the run is not suspended"
            }
            _ if !typed && self.result_text.is_some() => "a result, but no contract judged it",
            _ if typed != self.contract.digest.is_some() => "a contract and its digest go together",
            _ => return Ok(()),
        };
        Err(Refusal::Inconsistent(why))
    }
}

/// Checks that `text` is a readable envelope of a known version. Fields it does not know are left alone.
///
/// # Errors
/// [`Refusal::Unreadable`] when a field every envelope has is missing or of another type,
/// [`Refusal::UnknownVersion`] for another `schema_version`.
pub fn parse(text: &str) -> Result<Members, Refusal> {
    let members = Members::parse(text).map_err(|error| Refusal::Unreadable(error.to_string()))?;
    let need = |name: &str| members.get(name).ok_or_else(|| Refusal::Unreadable(format!("{name} is missing")));
    match need("schema_version")? {
        "1" => {}
        other => return Err(Refusal::UnknownVersion(other.chars().take(40).collect())),
    }
    for name in ["run_id", "subagent"] {
        if !need(name)?.starts_with('"') {
            return Err(Refusal::Unreadable(format!("{name} must be a string")));
        }
    }
    let summary = need("task_summary")?;
    if summary != "null" && !summary.starts_with('"') {
        return Err(Refusal::Unreadable("task_summary must be a string or null".to_owned()));
    }
    need("final_result")?;
    serde_json::from_str::<Status>(need("status")?)
        .map_err(|_| Refusal::Unreadable("status must be completed, failed, suspended or cancelled".to_owned()))?;
    Ok(members)
}

/// What the parent's model sees of an envelope: the result and what it must know to trust it, never the brief, the
/// attempts or resume state.
///
/// # Errors
/// As [`parse`].
pub fn for_model(text: &str) -> Result<String, Refusal> {
    const SHOWN: [&str; 6] = ["run_id", "subagent", "task_summary", "final_result", "degraded", "transcript_ref"];
    let members = parse(text)?;
    let mut out = members.write(|name| SHOWN.contains(&name));
    if members.get("status") != Some("\"completed\"") {
        out.pop();
        push_member(&mut out, "status", members.get("status").unwrap_or("null"));
        if let Some(line) = members.get("error").and_then(error_line) {
            push_member(&mut out, "error", &quote(&line));
        }
        out.push('}');
    }
    Ok(out)
}

/// What goes out as `SUBAGENT_FINISHED.result`: the envelope without the brief and without resume state.
///
/// # Errors
/// As [`parse`].
pub fn for_event(text: &str) -> Result<String, Refusal> {
    Ok(parse(text)?.write(|name| name != "resume" && name != "input"))
}

/// The child's last text beside a typed result: trimmed, at most [`SUMMARY_LIMIT`] characters with a visible cut;
/// nothing when it is blank.
pub fn task_summary(text: &str) -> Option<String> {
    const CUT: &str = " […]";
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    if text.chars().count() <= SUMMARY_LIMIT {
        return Some(text.to_owned());
    }
    let kept: String = text.chars().take(SUMMARY_LIMIT - CUT.chars().count()).collect();
    Some(format!("{}{CUT}", kept.trim_end()))
}

fn error_line(error: &str) -> Option<String> {
    let members = Members::parse(error).ok()?;
    let code = members.string("code")?;
    let message = members.string("message")?;
    Some(format!("{code}: {message}"))
}

/// `effort`: what the host measured, and the claim in the result's own `effort` beside it, never mixed.
fn effort(measured: &MeasuredEffort, result: Option<&RawValue>) -> Result<String, Refusal> {
    let mut out = String::from("{");
    push_member(&mut out, "measured", &json(measured)?);
    let claim = result
        .and_then(|value| Members::parse(value.get()).ok())
        .and_then(|members| members.get("effort").map(str::to_owned))
        .filter(|claim| claim.starts_with('{'));
    if let Some(claim) = claim {
        push_member(&mut out, "claimed", &claim);
    }
    out.push('}');
    Ok(out)
}

fn raw(part: &'static str, text: Option<&str>) -> Result<Option<Box<RawValue>>, Refusal> {
    text.map(|text| serde_json::from_str(text).map_err(|error| Refusal::NotJson { part, message: error.to_string() }))
        .transpose()
}

fn json(value: &impl Serialize) -> Result<String, Refusal> {
    serde_json::to_string(value).map_err(|error| Refusal::Unreadable(error.to_string()))
}
