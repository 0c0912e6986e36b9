//! What JavaScript is told when the core refuses.

use crate::json::tape::ParseError;
use crate::members::{push_member, push_string};
use crate::{envelope, resume};

/// Why the core does not do what it is asked.
pub(super) struct Fault {
    code: &'static str,
    message: String,
}

impl Fault {
    pub fn new(code: &'static str, message: String) -> Self {
        Self { code, message }
    }

    pub fn into_json(self) -> String {
        error_json(self.code, &self.message, "[]")
    }
}

pub(super) fn error_json(code: &str, message: &str, issues: &str) -> String {
    let mut error = String::from("{");
    push_string(&mut error, "code", Some(code));
    push_string(&mut error, "message", Some(message));
    push_member(&mut error, "issues", issues);
    error.push('}');
    let mut out = String::from("{");
    push_member(&mut out, "error", &error);
    out.push('}');
    out
}

impl From<ParseError> for Fault {
    #[inline(never)]
    fn from(error: ParseError) -> Self {
        Self::new(error.code.as_str(), error.sentence())
    }
}

impl From<envelope::Refusal> for Fault {
    #[inline(never)]
    fn from(refusal: envelope::Refusal) -> Self {
        Self::new(refusal.code(), refusal.message())
    }
}

impl From<resume::Refusal> for Fault {
    #[inline(never)]
    fn from(refusal: resume::Refusal) -> Self {
        Self::new(refusal.code(), refusal.message())
    }
}
