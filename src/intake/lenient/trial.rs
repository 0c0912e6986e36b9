//! What may be a value: an array in prose, which may be a footnote, and what is one where nothing but it stands.

use super::{Finder, Place, Stop};
use crate::json::lexer::{Lexer, Token};
use crate::json::tape::{Limits, Tag, Tape};

/// So many bytes at first; trials are many where brackets are.
const CHUNK: usize = 64;

/// A value that is not known to be one before more of it has been read.
#[derive(Debug, Default)]
pub(super) struct Trial {
    start: usize,
    tape: Tape,
    lexer: Lexer,
    /// Values begun, the array itself included.
    begun: u32,
}

enum Tried {
    /// More of it has to come.
    Cut,
    Whole,
    /// It is not whole, but certainly meant to be a value.
    Meant,
    Failed,
}

impl Finder {
    pub(super) fn begin_trial(&mut self, content: bool) {
        let mut trial = self.trial.take().unwrap_or_default();
        *trial = Trial { start: self.at, ..Trial::default() };
        self.trial = Some(trial);
        self.place = Place::Trial { content };
    }

    /// Reads on in what may be a value.
    pub(super) fn try_on(&mut self, tape: &mut Tape, limits: Limits, content: bool) -> Result<bool, Stop> {
        let Some(mut trial) = self.trial.take() else { return Ok(true) };
        let start = trial.start;
        let array = self.raw.get(start) == Some(&b'[');
        let wanted = array && (self.arrays && self.brackets == 0);
        // As a scalar: a return of the wrong type, if nothing else comes.
        let alone = !self.arrays && (content || self.first && self.fence.is_none());
        let outcome = loop {
            let read = trial.lexer.next(&mut trial.tape, limits);
            if trial.lexer.is_done() {
                break Tried::Whole;
            }
            match read {
                Ok(Token::Pending) if self.at < self.valid => {
                    let most = CHUNK.max(trial.tape.text().len());
                    let end = self.valid.min(self.at + most);
                    trial.tape.append(self.raw.get(self.at..end).unwrap_or_default());
                    self.at = end;
                }
                Ok(Token::Pending) => break Tried::Cut,
                // A member makes it more than a footnote; so does a second item, where an array can be meant.
                Ok(Token::Name(_)) => break Tried::Meant,
                Ok(Token::Close(node)) if trial.tape.tag(node) == Tag::Object => break Tried::Meant,
                Ok(Token::Begin(_)) => {
                    trial.begun += 1;
                    if wanted && trial.begun > 2 {
                        break Tried::Meant;
                    }
                }
                Ok(_) => {}
                Err(_) => break Tried::Failed,
            }
        };
        let read = start + trial.lexer.offset();
        match outcome {
            Tried::Cut => {
                self.trial = Some(trial);
                return if self.ended { self.end(tape, limits) } else { self.wait() };
            }
            Tried::Whole if !array || alone => {
                self.at = read;
                self.trial = Some(trial);
                self.place = Place::AfterScalar { end: read };
            }
            Tried::Whole if !wanted => {
                self.at = read;
                self.not_a_value(content);
            }
            Tried::Whole | Tried::Meant => {
                // So that the byte that showed it is the last one read, if it is one too many.
                self.at = read - 1;
                self.commit(tape, start)?;
            }
            Tried::Failed if array => {
                if self.arrays {
                    self.miss_at(start, content);
                }
                self.at = (read - 1).max(start + 1);
                self.brackets += trial.lexer.depth() as u32;
                self.not_a_value(content);
            }
            Tried::Failed => {
                self.trial = Some(trial);
                self.give_up_scalar(read);
            }
        }
        Ok(true)
    }

    /// What began as a value that stands alone is text, as so much of the text shows.
    pub(super) fn give_up_scalar(&mut self, seen: usize) {
        // Characters are looked at when they are whole.
        let rest = self.raw.get(seen..self.valid).unwrap_or_default();
        self.seen = seen + rest.iter().take_while(|byte| **byte & 0xC0 == 0x80).count();
        self.at = self.trial.as_ref().map_or(self.at, |trial| trial.start) + 1;
        self.trial = None;
        self.not_a_value(true);
    }

    /// A scalar is all that stands here.
    pub(super) fn commit_scalar(&mut self, tape: &mut Tape, end: usize) -> Result<(), Stop> {
        let Some(start) = self.trial.as_ref().map(|trial| trial.start) else { return Ok(()) };
        let read = self.at;
        self.at = end;
        self.commit(tape, start).inspect_err(|_| self.at = read)?;
        self.known = read;
        // That a number has ended shows in what follows it.
        tape.append(b" ");
        Ok(())
    }

    /// The text has ended in a trial, or behind a scalar. False when nothing comes of it.
    pub(super) fn end_trial(&mut self, tape: &mut Tape, limits: Limits) -> Result<bool, Stop> {
        let Some(trial) = &mut self.trial else { return Ok(false) };
        let end = match self.place {
            Place::AfterScalar { end } => end,
            _ if self.raw.get(trial.start) == Some(&b'[') => return Ok(false),
            _ => {
                // A number shows that it has ended in what follows.
                trial.tape.append(b" ");
                while !trial.lexer.is_done() {
                    if !trial.lexer.next(&mut trial.tape, limits).is_ok_and(|token| token != Token::Pending) {
                        return Ok(false);
                    }
                }
                trial.start + trial.lexer.offset()
            }
        };
        // In a block that is not closed, what does not show its end is cut, and a second value is none.
        let open = self.fence.is_some() && !crate::intake::shows_its_end(trial.tape.tag(0));
        if open || self.value.is_some() {
            return Ok(false);
        }
        self.commit_scalar(tape, end)?;
        Ok(true)
    }
}
