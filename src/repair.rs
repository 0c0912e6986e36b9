//! Feedback: what a child reads when its return was not accepted, and a parent when its brief was not.
//!
//! The text comes from a model that may be hostile and goes to a model that may obey it. So it names places and rules,
//! quotes little, and nothing quoted can end a line or open another section.

use crate::validate::issue::Issue;

/// The most characters of feedback; about 400 tokens.
pub const FEEDBACK_LIMIT: usize = 1_600;

/// The most characters of one problem's line.
const LINE_LIMIT: usize = 240;

/// What went wrong with one attempt.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// A verdict code, `no_return` or `return_tool_missing`.
    pub code: &'a str,
    /// The issues found, in document order.
    pub issues: &'a [Issue],
    /// How many more issues there are than `issues` lists.
    pub omitted: usize,
    /// A pointer to put before each issue's own: where the judged value stands in what was written.
    pub base: &'a str,
    /// Whether the return was stopped at its first definite problem, so that what follows was not looked at.
    pub early: bool,
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
    let mut out = format!("{} (attempt {attempt} of {attempts}). ", headline(problem.code));
    let value = if problem.issues.is_empty() { "whole value" } else { "whole corrected value" };
    match again {
        Again::Call(name) => out.push_str(&format!("Call {name} with the {value}.")),
        Again::Answer => out.push_str(&format!("Answer with the {value} as JSON and nothing else.")),
    }
    list(&mut out, problem);
    if problem.early {
        out.push_str("\nYou were stopped there: what would have followed was not checked.");
    }
    out
}

/// What the parent's model reads when its brief for `agent` was refused.
pub fn for_parent(agent: &str, problem: Problem<'_>) -> String {
    let mut out = format!(
        "The brief for {} was not accepted and the subagent was not started. Call it again with a corrected brief.",
        quoted(agent, 64)
    );
    list(&mut out, problem);
    out
}

/// What the parent's model reads about an agent's tool: the description, and that the brief is all the child will see.
pub fn brief_tool_description(description: &str) -> String {
    format!(
        "{}\n\nThis starts a subagent that sees only the brief you write here: not this conversation, its files or earlier \
         results. Write everything it needs into the brief, briefly and self-contained.",
        description.trim()
    )
}

fn headline(code: &str) -> &'static str {
    match code {
        "invalid_json" => "Your return is no valid JSON",
        "truncated" => "Your return was cut off before its end",
        "no_return" => "You ended without returning a result",
        "return_tool_missing" => "You ended without calling the return tool",
        "too_large" | "too_deep" | "too_complex" => "Your return is too large to check",
        "refinement_failed" | "guard_rejected" => "Your return fits its schema but was not accepted",
        _ => "Your return does not satisfy its schema",
    }
}

fn list(out: &mut String, problem: Problem<'_>) {
    if problem.issues.is_empty() {
        return;
    }
    out.push_str("\nProblems:");
    let mut length = out.chars().count();
    let mut left = problem.omitted;
    for (index, issue) in problem.issues.iter().enumerate() {
        let path = format!("{}{}", problem.base, issue.instance_path);
        let place = if path.is_empty() { "(root)" } else { &path };
        let line = format!("\n{}. {}: {}", index + 1, plain(place, 120), plain(&issue.message(), LINE_LIMIT));
        let size = line.chars().count();
        if length + size > FEEDBACK_LIMIT - 40 {
            left += problem.issues.len() - index;
            break;
        }
        length += size;
        out.push_str(&line);
    }
    if left > 0 {
        out.push_str(&format!("\nand {left} more"));
    }
}

/// `text` on one line: control, zero-width and bidirectional characters as escapes, cut visibly at `limit` characters.
pub fn plain(text: &str, limit: usize) -> String {
    let mut out = String::new();
    let mut count = 0;
    for c in text.chars() {
        if count >= limit {
            out.push('…');
            break;
        }
        let before = out.len();
        if hidden(c) {
            out.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
        } else {
            out.push(c);
        }
        count += out[before..].chars().count();
    }
    out
}

fn quoted(text: &str, limit: usize) -> String {
    format!("\"{}\"", plain(text, limit))
}

/// Characters a reader cannot see, or that change how what follows is laid out.
fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
