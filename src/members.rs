//! A JSON object read one level deep: its members in order, each value as its exact text.
//!
//! Envelopes and resume state carry text that must not be rewritten (a 19-digit id, `1e400`), and fields this version
//! does not know. Reading them as members keeps both.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The members of one JSON object, in document order, without duplicates.
#[derive(Debug, Clone, Default)]
pub struct Members(Vec<(String, Box<RawValue>)>);

impl Members {
    /// Reads `text`, which must be one JSON object.
    ///
    /// # Errors
    /// When the text is no JSON object or names a member twice.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The exact text of the member `name`.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.get())
    }

    /// The member `name` as a string, if it is one.
    pub fn string(&self, name: &str) -> Option<String> {
        self.get(name).and_then(|text| serde_json::from_str(text).ok())
    }

    /// Writes the members for which `keep` holds as a JSON object, values to the letter.
    pub fn write(&self, keep: impl Fn(&str) -> bool) -> String {
        let mut out = String::from("{");
        for (name, value) in self.0.iter().filter(|(name, _)| keep(name)) {
            push_member(&mut out, name, value.get());
        }
        out.push('}');
        out
    }
}

/// Appends `"name":value` to an object being written, with a comma where one is due.
pub fn push_member(out: &mut String, name: &str, value: &str) {
    if !out.ends_with('{') {
        out.push(',');
    }
    out.push_str(&quote(name));
    out.push(':');
    out.push_str(value);
}

/// `text` as a JSON string.
pub fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Several texts as a JSON array of strings.
pub fn quote_list(texts: &[&str]) -> String {
    serde_json::Value::from(texts).to_string()
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor;
        impl<'de> Visitor<'de> for ObjectVisitor {
            type Value = Members;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                let mut seen = std::collections::BTreeSet::new();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    if !seen.insert(name.clone()) {
                        return Err(serde::de::Error::custom(format_args!("member {} appears twice", quote(&name))));
                    }
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(ObjectVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_text() {
        let members = Members::parse(r#"{"id": 9007199254740993123, "big": 1e400, "s": "x"}"#).unwrap();
        assert_eq!(members.get("id"), Some("9007199254740993123"));
        assert_eq!(members.string("s").as_deref(), Some("x"));
        assert_eq!(members.write(|name| name != "s"), r#"{"id":9007199254740993123,"big":1e400}"#);
    }

    #[test]
    fn a_member_named_twice_is_refused_in_any_spelling() {
        let error = Members::parse(r#"{"a":1,"\u0061":2}"#).unwrap_err();
        assert!(error.to_string().contains(r#"member "a" appears twice"#));
    }

    #[test]
    fn proto_is_an_ordinary_member() {
        let members = Members::parse(r#"{"__proto__":{"x":1}}"#).unwrap();
        assert_eq!(members.get("__proto__"), Some(r#"{"x":1}"#));
    }
}
