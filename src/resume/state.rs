//! What a resumed run takes up again, and its JSON.

use crate::attempt::AttemptRecord;
use crate::envelope::ContractSource;
use crate::members::{JsonText, Read, Reader, list, push_integer, push_member, push_string};

/// Everything a resumed run takes up again.
#[derive(Debug, Clone)]
pub struct ResumeState {
    /// [`SCHEMA_VERSION`](super::SCHEMA_VERSION); filled in by [`write()`](super::write()).
    pub schema_version: u32,
    /// Names this one suspension: what is claimed, so that it is resumed once.
    pub id: String,
    /// The brief, to the letter; null for an agent that was given none.
    pub brief_text: Option<String>,
    /// The digest of the brief's canonical form; null without a brief. Filled in by [`write()`](super::write()).
    pub brief_digest: Option<String>,
    /// The agent's name.
    pub agent: String,
    /// The contract the return will be judged by.
    pub contract: ResumeContract,
    /// The parent's thread.
    pub thread_id: String,
    /// The parent's tool call; null when none delegated.
    pub tool_call_id: Option<String>,
    /// The id under which the child goes on.
    pub subagent_run_id: String,
    /// The attempts already spent, which stay spent.
    pub attempts_used: Vec<AttemptRecord>,
    /// The open interrupts, as AG-UI writes them.
    pub interrupts: JsonText,
    /// The child's own messages so far, as the host writes them.
    pub messages: JsonText,
    /// Milliseconds since the epoch after which it can only be cancelled.
    pub expires_at: Option<u64>,
    /// Whose it is: a user or a tenant, as the host names them.
    pub bind: Option<String>,
}

impl ResumeState {
    pub(super) fn to_json(&self) -> String {
        let mut out = String::from("{");
        push_integer(&mut out, "schema_version", self.schema_version.into());
        push_string(&mut out, "id", Some(&self.id));
        push_string(&mut out, "brief_text", self.brief_text.as_deref());
        push_string(&mut out, "brief_digest", self.brief_digest.as_deref());
        push_string(&mut out, "agent", Some(&self.agent));
        push_member(&mut out, "contract", &self.contract.to_json());
        push_string(&mut out, "thread_id", Some(&self.thread_id));
        push_string(&mut out, "tool_call_id", self.tool_call_id.as_deref());
        push_string(&mut out, "subagent_run_id", Some(&self.subagent_run_id));
        push_member(&mut out, "attempts_used", &list(self.attempts_used.iter().map(AttemptRecord::to_json)));
        push_member(&mut out, "interrupts", self.interrupts.as_str());
        push_member(&mut out, "messages", self.messages.as_str());
        if let Some(until) = self.expires_at {
            push_integer(&mut out, "expires_at", until);
        }
        if let Some(bind) = &self.bind {
            push_string(&mut out, "bind", Some(bind));
        }
        out.push('}');
        out
    }
}

impl Read for ResumeState {
    fn read(from: &mut Reader<'_>) -> Self {
        from.only(&[
            "schema_version",
            "id",
            "brief_text",
            "brief_digest",
            "agent",
            "contract",
            "thread_id",
            "tool_call_id",
            "subagent_run_id",
            "attempts_used",
            "interrupts",
            "messages",
            "expires_at",
            "bind",
        ]);
        Self {
            schema_version: from.or_default("schema_version"),
            id: from.need("id"),
            brief_text: from.may("brief_text"),
            brief_digest: from.may("brief_digest"),
            agent: from.need("agent"),
            contract: from.need("contract"),
            thread_id: from.need("thread_id"),
            tool_call_id: from.may("tool_call_id"),
            subagent_run_id: from.need("subagent_run_id"),
            attempts_used: from.need("attempts_used"),
            interrupts: from.need("interrupts"),
            messages: from.need("messages"),
            expires_at: from.may("expires_at"),
            bind: from.may("bind"),
        }
    }
}

/// The contract of a suspended child.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResumeContract {
    /// Where it came from.
    pub source: ContractSource,
    /// `sha256-…` of its schema; absent without a contract.
    pub digest: Option<String>,
    /// The schema itself, when it came with the call and is known nowhere else.
    pub schema_text: Option<String>,
}

impl ResumeContract {
    fn to_json(&self) -> String {
        let mut out = String::from("{");
        push_string(&mut out, "source", Some(self.source.as_str()));
        if let Some(digest) = &self.digest {
            push_string(&mut out, "digest", Some(digest));
        }
        if let Some(text) = &self.schema_text {
            push_string(&mut out, "schema_text", Some(text));
        }
        out.push('}');
        out
    }
}

impl Read for ResumeContract {
    fn read(from: &mut Reader<'_>) -> Self {
        from.only(&["source", "digest", "schema_text"]);
        Self { source: from.need("source"), digest: from.may("digest"), schema_text: from.may("schema_text") }
    }
}
