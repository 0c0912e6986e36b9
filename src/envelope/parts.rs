//! What the host puts into an envelope: its parts, and how they are read from JSON.

use super::contract::ContractRef;
use crate::attempt::AttemptRecord;
use crate::members::{JsonText, Read, Reader, name_of, push_integer, push_member, push_string};

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

impl EnvelopeError {
    pub(super) fn to_json(&self) -> String {
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

impl MeasuredEffort {
    pub(super) fn to_json(&self) -> String {
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

/// What the host knows of a delegation when it ends or is suspended. Field names are the wire's.
#[derive(Debug, Clone)]
pub struct EnvelopeParts {
    /// The child's `subagentRunId`.
    pub run_id: String,
    /// The agent's name.
    pub subagent: String,
    /// The child's last words: its whole answer without a contract, else see [`task_summary`](super::task_summary).
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
