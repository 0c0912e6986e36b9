//! Resume state: what a suspended child needs to go on with the same input, and the checks before it does.
//!
//! This is the plain form. It says when the client replays something else by mistake; it cannot stop a client that edits
//! it on purpose. What can is [`crate::seal`].

use std::fmt;

use crate::attempt::AttemptRecord;
use crate::envelope::ContractSource;
use crate::json::canonical;
use crate::json::write::{concat, decimal};
use crate::members::{JsonText, Members, Read, Reader, Unreadable, list, push_integer, push_member, push_string};

/// The version this writer writes, and the newest that its reader knows.
pub const SCHEMA_VERSION: u32 = 1;

/// Everything a resumed run takes up again.
#[derive(Debug, Clone)]
pub struct ResumeState {
    /// [`SCHEMA_VERSION`]; filled in by [`write()`].
    pub schema_version: u32,
    /// Names this one suspension: what is claimed, so that it is resumed once.
    pub id: String,
    /// The brief, to the letter; null for an agent that was given none.
    pub brief_text: Option<String>,
    /// The digest of the brief's canonical form; null without a brief. Filled in by [`write()`].
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

/// For how long and for whom state is written.
#[derive(Debug, Clone)]
pub struct Terms {
    /// Milliseconds since the epoch.
    pub now: u64,
    /// How long it may be resumed, in milliseconds.
    pub ttl: u64,
    /// Whose it is: a user or a tenant, as the host names them.
    pub bind: Option<String>,
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
}

impl Refusal {
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

/// Writes resume state, with the version and the brief's digest filled in.
///
/// # Errors
/// [`Refusal::BriefNotJson`] when the brief is no JSON text.
pub fn write(mut state: ResumeState) -> Result<String, Refusal> {
    state.schema_version = SCHEMA_VERSION;
    state.brief_digest = state.brief_text.as_deref().map(brief_digest).transpose()?;
    Ok(state.to_json())
}

/// As [`write()`], for at most as long as `terms` say: an earlier end that the state has already stays.
///
/// # Errors
/// As [`write()`].
pub fn write_under(mut state: ResumeState, terms: &Terms) -> Result<String, Refusal> {
    let until = terms.now.saturating_add(terms.ttl);
    state.expires_at = Some(state.expires_at.map_or(until, |own| own.min(until)));
    state.bind = terms.bind.clone();
    write(state)
}

/// Reads resume state and compares it with what the host expects. The brief may come back with other white space and
/// another order of its members: that changes nothing it says.
///
/// # Errors
/// A [`Refusal`] that names the first thing that does not hold.
pub fn open(text: &str, expected: &Expected) -> Result<ResumeState, Refusal> {
    let unreadable = |error: Unreadable| Refusal::Unreadable(error.0);
    let members = Members::parse(text).map_err(unreadable)?;
    // The version first: a newer writer may have fields that this reader would call unreadable.
    let schema_version = members.value().need("schema_version").map_err(unreadable)?;
    if schema_version != SCHEMA_VERSION {
        return Err(Refusal::UnknownVersion(schema_version));
    }
    let state: ResumeState = members.value().read().map_err(unreadable)?;
    state.meets(expected)?;
    Ok(state)
}

impl ResumeState {
    fn meets(&self, expected: &Expected) -> Result<(), Refusal> {
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

impl ResumeState {
    fn to_json(&self) -> String {
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

impl Read for Terms {
    fn read(from: &mut Reader<'_>) -> Self {
        from.only(&["now", "ttl", "bind"]);
        Self { now: from.need("now"), ttl: from.need("ttl"), bind: from.may("bind") }
    }
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

fn differs(expected: &Option<String>, own: Option<&String>) -> bool {
    expected.is_some() && expected.as_ref() != own
}

fn brief_digest(text: &str) -> Result<String, Refusal> {
    canonical::digest(text.as_bytes()).map_err(|error| Refusal::BriefNotJson(error.sentence()))
}
