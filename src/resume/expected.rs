//! What a host knows of the run it resumes, and whether the state is of that run.

use super::{Bound, Refusal, ResumeState, brief_digest};
use crate::members::{Read, Reader};

/// What the host knows of the run it is about to resume. What is absent is not compared.
#[derive(Debug, Clone, Default)]
pub struct Expected {
    /// The thread of this request.
    pub thread_id: Option<String>,
    /// The tool call that is open.
    pub tool_call_id: Option<String>,
    /// The agent that this call names.
    pub subagent: Option<String>,
    /// The brief as the client replayed it.
    pub brief: Option<String>,
    /// The digest of the contract that would judge the return now.
    pub contract_digest: Option<String>,
    /// Milliseconds since the epoch.
    pub now: Option<u64>,
    /// Whose it has to be; `Some(None)`: nobody's in particular.
    pub bind: Option<Option<String>>,
}

impl Read for Expected {
    fn read(from: &mut Reader<'_>) -> Self {
        from.only(&["thread_id", "tool_call_id", "subagent", "brief", "contract_digest", "now", "bind"]);
        Self {
            thread_id: from.may("thread_id"),
            tool_call_id: from.may("tool_call_id"),
            subagent: from.may("subagent"),
            brief: from.may("brief"),
            contract_digest: from.may("contract_digest"),
            now: from.may("now"),
            bind: from.value().and_then(|value| value.member("bind")).map(|_| from.may("bind")),
        }
    }
}

impl ResumeState {
    pub(super) fn meets(&self, expected: &Expected) -> Result<(), Refusal> {
        let own = self.brief_text.as_deref().map(brief_digest).transpose()?;
        if own != self.brief_digest {
            return Err(Refusal::BriefChanged);
        }
        if differs(&expected.subagent, Some(&self.agent)) {
            return Err(Refusal::Mismatch(Bound::Agent));
        }
        if differs(&expected.thread_id, Some(&self.thread_id)) {
            return Err(Refusal::Mismatch(Bound::Thread));
        }
        if differs(&expected.tool_call_id, self.tool_call_id.as_ref()) {
            return Err(Refusal::Mismatch(Bound::ToolCall));
        }
        if expected.bind.as_ref().is_some_and(|bind| *bind != self.bind) {
            return Err(Refusal::Mismatch(Bound::Bind));
        }
        if differs(&expected.contract_digest, self.contract.digest.as_ref()) {
            return Err(Refusal::Mismatch(Bound::Contract));
        }
        if let Some(replayed) = expected.brief.as_deref()
            && Some(brief_digest(replayed)?) != own
        {
            return Err(Refusal::BriefChanged);
        }
        match (expected.now, self.expires_at) {
            (Some(now), Some(until)) if now > until => Err(Refusal::Expired),
            _ => Ok(()),
        }
    }
}

fn differs(expected: &Option<String>, own: Option<&String>) -> bool {
    expected.is_some() && expected.as_ref() != own
}
