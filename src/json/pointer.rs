//! JSON Pointer (RFC 6901): building pointers, reading their tokens, and following them through a tape.

use super::tape::{NodeId, Tag, Tape};
use super::write;

/// Appends one reference token to a pointer, escaping `~` and `/`.
pub fn push_name(pointer: &mut String, name: &str) {
    pointer.push('/');
    for character in name.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// Appends an array index as a reference token.
pub fn push_index(pointer: &mut String, index: u64) {
    pointer.push('/');
    write::integer(pointer, index);
}

/// The tokens of a pointer, unescaped. `None` when the text is no JSON Pointer: it neither is empty nor starts with `/`,
/// or has a `~` that is not followed by `0` or `1`.
pub fn tokens(pointer: &str) -> Option<Vec<String>> {
    let Some(rest) = pointer.strip_prefix('/') else {
        return pointer.is_empty().then(Vec::new);
    };
    rest.split('/').map(unescape).collect()
}

fn unescape(token: &str) -> Option<String> {
    let mut out = String::with_capacity(token.len());
    let mut characters = token.chars();
    while let Some(character) = characters.next() {
        out.push(match character {
            '~' => match characters.next() {
                Some('0') => '~',
                Some('1') => '/',
                _ => return None,
            },
            other => other,
        });
    }
    Some(out)
}

/// An array index as RFC 6901 spells it: digits without a leading zero.
pub fn array_index(token: &str) -> Option<u32> {
    let digits = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
    (digits && (token.len() == 1 || !token.starts_with('0'))).then(|| token.parse().ok()).flatten()
}

/// The node a pointer leads to, from `root` down.
pub fn resolve(tape: &Tape, root: NodeId, pointer: &str) -> Option<NodeId> {
    let mut at = root;
    for token in tokens(pointer)? {
        at = step(tape, at, &token)?;
    }
    Some(at)
}

/// The child of `node` that one token names.
pub fn step(tape: &Tape, node: NodeId, token: &str) -> Option<NodeId> {
    match tape.tag(node) {
        Tag::Object => tape.get(node, token),
        Tag::Array => {
            let index = array_index(token)?;
            tape.items(node).nth(index as usize)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::tape::Limits;

    #[test]
    fn the_examples_of_rfc_6901_lead_where_it_says() {
        let text = r#"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#;
        let tape = Tape::parse(text.as_bytes(), Limits::default()).unwrap();
        let at = |pointer| resolve(&tape, 0, pointer).map(|node| tape.json_text(node).into_owned());
        assert_eq!(at("").as_deref(), Some(text));
        assert_eq!(at("/foo").as_deref(), Some(r#"["bar","baz"]"#));
        assert_eq!(at("/foo/0").as_deref(), Some("\"bar\""));
        for (pointer, value) in [
            ("/", "0"),
            ("/a~1b", "1"),
            ("/c%d", "2"),
            ("/e^f", "3"),
            ("/g|h", "4"),
            ("/i\\j", "5"),
            ("/k\"l", "6"),
            ("/ ", "7"),
            ("/m~0n", "8"),
        ] {
            assert_eq!(at(pointer).as_deref(), Some(value), "{pointer}");
        }
        for pointer in ["foo", "/foo/2", "/foo/00", "/foo/-", "/foo/+1", "/m~n", "/m~2n", "/m~", "/foo/0/x"] {
            assert_eq!(at(pointer), None, "{pointer}");
        }
    }

    #[test]
    fn building_is_the_inverse_of_reading() {
        let mut pointer = String::new();
        push_name(&mut pointer, "a/b~c~1");
        push_index(&mut pointer, 120);
        assert_eq!(pointer, "/a~1b~0c~01/120");
        assert_eq!(tokens(&pointer).unwrap(), ["a/b~c~1", "120"]);
    }
}
