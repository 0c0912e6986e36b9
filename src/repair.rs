//! Feedback: what a child reads when its return was not accepted, and a parent when its brief was not.
//!
//! The text comes from a model that may be hostile and goes to a model that may obey it. So it names places and rules,
//! quotes little, and nothing quoted can end a line, open another section or go unseen. Each problem stands in it once, with the
//! places where it is, and what is allowed there; never the whole schema, nor a long value of the return.

mod allowed;
mod visible;

use crate::contract::Contract;
use crate::json::tape::Tape;
use crate::json::write;
use crate::tokens;
use crate::validate::issue::{Issue, IssueKind};
pub use visible::plain;
use visible::{cut_quotes, push_plain};

/// The most tokens of feedback, by [`tokens::estimate`].
pub const FEEDBACK_TOKENS: usize = 400;

/// What is kept for the lines after the last problem.
const TAIL_TOKENS: usize = 40;

/// The most characters that say one problem.
const LINE_LIMIT: usize = 240;

/// The most characters of a place, or of a value that is quoted.
const QUOTE_LIMIT: usize = 80;

/// How many places of one problem are named, and how many issues are looked at.
const PLACES: usize = 3;
const ISSUES: usize = 200;

/// What went wrong with one attempt.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// A verdict code, `no_return`, `return_tool_missing` or `guard_rejected`.
    pub code: &'a str,
    /// The issues found, in document order.
    pub issues: &'a [Issue],
    /// How many more issues there are than `issues` lists.
    pub omitted: usize,
    /// A pointer to put before each issue's own: where the judged value stands in what was written.
    pub base: &'a str,
    /// Whether the return was stopped at its first definite problem, so that what follows was not looked at.
    pub early: bool,
    /// The contract that was violated, for what it allows.
    pub contract: Option<&'a Contract>,
}

/// How the child can hand in its next attempt.
#[derive(Debug, Clone, Copy)]
pub enum Again<'a> {
    /// By calling its return tool, whose name this is.
    Call(&'a str),
    /// By answering with JSON text alone.
    Answer,
}

/// The feedback for attempt `attempt` of `attempts`, which was not accepted.
pub fn for_child(problem: Problem<'_>, again: Again<'_>, attempt: u32, attempts: u32) -> String {
    let mut out = String::from(headline(&problem));
    out.push_str(" (attempt ");
    write::integer(&mut out, attempt.into());
    out.push_str(" of ");
    write::integer(&mut out, attempts.into());
    out.push_str("). ");
    let value = if problem.issues.is_empty() { "whole value" } else { "whole corrected value" };
    match again {
        Again::Call(name) => {
            for part in ["Call ", name, " with the ", value] {
                out.push_str(part);
            }
        }
        Again::Answer => {
            for part in ["Answer with the ", value, " as JSON and nothing else"] {
                out.push_str(part);
            }
        }
    }
    out.push_str(advice(&problem));
    list(&mut out, &problem);
    if problem.early {
        out.push_str("\nYou were stopped there: what would have followed was not checked.");
    }
    out
}

/// What the parent's model reads when its brief for `agent` was refused.
pub fn for_parent(agent: &str, problem: Problem<'_>) -> String {
    let mut out = String::from("The brief for \"");
    push_plain(&mut out, agent, 64);
    out.push_str("\" was not accepted and the subagent was not started. Call it again with a corrected brief.");
    list(&mut out, &problem);
    out
}

/// What the parent's model reads about an agent's tool: the description, and that the brief is all the child will see.
pub fn brief_tool_description(description: &str) -> String {
    write::concat(&[
        description.trim(),
        "\n\nThis starts a subagent that sees only the brief you write here: not this conversation, its files or earlier \
         results. Write everything it needs into the brief, briefly and self-contained.",
    ])
}

/// A root that holds JSON text in a string, and a member named twice, are what their code alone does not say.
#[derive(PartialEq)]
enum Special {
    EncodedTwice,
    NamedTwice,
}

fn special(problem: &Problem<'_>) -> Option<Special> {
    problem.issues.iter().find_map(|issue| match &issue.kind {
        IssueKind::Type { double_encoded: true, .. } if issue.instance_path.is_empty() => Some(Special::EncodedTwice),
        IssueKind::Other { message, .. } if problem.code == "invalid_json" => {
            message.starts_with("duplicate member name").then_some(Special::NamedTwice)
        }
        _ => None,
    })
}

fn headline(problem: &Problem<'_>) -> &'static str {
    match (special(problem), problem.code) {
        (Some(Special::EncodedTwice), _) => "Your return is a string that holds JSON, and not the JSON value itself",
        (Some(Special::NamedTwice), _) => "Your return gives a member twice",
        (_, "invalid_json") => "Your return is no valid JSON",
        (_, "truncated") => "Your return was cut off before its end",
        (_, "ambiguous") => "Your return holds more than one JSON value",
        (_, "no_return") => "You ended without returning a result",
        (_, "return_tool_missing") => "You ended without a result and had no tool to return it with",
        (_, "too_large") => "Your return is too large",
        (_, "too_deep") => "Your return is nested too deeply",
        (_, "too_complex") => "Your return takes too long to check",
        (_, "refinement_failed" | "guard_rejected") => "Your return fits its schema but was not accepted",
        _ => "Your return does not satisfy its schema",
    }
}

fn advice(problem: &Problem<'_>) -> &'static str {
    match (special(problem), problem.code) {
        (Some(Special::EncodedTwice), _) => ", not put into quotation marks.",
        (Some(Special::NamedTwice), _) => ", each member once.",
        (_, "truncated") => ". Make it shorter, so that it is complete.",
        (_, "ambiguous") => ", once.",
        (_, "too_large" | "too_deep" | "too_complex") => ", smaller and simpler.",
        _ => ".",
    }
}

/// One problem and where it is.
struct Group {
    what: String,
    places: Vec<String>,
    more: usize,
    issues: usize,
}

fn list(out: &mut String, problem: &Problem<'_>) {
    let groups = grouped(problem);
    if groups.is_empty() {
        return;
    }
    out.push_str("\nProblems:");
    let beyond = problem.issues.len().saturating_sub(ISSUES);
    let mut left = problem.omitted + beyond;
    let mut spent = tokens::estimate(out) + TAIL_TOKENS;
    for (index, group) in groups.iter().enumerate() {
        if left > problem.omitted + beyond {
            left += group.issues;
            continue;
        }
        // What is said of the first problem is rather shortened than left out.
        let mut limit = LINE_LIMIT;
        let mut line = line(index + 1, group, limit);
        while index == 0 && limit > 30 && spent + tokens::estimate(&line) > FEEDBACK_TOKENS {
            limit /= 2;
            line = self::line(index + 1, group, limit);
        }
        let cost = tokens::estimate(&line);
        if spent + cost > FEEDBACK_TOKENS {
            left += group.issues;
        } else {
            spent += cost;
            out.push_str(&line);
        }
    }
    if left > 0 {
        out.push_str("\nand ");
        write::integer(out, left as u64);
        out.push_str(" more");
    }
}

fn line(number: usize, group: &Group, limit: usize) -> String {
    let mut out = String::from("\n");
    write::integer(&mut out, number as u64);
    out.push_str(". ");
    for (index, place) in group.places.iter().enumerate() {
        out.push_str(if index > 0 { ", " } else { "" });
        out.push_str(place);
    }
    if group.more > 0 {
        out.push_str(" and ");
        write::integer(&mut out, group.more as u64);
        out.push_str(if group.more == 1 { " more place" } else { " more places" });
    }
    out.push_str(": ");
    push_plain(&mut out, &group.what, limit);
    out
}

fn grouped(problem: &Problem<'_>) -> Vec<Group> {
    let schema = problem.contract.map(Contract::schema);
    let mut groups: Vec<Group> = Vec::new();
    for issue in problem.issues.iter().take(ISSUES) {
        let what = what(schema, issue);
        let place = place(problem.base, &issue.instance_path);
        match groups.iter_mut().find(|group| group.what == what) {
            Some(group) => {
                group.issues += 1;
                if group.places.len() < PLACES {
                    group.places.push(place);
                } else {
                    group.more += 1;
                }
            }
            None => groups.push(Group { what, places: vec![place], more: 0, issues: 1 }),
        }
    }
    groups
}

/// What is wrong and what is allowed.
fn what(schema: Option<&Tape>, issue: &Issue) -> String {
    let mut out = match &issue.kind {
        IssueKind::Enum { allowed, found } => allowed::values(allowed, found.as_deref()),
        kind => kind.message(),
    };
    if let Some(schema) = schema {
        allowed::push(schema, issue, &mut out);
    }
    cut_quotes(&out, QUOTE_LIMIT)
}

/// A pointer that could be taken for more than one is quoted; of a long one both ends are shown.
fn place(base: &str, path: &str) -> String {
    let pointer = write::concat(&[base, path]);
    if pointer.is_empty() {
        return "(root)".to_owned();
    }
    let count = pointer.chars().count();
    let mut short = String::new();
    let mut ordinary = true;
    for (at, c) in pointer.chars().enumerate() {
        if count > QUOTE_LIMIT && at >= QUOTE_LIMIT / 2 && at + QUOTE_LIMIT / 2 <= count {
            if at == QUOTE_LIMIT / 2 {
                short.push('…');
            }
            continue;
        }
        ordinary &= c.is_alphanumeric() || matches!(c, '/' | '_' | '-' | '$' | '@' | '~' | '.');
        if c == '"' {
            short.push('\\');
        }
        short.push(c);
    }
    if ordinary {
        return short;
    }
    let mut out = String::from("\"");
    push_plain(&mut out, &short, QUOTE_LIMIT);
    out.push('"');
    out
}
