//! A value of a record, to read from as it stands or field by field.

use super::{Read, Reader, Unreadable};
use crate::json::canonical;
use crate::json::tape::{NodeId, Tag, Tape};

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
        self.member(name).ok_or_else(|| Unreadable(crate::json::write::concat(&[name, " is missing"])))
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
