//! Reading an envelope, of this version or with fields it does not know.

use super::{Refusal, Status};
use crate::json::write::concat;
use crate::members::Members;

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
