//! Lenient intake as it is done: an incremental search for the one JSON value in a model's text.
//!
//! Bytes go in, tokens of the value come out, so that a whole text and a stream are read by the same steps and cannot differ.
//! What comes out of the text so far does not depend on where it was cut: whatever cannot be told yet is waited for.

mod conclusion;
mod fences;
mod prose;
mod reasoning;
mod trial;

use crate::json::lexer::{Fault, Lexer, Token};
use crate::json::tape::{Limits, Tape};
use fences::{Fence, Within};
use reasoning::begins;
use trial::Trial;

/// Why no text that goes on like this is a return. [`Finder::offset`] says where that became known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The value itself is no JSON, or too deep.
    Value(Fault),
    /// There is a second value.
    Ambiguous,
    /// The value stands in what its text calls reasoning only afterwards.
    Reasoned,
    /// The value stands in brackets that are no JSON.
    Bracketed,
    /// The text around the value is not UTF-8.
    Encoding,
}

/// Where the next byte stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Before everything: there may be a byte order mark.
    Start,
    /// In prose, or in a fenced block that is searched as prose.
    Prose,
    /// Behind an opening brace, of which it is not known whether a member follows.
    Brace { open: usize, content: bool },
    /// In what may be an array or, where nothing but the value may stand, a scalar.
    Trial { content: bool },
    /// Behind such a scalar.
    AfterScalar { end: usize },
    /// In the value.
    Value,
    /// In reasoning.
    Reasoning(usize),
    /// In a run of backticks or tildes.
    Run { start: usize, within: Within },
    /// Behind an opening run, in the rest of its line.
    Info { start: usize, run: Fence, within: Within },
    /// At the beginning of a fenced block's content.
    Content,
    /// In a fenced block of another language.
    Block,
}

/// Searches a text for its one value.
#[derive(Debug)]
pub(crate) struct Finder {
    raw: Vec<u8>,
    /// The first byte that is not read, and up to where the text is known to be UTF-8.
    at: usize,
    valid: usize,
    place: Place,
    /// The fenced block that the next byte is in, and the one of another language around that.
    fence: Option<Fence>,
    outer: Option<Fence>,
    trial: Option<Box<Trial>>,
    /// Whether the contract may accept an array.
    arrays: bool,
    /// No text yet but reasoning; nothing but space on this line so far.
    first: bool,
    line: bool,
    /// Brackets in the prose of this paragraph that are not closed.
    brackets: u32,
    /// How much of the text was read to see that what began as a scalar is none.
    seen: usize,
    /// What looked like the beginning of a value where one was to be expected.
    miss: Option<usize>,
    /// Where the value starts, how much text it took to see that it is one, and whether it has ended.
    value: Option<usize>,
    known: usize,
    whole: bool,
    fenced: bool,
    leading: bool,
    trailing: bool,
    /// Nothing more will come.
    ended: bool,
    stop: Option<Stop>,
}

impl Finder {
    /// `arrays`: whether the contract may accept an array.
    pub fn new(arrays: bool) -> Finder {
        Finder {
            raw: Vec::new(),
            at: 0,
            valid: 0,
            place: Place::Start,
            fence: None,
            outer: None,
            trial: None,
            arrays,
            first: true,
            line: true,
            brackets: 0,
            seen: 0,
            miss: None,
            value: None,
            known: 0,
            whole: false,
            fenced: false,
            leading: false,
            trailing: false,
            ended: false,
            stop: None,
        }
    }

    /// The text so far.
    pub fn text(&self) -> &[u8] {
        &self.raw
    }

    /// Where the value starts in the text.
    pub fn value_start(&self) -> usize {
        self.value.unwrap_or_default()
    }

    /// The names of the steps that were taken.
    pub fn steps(&self) -> impl Iterator<Item = &'static str> {
        [(self.fenced, "fenced"), (self.leading, "leading_text"), (self.trailing, "trailing_text")]
            .into_iter()
            .filter_map(|(taken, name)| taken.then_some(name))
    }

    /// Adds to the text.
    pub fn push(&mut self, piece: &[u8]) {
        self.raw.extend_from_slice(piece);
        if self.valid == self.raw.len() - piece.len() && piece.is_ascii() {
            self.valid = self.raw.len();
        } else if let Err(error) = std::str::from_utf8(self.raw.get(self.valid..).unwrap_or_default()) {
            self.valid += error.valid_up_to();
        } else {
            self.valid = self.raw.len();
        }
    }

    /// How many bytes of the text it took to read the value as far as it is read, and so many more; after a stop, how many to prove that.
    pub fn offset(&self, lexer: &Lexer, more: usize) -> usize {
        let read = match self.stop {
            None | Some(Stop::Value(_)) => self.known.max(self.value_start() + lexer.offset() + more),
            Some(Stop::Encoding) => {
                // As for strings: a sequence that is not gone on with takes the next byte.
                let rest = self.raw.get(self.valid..).unwrap_or_default();
                let bad = std::str::from_utf8(rest).err().and_then(|error| error.error_len()).unwrap_or_default();
                let begins = rest.first().is_some_and(|byte| (0xC2..=0xF4).contains(byte));
                self.valid + bad + begins as usize
            }
            _ => self.at,
        };
        read.max(self.seen)
    }

    /// The next token of the value. After a stop nothing more can be read.
    #[inline]
    pub fn next(&mut self, tape: &mut Tape, lexer: &mut Lexer, limits: Limits) -> Result<Token, Stop> {
        loop {
            if let Some(stop) = self.stop {
                return Err(stop);
            }
            if self.place != Place::Value {
                match self.search(tape, limits) {
                    Ok(true) => continue,
                    Ok(false) => return Ok(Token::Pending),
                    Err(stop) => {
                        self.stop = Some(stop);
                        continue;
                    }
                }
            }
            if lexer.is_done() {
                // What was read beyond the value is searched like all other text.
                self.at = self.value_start() + lexer.offset();
                tape.truncate(lexer.offset());
                self.whole = true;
                self.place = Place::Prose;
                continue;
            }
            match lexer.next(tape, limits) {
                Ok(Token::Pending) if self.at < self.raw.len() => {
                    tape.append(self.raw.get(self.at..).unwrap_or_default());
                    self.at = self.raw.len();
                }
                Ok(token) => return Ok(token),
                Err(fault) => self.stop = Some(Stop::Value(fault)),
            }
        }
    }

    /// Reads on outside the value. False when more has to come.
    fn search(&mut self, tape: &mut Tape, limits: Limits) -> Result<bool, Stop> {
        let Some(&byte) = self.raw.get(self.at).filter(|_| self.at < self.valid) else {
            return if self.ended { self.end(tape, limits) } else { self.wait() };
        };
        match self.place {
            Place::Start => {
                const MARK: &[u8] = "\u{feff}".as_bytes();
                self.at = if begins(&self.raw, MARK) { MARK.len() } else { 0 };
                self.place = Place::Prose;
            }
            Place::Prose => return self.prose(byte),
            Place::Brace { open, content } => match byte {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                b'"' | b'}' => self.commit(tape, open)?,
                _ => {
                    self.miss_at(open, content);
                    self.brackets += 1;
                    self.not_a_value(content);
                }
            },
            Place::Trial { content } => return self.try_on(tape, limits, content),
            Place::AfterScalar { end } => match byte {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                b'`' | b'~' if self.fence.is_some() => self.begin_run(Within::Scalar { end }),
                _ => self.give_up_scalar(self.at + 1),
            },
            Place::Value => {}
            Place::Reasoning(index) => return self.reasoning(index),
            Place::Run { start, within } => self.run(byte, tape, start, within)?,
            Place::Info { start, run, within } => self.info(byte, start, run, within),
            Place::Content => self.content(byte, tape)?,
            Place::Block => self.block(byte),
        }
        Ok(true)
    }

    /// More has to come, unless what has come is not UTF-8.
    fn wait(&mut self) -> Result<bool, Stop> {
        let rest = self.raw.get(self.valid..).unwrap_or_default();
        let broken = std::str::from_utf8(rest).is_err_and(|error| error.error_len().is_some());
        if broken { Err(Stop::Encoding) } else { Ok(false) }
    }

    /// The text has ended. False when nothing comes of that.
    fn end(&mut self, tape: &mut Tape, limits: Limits) -> Result<bool, Stop> {
        match self.place {
            Place::Run { start, within } => self.end_run(start, within),
            Place::Info { start, run, within } => self.end_info(start, run, within),
            Place::Trial { .. } | Place::AfterScalar { .. } => return self.end_trial(tape, limits),
            _ => return self.wait(),
        }
        Ok(true)
    }
}
