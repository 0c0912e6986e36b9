//! Intake: from what a model wrote to the JSON text that is judged. It says what it did and invents nothing.

use crate::json::tape::{Limits, ParseError, Tag, Tape};

/// How a return is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Intake {
    /// JSON and nothing else, as [`strict`] reads it: for the arguments of a tool call.
    #[default]
    Strict,
    /// One fenced block or one JSON value amid prose: for the text of an answer.
    Lenient,
}

/// Why a raw text holds no return to judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// `invalid_json`, `truncated`, `too_large`, `too_deep` or `no_return`.
    pub code: &'static str,
    /// The place in the value that was being read, as a JSON Pointer.
    pub instance_path: String,
    /// What is wrong: lower case, no final period.
    pub message: String,
}

/// How the provider said that the generation ended.
pub fn cut_by_length(finish_reason: Option<&str>) -> bool {
    matches!(finish_reason, Some("length" | "max_tokens" | "MAX_TOKENS"))
}

/// Whether a value of this kind ends with a character of its own, so that it cannot go on.
pub(crate) fn shows_its_end(tag: Tag) -> bool {
    matches!(tag, Tag::Object | Tag::Array | Tag::String)
}

/// Strict intake: `raw` is JSON and nothing else, surrounded by JSON white space. A blank text is read as `{}`, which is
/// what several providers send for a call without arguments.
///
/// # Errors
/// When the text is no JSON, or was cut before its end.
pub fn strict(raw: &[u8], finish_reason: Option<&str>, limits: Limits) -> Result<Tape, Refusal> {
    let cut = cut_by_length(finish_reason);
    let blank = raw.len() <= limits.bytes && raw.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    let text = if blank && !cut { b"{}" } else { raw };
    let tape = Tape::parse(text, limits)?;
    // A number or literal that ends where the tokens ran out may have been going on.
    if cut && !shows_its_end(tape.tag(0)) {
        return Err(Refusal {
            code: "truncated",
            instance_path: String::new(),
            message: "the text was cut off by the length limit".to_owned(),
        });
    }
    Ok(tape)
}

impl From<ParseError> for Refusal {
    fn from(error: ParseError) -> Self {
        let message = error.to_string();
        Self { code: error.code.as_str(), instance_path: error.instance_path, message }
    }
}
