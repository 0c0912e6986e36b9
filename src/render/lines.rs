//! Lines, what may be dropped of them and in which order, and the text that is left.

use super::record::Ids;
use super::text::{push_count, push_name, push_value, push_visible};
use crate::json::tape::Tag;
use crate::members::{Unreadable, Value};

/// What a rendered text leaves out, as counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Findings that are there without their provenance.
    pub provenance: usize,
    /// Other fields, or items of them.
    pub fields: usize,
    /// Findings.
    pub findings: usize,
}

/// When a line goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// What is beside the result: effort, what was searched, the last words.
    Note,
    Field,
    /// A finding below `inferred`, or with a confidence of the contract's own.
    Reported,
    Inferred,
    Verified,
    Never,
    /// A transcript's handle: it comes last, and never goes.
    Handle,
}

/// A line, as places in the text of all.
struct Line {
    class: Class,
    start: usize,
    /// Where a finding's provenance starts, which goes before the finding; the end without one.
    tail: usize,
    end: usize,
}

/// A step of dropping: the line, and whether only its tail goes.
pub(super) struct Step {
    line: usize,
    tail: bool,
}

/// The lines of one rendering.
pub(super) struct Lines {
    /// The lines' text, one after the other, the one being written last.
    text: String,
    lines: Vec<Line>,
    markers: bool,
    /// Markers given so far: of findings, assumptions and open questions.
    marked: [usize; 3],
    pub(super) ids: Ids,
}

impl Lines {
    pub fn new(markers: bool) -> Self {
        Self { text: String::new(), lines: Vec::new(), markers, marked: [0; 3], ids: Ids::default() }
    }

    /// Goes on with the line: words of ours.
    #[inline(never)]
    pub fn put(&mut self, words: &str) {
        self.text.push_str(words);
    }

    /// Goes on with the line: text of the child's, as a string.
    #[inline(never)]
    pub fn put_string(&mut self, text: &str) {
        push_visible(&mut self.text, text);
    }

    /// Goes on with the line: a name.
    #[inline(never)]
    pub fn put_name(&mut self, name: &str) {
        push_name(&mut self.text, name);
    }

    /// Goes on with the line: a value.
    #[inline(never)]
    pub fn put_value(&mut self, value: Value<'_>) {
        push_value(&mut self.text, value, &[]);
    }

    /// Goes on with the line: an object without some of its members. Says whether there is any other.
    pub fn put_members(&mut self, value: Value<'_>, without: &[&str]) -> bool {
        let from = self.text.len();
        push_value(&mut self.text, value, without);
        self.text.len() - from > 2
    }

    /// Goes on with the line: ` | ` and an object's members that have no place of their own, if there are any.
    #[inline(never)]
    pub fn put_rest(&mut self, whose: Option<&str>, value: Value<'_>, shown: &[&str]) {
        let length = self.text.len();
        self.put(" | ");
        self.put_whose(whose);
        if !self.put_members(value, shown) || value.tag() != Tag::Object {
            self.text.truncate(length);
        }
    }

    /// Goes on with the line: `#1 ` for the first child of a merge; nothing for no child.
    #[inline(never)]
    pub fn put_whose(&mut self, id: Option<&str>) {
        if let Some(id) = id {
            self.put_child(id);
            self.put(" ");
        }
    }

    /// Goes on with the line: `#1` for the first child of a merge.
    #[inline(never)]
    pub fn put_child(&mut self, id: &str) {
        self.ids.push_label(&mut self.text, id);
    }

    /// Goes on with the line: a number.
    pub fn put_count(&mut self, count: usize) {
        push_count(&mut self.text, count);
    }

    /// Goes on with the line: the next marker of a kind, after a space; nothing without markers.
    pub fn put_marker(&mut self, kind: Marker) {
        if let Some(count) = self.marked.get_mut(kind as usize).filter(|_| self.markers) {
            *count += 1;
            self.text.push_str([" f", " a", " u"].get(kind as usize).unwrap_or(&""));
            push_count(&mut self.text, *count);
        }
    }

    /// Where the line being written has got to.
    pub fn here(&self) -> usize {
        self.text.len()
    }

    /// Ends the line.
    #[inline(never)]
    pub fn end(&mut self, class: Class) {
        self.end_with_tail(class, self.text.len());
    }

    /// Takes back the line being written.
    pub fn forget(&mut self) {
        self.text.truncate(self.lines.last().map_or(0, |line| line.end));
    }

    /// Ends a line whose provenance starts at `tail`.
    #[inline(never)]
    pub fn end_with_tail(&mut self, class: Class, tail: usize) {
        let start = self.lines.last().map_or(0, |line| line.end);
        self.lines.push(Line { class, start, tail, end: self.text.len() });
    }

    /// How a child ended, and what is to be known of it. `id`: its id in a merge.
    pub fn child(&mut self, id: Option<&str>, subagent: &str, child: Value<'_>) -> Result<(), Unreadable> {
        let status: String = child.need("status")?;
        self.put_whose(id);
        self.put("subagent ");
        self.put_name(subagent);
        self.put(": ");
        self.put_name(&status);
        if let Some(error) = child.member("error").filter(|error| error.text() != "null") {
            self.put(" | error ");
            match (error.text_of("code"), error.text_of("message").or(error.as_str())) {
                (code, Some(message)) => {
                    if let Some(code) = code {
                        self.put_name(code);
                        self.put(": ");
                    }
                    self.put_string(message);
                }
                _ => self.put_value(error),
            }
        }
        self.end(Class::Never);
        for note in child.list_of("degraded") {
            self.put_whose(id);
            self.put("degraded");
            match (note.text_of("by"), note.text_of("message")) {
                (Some(by), Some(message)) => {
                    self.put(" by ");
                    self.put_name(by);
                    if let Some(pointer) = note.text_of("pointer") {
                        self.put(" at ");
                        self.put_string(pointer);
                    }
                    self.put(": ");
                    self.put_string(message);
                }
                _ => {
                    self.put(": ");
                    self.put_value(note);
                }
            }
            self.end(Class::Never);
        }
        Ok(())
    }

    /// What a child said beside its result, or in place of one.
    pub fn words(&mut self, id: Option<&str>, child: Value<'_>, has_result: bool) {
        if let Some(words) = child.text_of("task_summary") {
            self.put_whose(id);
            self.put(if has_result { "last words: " } else { "answer: " });
            self.put_string(words);
            self.end(if has_result { Class::Note } else { Class::Never });
        }
    }

    /// A transcript's handle.
    pub fn handle(&mut self, id: Option<&str>, handle: Value<'_>) {
        self.put_whose(id);
        self.put("transcript_ref: ");
        self.put_value(handle);
        self.end(Class::Handle);
    }

    /// What is dropped, one after the other: notes, provenance of the weakest findings first, fields, the weakest findings first;
    /// of each the last first.
    pub fn drop_order(&self) -> Vec<Step> {
        let mut order = Vec::new();
        for (class, tail) in [
            (Class::Note, false),
            (Class::Reported, true),
            (Class::Inferred, true),
            (Class::Verified, true),
            (Class::Field, false),
            (Class::Reported, false),
            (Class::Inferred, false),
            (Class::Verified, false),
        ] {
            for (line, it) in self.lines.iter().enumerate().rev() {
                if it.class == class && (!tail || it.tail < it.end) {
                    order.push(Step { line, tail });
                }
            }
        }
        order
    }

    /// The text after the first steps of dropping.
    pub fn text(&self, order: &[Step], steps: usize) -> (String, Dropped) {
        let mut gone = vec![(false, false); self.lines.len()];
        for step in order.iter().take(steps) {
            if let Some((line, tail)) = gone.get_mut(step.line) {
                *(if step.tail { tail } else { line }) = true;
            }
        }
        let mut out = String::with_capacity(self.text.len() + self.lines.len());
        let (mut dropped, mut by_class) = (Dropped::default(), [0; 7]);
        for handles in [false, true] {
            for (line, (whole, tail)) in self.lines.iter().zip(&gone) {
                if (line.class == Class::Handle) != handles {
                    continue;
                }
                if *whole {
                    if let Some(count) = by_class.get_mut(line.class as usize) {
                        *count += 1;
                    }
                    continue;
                }
                start_line(&mut out);
                dropped.provenance += usize::from(*tail);
                let end = if *tail { line.tail } else { line.end };
                out.push_str(self.text.get(line.start..end).unwrap_or_default());
            }
            if steps > 0 && !handles {
                let [notes, fields, reported, inferred, verified, ..] = by_class;
                dropped.fields = notes + fields;
                dropped.findings = reported + inferred + verified;
                start_line(&mut out);
                push_left_out(&mut out, dropped, [reported, inferred, verified]);
            }
        }
        (out, dropped)
    }
}

/// What a marker is on.
#[derive(Clone, Copy)]
pub(super) enum Marker {
    Finding,
    Assumption,
    Unresolved,
}

fn start_line(out: &mut String) {
    if !out.is_empty() {
        out.push('\n');
    }
}

fn push_left_out(out: &mut String, dropped: Dropped, findings: [usize; 3]) {
    out.push_str("left out for the token budget:");
    let mut separator = " ";
    for (count, before, what) in [
        (dropped.provenance, "the provenance of ", " finding"),
        (dropped.fields, "", " field"),
        (dropped.findings, "", " finding"),
    ] {
        if count > 0 {
            out.push_str(separator);
            out.push_str(before);
            push_count(out, count);
            out.push_str(what);
            if count > 1 {
                out.push('s');
            }
            separator = ", ";
        }
    }
    separator = " (";
    for (count, class) in findings.into_iter().zip([" below inferred", " inferred", " verified"]) {
        if count > 0 {
            out.push_str(separator);
            push_count(out, count);
            out.push_str(class);
            separator = ", ";
        }
    }
    if dropped.findings > 0 {
        out.push(')');
    }
}
