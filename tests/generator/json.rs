//! JSON values as generators build them: numbers keep their spelling, members their order.

use super::choices::Choices;

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn string(text: &str) -> Json {
        Json::String(text.to_owned())
    }

    pub fn number(text: &str) -> Json {
        Json::Number(text.to_owned())
    }

    pub fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
        Json::Object(members.map(|(name, value)| (name.to_owned(), value)).into())
    }

    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(found, _)| found == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Sets a member of an object; other values stay as they are.
    pub fn set(&mut self, name: &str, value: Json) {
        if let Json::Object(members) = self {
            match members.iter_mut().find(|(found, _)| found == name) {
                Some((_, old)) => *old = value,
                None => members.push((name.to_owned(), value)),
            }
        }
    }

    /// The value's children, in order.
    pub fn children(&self) -> Vec<&Json> {
        match self {
            Json::Array(items) => items.iter().collect(),
            Json::Object(members) => members.iter().map(|(_, value)| value).collect(),
            _ => Vec::new(),
        }
    }

    /// The value after `skip` others in document order, the root being the first.
    pub fn nth_mut(&mut self, skip: &mut usize) -> Option<&mut Json> {
        if *skip == 0 {
            return Some(self);
        }
        *skip -= 1;
        match self {
            Json::Array(items) => items.iter_mut().find_map(|item| item.nth_mut(skip)),
            Json::Object(members) => members.iter_mut().find_map(|(_, value)| value.nth_mut(skip)),
            _ => None,
        }
    }

    pub fn size(&self) -> usize {
        1 + self.children().into_iter().map(Json::size).sum::<usize>()
    }

    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, &mut |out, text| out.push_str(&quoted(text)));
        out
    }

    /// The same value in another spelling: escapes in strings, white space between tokens.
    pub fn respelled(&self, choices: &mut Choices<'_>) -> String {
        let mut out = String::new();
        self.write(&mut out, &mut |out, text| {
            if choices.once_in(6) {
                escaped(out, text, choices)
            } else {
                out.push_str(&quoted(text))
            }
            out.push_str(choices.pick(&["", "", "", " ", "\n\t", "\r"]));
        });
        out
    }

    fn write(&self, out: &mut String, string: &mut impl FnMut(&mut String, &str)) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(true) => out.push_str("true"),
            Json::Bool(false) => out.push_str("false"),
            Json::Number(text) => out.push_str(text),
            Json::String(text) => string(out, text),
            Json::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    out.push(if index == 0 { '[' } else { ',' });
                    item.write(out, string);
                }
                out.push_str(if items.is_empty() { "[]" } else { "]" });
            }
            Json::Object(members) => {
                for (index, (name, value)) in members.iter().enumerate() {
                    out.push(if index == 0 { '{' } else { ',' });
                    string(out, name);
                    out.push(':');
                    value.write(out, string);
                }
                out.push_str(if members.is_empty() { "{}" } else { "}" });
            }
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a string is always JSON")
}

fn escaped(out: &mut String, text: &str, choices: &mut Choices<'_>) {
    out.push('"');
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte @ (b' ' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9')) if choices.once_in(2) => out.push(byte as char),
            _ => out.push_str(&format!("\\u{unit:04x}")),
        }
    }
    out.push('"');
}
