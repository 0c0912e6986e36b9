//! The canonical form of a JSON text, and its digest.
//!
//! RFC 8785's structure (members sorted by UTF-16 code units, no white space, minimal escapes) with exact decimal numbers:
//! RFC 8785 itself writes doubles, which would let two different texts share one form.

use sha2::{Digest, Sha256};

use super::number::Decimal;
use super::sort::sort_pairs;
use super::tape::{Limits, NodeId, ParseError, Tag, Tape};
use super::write;

/// `sha256-` and the hexadecimal SHA-256 of the canonical form of `text`.
///
/// # Errors
/// When `text` is no JSON text within the default limits.
pub fn digest(text: &[u8]) -> Result<String, ParseError> {
    Ok(digest_of(&Tape::parse(text, Limits::default())?))
}

/// As [`digest`], for a text that is parsed.
pub(crate) fn digest_of(tape: &Tape) -> String {
    let hash = Sha256::digest(canonical_of(tape).as_bytes());
    let mut out = String::from("sha256-");
    for byte in hash {
        out.push(char::from_digit(u32::from(byte >> 4), 16).unwrap_or('0'));
        out.push(char::from_digit(u32::from(byte & 15), 16).unwrap_or('0'));
    }
    out
}

/// The canonical form of `text`: equal for two texts exactly when they say the same.
///
/// # Errors
/// As [`digest`].
pub fn canonical(text: &[u8]) -> Result<String, ParseError> {
    Ok(canonical_of(&Tape::parse(text, Limits::default())?))
}

fn canonical_of(tape: &Tape) -> String {
    let mut out = String::with_capacity(tape.text().len());
    write_node(tape, 0, &write::string, &mut out);
    out
}

/// Writes the canonical form of a node, its strings (but no member names) by `string`. Recursion is bounded by the depth limit
/// that the tape was parsed under.
pub(crate) fn write_node(tape: &Tape, node: NodeId, string: &dyn Fn(&mut String, &str), out: &mut String) {
    match tape.tag(node) {
        Tag::Null => out.push_str("null"),
        Tag::True => out.push_str("true"),
        Tag::False => out.push_str("false"),
        Tag::Number => Decimal::parse(tape.number(node).as_bytes()).write_canonical(out),
        Tag::String => string(out, tape.string(node)),
        Tag::Array => {
            out.push('[');
            for (index, item) in tape.items(node).enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_node(tape, item, string, out);
            }
            out.push(']');
        }
        Tag::Object => {
            let mut members: Vec<(NodeId, NodeId)> = tape.members(node).collect();
            sort_pairs(&mut members, &mut |a, b| tape.string(a.0).encode_utf16().cmp(tape.string(b.0).encode_utf16()));
            out.push('{');
            for (index, (name, member)) in members.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write::string(out, tape.string(name));
                out.push(':');
                write_node(tape, member, string, out);
            }
            out.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        canonical(text.as_bytes()).unwrap()
    }

    #[test]
    fn order_and_white_space_change_nothing() {
        assert_eq!(of(r#" { "b" : [1, 2], "a" : "x" } "#), r#"{"a":"x","b":[1,2]}"#);
        assert_eq!(digest(b"{\"a\":1,\"b\":2}"), digest(b"{ \"b\":2.0, \"a\":10e-1 }"));
    }

    #[test]
    fn numbers_that_share_a_double_differ() {
        assert_ne!(digest(b"9007199254740992"), digest(b"9007199254740993"));
        assert_ne!(digest(b"1e400"), digest(b"1e401"));
        assert_ne!(digest(b"0.1"), digest(b"0.1000000000000000055511151231257827"));
    }

    #[test]
    fn a_string_differs_from_the_number_it_spells() {
        assert_ne!(digest(b"\"1\""), digest(b"1"));
    }

    #[test]
    fn members_are_sorted_by_utf16_code_units() {
        // U+FB33 sorts after U+1F600 in UTF-16, before it in UTF-8.
        assert_eq!(of("{\"\u{fb33}\":1,\"\u{1f600}\":2}"), "{\"\u{1f600}\":2,\"\u{fb33}\":1}");
    }

    #[test]
    fn the_digest_is_the_hash_of_the_canonical_bytes() {
        // printf '{}' | sha256sum
        assert_eq!(digest(b" {} ").unwrap(), "sha256-44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    }
}
