//! Lines, what may be dropped of them and in which order, and the text that is left.

use super::text::{name, push_count, push_value, visible};
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

/// When a line goes, later variants later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// What is beside the result: effort, what was searched, the last words.
    Note,
    Field,
    /// Below `inferred`, or with a confidence of the contract's own.
    Reported,
    Inferred,
    Verified,
    Never,
}

struct Line {
    class: Class,
    text: String,
    /// A finding's provenance, which goes before the finding.
    tail: String,
}

/// A step of dropping: the line, and whether only its tail goes.
pub(super) struct Step {
    line: usize,
    tail: bool,
}

/// The lines of one rendering.
pub(super) struct Lines {
    lines: Vec<Line>,
    /// Transcript handles, which come last and never go.
    handles: Vec<String>,
    markers: bool,
    /// Markers given so far: of findings, assumptions and open questions.
    marked: [usize; 3],
    /// Ids of a merge's children by hash, and their positions.
    pub(super) ids: super::record::Ids,
}

impl Lines {
    pub fn new(markers: bool) -> Self {
        Self { lines: Vec::new(), handles: Vec::new(), markers, marked: [0; 3], ids: Default::default() }
    }

    fn push(&mut self, class: Class, text: String) {
        self.lines.push(Line { class, text, tail: String::new() });
    }

    /// A line that never goes.
    pub fn keep(&mut self, text: String) {
        self.push(Class::Never, text);
    }

    /// A line that goes first.
    pub fn note(&mut self, text: String) {
        self.push(Class::Note, text);
    }

    /// A line of the contract's other fields.
    pub fn field(&mut self, text: String, keep: bool) {
        self.push(if keep { Class::Never } else { Class::Field }, text);
    }

    /// A finding, and its provenance if it has one.
    pub fn finding(&mut self, confidence: Option<&str>, text: String, tail: String) {
        let class = match confidence {
            Some("verified") => Class::Verified,
            Some("inferred") => Class::Inferred,
            _ => Class::Reported,
        };
        self.lines.push(Line { class, text, tail });
    }

    /// The next marker of a kind, after a space; nothing without markers.
    pub fn marker(&mut self, kind: Marker) -> String {
        let mut out = String::new();
        if let Some(count) = self.marked.get_mut(kind as usize).filter(|_| self.markers) {
            *count += 1;
            out.push_str([" f", " a", " u"].get(kind as usize).unwrap_or(&""));
            push_count(&mut out, *count);
        }
        out
    }

    /// A transcript's handle; `whose` is empty or ends with a space.
    pub fn handle(&mut self, whose: &str, handle: Value<'_>) {
        let mut out = [whose, "transcript_ref: "].concat();
        push_value(&mut out, handle);
        self.handles.push(out);
    }

    /// How a child ended, and what is to be known of it. `label` is empty or ends with a space.
    pub fn child(&mut self, label: &str, subagent: &str, child: Value<'_>) -> Result<(), Unreadable> {
        let status: String = child.need("status")?;
        let mut out = [label, "subagent ", &name(subagent), ": ", &name(&status)].concat();
        if let Some(error) = child.member("error").filter(|error| error.text() != "null") {
            let part = |name| error.member(name).and_then(Value::as_str);
            out.push_str(" | error ");
            match (part("code"), part("message").or(error.as_str())) {
                (code, Some(message)) => {
                    out.push_str(&code.map(|code| [&name(code), ": "].concat()).unwrap_or_default());
                    out.push_str(&visible(message));
                }
                _ => push_value(&mut out, error),
            }
        }
        self.keep(out);
        for note in child.member("degraded").into_iter().flat_map(Value::items) {
            let part = |name| note.member(name).and_then(Value::as_str);
            let mut out = [label, "degraded"].concat();
            match (part("by"), part("message")) {
                (Some(by), Some(message)) => {
                    out.push_str(" by ");
                    out.push_str(&name(by));
                    if let Some(pointer) = part("pointer") {
                        out.push_str(" at ");
                        out.push_str(&visible(pointer));
                    }
                    out.push_str(": ");
                    out.push_str(&visible(message));
                }
                _ => {
                    out.push_str(": ");
                    push_value(&mut out, note);
                }
            }
            self.keep(out);
        }
        Ok(())
    }

    /// What is dropped, one after the other: notes, provenance of the weakest findings first, fields, the weakest findings first;
    /// of each the last first.
    pub fn drop_order(&self) -> Vec<Step> {
        let mut order = Vec::new();
        let mut all = |class: Class, tail: bool| {
            let lines = self.lines.iter().enumerate().rev();
            let lines = lines.filter(|(_, line)| line.class == class && (!tail || !line.tail.is_empty()));
            order.extend(lines.map(|(line, _)| Step { line, tail }));
        };
        all(Class::Note, false);
        for class in [Class::Reported, Class::Inferred, Class::Verified] {
            all(class, true);
        }
        for class in [Class::Field, Class::Reported, Class::Inferred, Class::Verified] {
            all(class, false);
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
        let mut out = String::new();
        let (mut dropped, mut by_class) = (Dropped::default(), [0; 6]);
        for (line, (whole, tail)) in self.lines.iter().zip(gone) {
            if whole {
                if let Some(count) = by_class.get_mut(line.class as usize) {
                    *count += 1;
                }
                continue;
            }
            start_line(&mut out);
            out.push_str(&line.text);
            if tail {
                dropped.provenance += 1;
            } else {
                out.push_str(&line.tail);
            }
        }
        let [notes, fields, reported, inferred, verified, _] = by_class;
        dropped.fields = notes + fields;
        dropped.findings = reported + inferred + verified;
        if steps > 0 {
            start_line(&mut out);
            out.push_str("left out for the token budget:");
            push_left_out(
                &mut out,
                dropped,
                [(reported, "below inferred"), (inferred, "inferred"), (verified, "verified")],
            );
        }
        for handle in &self.handles {
            start_line(&mut out);
            out.push_str(handle);
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

fn push_left_out(out: &mut String, dropped: Dropped, findings: [(usize, &str); 3]) {
    let mut separator = " ";
    for (count, before, one, many) in [
        (dropped.provenance, "the provenance of ", " finding", " findings"),
        (dropped.fields, "", " field", " fields"),
        (dropped.findings, "", " finding", " findings"),
    ] {
        if count > 0 {
            out.push_str(separator);
            out.push_str(before);
            push_count(out, count);
            out.push_str(if count == 1 { one } else { many });
            separator = ", ";
        }
    }
    separator = " (";
    for (count, class) in findings.into_iter().filter(|(count, _)| *count > 0) {
        out.push_str(separator);
        push_count(out, count);
        out.push(' ');
        out.push_str(class);
        separator = ", ";
    }
    if dropped.findings > 0 {
        out.push(')');
    }
}
