//! What may be dropped of lines and in which order, and the text that is left.

use super::{Class, Lines};
use crate::render::text::push_count;

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

/// A step of dropping: the line, and whether only its tail goes.
pub(in crate::render) struct Step {
    line: usize,
    tail: bool,
}

impl Lines {
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
