//! What of an envelope the parent's model sees, and what an event carries.

use super::{Refusal, parse};
use crate::json::write::concat;
use crate::members::{Members, push_member, quote};

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

fn error_line(error: &str) -> Option<String> {
    let members = Members::parse(error).ok()?;
    let code = members.string("code")?;
    let message = members.string("message")?;
    Some(concat(&[code, ": ", message]))
}
