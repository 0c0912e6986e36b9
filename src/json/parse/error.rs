//! Why a text was refused, for whoever gave it.

use crate::json::write::{concat, decimal};

/// Why a text was refused, in the words of a verdict's `code`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorCode {
    /// The text is no JSON, and nothing that follows could mend it.
    InvalidJson,
    /// The text ended early: it is the start of a JSON text.
    Truncated,
    /// More bytes than the limit.
    TooLarge,
    /// More containers inside each other than the limit.
    TooDeep,
}

impl ParseErrorCode {
    /// The code as verdicts spell it.
    pub fn as_str(self) -> &'static str {
        match self {
            ParseErrorCode::InvalidJson => "invalid_json",
            ParseErrorCode::Truncated => "truncated",
            ParseErrorCode::TooLarge => "too_large",
            ParseErrorCode::TooDeep => "too_deep",
        }
    }
}

/// Why and where a text was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseError {
    /// The kind of refusal.
    pub code: ParseErrorCode,
    /// The byte at which it was found.
    pub offset: usize,
    /// The line of that byte, counted from 1.
    pub line: usize,
    /// The column of that byte in characters, counted from 1.
    pub column: usize,
    /// A JSON Pointer to the value being read, or to the last one read.
    pub instance_path: String,
    /// What is wrong: lower case, no final period.
    pub message: String,
}

impl ParseError {
    pub(crate) fn too_large(limit: usize) -> ParseError {
        let message = concat(&["text is larger than ", &decimal(limit as u64), " bytes"]);
        ParseError {
            code: ParseErrorCode::TooLarge,
            offset: limit,
            line: 1,
            column: 1,
            instance_path: String::new(),
            message,
        }
    }

    /// What is wrong and where. The wasm core calls this and not `to_string`, which would bring the formatting machinery.
    #[inline(never)]
    pub(crate) fn sentence(&self) -> String {
        let (line, column) = (decimal(self.line as u64), decimal(self.column as u64));
        concat(&[&self.message, " at line ", &line, " column ", &column])
    }
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.sentence())
    }
}

impl std::error::Error for ParseError {}
