//! Prose, in which a value may begin, and what is noted of what stands in it.

use super::fences::{Language, Within};
use super::reasoning::{self, Mark};
use super::{Finder, Place, Stop};
use crate::json::tape::Tape;

impl Finder {
    pub(super) fn prose(&mut self, byte: u8) -> Result<bool, Stop> {
        match byte {
            b'\n' => {
                if self.line {
                    // A bracket that was never meant to be closed does not reach beyond its paragraph.
                    self.brackets = 0;
                }
                self.line = true;
                self.at += 1;
            }
            b' ' | b'\t' | b'\r' => self.at += 1,
            b'{' => {
                self.place = Place::Brace { open: self.at, content: false };
                self.at += 1;
            }
            b'<' | b'[' | 0xE2 => return self.bracket(byte),
            b'`' | b'~' => self.begin_run(Within::Prose { line: self.line }),
            b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n' if self.first && self.fence.is_none() => {
                self.begin_trial(false)
            }
            b'}' | b']' => {
                self.brackets = self.brackets.saturating_sub(1);
                self.note_prose();
                self.at += 1;
            }
            _ => {
                self.note_prose();
                self.at += 1;
            }
        }
        Ok(true)
    }

    /// What may be a mark of reasoning, or an array.
    pub(super) fn bracket(&mut self, byte: u8) -> Result<bool, Stop> {
        let coded = self.at.checked_sub(1).is_some_and(|before| self.raw.get(before) == Some(&b'`'));
        let rest = self.raw.get(self.at..self.valid).unwrap_or_default();
        let mark = if coded { Mark::None } else { reasoning::mark(rest) };
        match mark {
            Mark::Cut if !self.ended => return self.wait(),
            Mark::Open(index, length) => {
                self.note_text();
                self.at += length;
                self.place = Place::Reasoning(index);
            }
            Mark::Close(length) => {
                if self.value.is_some() {
                    self.at += length;
                    return Err(Stop::Reasoned);
                }
                self.note_text();
                self.at += length;
                (self.first, self.line, self.brackets, self.miss) = (true, true, 0, None);
            }
            Mark::Cut | Mark::None if byte == b'[' => self.begin_trial(false),
            Mark::Cut | Mark::None => {
                self.note_prose();
                self.at += 1;
            }
        }
        Ok(true)
    }

    /// A byte of text that is no value.
    pub(super) fn note_prose(&mut self) {
        self.note_text();
        (self.first, self.line) = (false, false);
    }

    pub(super) fn note_text(&mut self) {
        if self.value.is_some() {
            self.trailing = true;
        } else {
            self.leading = true;
        }
    }

    pub(super) fn miss_at(&mut self, at: usize, content: bool) {
        if (self.first || content) && self.value.is_none() {
            self.miss.get_or_insert(at);
        }
    }

    /// What stood where a value may stand is none: prose goes on, or a block of another language.
    pub(super) fn not_a_value(&mut self, content: bool) {
        self.note_prose();
        let other = content && self.fence.is_some_and(|fence| fence.language == Language::Other);
        self.place = if other { Place::Block } else { Place::Prose };
    }

    /// There is a value from `start` on.
    pub(super) fn commit(&mut self, tape: &mut Tape, start: usize) -> Result<(), Stop> {
        if self.value.is_some() || self.brackets > 0 {
            // The byte that showed it is read.
            self.at += 1;
            return Err(if self.value.is_some() { Stop::Ambiguous } else { Stop::Bracketed });
        }
        self.value = Some(start);
        self.known = self.at + 1;
        self.fenced = self.fence.is_some();
        self.trial = None;
        (self.first, self.line) = (false, false);
        tape.append(self.raw.get(start..self.at).unwrap_or_default());
        self.place = Place::Value;
        Ok(())
    }
}
