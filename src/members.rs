//! JSON records of known fields, read from their text and written to it.
//!
//! Envelopes and resume state carry text that must not be rewritten (a 19-digit id, `1e400`), and fields this version
//! does not know. Reading them as members of a tape keeps both, and the core needs one parser only.

use std::fmt;

use crate::json::tape::{Limits, NodeId, ParseError, Tag, Tape};
use crate::json::{canonical, write};

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

impl Unreadable {
    #[inline(never)]
    fn within(self, name: &str) -> Self {
        Self(write::concat(&[name, ": ", &self.0]))
    }
}

impl From<ParseError> for Unreadable {
    fn from(error: ParseError) -> Self {
        Self(error.to_string())
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
        if tape.tag(0) == Tag::Object { Ok(Self(tape)) } else { Err(expected("a JSON object")) }
    }

    /// The object as a value to read fields of.
    pub fn value(&self) -> Value<'_> {
        Value { tape: &self.0, node: 0 }
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

/// A JSON value in a text that is parsed.
#[derive(Debug, Clone, Copy)]
pub struct Value<'a> {
    tape: &'a Tape,
    node: NodeId,
}

impl<'a> Value<'a> {
    /// The root of a text that is parsed.
    pub(crate) fn root(tape: &'a Tape) -> Self {
        Self { tape, node: 0 }
    }

    /// Appends its canonical form, its strings written by `string`.
    pub(crate) fn write_canonical(self, string: &dyn Fn(&mut String, &str), out: &mut String) {
        canonical::write_node(self.tape, self.node, string, out);
    }

    /// Its exact text.
    #[inline(never)]
    pub fn text(self) -> &'a str {
        self.tape.source(self.node)
    }

    /// Its value, if it is a string.
    pub fn as_str(self) -> Option<&'a str> {
        self.tape.as_string(self.node)
    }

    /// A member of it.
    #[inline(never)]
    pub fn member(self, name: &str) -> Option<Value<'a>> {
        self.tape.get(self.node, name).map(|node| Value { node, ..self })
    }

    /// Its members, if it is an object.
    pub fn members(self) -> impl Iterator<Item = (&'a str, Value<'a>)> {
        self.tape.members(self.node).map(move |(name, node)| (self.tape.string(name), Value { node, ..self }))
    }

    /// Its items, if it is an array.
    pub fn items(self) -> impl Iterator<Item = Value<'a>> {
        self.tape.items(self.node).map(move |node| Value { node, ..self })
    }

    /// As [`Value::items`], in a list: one loop for all who read records.
    #[inline(never)]
    pub(crate) fn list(self) -> Vec<Value<'a>> {
        let mut out = Vec::new();
        for node in self.tape.items(self.node) {
            out.push(Value { node, ..self });
        }
        out
    }

    /// The items of a member that is an array; nothing for another.
    #[inline(never)]
    pub(crate) fn list_of(self, name: &str) -> Vec<Value<'a>> {
        self.member(name).map(Value::list).unwrap_or_default()
    }

    /// As [`Value::members`], in a list.
    #[inline(never)]
    pub(crate) fn pairs(self) -> Vec<(&'a str, Value<'a>)> {
        let mut out = Vec::new();
        for (name, node) in self.tape.members(self.node) {
            out.push((self.tape.string(name), Value { node, ..self }));
        }
        out
    }

    /// A member of it that is a string.
    #[inline(never)]
    pub(crate) fn text_of(self, name: &str) -> Option<&'a str> {
        self.member(name)?.as_str()
    }

    /// What kind of value it is.
    pub fn tag(self) -> Tag {
        self.tape.tag(self.node)
    }

    /// A field that must be there.
    ///
    /// # Errors
    /// When it is absent or of another type.
    pub fn need<T: Read>(self, name: &str) -> Result<T, Unreadable> {
        T::read(self.field(name)?).map_err(|error| error.within(name))
    }

    // Out of line, as `Unreadable::within`: what does not depend on the type is compiled once.
    #[inline(never)]
    pub(crate) fn field(self, name: &str) -> Result<Value<'a>, Unreadable> {
        self.member(name).ok_or_else(|| Unreadable(write::concat(&[name, " is missing"])))
    }

    /// A field that may be absent or null.
    ///
    /// # Errors
    /// When it is of another type.
    pub fn may<T: Read>(self, name: &str) -> Result<Option<T>, Unreadable> {
        match self.member(name) {
            Some(value) if value.tag() != Tag::Null => self.need(name).map(Some),
            _ => Ok(None),
        }
    }

    /// Checks that it is an object of no other fields than these.
    ///
    /// # Errors
    /// When it is not.
    pub fn only(self, names: &[&str]) -> Result<(), Unreadable> {
        if self.tag() != Tag::Object {
            return Err(expected("a JSON object"));
        }
        match self.members().find(|(name, _)| !names.contains(name)) {
            Some((name, _)) => Err(Unreadable(write::concat(&["unknown field ", &quote(name)]))),
            None => Ok(()),
        }
    }
}

/// Reads a record from its JSON text.
///
/// # Errors
/// When the text is no JSON, or not of the record's shape.
pub fn read<T: Read>(text: &str) -> Result<T, Unreadable> {
    let tape = Tape::parse(text.as_bytes(), LIMITS)?;
    T::read(Value { tape: &tape, node: 0 })
}

/// What can be read from a JSON value.
pub trait Read: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// When the value is of another type.
    fn read(value: Value<'_>) -> Result<Self, Unreadable>;
}

impl Read for String {
    fn read(value: Value<'_>) -> Result<Self, Unreadable> {
        value.as_str().map(str::to_owned).ok_or_else(|| expected("a string"))
    }
}

impl Read for bool {
    fn read(value: Value<'_>) -> Result<Self, Unreadable> {
        match value.tag() {
            Tag::True => Ok(true),
            Tag::False => Ok(false),
            _ => Err(expected("a boolean")),
        }
    }
}

impl Read for u64 {
    fn read(value: Value<'_>) -> Result<Self, Unreadable> {
        let number = if value.tag() == Tag::Number { value.text().parse().ok() } else { None };
        number.ok_or_else(|| expected("an unsigned integer"))
    }
}

impl Read for u32 {
    fn read(value: Value<'_>) -> Result<Self, Unreadable> {
        let number = u64::read(value)?;
        number.try_into().map_err(|_| expected("an unsigned integer of 32 bits"))
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(value: Value<'_>) -> Result<Self, Unreadable> {
        if value.tag() != Tag::Array {
            return Err(expected("an array"));
        }
        // A third of the code of a `collect` into a `Result`, for each type.
        let mut items = Vec::new();
        for item in value.items() {
            items.push(T::read(item)?);
        }
        Ok(items)
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

impl Read for JsonText {
    fn read(value: Value<'_>) -> Result<Self, Unreadable> {
        Ok(Self(value.text().to_owned()))
    }
}

/// The value of `names` that a string spells.
///
/// # Errors
/// When it spells none.
pub(crate) fn read_name<T: Copy>(value: Value<'_>, names: &[(&str, T)]) -> Result<T, Unreadable> {
    let found = names.iter().find(|(name, _)| value.as_str() == Some(name));
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        Unreadable(write::concat(&["expected one of ", &quote_list(&names)]))
    })
}

/// How `value` is spelled in `names`.
pub(crate) fn name_of<T: PartialEq>(value: T, names: &[(&'static str, T)]) -> &'static str {
    names.iter().find(|(_, named)| *named == value).map_or("", |(name, _)| name)
}

fn expected(what: &str) -> Unreadable {
    Unreadable(write::concat(&["expected ", what]))
}

/// Appends `"name":value` to an object being written, with a comma where one is due.
#[inline(never)]
pub fn push_member(out: &mut String, name: &str, value: &str) {
    if !out.ends_with('{') {
        out.push(',');
    }
    write::string(out, name);
    out.push(':');
    out.push_str(value);
}

/// As [`push_member`], with a string, or null for none.
#[inline(never)]
pub fn push_string(out: &mut String, name: &str, value: Option<&str>) {
    push_member(out, name, "");
    match value {
        Some(text) => write::string(out, text),
        None => out.push_str("null"),
    }
}

/// As [`push_member`], with an unsigned integer.
pub fn push_integer(out: &mut String, name: &str, value: u64) {
    push_member(out, name, "");
    write::integer(out, value);
}

/// Appends an item to a list being written, with a comma where one is due.
#[inline(never)]
pub(crate) fn push_item(out: &mut String, value: &str) {
    if !out.ends_with('[') {
        out.push(',');
    }
    out.push_str(value);
}

/// Texts one after the other.
#[inline(never)]
pub(crate) fn joined(parts: &[&str]) -> String {
    parts.concat()
}

/// `text` as a JSON string.
#[inline(never)]
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write::string(&mut out, text);
    out
}

/// Several texts as a JSON array of strings.
pub fn quote_list<T: AsRef<str>>(texts: &[T]) -> String {
    list(texts.iter().map(|text| quote(text.as_ref())))
}

/// JSON texts as a JSON array.
pub fn list(mut texts: impl Iterator<Item = String>) -> String {
    list_of(&mut texts)
}

// For every iterator the same code.
fn list_of(texts: &mut dyn Iterator<Item = String>) -> String {
    let mut out = String::from("[");
    for text in texts {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(&text);
    }
    out.push(']');
    out
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

    #[test]
    fn a_field_of_another_type_is_named() {
        let members = Members::parse(r#"{"a":"1","b":-1,"c":null,"d":[1,2]}"#).unwrap();
        let value = members.value();
        assert_eq!(value.need::<u32>("a").unwrap_err().to_string(), "a: expected an unsigned integer");
        assert_eq!(value.need::<u64>("b").unwrap_err().to_string(), "b: expected an unsigned integer");
        assert_eq!(value.need::<u64>("e").unwrap_err().to_string(), "e is missing");
        assert_eq!(value.may::<u64>("c"), Ok(None));
        assert_eq!(value.need::<Vec<u32>>("d"), Ok(vec![1, 2]));
        assert_eq!(value.only(&["a", "b", "c"]).unwrap_err().to_string(), r#"unknown field "d""#);
    }
}
