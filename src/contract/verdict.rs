//! What a contract says of a text, and how that goes over the wire.

use crate::intake;
use crate::json::tape::{Flags, Tape};
use crate::members::{push_integer, push_member, quote, quote_list};
use crate::validate::issue::Issue;

/// What a contract says of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The text satisfies the contract.
    Accepted(Accepted),
    /// It does not.
    Rejected(Rejected),
}

/// An accepted text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// The text as it goes out: what was judged, to the letter, but for lone surrogates, which stand as `\ufffd`.
    pub text: String,
    /// The steps of lenient intake (`fenced`, `leading_text`, `trailing_text`), then where the text and its JavaScript value
    /// differ (`unsafe_integer`, `number_out_of_range`, `lone_surrogate`).
    pub flags: Vec<&'static str>,
}

/// A rejected text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected {
    /// Why: `invalid_json`, `truncated`, `ambiguous`, `schema_violation`, `too_large`, `too_deep`, `too_complex` or `no_return`.
    pub code: &'static str,
    /// What is wrong, in document order, at most [`ISSUE_CAP`](super::ISSUE_CAP).
    pub issues: Vec<Issue>,
    /// How many issues there are beyond those.
    pub omitted: usize,
    /// What was noteworthy about the text all the same.
    pub flags: Vec<&'static str>,
}

impl Verdict {
    /// The verdict as it goes over the wire: `{ok, text, flags}` or `{ok, code, issues, omitted?, flags}`.
    pub fn to_json(&self) -> String {
        let Accepted { text, flags } = match self {
            Self::Accepted(accepted) => accepted,
            Self::Rejected(rejected) => return rejected.to_json(),
        };
        let mut out = String::from("{");
        push_member(&mut out, "ok", "true");
        push_member(&mut out, "text", &quote(text));
        push_member(&mut out, "flags", &quote_list(flags));
        out.push('}');
        out
    }

    /// The verdict, with the steps that intake took before it.
    pub(crate) fn after(mut self, mut steps: Vec<&'static str>) -> Verdict {
        let (Self::Accepted(Accepted { flags, .. }) | Self::Rejected(Rejected { flags, .. })) = &mut self;
        steps.append(flags);
        *flags = steps;
        self
    }
}

impl Accepted {
    /// What goes out of a tape whose value was accepted.
    pub(crate) fn of(tape: &Tape) -> Self {
        Self { text: tape.json_text(0).into_owned(), flags: flag_names(tape.flags()) }
    }
}

impl Rejected {
    /// As [`Verdict::to_json`].
    pub(crate) fn to_json(&self) -> String {
        let mut out = String::from("{");
        push_member(&mut out, "ok", "false");
        push_member(&mut out, "code", &quote(self.code));
        push_member(&mut out, "issues", &issues_json(&self.issues));
        if self.omitted > 0 {
            push_integer(&mut out, "omitted", self.omitted as u64);
        }
        push_member(&mut out, "flags", &quote_list(&self.flags));
        out.push('}');
        out
    }

    /// The rejection of a value for one issue, perhaps before its end.
    pub(crate) fn violation(issue: Option<Issue>, tape: &Tape) -> Self {
        Self::new("schema_violation", issue.into_iter().collect(), flag_names(tape.flags()))
    }

    pub(super) fn new(code: &'static str, issues: Vec<Issue>, flags: Vec<&'static str>) -> Self {
        Self { code, issues, omitted: 0, flags }
    }
}

/// Issues as a JSON array.
pub(crate) fn issues_json(issues: &[Issue]) -> String {
    let mut out = String::new();
    Issue::write_json_list(issues, &mut out);
    out
}

pub(super) fn flag_names(flags: Flags) -> Vec<&'static str> {
    flags.names().collect()
}

impl From<intake::Refusal> for Rejected {
    fn from(refusal: intake::Refusal) -> Self {
        let issue = Issue::other(refusal.instance_path, refusal.code, refusal.message);
        Self::new(refusal.code, vec![issue], refusal.flags)
    }
}
