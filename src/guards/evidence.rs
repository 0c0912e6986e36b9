//! What the host saw the child do, and whether it touched what a citation names.

use crate::json::tape::{Limits, Tag, Tape};
use crate::json::write::concat;
use crate::members::{Read, Reader, Value};

/// How many bytes of evidence are looked at for one return. What is not looked for any more counts as touched: nobody is accused
/// of what was not checked.
pub(super) const BUDGET: u64 = 1 << 28;

/// The child's own tool calls: their names, arguments and results as one text in lower case.
#[derive(Debug, Clone, Default)]
pub struct Evidence(String);

impl Evidence {
    fn push(&mut self, text: &str) {
        for c in text.chars() {
            self.0.push(if c == '\\' { '/' } else { c.to_ascii_lowercase() });
        }
        self.0.push('\n');
    }

    /// The text, and where escapes hide some of it, the strings in it.
    fn push_json(&mut self, text: &str) {
        self.push(text);
        if !text.contains('\\') {
            return;
        }
        if let Ok(tape) = Tape::parse(text.as_bytes(), Limits::default()) {
            for node in 0..tape.node_count() {
                if tape.tag(node) == Tag::String {
                    self.push(tape.string(node));
                }
            }
        }
    }

    /// Whether a reference, as [`references`] gives it, or a part of it that still names one thing, stands in the evidence.
    pub(super) fn touches(&self, reference: &str, budget: &mut u64) -> bool {
        let mut holds = |part: &str| holds(self.0.as_bytes(), part.as_bytes(), budget);
        if holds(reference) {
            return true;
        }
        if let Some(url) = reference.strip_prefix("//") {
            // The page that a section belongs to; never the host alone.
            let mut page = url;
            while let Some(parent) = page.rfind('/').and_then(|at| page.get(..at)) {
                page = parent;
                if page.contains('/') && holds(page) {
                    return true;
                }
            }
            return holds(url);
        }
        if reference.contains('/') {
            // The same file, seen from another folder.
            let mut path = reference;
            while let Some(rest) = path.find('/').and_then(|at| path.get(at + 1..)) {
                path = rest;
                if (path.contains('/') || path.contains('.')) && holds(path) {
                    return true;
                }
            }
            return false;
        }
        // A column of a table: a query may name the two apart.
        let dot = reference.find('.').unwrap_or(reference.len());
        match (reference.get(..dot), reference.get(dot + 1..)) {
            (Some(table), Some(column)) => holds(table) && holds(column),
            _ => false,
        }
    }
}

impl Read for Evidence {
    fn read(from: &mut Reader<'_>) -> Self {
        let mut evidence = Evidence::default();
        for call in from.value().map(Value::list).unwrap_or_default() {
            let call: Call = from.at(call);
            evidence.push(&call.name);
            evidence.push_json(&call.args);
            if let Some(result) = call.result {
                evidence.push_json(&result);
            }
        }
        evidence
    }
}

struct Call {
    name: String,
    args: String,
    result: Option<String>,
}

impl Read for Call {
    fn read(from: &mut Reader<'_>) -> Self {
        Self { name: from.need("name"), args: from.need("args"), result: from.may("result") }
    }
}

/// What a citation names that can be looked for: URLs (without their scheme, as `//…`), paths, columns of tables, in lower case
/// and without the line, the fragment and the query.
pub(super) fn references(citation: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut word = String::new();
    let mut named = true;
    for c in citation.chars().chain([' ']) {
        match c {
            ',' | ';' | '(' | ')' | '[' | ']' | '<' | '>' | '"' | '\'' | '`' | ' ' | '\n' | '\r' | '\t' => {
                found.extend(reference(&word));
                word.clear();
                named = true;
            }
            '#' | '?' => named = false,
            '\\' if named => word.push('/'),
            _ if named => word.push(c.to_ascii_lowercase()),
            _ => {}
        }
    }
    found.truncate(20);
    found
}

fn reference(word: &str) -> Option<String> {
    let scheme = word.find(':').filter(|at| word.get(*at..).is_some_and(|rest| rest.starts_with("://")));
    let mut word = scheme.and_then(|at| word.get(at + 3..)).unwrap_or(word);
    loop {
        // `file.rs:12`, `file.rs:12-40` and `file.rs:12:7` are places in `file.rs`.
        let cut = match word.rfind(|c: char| !(c.is_ascii_digit() || c == '-')) {
            Some(at) if word.get(at..).is_some_and(|rest| rest.starts_with(':')) => at,
            Some(at) if at + 1 == word.len() && word.ends_with(is_closing) => at,
            _ => break,
        };
        word = word.get(..cut).unwrap_or_default();
    }
    if scheme.is_some() {
        return (!word.is_empty()).then(|| concat(&["//", word.strip_prefix("www.").unwrap_or(word)]));
    }
    // Dates, numbers, versions and abbreviations are no places.
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let marked = word.contains('/') || word.contains('_') || word.find('.').is_some_and(|at| at > 0);
    (letters >= 3 && word.len() <= 300 && marked).then(|| word.to_owned())
}

fn is_closing(c: char) -> bool {
    matches!(c, '.' | ':' | '/' | '!')
}

fn holds(text: &[u8], part: &[u8], budget: &mut u64) -> bool {
    let Some(&first) = part.first() else { return false };
    let mut rest = text;
    loop {
        let step = rest.iter().position(|byte| *byte == first);
        let passed = step.map_or(rest.len(), |at| at + 1) as u64;
        if *budget < passed {
            return true;
        }
        *budget -= passed;
        let Some(at) = step else { return false };
        rest = rest.get(at..).unwrap_or_default();
        let alike = rest.iter().zip(part).take_while(|(a, b)| a == b).count();
        *budget = budget.saturating_sub(alike as u64);
        if alike == part.len() {
            return true;
        }
        rest = rest.get(1..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_citation_names_what_can_be_looked_for() {
        for (citation, named) in [
            ("src/A.ts:12-40", vec!["src/a.ts"]),
            ("`Client.ts:46:7`", vec!["client.ts"]),
            ("merchants.plan_id", vec!["merchants.plan_id"]),
            ("https://www.Docs.example/a/b?x=1#y retrieved_at 2026-11-30", vec!["//docs.example/a/b", "retrieved_at"]),
            ("see C:\\Users\\x.tmp, and docs/a.md.", vec!["c:/users/x.tmp", "docs/a.md"]),
            ("Ann said so on 2026-11-30T10:00:00Z, e.g. v2.1", vec![]),
        ] {
            assert_eq!(references(citation), named, "{citation}");
        }
    }

    #[test]
    fn looking_ends_with_the_budget() {
        assert!(!holds(b"aaaaaaab", b"ac", &mut 100));
        assert!(holds(b"aaaaaaab", b"ab", &mut 100));
        assert!(holds(b"aaaaaaab", b"ac", &mut 5));
    }
}
