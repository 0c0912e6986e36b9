//! JSON records of known fields, read from their text and written to it.
//!
//! Envelopes and resume state carry text that must not be rewritten (a 19-digit id, `1e400`), and fields this version
//! does not know. Reading them as members of a tape keeps both, and the core needs one parser only.

mod reader;
mod value;
mod write;

use std::fmt;

use crate::json::tape::{Limits, ParseError, Tag, Tape};
pub use reader::{Read, Reader, read};
pub use value::Value;
pub use write::{list, push_integer, push_member, push_string, quote, quote_list};
pub(crate) use write::{name_of, push_item};

/// A record holds texts of the greatest size and depth that are judged.
const LIMITS: Limits = Limits { bytes: u32::MAX as usize / 4, depth: 600 };

/// Why a text or a field of it could not be read: lower case, no final period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable(pub String);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unreadable {}

impl From<ParseError> for Unreadable {
    fn from(error: ParseError) -> Self {
        Self(error.sentence())
    }
}

/// One JSON object, its members in document order, without duplicates.
#[derive(Debug, Clone)]
pub struct Members(Tape);

impl Members {
    /// Reads `text`, which must be one JSON object.
    ///
    /// # Errors
    /// When the text is no JSON object or names a member twice.
    pub fn parse(text: &str) -> Result<Self, Unreadable> {
        let tape = Tape::parse(text.as_bytes(), LIMITS)?;
        if tape.tag(0) == Tag::Object { Ok(Self(tape)) } else { Err(Unreadable("expected a JSON object".to_owned())) }
    }

    /// The object as a value to read fields of.
    pub fn value(&self) -> Value<'_> {
        Value::root(&self.0)
    }

    /// The exact text of the member `name`.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.value().member(name).map(Value::text)
    }

    /// The member `name` as a string, if it is one.
    pub fn string(&self, name: &str) -> Option<&str> {
        self.value().member(name).and_then(Value::as_str)
    }

    /// Writes the members for which `keep` holds as a JSON object, values to the letter.
    pub fn write(&self, keep: impl Fn(&str) -> bool) -> String {
        let mut out = String::from("{");
        for (name, value) in self.value().members().filter(|(name, _)| keep(name)) {
            push_member(&mut out, name, value.text());
        }
        out.push('}');
        out
    }
}

/// JSON text that is passed on to the letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonText(String);

impl JsonText {
    /// Checks that `text` is JSON.
    ///
    /// # Errors
    /// When it is not.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let tape = Tape::parse(text.as_bytes(), LIMITS)?;
        Ok(Self(tape.source(0).to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_text() {
        let members = Members::parse(r#"{"id": 9007199254740993123, "big": 1e400, "s": "x", "l": "\ud800"}"#).unwrap();
        assert_eq!(members.get("id"), Some("9007199254740993123"));
        assert_eq!(members.string("s"), Some("x"));
        assert_eq!(members.write(|name| name != "s"), r#"{"id":9007199254740993123,"big":1e400,"l":"\ud800"}"#);
    }

    #[test]
    fn a_member_named_twice_is_refused_in_any_spelling() {
        let error = Members::parse(r#"{"a":1,"\u0061":2}"#).unwrap_err();
        assert_eq!(error.to_string(), "duplicate member name at line 1 column 8");
    }

    #[test]
    fn proto_is_an_ordinary_member() {
        let members = Members::parse(r#"{"__proto__":{"x":1}}"#).unwrap();
        assert_eq!(members.get("__proto__"), Some(r#"{"x":1}"#));
    }
}
