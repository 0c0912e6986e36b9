//! One attempt of a child: a judged return, or an end of the child without a return.

use crate::members::{JsonText, Read, Reader, name_of, push_integer, push_member, push_string};

/// How a return reached the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// The child called its return tool; the return is that call's argument text.
    ReturnTool,
    /// The child's final text was the return.
    Text,
    /// `run` resolved to a value, which the shim turned into JSON text.
    Value,
}

/// What became of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The gate accepted the return.
    Accepted,
    /// The gate rejected the return.
    Rejected,
    /// The child ended without a return.
    NoReturn,
}

/// The host's record of one attempt, kept in the envelope and in resume state.
#[derive(Debug, Clone)]
pub struct AttemptRecord {
    /// Counted from 1 over the whole delegation, resumes included.
    pub attempt: u32,
    /// How the return reached the gate; absent when there was none.
    pub via: Option<Via>,
    /// What became of it.
    pub outcome: Outcome,
    /// Why it was not accepted: a verdict code, `no_return`, `return_tool_missing` or `guard_rejected`.
    pub code: Option<String>,
    /// The issues the child was told about, as JSON.
    pub issues: Option<JsonText>,
    /// Whether it was refused while it streamed in, before its end.
    pub early: bool,
    /// The tokens that were spent on it, as AG-UI's array.
    pub usage: Option<JsonText>,
}

impl Via {
    const NAMES: [(&str, Via); 3] = [("return_tool", Via::ReturnTool), ("text", Via::Text), ("value", Via::Value)];

    pub(crate) fn as_str(self) -> &'static str {
        name_of(self, &Self::NAMES)
    }
}

impl Outcome {
    const NAMES: [(&str, Outcome); 3] =
        [("accepted", Outcome::Accepted), ("rejected", Outcome::Rejected), ("no_return", Outcome::NoReturn)];

    fn as_str(self) -> &'static str {
        name_of(self, &Self::NAMES)
    }
}

impl AttemptRecord {
    /// The record as it goes over the wire.
    pub fn to_json(&self) -> String {
        let mut out = String::from("{");
        push_integer(&mut out, "attempt", self.attempt.into());
        if let Some(via) = self.via {
            push_string(&mut out, "via", Some(via.as_str()));
        }
        push_string(&mut out, "outcome", Some(self.outcome.as_str()));
        if let Some(code) = &self.code {
            push_string(&mut out, "code", Some(code));
        }
        if let Some(issues) = &self.issues {
            push_member(&mut out, "issues", issues.as_str());
        }
        if self.early {
            push_member(&mut out, "early", "true");
        }
        if let Some(usage) = &self.usage {
            push_member(&mut out, "usage", usage.as_str());
        }
        out.push('}');
        out
    }
}

impl Read for Via {
    fn read(from: &mut Reader<'_>) -> Self {
        from.name(&Self::NAMES)
    }
}

impl Read for Outcome {
    fn read(from: &mut Reader<'_>) -> Self {
        from.name(&Self::NAMES)
    }
}

impl Read for AttemptRecord {
    fn read(from: &mut Reader<'_>) -> Self {
        from.only(&["attempt", "via", "outcome", "code", "issues", "early", "usage"]);
        Self {
            attempt: from.need("attempt"),
            via: from.may("via"),
            outcome: from.need("outcome"),
            code: from.may("code"),
            issues: from.may("issues"),
            early: from.or_default("early"),
            usage: from.may("usage"),
        }
    }
}
