//! The result envelope: what a parent gets back for one delegation, as JSON text.
//!
//! The host fills in [`EnvelopeParts`]; [`build`] refuses parts that contradict each other and writes the wire form, in
//! which the child's accepted text stands to the letter. The same parts give the same bytes.

use std::fmt;

use crate::attempt::AttemptRecord;
use crate::json::write::{concat, decimal};
use crate::members::{
    JsonText, Members, Read, Reader, list, name_of, push_integer, push_member, push_string, quote, quote_list,
};

/// The version this writer writes, and the newest that its reader knows.
pub const SCHEMA_VERSION: u32 = 1;

/// The longest `task_summary` in characters, its cut mark included.
pub const SUMMARY_LIMIT: usize = 600;

/// How a delegation ended, or that it waits for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContractSource {
    /// The `final_schema` of this call.
    FinalSchema,
    /// The agent's own `outputSchema`.
    OutputSchema,
    /// There is none: the child answers in prose.
    None,
}

impl ContractSource {
    const NAMES: [(&str, ContractSource); 3] = [
        ("final_schema", ContractSource::FinalSchema),
        ("output_schema", ContractSource::OutputSchema),
        ("none", ContractSource::None),
    ];

    /// As the wire spells it.
    pub fn as_str(self) -> &'static str {
        name_of(self, &Self::NAMES)
    }

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractRef {
    /// Where it came from.
    pub source: ContractSource,
    /// `sha256-…` of its schema; absent without a contract.
    pub digest: Option<String>,
}

/// Why a delegation did not complete.
#[derive(Debug, Clone)]
pub struct EnvelopeError {
    /// A stable code, such as `contract_exhausted`.
    pub code: String,
    /// One sentence without any value that the child returned.
    pub message: String,
    /// The issues of the last attempt, as JSON.
    pub issues: Option<JsonText>,
}

/// What the host counted.
#[derive(Debug, Clone)]
pub struct MeasuredEffort {
    /// Tool calls the child made, its return tool not among them.
    pub tool_calls: u64,
    /// Milliseconds from its start to its end, suspensions not among them.
    pub duration_ms: Option<u64>,
    /// What the provider last said of why a generation ended.
    pub finish_reason: Option<String>,
}

/// What the host knows of a delegation when it ends or is suspended. Field names are the wire's.
#[derive(Debug, Clone)]
pub struct EnvelopeParts {
    /// The child's `subagentRunId`.
    pub run_id: String,
    /// The agent's name.
    pub subagent: String,
    /// The child's last words: its whole answer without a contract, else see [`task_summary`].
    pub task_summary: Option<String>,
    /// The accepted return as exact JSON text; absent when there is none.
    pub result_text: Option<String>,
    /// How it ended.
    pub status: Status,
    /// Every attempt, first to last.
    pub attempts: Vec<AttemptRecord>,
    /// What guards say against the accepted return, as a JSON array of `{ by, pointer?, message }`. The parent's model sees it.
    pub degraded: Option<JsonText>,
    /// What was changed in the accepted return, as a JSON array of `{ pointer, by }`.
    pub amendments: Option<JsonText>,
    /// The child's own text, where what goes out is not that.
    pub returned_text: Option<String>,
    /// The closed and valid parts of the last return, when none was accepted. For the host alone.
    pub partial_text: Option<String>,
    /// What the accepted text and its JavaScript value do not share, such as `unsafe_integer`.
    pub flags: Vec<String>,
    /// The brief as exact JSON text; absent for an agent without `inputSchema`.
    pub input_text: Option<String>,
    /// The parent's tool call that delegated.
    pub tool_call_id: Option<String>,
    /// The contract that held.
    pub contract: ContractRef,
    /// What the host measured. What the child claims of itself is taken from its result.
    pub effort: MeasuredEffort,
    /// The child's token usage as AG-UI's array.
    pub usage: Option<JsonText>,
    /// The handle under which the host keeps the child's transcript; absent when it keeps none. A handle inside the result is
    /// the host's to replace before it builds: the child cannot know it.
    pub transcript_ref: Option<String>,
    /// Why it did not complete.
    pub error: Option<EnvelopeError>,
    /// What a resumed run needs: `interrupts`, and `state` when it is not sealed.
    pub resume: Option<JsonText>,
    /// The state as a sealed token.
    pub resume_sealed: Option<String>,
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

impl Refusal {
    /// One line: lower case, no final period.
    pub fn message(&self) -> String {
        match self {
            Self::Inconsistent(why) => concat(&["the envelope's parts contradict each other: ", why]),
            Self::NotJson { part, message } => concat(&[part, " is no JSON text: ", message]),
            Self::Unreadable(why) => concat(&["this is no envelope: ", why]),
            Self::UnknownVersion(version) => {
                let own = decimal(SCHEMA_VERSION.into());
                concat(&["schema_version ", version, " is unknown; this version reads ", &own])
            }
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
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
    let returned = raw("returned_text", parts.returned_text.as_deref())?;
    let partial = raw("partial_text", parts.partial_text.as_deref())?;
    let input = raw("input_text", parts.input_text.as_deref())?;

    let mut out = String::from("{");
    push_string(&mut out, "run_id", Some(&parts.run_id));
    push_string(&mut out, "subagent", Some(&parts.subagent));
    push_string(&mut out, "task_summary", parts.task_summary.as_deref());
    push_member(&mut out, "final_result", result.as_ref().map_or("null", JsonText::as_str));
    push_string(&mut out, "status", Some(parts.status.as_str()));
    push_member(&mut out, "attempts", &list(parts.attempts.iter().map(AttemptRecord::to_json)));
    push_given(&mut out, "degraded", parts.degraded.as_ref());
    push_given(&mut out, "amendments", parts.amendments.as_ref());
    push_given(&mut out, "returned", returned.as_ref());
    push_given(&mut out, "partial", partial.as_ref());
    if !parts.flags.is_empty() {
        push_member(&mut out, "flags", &quote_list(&parts.flags));
    }
    push_given(&mut out, "input", input.as_ref());
    if let Some(id) = &parts.tool_call_id {
        push_string(&mut out, "tool_call_id", Some(id));
    }
    push_member(&mut out, "contract", &parts.contract.to_json());
    // The claim is the child's own, also where a guard amended it.
    push_member(&mut out, "effort", &effort(&parts.effort, returned.as_ref().or(result.as_ref())));
    push_given(&mut out, "usage", parts.usage.as_ref());
    if let Some(handle) = &parts.transcript_ref {
        push_string(&mut out, "transcript_ref", Some(handle));
    }
    if let Some(error) = &parts.error {
        push_member(&mut out, "error", &error.to_json());
    }
    push_given(&mut out, "resume", parts.resume.as_ref());
    if let Some(token) = &parts.resume_sealed {
        push_string(&mut out, "resume_sealed", Some(token));
    }
    push_integer(&mut out, "schema_version", SCHEMA_VERSION.into());
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
            status if status != Status::Suspended && (self.resume.is_some() || self.resume_sealed.is_some()) => {
                "resume state, but the run is not suspended"
            }
            status
                if status != Status::Completed
                    && (self.degraded.is_some() || self.amendments.is_some() || self.returned_text.is_some()) =>
            {
                "changes to a result, but the run did not complete"
            }
            Status::Completed | Status::Suspended if self.partial_text.is_some() => {
                "a partial return, but the run neither failed nor was cancelled"
            }
            _ if self.amendments.is_some() != self.returned_text.is_some() => {
                "amendments and what they changed go together"
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
    let members = Members::parse(text).map_err(|error| Refusal::Unreadable(error.0))?;
    let need = |name: &str| members.get(name).ok_or_else(|| Refusal::Unreadable(concat(&[name, " is missing"])));
    match need("schema_version")? {
        "1" => {}
        other => return Err(Refusal::UnknownVersion(other.chars().take(40).collect())),
    }
    for name in ["run_id", "subagent"] {
        if !need(name)?.starts_with('"') {
            return Err(Refusal::Unreadable(concat(&[name, " must be a string"])));
        }
    }
    let summary = need("task_summary")?;
    if summary != "null" && !summary.starts_with('"') {
        return Err(Refusal::Unreadable("task_summary must be a string or null".to_owned()));
    }
    need("final_result")?;
    need("status")?;
    members
        .value()
        .need::<Status>("status")
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

/// What no event carries.
const HOST_ONLY: [&str; 3] = ["input", "resume", "resume_sealed"];

/// What goes out as `SUBAGENT_FINISHED.result`: the envelope without the brief and without resume state.
///
/// # Errors
/// As [`parse`].
pub fn for_event(text: &str) -> Result<String, Refusal> {
    Ok(parse(text)?.write(|name| !HOST_ONLY.contains(&name)))
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
    Some(concat(&[kept.trim_end(), CUT]))
}

fn error_line(error: &str) -> Option<String> {
    let members = Members::parse(error).ok()?;
    let code = members.string("code")?;
    let message = members.string("message")?;
    Some(concat(&[code, ": ", message]))
}

/// `effort`: what the host measured, and the claim in the result's own `effort` beside it, never mixed.
fn effort(measured: &MeasuredEffort, result: Option<&JsonText>) -> String {
    let mut out = String::from("{");
    push_member(&mut out, "measured", &measured.to_json());
    if let Some(members) = result.and_then(|text| Members::parse(text.as_str()).ok())
        && let Some(claim) = members.get("effort").filter(|claim| claim.starts_with('{'))
    {
        push_member(&mut out, "claimed", claim);
    }
    out.push('}');
    out
}

fn push_given(out: &mut String, name: &str, value: Option<&JsonText>) {
    if let Some(value) = value {
        push_member(out, name, value.as_str());
    }
}

fn raw(part: &'static str, text: Option<&str>) -> Result<Option<JsonText>, Refusal> {
    text.map(|text| JsonText::parse(text).map_err(|error| Refusal::NotJson { part, message: error.sentence() }))
        .transpose()
}

impl Status {
    const NAMES: [(&str, Status); 4] = [
        ("completed", Status::Completed),
        ("failed", Status::Failed),
        ("suspended", Status::Suspended),
        ("cancelled", Status::Cancelled),
    ];

    pub(crate) fn as_str(self) -> &'static str {
        name_of(self, &Self::NAMES)
    }
}

impl Read for Status {
    fn read(from: &mut Reader<'_>) -> Self {
        from.name(&Self::NAMES)
    }
}

impl Read for ContractSource {
    fn read(from: &mut Reader<'_>) -> Self {
        from.name(&Self::NAMES)
    }
}

impl ContractRef {
    fn to_json(&self) -> String {
        let mut out = String::from("{");
        push_string(&mut out, "source", Some(self.source.as_str()));
        if let Some(digest) = &self.digest {
            push_string(&mut out, "digest", Some(digest));
        }
        out.push('}');
        out
    }
}

impl Read for ContractRef {
    fn read(from: &mut Reader<'_>) -> Self {
        from.only(&["source", "digest"]);
        Self { source: from.need("source"), digest: from.may("digest") }
    }
}

impl EnvelopeError {
    fn to_json(&self) -> String {
        let mut out = String::from("{");
        push_string(&mut out, "code", Some(&self.code));
        push_string(&mut out, "message", Some(&self.message));
        if let Some(issues) = &self.issues {
            push_member(&mut out, "issues", issues.as_str());
        }
        out.push('}');
        out
    }
}

impl Read for EnvelopeError {
    fn read(from: &mut Reader<'_>) -> Self {
        from.only(&["code", "message", "issues"]);
        Self { code: from.need("code"), message: from.need("message"), issues: from.may("issues") }
    }
}

impl MeasuredEffort {
    fn to_json(&self) -> String {
        let mut out = String::from("{");
        push_integer(&mut out, "tool_calls", self.tool_calls);
        if let Some(duration) = self.duration_ms {
            push_integer(&mut out, "duration_ms", duration);
        }
        if let Some(reason) = &self.finish_reason {
            push_string(&mut out, "finish_reason", Some(reason));
        }
        out.push('}');
        out
    }
}

impl Read for MeasuredEffort {
    fn read(from: &mut Reader<'_>) -> Self {
        from.only(&["tool_calls", "duration_ms", "finish_reason"]);
        Self {
            tool_calls: from.need("tool_calls"),
            duration_ms: from.may("duration_ms"),
            finish_reason: from.may("finish_reason"),
        }
    }
}

impl EnvelopeParts {
    const FIELDS: [&str; 20] = [
        "run_id",
        "subagent",
        "task_summary",
        "result_text",
        "status",
        "attempts",
        "degraded",
        "amendments",
        "returned_text",
        "partial_text",
        "flags",
        "input_text",
        "tool_call_id",
        "contract",
        "effort",
        "usage",
        "transcript_ref",
        "error",
        "resume",
        "resume_sealed",
    ];
}

impl Read for EnvelopeParts {
    fn read(from: &mut Reader<'_>) -> Self {
        from.only(&Self::FIELDS);
        Self {
            run_id: from.need("run_id"),
            subagent: from.need("subagent"),
            task_summary: from.may("task_summary"),
            result_text: from.may("result_text"),
            status: from.need("status"),
            attempts: from.or_default("attempts"),
            degraded: from.may("degraded"),
            amendments: from.may("amendments"),
            returned_text: from.may("returned_text"),
            partial_text: from.may("partial_text"),
            flags: from.or_default("flags"),
            input_text: from.may("input_text"),
            tool_call_id: from.may("tool_call_id"),
            contract: from.need("contract"),
            effort: from.need("effort"),
            usage: from.may("usage"),
            transcript_ref: from.may("transcript_ref"),
            error: from.may("error"),
            resume: from.may("resume"),
            resume_sealed: from.may("resume_sealed"),
        }
    }
}
