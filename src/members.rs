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

    /// Reads it as a record.
    ///
    /// # Errors
    /// When it is not of the record's shape.
    pub fn read<T: Read>(self) -> Result<T, Unreadable> {
        let mut reader = Reader::new(self);
        let record = T::read(&mut reader);
        reader.end(record)
    }

    /// A field that must be there.
    ///
    /// # Errors
    /// When it is absent or of another type.
    pub fn need<T: Read>(self, name: &'static str) -> Result<T, Unreadable> {
        let mut reader = Reader::new(self);
        let field = reader.need(name);
        reader.end(field)
    }

    /// The member of a name that must be there, whatever it is.
    #[cfg(feature = "wasm")]
    #[inline(never)]
    pub(crate) fn field(self, name: &str) -> Result<Value<'a>, Unreadable> {
        self.member(name).ok_or_else(|| Unreadable(write::concat(&[name, " is missing"])))
    }

    /// A field that may be absent or null.
    ///
    /// # Errors
    /// When it is of another type.
    pub fn may<T: Read>(self, name: &'static str) -> Result<Option<T>, Unreadable> {
        let mut reader = Reader::new(self);
        let field = reader.may(name);
        reader.end(field)
    }

    /// Checks that it is an object of no other fields than these.
    ///
    /// # Errors
    /// When it is not.
    #[inline(never)]
    pub fn only(self, names: &[&str]) -> Result<(), Unreadable> {
        let mut reader = Reader::new(self);
        reader.only(names);
        reader.end(())
    }
}

/// Reads a record from its JSON text.
///
/// # Errors
/// When the text is no JSON, or not of the record's shape.
pub fn read<T: Read>(text: &str) -> Result<T, Unreadable> {
    let tape = Tape::parse(text.as_bytes(), LIMITS)?;
    Value::root(&tape).read()
}

/// Reads a record field by field. The first fault is kept and reading goes on, so that a record has one way out and not one
/// after each field: those would be most of its code.
#[derive(Debug)]
pub struct Reader<'a> {
    /// Nothing where a field that must be there is absent.
    value: Option<Value<'a>>,
    /// The fields that lead to `value`.
    path: Vec<&'static str>,
    fault: Option<Unreadable>,
}

impl<'a> Reader<'a> {
    fn new(value: Value<'a>) -> Self {
        Self { value: Some(value), path: Vec::new(), fault: None }
    }

    /// What was read, if there was no fault.
    fn end<T>(self, read: T) -> Result<T, Unreadable> {
        match self.fault {
            None => Ok(read),
            Some(fault) => Err(fault),
        }
    }

    /// Notes a fault of the value that is being read.
    #[inline(never)]
    pub fn fail(&mut self, what: &str) {
        if self.fault.is_none() {
            let mut message = String::new();
            for name in &self.path {
                message.push_str(name);
                message.push_str(": ");
            }
            message.push_str(what);
            self.fault = Some(Unreadable(message));
        }
    }

    fn expected(&mut self, what: &str) {
        self.fail(&write::concat(&["expected ", what]));
    }

    /// The value that is being read; nothing in the place of a field that is absent, which is a fault already.
    pub fn value(&self) -> Option<Value<'a>> {
        self.value
    }

    /// The items of the value, which is to be an array.
    #[inline(never)]
    fn items(&mut self) -> Vec<Value<'a>> {
        match self.value {
            Some(value) if value.tag() == Tag::Array => value.list(),
            _ => {
                self.expected("an array");
                Vec::new()
            }
        }
    }

    /// Notes a fault unless the value is an object of no other fields than these.
    #[inline(never)]
    pub fn only(&mut self, names: &[&str]) {
        let Some(value) = self.value else { return };
        if value.tag() != Tag::Object {
            return self.expected("a JSON object");
        }
        for (name, _) in value.members() {
            if !names.contains(&name) {
                return self.fail(&write::concat(&["unknown field ", &quote(name)]));
            }
        }
    }

    /// A field that must be there.
    pub fn need<T: Read>(&mut self, name: &'static str) -> T {
        let record = self.enter(name);
        let field = T::read(self);
        self.leave(record);
        field
    }

    /// A field that may be absent or null.
    pub fn may<T: Read>(&mut self, name: &'static str) -> Option<T> {
        if self.has(name) { Some(self.need(name)) } else { None }
    }

    /// A field that may be absent or null, which is the type's default then.
    pub fn or_default<T: Read + Default>(&mut self, name: &'static str) -> T {
        if self.has(name) { self.need(name) } else { T::default() }
    }

    /// A value within the one that is being read; a fault of it is told without saying where.
    pub(crate) fn at<T: Read>(&mut self, within: Value<'a>) -> T {
        let record = self.value.replace(within);
        let read = T::read(self);
        self.value = record;
        read
    }

    #[inline(never)]
    fn has(&self, name: &str) -> bool {
        self.value.and_then(|value| value.member(name)).is_some_and(|field| field.tag() != Tag::Null)
    }

    #[inline(never)]
    fn enter(&mut self, name: &'static str) -> Option<Value<'a>> {
        let field = self.value.and_then(|value| value.member(name));
        if field.is_none() {
            self.fail(&write::concat(&[name, " is missing"]));
        }
        self.path.push(name);
        std::mem::replace(&mut self.value, field)
    }

    #[inline(never)]
    fn leave(&mut self, record: Option<Value<'a>>) {
        self.path.pop();
        self.value = record;
    }

    /// The value of `names` that a string spells, else the first.
    pub(crate) fn name<T: Copy>(&mut self, names: &[(&str, T)]) -> T {
        let texts: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        let (_, value) = names[self.place_in(&texts)];
        value
    }

    /// The place of the string in `names`, the first for another value.
    #[inline(never)]
    fn place_in(&mut self, names: &[&str]) -> usize {
        let text = self.value.and_then(Value::as_str);
        let place = names.iter().position(|name| text == Some(name));
        if place.is_none() {
            self.fail(&write::concat(&["expected one of ", &quote_list(names)]));
        }
        place.unwrap_or_default()
    }

    /// An unsigned integer of at most `greatest`, which is described as `what`.
    #[inline(never)]
    fn integer(&mut self, greatest: u64, what: &str) -> u64 {
        let number = self.value.filter(|value| value.tag() == Tag::Number).and_then(|value| value.text().parse().ok());
        match number {
            Some(number) if number <= greatest => number,
            Some(_) => {
                self.expected(what);
                0
            }
            None => {
                self.expected("an unsigned integer");
                0
            }
        }
    }
}

/// What can be read from a JSON value.
pub trait Read: Sized {
    /// Reads the reader's value. After a fault it may be anything: nobody gets to see it.
    fn read(from: &mut Reader<'_>) -> Self;
}

impl Read for String {
    fn read(from: &mut Reader<'_>) -> Self {
        match from.value.and_then(Value::as_str) {
            Some(text) => text.to_owned(),
            None => {
                from.expected("a string");
                String::new()
            }
        }
    }
}

impl Read for bool {
    fn read(from: &mut Reader<'_>) -> Self {
        let tag = from.value.map(Value::tag);
        if !matches!(tag, Some(Tag::True | Tag::False)) {
            from.expected("a boolean");
        }
        tag == Some(Tag::True)
    }
}

impl Read for u64 {
    fn read(from: &mut Reader<'_>) -> Self {
        from.integer(u64::MAX, "")
    }
}

impl Read for u32 {
    fn read(from: &mut Reader<'_>) -> Self {
        from.integer(u32::MAX.into(), "an unsigned integer of 32 bits") as u32
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(from: &mut Reader<'_>) -> Self {
        let mut items = Vec::new();
        for item in from.items() {
            items.push(from.at(item));
        }
        items
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
    fn read(from: &mut Reader<'_>) -> Self {
        Self(from.value.map_or("", Value::text).to_owned())
    }
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
