//! Lines as they are written, each with what it takes to drop it.

mod dropping;

use super::owners::Ids;
use super::text::{push_count, push_name, push_value, push_visible};
use crate::json::tape::Tag;
use crate::members::Value;
pub use dropping::Dropped;

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
}

/// What a marker is on.
#[derive(Clone, Copy)]
pub(super) enum Marker {
    Finding,
    Assumption,
    Unresolved,
}
