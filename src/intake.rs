//! Intake: from what a model wrote to the JSON text that is judged. It says what it did and invents nothing.

pub(crate) mod lenient;

use crate::json::lexer::Lexer;
use crate::json::tape::{Limits, ParseError, Tag, Tape};

/// How a return is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Intake {
    /// JSON and nothing else, as [`strict`] reads it: for the arguments of a tool call.
    #[default]
    Strict,
    /// One fenced block or one JSON value amid prose, as [`lenient()`] reads it: for the text of an answer.
    Lenient,
}

/// Why a raw text holds no return to judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// `invalid_json`, `truncated`, `ambiguous`, `too_large`, `too_deep` or `no_return`.
    pub code: &'static str,
    /// The place in the value that was being read, as a JSON Pointer.
    pub instance_path: String,
    /// What is wrong: lower case, no final period.
    pub message: String,
    /// The steps of lenient intake up to there.
    pub flags: Vec<&'static str>,
}

/// What lenient intake found.
#[derive(Debug)]
pub struct Found {
    /// The value.
    pub tape: Tape,
    /// The steps that led to it: `fenced`, `leading_text`, `trailing_text`.
    pub flags: Vec<&'static str>,
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
        return Err(Refusal::cut());
    }
    Ok(tape)
}

/// Lenient intake: the one JSON value in what a model wrote, without anything being closed, mended or guessed.
/// `arrays` says whether an array can be meant.
///
/// - **A value amid prose** is an object, from `{` before a member name or `}` on, or an array that is not a footnote: one that
///   holds an object, or if `arrays` any other too. What does not look like that is prose: `{curly}`, `[1]`, `[link](…)`.
/// - **A fenced block** (backticks or tildes) is a value if its content is one, scalars included; if it is tagged `json`, also when
///   that is malformed. A block tagged with another language that does not begin with a value is skipped.
/// - **A scalar**, or an array that cannot be meant, is a value where nothing but it stands: in a fenced block, or as the whole text.
/// - **Reasoning** (`<think>…</think>` and other models' marks) is skipped. A closing mark alone says that all before it was
///   reasoning.
/// - A value, once begun, is read as JSON: what is wrong in it is `invalid_json`, its early end `truncated`. So is a value
///   in brackets that are no JSON, which it would have to be taken out of.
/// - A second value, or a closing mark of reasoning behind the value, is `ambiguous`. No value at all is `no_return`; where
///   the text ends inside reasoning or in what may have become a value, it is `truncated`.
///
/// The rules are read from left to right and never taken back, so that a [stream](crate::stream) follows the same ones.
///
/// # Errors
/// When the text holds no value, more than one, or one that is no JSON.
///
/// # Example: prose, a fence
/// ```
/// use subcontract::intake::lenient;
/// use subcontract::json::tape::Limits;
///
/// let found = lenient(b"Here is {what} I found:\n```json\n{\"a\": 1}\n```", None, Limits::default(), false).unwrap();
/// assert_eq!(found.tape.json_text(0), r#"{"a": 1}"#);
/// assert_eq!(found.flags, ["fenced", "leading_text"]);
///
/// let refusal = lenient(br#"{"a": 1} or {"a": 2}"#, None, Limits::default(), false).unwrap_err();
/// assert_eq!((refusal.code, &refusal.message[..]), ("ambiguous", "there is more than one JSON value in the text"));
/// ```
pub fn lenient(raw: &[u8], finish_reason: Option<&str>, limits: Limits, arrays: bool) -> Result<Found, Refusal> {
    let mut finder = lenient::Finder::new(arrays);
    let (mut tape, mut lexer) = (Tape::default(), Lexer::default());
    finder.push(raw.get(..limits.bytes + 1).unwrap_or(raw));
    finder.conclude(&mut tape, &mut lexer, limits, cut_by_length(finish_reason))?;
    Ok(Found { tape, flags: finder.steps().collect() })
}

/// Why the parser refuses a text, which it does.
pub(crate) fn explain(text: &[u8], limits: Limits) -> Refusal {
    let error = Tape::parse(text, limits).err();
    debug_assert!(error.is_some());
    error.map_or_else(|| Refusal::new("invalid_json", "expected a JSON value"), Refusal::from)
}

impl Refusal {
    fn new(code: &'static str, message: &str) -> Self {
        Self { code, instance_path: String::new(), message: message.to_owned(), flags: Vec::new() }
    }

    fn cut() -> Self {
        Self::new("truncated", "the text was cut off by the length limit")
    }
}

impl From<ParseError> for Refusal {
    fn from(error: ParseError) -> Self {
        let message = error.sentence();
        Self { code: error.code.as_str(), instance_path: error.instance_path, message, flags: Vec::new() }
    }
}
