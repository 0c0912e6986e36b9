//! Writing a record: members, items and strings, with a comma where one is due.

use crate::json::write;

/// How `value` is spelled in `names`.
pub(crate) fn name_of<T: PartialEq>(value: T, names: &[(&'static str, T)]) -> &'static str {
    names.iter().find(|(_, named)| *named == value).map_or("", |(name, _)| name)
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
