//! Reading a record field by field, with the first fault told by where it is.

use super::{JsonText, LIMITS, Unreadable, Value, quote, quote_list};
use crate::json::tape::{Tag, Tape};
use crate::json::write;

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
    pub(super) fn new(value: Value<'a>) -> Self {
        Self { value: Some(value), path: Vec::new(), fault: None }
    }

    /// What was read, if there was no fault.
    pub(super) fn end<T>(self, read: T) -> Result<T, Unreadable> {
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

impl Read for JsonText {
    fn read(from: &mut Reader<'_>) -> Self {
        Self(from.value.map_or("", Value::text).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use crate::members::Members;

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
