//! Resume state: what a suspended child needs to go on with the same input, and the checks before it does.
//!
//! This is the plain form. It says when the client replays something else by mistake; it cannot stop a client that edits
//! it on purpose. What can is [`crate::seal`].

mod expected;
mod refusal;
mod state;

use crate::json::canonical;
use crate::members::{Members, Read, Reader, Unreadable};
pub use expected::Expected;
pub use refusal::{Bound, Refusal};
pub use state::{ResumeContract, ResumeState};

/// The version this writer writes, and the newest that its reader knows.
pub const SCHEMA_VERSION: u32 = 1;

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

impl Read for Terms {
    fn read(from: &mut Reader<'_>) -> Self {
        from.only(&["now", "ttl", "bind"]);
        Self { now: from.need("now"), ttl: from.need("ttl"), bind: from.may("bind") }
    }
}

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

fn brief_digest(text: &str) -> Result<String, Refusal> {
    canonical::digest(text.as_bytes()).map_err(|error| Refusal::BriefNotJson(error.sentence()))
}
