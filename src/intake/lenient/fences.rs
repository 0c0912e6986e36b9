//! Fenced blocks: runs of backticks or tildes, and what stands between two of them.

use super::reasoning::begins;
use super::{Finder, Place, Stop};
use crate::json::tape::Tape;

/// The opening of a fenced block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fence {
    mark: u8,
    length: usize,
    pub language: Language,
}

/// What a fenced block says that it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// `json`, `JSON`, `jsonc`, …: its content is the value, well formed or not.
    Json,
    /// Nothing.
    Plain,
    /// Another one: the block is skipped unless it begins with a value.
    Other,
}

/// What a run of backticks or tildes stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Within {
    /// Prose; at the beginning of a line or not.
    Prose { line: bool },
    /// A fenced block's content, before its value.
    Content,
    /// A block of another language, at the beginning of a line.
    Block,
    /// A fenced block, behind a scalar that ends here.
    Scalar { end: usize },
}

impl Finder {
    pub(super) fn begin_run(&mut self, within: Within) {
        self.place = Place::Run { start: self.at, within };
        self.at += 1;
    }

    /// Reads on in a run of backticks or tildes.
    pub(super) fn run(&mut self, byte: u8, tape: &mut Tape, start: usize, within: Within) -> Result<(), Stop> {
        if self.raw.get(start) != Some(&byte) {
            self.end_run(start, within);
            return Ok(());
        }
        self.at += 1;
        match (within, self.fence) {
            // However long the run becomes, it closes the block, and the scalar is all that stands in it.
            (Within::Scalar { end }, Some(fence)) if fence.mark == byte && self.at - start >= fence.length => {
                self.commit_scalar(tape, end)
            }
            _ => Ok(()),
        }
    }

    /// A run of backticks or tildes has ended.
    pub(super) fn end_run(&mut self, start: usize, within: Within) {
        let run = Fence {
            mark: self.raw.get(start).copied().unwrap_or_default(),
            length: self.at - start,
            language: Language::Plain,
        };
        let closes = self.fence.is_some_and(|fence| run.closes(fence));
        match within {
            Within::Scalar { .. } => self.give_up_scalar(self.at + 1),
            Within::Block if run.length >= 3 => self.place = Place::Info { start: self.at, run, within },
            Within::Block => self.not_a_value(true),
            Within::Prose { .. } | Within::Content if closes => self.close_fence(),
            Within::Prose { line } if self.fence.is_none() && run.opens(line) => {
                self.place = Place::Info { start: self.at, run, within };
            }
            Within::Prose { .. } | Within::Content => self.not_a_value(false),
        }
    }

    /// The rest of the line behind an opening run.
    pub(super) fn info(&mut self, byte: u8, start: usize, run: Fence, within: Within) {
        let line = self.raw.get(start..=self.at).unwrap_or_default();
        let json = begins(line, b"json");
        if within == (Within::Prose { line: false }) && !json && !begins(b"json", line) {
            // Amid a line only what says that it is JSON opens a block.
            self.at = start;
            return self.not_a_value(false);
        }
        match byte {
            b'\n' => {
                self.open_fence(start, run, within);
                self.at += 1;
                self.line = true;
            }
            b'{' | b'[' if within != Within::Block || json => self.open_fence(start, run, within),
            // Code within a line.
            b'`' if run.mark == b'`' => self.not_a_value(within == Within::Block),
            _ => self.at += 1,
        }
    }

    /// The line has ended, or content begins in it.
    fn open_fence(&mut self, start: usize, run: Fence, within: Within) {
        let info = self.raw.get(start..self.at).unwrap_or_default().trim_ascii();
        let language = if begins(info, b"json") {
            Language::Json
        } else if info.is_empty() {
            Language::Plain
        } else {
            Language::Other
        };
        if within == Within::Block {
            if language == Language::Plain && self.fence.is_some_and(|fence| run.closes(fence)) {
                return self.close_fence();
            }
            if language != Language::Json || self.outer.is_some() {
                return self.not_a_value(true);
            }
            self.outer = self.fence.take();
        }
        if self.value.is_some() {
            self.note_text();
        }
        self.fence = Some(Fence { language, ..run });
        self.brackets = 0;
        self.place = Place::Content;
    }

    fn close_fence(&mut self) {
        if self.value.is_none() {
            self.note_text();
        }
        self.fence = self.outer.take();
        self.brackets = 0;
        self.line = false;
        self.place = if self.fence.is_some() { Place::Block } else { Place::Prose };
    }

    /// The beginning of a fenced block's content.
    pub(super) fn content(&mut self, byte: u8, tape: &mut Tape) -> Result<(), Stop> {
        let language = self.fence.map_or(Language::Plain, |fence| fence.language);
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
            b'{' | b'[' if language == Language::Json => return self.commit(tape, self.at),
            b'{' => {
                self.place = Place::Brace { open: self.at, content: true };
                self.at += 1;
            }
            b'[' => self.begin_trial(true),
            b'`' | b'~' => {
                self.begin_run(if language == Language::Other { Within::Block } else { Within::Content });
            }
            _ if language == Language::Other => self.not_a_value(true),
            b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => self.begin_trial(true),
            _ => self.place = Place::Prose,
        }
        Ok(())
    }

    /// A block of another language.
    pub(super) fn block(&mut self, byte: u8) {
        match byte {
            b'`' | b'~' if self.line => return self.begin_run(Within::Block),
            b'\n' => self.line = true,
            b' ' | b'\t' | b'\r' => {}
            _ => self.line = false,
        }
        self.at += 1;
    }

    /// The text has ended in the line behind an opening run.
    pub(super) fn end_info(&mut self, start: usize, run: Fence, within: Within) {
        self.open_fence(start, run, within);
    }
}

impl Fence {
    fn closes(self, fence: Fence) -> bool {
        self.mark == fence.mark && self.length >= fence.length
    }

    fn opens(self, line: bool) -> bool {
        self.length >= 3 && (line || self.mark == b'`')
    }
}
