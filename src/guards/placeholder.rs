//! Returns that fill their slots without saying anything.

use super::{Finding, degrade, degrade_at, each_string};
use crate::json::locate;
use crate::json::tape::{NodeId, Tag, Tape};

/// A return of placeholders shows it in its first texts.
const TEXTS: usize = 2000;

/// The longest text that is looked at: longer ones say something.
const LONGEST: usize = 400;

/// They stand for what was to be written, wherever they stand.
const PROMISES: [&str; 12] = [
    "todo",
    "tbd",
    "tba",
    "fixme",
    "placeholder",
    "to be determined",
    "to be filled in",
    "to be added",
    "fill in",
    "insert here",
    "your answer here",
    "your text here",
];

/// They may be an answer. A return of little else is none.
const FILLERS: [&str; 19] = [
    "n a",
    "none",
    "null",
    "nil",
    "undefined",
    "unknown",
    "string",
    "text",
    "value",
    "example",
    "sample",
    "test",
    "foo",
    "bar",
    "baz",
    "abc",
    "asdf",
    "xxx",
    "dummy",
];

/// Two kinds of findings: what is a placeholder wherever it stands, with its place, and a return of which half the texts are as
/// short as the schema lets them be.
pub(super) fn find(schema: &Tape, tape: &Tape) -> Vec<Finding> {
    let words = Words::of(schema);
    let (mut promises, mut echoes) = (Vec::new(), Vec::new());
    let (mut texts, mut fillers) = (0, 0);
    for (node, name) in strings(tape) {
        let text = tape.string(node);
        if words.allowed.contains(&text) {
            continue;
        }
        texts += 1;
        if text.len() > LONGEST {
            continue;
        }
        let folded = fold(text);
        if is_promise(text, &folded, name) {
            promises.push(locate::pointer(tape, node));
        } else if words.said.iter().any(|said| is_echo(&folded, said)) {
            echoes.push(locate::pointer(tape, node));
        } else if is_filler(&folded) || name.is_some_and(|name| fold(name) == folded) {
            fillers += 1;
        }
    }
    let mut findings = degrade_at(&promises, "a placeholder stands here");
    findings.append(&mut degrade_at(&echoes, "it repeats the schema's own words"));
    if texts >= 2 && fillers * 2 >= texts {
        findings.push(degrade("", "half of its texts or more say nothing"));
    }
    findings
}

/// Whether a text is more than a filler or a promise.
pub(super) fn says_something(text: &str) -> bool {
    let folded = fold(text);
    !is_filler(&folded) && !is_promise(text, &folded, None)
}

/// The first strings of a tape that are values, each with the name of its member.
fn strings(tape: &Tape) -> Vec<(NodeId, Option<&str>)> {
    let mut found = Vec::new();
    if tape.tag(0) == Tag::String {
        found.push((0, None));
    }
    for node in 0..tape.node_count() {
        if found.len() >= TEXTS {
            break;
        }
        for (name, value) in tape.members(node) {
            if tape.tag(value) == Tag::String {
                found.push((value, Some(tape.string(name))));
            }
        }
        for item in tape.items(node) {
            if tape.tag(item) == Tag::String {
                found.push((item, None));
            }
        }
    }
    found.truncate(TEXTS);
    found
}

/// What a schema says, and what it lists as values.
struct Words<'a> {
    said: Vec<String>,
    allowed: Vec<&'a str>,
}

impl<'a> Words<'a> {
    fn of(schema: &'a Tape) -> Words<'a> {
        let mut words = Words { said: Vec::new(), allowed: Vec::new() };
        for node in 0..schema.node_count() {
            for (name, value) in schema.members(node) {
                match schema.string(name) {
                    "description" | "title" | "examples" | "default" => each_string(schema, value, &mut |text| {
                        let said = fold(text);
                        // A word or two may well be the answer.
                        if count_words(&said) >= 3 {
                            words.said.push(said);
                        }
                    }),
                    "const" | "enum" => each_string(schema, value, &mut |text| words.allowed.push(text)),
                    _ => {}
                }
            }
        }
        words
    }
}

/// Letters and digits in lower case, with one space for all that stands between.
fn fold(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() || !c.is_ascii() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn count_words(folded: &str) -> usize {
    folded.bytes().filter(|byte| *byte == b' ').count() + 1
}

fn is_echo(folded: &str, said: &str) -> bool {
    folded == said || count_words(folded) >= 4 && folded.len() >= 20 && said.starts_with(folded)
}

fn is_filler(folded: &str) -> bool {
    let short = folded.chars().count() <= 2 && folded.bytes().all(|byte| byte.is_ascii_alphabetic());
    short || FILLERS.contains(&folded)
}

/// `<claim>` and `[insert a source here]` promise as much as `TODO` does.
fn is_promise(text: &str, folded: &str, name: Option<&str>) -> bool {
    if PROMISES.contains(&folded) || folded.starts_with("lorem ipsum") || folded.starts_with("todo ") {
        return true;
    }
    let text = text.trim();
    for (open, close) in [("<", ">"), ("[", "]"), ("{{", "}}"), ("{", "}")] {
        let Some(inner) = text.strip_prefix(open).and_then(|text| text.strip_suffix(close)) else { continue };
        if inner.len() > 60 || inner.bytes().any(|byte| matches!(byte, b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/'))
        {
            return false;
        }
        let words = fold(inner);
        // Square brackets and braces also hold what is meant.
        let asks: &[&str] = if open == "<" { &ASKS } else { &ASKS[..3] };
        return asks.iter().any(|start| words.starts_with(start))
            || words.ends_with(" here")
            || PROMISES.contains(&words.as_str())
            || FILLERS.contains(&words.as_str())
            || name.is_some_and(|name| fold(name) == words);
    }
    false
}

const ASKS: [&str; 7] = ["your ", "insert ", "enter ", "add ", "the ", "a ", "an "];
