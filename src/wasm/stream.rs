//! Streams over the boundary: pieces in a buffer that never moves, edits of the value so far as words.
//!
//! A word says what an edit is (four bits), where its text is (one bit), and how long that is. Text of the piece that was
//! just pushed is named by its place in JavaScript's own string, so that it need not be decoded; other text follows as bytes.

use std::rc::Rc;

use wasm_bindgen::prelude::*;

use super::{goes_out_as_given, verdict_json, with_input};
use crate::contract::{Contract, Rejected};
use crate::intake::Intake;
use crate::stream::{ContractStream, Edit, Piece, Status};

/// Longer pieces come through the input buffer.
const DELTA: usize = 4096;

/// In a string that may have any length, JavaScript holds back text that stands for itself, so many bytes at most, until something
/// else comes: a call for each piece would take longer than reading it.
const HELD_BACK: usize = DELTA;

/// Room for words of edits from the beginning; it stays in its place until more are needed.
const WORDS: usize = 64;

/// A return that streams in.
#[wasm_bindgen]
pub struct StreamHandle {
    stream: ContractStream<Rc<Contract>>,
    /// Where pieces are written.
    buffer: Vec<u8>,
    /// The edits of the last piece, encoded.
    words: Vec<u32>,
    units: Units,
}

impl StreamHandle {
    pub(super) fn new(contract: Rc<Contract>, intake: Intake) -> StreamHandle {
        StreamHandle {
            stream: ContractStream::new(contract, intake),
            buffer: vec![0; DELTA],
            words: Vec::with_capacity(WORDS),
            units: Units::default(),
        }
    }

    /// Two bits of status, one for whether plain text may be held back, and the number of words.
    #[cfg_attr(fast, optimize(speed))]
    fn push_piece(&mut self, piece: &[u8], text: bool) -> u32 {
        self.units = Units::of(self.stream.text().len(), piece.len(), text);
        let status = self.stream.push(piece);
        let words = encode(&mut self.words, &self.stream, &mut self.units, self.stream.edits());
        let status = match status {
            Status::Incomplete => 0,
            Status::Complete => 1,
            Status::Rejected => 2,
            Status::InvalidJson => 3,
        };
        words << 3 | (self.stream.takes_plain_text(HELD_BACK) as u32) << 2 | status
    }
}

#[wasm_bindgen]
impl StreamHandle {
    /// Where a piece of up to 4096 bytes is written. The place holds as long as the stream.
    pub fn buffer(&mut self) -> *mut u8 {
        self.buffer.as_mut_ptr()
    }

    /// Reads a piece from the stream's buffer. `text`: JavaScript has it as a string.
    #[cfg_attr(fast, optimize(speed))]
    pub fn push(&mut self, length: usize, text: bool) -> u32 {
        let buffer = std::mem::take(&mut self.buffer);
        let answer = self.push_piece(buffer.get(..length).unwrap_or_default(), text);
        self.buffer = buffer;
        answer
    }

    /// Reads a piece from the input buffer.
    pub fn push_input(&mut self, length: usize, text: bool) -> u32 {
        with_input(length, |piece| self.push_piece(piece, text))
    }

    /// Records edits from the next piece on. The words, so many, make the value so far.
    pub fn watch(&mut self) -> u32 {
        let edits = self.stream.watch();
        encode(&mut self.words, &self.stream, &mut Units::default(), &edits)
    }

    /// Where the words are: up to 64 in the same place always, and as many as there once were in the place of those.
    pub fn words(&self) -> *const u32 {
        self.words.as_ptr()
    }

    /// Why the text was given up, as a verdict.
    pub fn rejection(&self) -> Option<String> {
        self.stream.rejection().map(Rejected::to_json)
    }

    /// How much of the last piece it took, if that is where the text was given up: in UTF-16 units of a string, else in bytes.
    pub fn rejected_within(&mut self) -> u32 {
        let at = self.stream.rejected_at().unwrap_or_default();
        self.units.at(self.stream.text(), at)
    }

    /// The verdict on the whole text, as from `ContractHandle::read_return`.
    pub fn end(self, finish_reason: Option<String>) -> Option<String> {
        if self.stream.accepted(finish_reason.as_deref()).is_some_and(goes_out_as_given) {
            return None;
        }
        let text = self.stream.text().to_vec();
        verdict_json(&text, self.stream.end(finish_reason.as_deref()))
    }
}

/// From a place in the text, in bytes, to the one in the piece that was pushed last: of a string in UTF-16 units.
#[derive(Default)]
struct Units {
    start: usize,
    end: usize,
    /// Known when it is asked for.
    ascii: Option<bool>,
    text: bool,
    /// A place that is known, in both units.
    byte: usize,
    unit: u32,
}

impl Units {
    fn of(start: usize, length: usize, text: bool) -> Units {
        let ascii = (!text).then_some(true);
        Units { start, end: start + length, ascii, text, byte: start, unit: 0 }
    }

    /// Places are asked for from the start on.
    fn at(&mut self, text: &[u8], byte: usize) -> u32 {
        if *self.ascii.get_or_insert_with(|| text.get(self.start..self.end).is_some_and(<[u8]>::is_ascii)) {
            return byte.saturating_sub(self.start) as u32;
        }
        if byte < self.byte {
            (self.byte, self.unit) = (self.start, 0);
        }
        for lead in text.get(self.byte..byte).unwrap_or_default() {
            self.unit += (*lead & 0xC0 != 0x80) as u32 + (*lead >= 0xF0) as u32;
        }
        self.byte = byte;
        self.unit
    }
}

const BYTES: u32 = 1 << 4;

/// Encodes edits and says how many words they are.
#[cfg_attr(fast, optimize(speed))]
fn encode(words: &mut Vec<u32>, stream: &ContractStream<Rc<Contract>>, units: &mut Units, edits: &[Edit]) -> u32 {
    words.clear();
    for edit in edits {
        push_edit(words, stream, units, *edit);
    }
    words.len() as u32
}

#[cfg_attr(fast, optimize(speed))]
fn push_edit(words: &mut Vec<u32>, stream: &ContractStream<Rc<Contract>>, units: &mut Units, edit: Edit) {
    let (kind, piece) = match edit {
        Edit::Object => return words.push(0),
        Edit::Array => return words.push(1),
        Edit::Close => return words.push(2),
        Edit::Name(piece) => (3, piece),
        Edit::String(piece) => (4, piece),
        Edit::More(piece) => (5, piece),
        Edit::Number(piece) => {
            if let Some(integer) = small_integer(stream.piece(piece).as_bytes()) {
                return words.extend([10, integer as u32]);
            }
            (6, piece)
        }
        Edit::Boolean(true) => return words.push(7),
        Edit::Boolean(false) => return words.push(8),
        Edit::Null => return words.push(9),
    };
    if let Some((start, length)) = in_piece(stream, units, piece) {
        return words.extend([kind | length << 5, start]);
    }
    let bytes = stream.piece(piece).as_bytes();
    words.push(kind | BYTES | (bytes.len() as u32) << 5);
    let (whole, rest) = bytes.as_chunks::<4>();
    words.extend(whole.iter().map(|bytes| u32::from_le_bytes(*bytes)));
    if !rest.is_empty() {
        words.push(rest.iter().rev().fold(0, |word, byte| word << 8 | *byte as u32));
    }
}

/// The place and length of a text in JavaScript's string, if it lies in the piece that was pushed last.
fn in_piece(stream: &ContractStream<Rc<Contract>>, units: &mut Units, piece: Piece) -> Option<(u32, u32)> {
    let before = stream.value_start();
    let (start, end) = piece.source().map(|(start, end)| (before + start, before + end))?;
    if !units.text || start < units.start || end > units.end {
        return None;
    }
    let first = units.at(stream.text(), start);
    Some((first, units.at(stream.text(), end) - first))
}

/// An integer of up to nine digits, which a word holds. Minus zero is no integer to JavaScript.
fn small_integer(text: &[u8]) -> Option<i32> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.len() > 9 || negative && digits == b"0" {
        return None;
    }
    let value =
        digits.iter().try_fold(0, |value, digit| digit.is_ascii_digit().then(|| value * 10 + (digit & 15) as i32))?;
    Some(if negative { -value } else { value })
}
