//! One attempt of a child: a judged return, or an end of the child without a return.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// How a return reached the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Via {
    /// The child called its return tool; the return is that call's argument text.
    ReturnTool,
    /// The child's final text was the return.
    Text,
    /// `run` resolved to a value, which the shim turned into JSON text.
    Value,
}

/// What became of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The gate accepted the return.
    Accepted,
    /// The gate rejected the return.
    Rejected,
    /// The child ended without a return.
    NoReturn,
}

/// The host's record of one attempt, kept in the envelope and in resume state.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttemptRecord {
    /// Counted from 1 over the whole delegation, resumes included.
    pub attempt: u32,
    /// How the return reached the gate; absent when there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
    /// What became of it.
    pub outcome: Outcome,
    /// Why it was not accepted: a verdict code, `no_return` or `return_tool_missing`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The issues the child was told about, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issues: Option<Box<RawValue>>,
}
