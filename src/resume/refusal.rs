//! Why resume state is not written or not taken up.

use std::fmt;

use super::SCHEMA_VERSION;
use crate::json::write::{concat, decimal};

/// Why resume state was not written or not taken up.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The text is no resume state; the parser's sentence.
    Unreadable(String),
    /// Written by a version this reader does not know.
    UnknownVersion(u32),
    /// The brief is no JSON.
    BriefNotJson(String),
    /// The replayed brief is not the one the child was given.
    BriefChanged,
    /// It belongs to another agent, thread, tool call or contract: which of these.
    Mismatch(Bound),
    /// Its time is over.
    Expired,
}

/// What resume state is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The thread.
    Thread,
    /// The parent's tool call.
    ToolCall,
    /// The agent.
    Agent,
    /// The contract.
    Contract,
    /// The user or tenant.
    Bind,
}

impl Refusal {
    /// The stable code of this refusal.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "resume_unreadable",
            Self::UnknownVersion(_) => "resume_unknown_version",
            Self::BriefNotJson(_) => "resume_brief_not_json",
            Self::BriefChanged => "resume_brief_changed",
            Self::Mismatch(Bound::Thread) => "resume_other_thread",
            Self::Mismatch(Bound::ToolCall) => "resume_other_tool_call",
            Self::Mismatch(Bound::Agent) => "resume_other_agent",
            Self::Mismatch(Bound::Contract) => "resume_contract_changed",
            Self::Mismatch(Bound::Bind) => "resume_other_bind",
            Self::Expired => "resume_expired",
        }
    }

    /// One line: lower case, no final period.
    pub fn message(&self) -> String {
        let (before, why) = match self {
            Self::Unreadable(why) => ("this is no resume state: ", why.as_str()),
            Self::UnknownVersion(version) => {
                let (version, own) = (decimal((*version).into()), decimal(SCHEMA_VERSION.into()));
                return concat(&["resume state of version ", &version, " is unknown; this version reads ", &own]);
            }
            Self::BriefNotJson(why) => ("the brief is no JSON text: ", why.as_str()),
            Self::BriefChanged => ("the replayed brief is not the one this child was given", ""),
            Self::Mismatch(Bound::Thread) => ("this child was suspended in another thread", ""),
            Self::Mismatch(Bound::ToolCall) => ("this child belongs to another tool call", ""),
            Self::Mismatch(Bound::Agent) => ("this child was run by another agent", ""),
            Self::Mismatch(Bound::Contract) => ("the contract has changed since this child was suspended", ""),
            Self::Mismatch(Bound::Bind) => ("this child was suspended for somebody else", ""),
            Self::Expired => ("this child was suspended too long ago to be resumed", ""),
        };
        concat(&[before, why])
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for Refusal {}
