//! What the host saw the child do, and whether it touched what a citation names.

use crate::json::tape::{Limits, Tag, Tape};
use crate::json::write::concat;
use crate::members::{Read, Unreadable, Value};

/// How many bytes of evidence are looked at for one return. What is not looked for any more counts as touched: nobody is accused
/// of what was not checked.
pub(super) const BUDGET: u64 = 1 << 28;

/// The child's own tool calls: their names, arguments and results as one text in lower case.
#[derive(Debug, Clone, Default)]
pub struct Evidence(String);

impl Evidence {
    fn push(&mut self, text: &str) {
        self.0.extend(text.chars().map(|c| if c == '\\' { '/' } else { c.to_ascii_lowercase() }));
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
            while let Some((parent, _)) = page.rsplit_once('/').filter(|(parent, _)| parent.contains('/')) {
                if holds(parent) {
                    return true;
                }
                page = parent;
            }
            return holds(url);
        }
        if reference.contains('/') {
            // The same file, seen from another folder.
            let mut path = reference.trim_start_matches(['.', '/']);
            loop {
                if path.contains(['/', '.']) && holds(path) {
                    return true;
                }
                let Some((_, rest)) = path.split_once('/') else { return false };
                path = rest;
            }
        }
        // A column of a table: a query may name the two apart.
        reference.split_once('.').is_some_and(|(table, column)| holds(table) && holds(column))
    }
}

impl Read for Evidence {
    fn read(value: Value<'_>) -> Result<Self, Unreadable> {
        let mut evidence = Evidence::default();
        for call in value.items() {
            evidence.push(&call.need::<String>("name")?);
            evidence.push_json(&call.need::<String>("args")?);
            if let Some(result) = call.may::<String>("result")? {
                evidence.push_json(&result);
            }
        }
        Ok(evidence)
    }
}

/// What a citation names that can be looked for: URLs (without their scheme, as `//…`), paths, columns of tables, in lower case
/// and without the line, the fragment and the query.
pub(super) fn references(citation: &str) -> Vec<String> {
    let separates =
        |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '[' | ']' | '<' | '>' | '"' | '\'' | '`');
    let words = citation.split(separates).take(20);
    words.filter_map(|word| reference(&word.replace('\\', "/").to_ascii_lowercase())).collect()
}

fn reference(word: &str) -> Option<String> {
    let word = word.split(['#', '?']).next().unwrap_or_default();
    let (is_url, word) = match word.split_once("://") {
        Some((_, rest)) => (true, rest),
        None => (false, word),
    };
    let mut word = word.trim_end_matches(['.', ':', '/', '!']);
    // `file.rs:12`, `file.rs:12-40` and `file.rs:12:7` are places in `file.rs`.
    while let Some((file, _)) =
        word.rsplit_once(':').filter(|(_, line)| line.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'))
    {
        word = file;
    }
    if is_url {
        return (!word.is_empty()).then(|| concat(&["//", word.strip_prefix("www.").unwrap_or(word)]));
    }
    // Dates, numbers, versions and abbreviations are no places.
    let named = word.bytes().filter(u8::is_ascii_alphabetic).count() >= 3;
    let marks = |c: char| matches!(c, '/' | '_') || c == '.' && !word.starts_with('.');
    (named && word.len() <= 300 && word.contains(marks)).then(|| word.to_owned())
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
