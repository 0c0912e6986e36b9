//! The wire form of an envelope, and what has to hold of its parts before it is written.

use super::{ContractSource, EnvelopeParts, MeasuredEffort, Refusal, SCHEMA_VERSION, Status};
use crate::attempt::AttemptRecord;
use crate::members::{JsonText, Members, list, push_integer, push_member, push_string, quote_list};

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
