//! Salvage: the closed and valid parts of a return that was not accepted, for a host and its card. Never for a model: what is
//! missing in it does not show.

use crate::attempt::Via;
use crate::contract::Contract;
use crate::json::tape::{Limits, NodeId, ParseErrorCode, Tag, Tape};
use crate::members::push_member;
use crate::return_tool::ReturnTool;

/// Removing a part can make what holds it invalid, one level higher each time; that many levels are followed.
const PASSES: usize = 32;

/// What is left of a return when everything open is closed or left out, and every member and item is left out whose own value
/// violates its schema. What the root itself lacks is forgiven. Nothing when nothing is left, or when the root is not of the
/// contract's kind, or its validity cannot be told from that of its parts.
pub fn salvage(contract: &Contract, raw: &[u8], via: Via) -> Option<String> {
    let mut tape = closed(raw)?;
    if via == Via::ReturnTool && ReturnTool::of(contract).wrapped {
        tape = parse(tape.source(tape.get(0, "result")?).as_bytes()).ok()?;
    }
    for _ in 0..PASSES {
        let mut bad = Vec::new();
        for (node, lacks) in contract.faults(&tape)? {
            match node {
                0 if lacks => {}
                0 => return None,
                _ => bad.push(node),
            }
        }
        if bad.is_empty() {
            let says_something = tape.tag(0) < Tag::Array || tape.count(0) > 0;
            return says_something.then(|| tape.json_text(0).into_owned());
        }
        bad.sort_unstable();
        let mut out = String::new();
        write_without(&tape, 0, &bad, &mut out);
        tape = parse(out.as_bytes()).ok()?;
    }
    None
}

fn parse(text: &[u8]) -> Result<Tape, crate::json::tape::ParseError> {
    Tape::parse(text, Limits::default())
}

/// The text as JSON: as it is, or as far as it is JSON, with what is open closed.
fn closed(raw: &[u8]) -> Option<Tape> {
    match parse(raw) {
        Ok(tape) => Some(tape),
        Err(error) if matches!(error.code, ParseErrorCode::InvalidJson | ParseErrorCode::Truncated) => {
            let cut = error.code == ParseErrorCode::Truncated;
            parse(&close(raw.get(..error.offset)?, cut)).ok()
        }
        Err(_) => None,
    }
}

/// `text` is the beginning of a JSON text. It is cut behind its last whole value or opening bracket, and closed. `cut`: what
/// followed, if anything, was JSON too.
fn close(text: &[u8], cut: bool) -> Vec<u8> {
    let mut open: Vec<u8> = Vec::new();
    let (mut at, mut end) = (0, 0);
    let mut name_next = false;
    while let Some(&byte) = text.get(at) {
        let length = match byte {
            b'{' | b'[' => {
                open.push(byte + 2);
                name_next = byte == b'{';
                end = at + 1;
                1
            }
            b'}' | b']' => {
                open.pop();
                end = at + 1;
                1
            }
            b',' => {
                name_next = open.last() == Some(&b'}');
                1
            }
            b':' => {
                name_next = false;
                1
            }
            b'"' => {
                let Some(length) = string_length(text.get(at..).unwrap_or_default()) else { break };
                if !name_next {
                    end = at + length;
                }
                length
            }
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
                let rest = text.get(at..).unwrap_or_default();
                let length =
                    rest.iter().position(|byte| matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t'));
                // Without a character behind it, a number may have been going on.
                let whole = cut && [b"true".as_slice(), b"false", b"null"].contains(&rest);
                let Some(length) = length.or(whole.then_some(rest.len())) else { break };
                end = at + length;
                length
            }
            _ => 1,
        };
        at += length;
    }
    let mut out = text.get(..end).unwrap_or_default().to_vec();
    out.extend(open.iter().rev());
    out
}

/// How long a string is, quotes included.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Recursion is bounded by the depth that the tape was parsed under.
fn write_without(tape: &Tape, node: NodeId, bad: &[NodeId], out: &mut String) {
    let holds_bad = {
        let first = bad.partition_point(|bad| *bad <= node);
        bad.get(first).is_some_and(|bad| *bad < tape.next(node))
    };
    let is_bad = |node: NodeId| bad.binary_search(&node).is_ok();
    match tape.tag(node) {
        Tag::Object if holds_bad => {
            out.push('{');
            for (name, value) in tape.members(node).filter(|(_, value)| !is_bad(*value)) {
                push_member(out, tape.string(name), "");
                write_without(tape, value, bad, out);
            }
            out.push('}');
        }
        Tag::Array if holds_bad => {
            out.push('[');
            for item in tape.items(node).filter(|item| !is_bad(*item)) {
                out.push_str(if out.ends_with('[') { "" } else { "," });
                write_without(tape, item, bad, out);
            }
            out.push(']');
        }
        _ => out.push_str(tape.source(node)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::options::Options;

    const RESEARCH: &str = r#"{"type":"object","required":["findings","note"],"additionalProperties":false,"properties":{
        "note":{"type":"string"},
        "findings":{"type":"array","minItems":1,"items":{"type":"object","required":["claim"],"properties":{
            "claim":{"type":"string","minLength":1},"lines":{"type":"array","items":{"type":"integer"}}}}},
        "either":{"anyOf":[{"type":"integer"},{"type":"object","required":["x"]}]}}}"#;

    fn saved(schema: &str, raw: &str) -> Option<String> {
        salvage(&Contract::compile(schema, &Options::default()).unwrap(), raw.as_bytes(), Via::ReturnTool)
    }

    #[test]
    fn what_is_open_is_closed_or_left_out() {
        for (raw, left) in [
            (
                r#"{"note":"a","findings":[{"claim":"b","lines":[1,2"#,
                r#"{"note":"a","findings":[{"claim":"b","lines":[1]}]}"#,
            ),
            (r#"{"note":"a","findings":[{"claim":"b"},{"cla"#, r#"{"note":"a","findings":[{"claim":"b"}]}"#),
            (
                r#"{"note":"a","findings":[{"claim":"b\\"}, {"claim":"c\"#,
                r#"{"note":"a","findings":[{"claim":"b\\"}]}"#,
            ),
            (r#"{"note":"a","either":1"#, r#"{"note":"a"}"#),
            (r#"{"note":"a","either":{"x":null"#, r#"{"note":"a","either":{"x":null}}"#),
            (r#"{"note":"a" oops"#, r#"{"note":"a"}"#),
            (r#"{"note":"a","note":"b"}"#, r#"{"note":"a"}"#),
            ("\u{feff}{\"note\":\"a\",", r#"{"note":"a"}"#),
        ] {
            assert_eq!(saved(RESEARCH, raw).as_deref(), Some(left), "{raw}");
        }
        for raw in ["", "prose", "{", r#"{"note":"a"#, r#"{"note":"#, "12", "[1,", r#"{"findings":[{"claim":""}]}"#] {
            assert_eq!(saved(RESEARCH, raw), None, "{raw}");
        }
    }

    #[test]
    fn what_is_invalid_is_left_out_with_what_needs_it() {
        for (raw, left) in [
            // Without its claim a finding is none, and without a finding the list is none.
            (r#"{"note":"a","findings":[{"claim":""}]}"#, r#"{"note":"a"}"#),
            (
                r#"{"note":1, "findings":[ {"claim": "b", "id": 9007199254740993123} ,{"claim":2}], "more":0}"#,
                r#"{"findings":[{"claim": "b", "id": 9007199254740993123}]}"#,
            ),
            (r#"{"note":"a","either":"x"}"#, r#"{"note":"a"}"#),
            (r#"{"findings":[{"claim":"a","lines":[1,"2",3]}]}"#, r#"{"findings":[{"claim":"a","lines":[1,3]}]}"#),
            (r#"{"note":"[","findings":[{"claim":"["},3]}"#, r#"{"note":"[","findings":[{"claim":"["}]}"#),
        ] {
            assert_eq!(saved(RESEARCH, raw).as_deref(), Some(left), "{raw}");
        }
        assert_eq!(saved(r#"{"anyOf":[{"required":["a"]},{"required":["b"]}]}"#, r#"{"result":{"c":1}}"#), None);
        assert_eq!(saved(r#"{"not":{"required":["c"]}}"#, r#"{"result":{"c":1}}"#), None);
    }

    #[test]
    fn a_wrapped_value_is_unwrapped() {
        let schema = r#"{"type":"array","items":{"type":"integer"}}"#;
        assert_eq!(saved(schema, r#"{"result":[1,2,"x",3"#).as_deref(), Some("[1,2]"));
        assert_eq!(saved(schema, "[1,2]"), None);
        let contract = Contract::compile(schema, &Options::default()).unwrap();
        assert_eq!(salvage(&contract, b"[1, 2", Via::Text).as_deref(), Some("[1]"));
    }
}
