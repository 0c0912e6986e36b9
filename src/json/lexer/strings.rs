//! Strings and member names that may be cut anywhere, also inside an escape, a surrogate pair or a UTF-8 sequence.

use super::{Fault, Lexer, Piece, State, Token};
use crate::json::scan::{hash, plain_end, quoted_end};
use crate::json::surrogate::{is_high, is_low};
use crate::json::tape::{DECODED_HEADER, Flags, Node, Tag, Tape};

/// The string being read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OpenString {
    /// Where its source starts, behind the quote.
    start: usize,
    /// Its value so far: a stretch of the source until there is an escape, and from then on kept decoded.
    piece: Piece,
    flags: Flags,
}

impl OpenString {
    pub fn flags(self) -> Flags {
        self.flags
    }

    /// Takes bytes that stand for themselves off the value so far.
    pub fn shorten(&mut self, bytes: usize) {
        self.piece.end = self.piece.end.saturating_sub(bytes as u32);
    }
}

/// What an escape sequence comes to.
enum Escape {
    /// More of it has to be seen.
    Cut,
    /// It is wrong, which the text up to here proves.
    Wrong(usize),
    /// A character, whether it stands for a lone surrogate, and where the sequence ends.
    Character(char, bool, usize),
}

impl Lexer {
    pub(super) fn begin_string(&mut self, name: bool) {
        let at = self.at as u32;
        self.string =
            OpenString { start: self.at, piece: Piece { decoded: false, start: at, end: at }, flags: Flags(0) };
        self.state = State::String { name };
    }

    /// Reads on in a string: up to its end or, if it is no name, to the end of a piece.
    #[cfg_attr(fast, optimize(speed))]
    pub(super) fn string(&mut self, tape: &mut Tape, name: bool) -> Result<Token, Fault> {
        loop {
            let from = self.at;
            let end = self.stretch(&tape.text)?;
            if end > from {
                if self.string.piece.decoded {
                    tape.decoded.extend_from_slice(tape.text.get(from..end).unwrap_or_default());
                    self.string.piece.end = tape.decoded.len() as u32;
                } else {
                    self.string.piece.end = end as u32;
                }
                self.at = end;
                if !name {
                    return Ok(Token::Text(Piece { decoded: false, start: from as u32, end: end as u32 }));
                }
                continue;
            }
            match tape.text.get(end) {
                Some(b'"') => return self.end_string(tape, name),
                Some(b'\\') => match escape(&tape.text, end) {
                    Escape::Cut => return Ok(Token::Pending),
                    Escape::Wrong(at) => {
                        self.at = at;
                        return Err(Fault::Invalid);
                    }
                    Escape::Character(character, lone, next) => {
                        self.at = next;
                        let piece = self.decode(tape, end, character, lone);
                        if !name {
                            return Ok(Token::Text(piece));
                        }
                    }
                },
                // Either the text ends here or the rest of it is the start of a UTF-8 sequence.
                None | Some(0x80..) => return Ok(Token::Pending),
                Some(_) => {
                    self.at = end + 1;
                    return Err(Fault::Invalid);
                }
            }
        }
    }

    /// The end of the characters that stand for themselves, as far as they are whole.
    #[cfg_attr(fast, optimize(speed))]
    fn stretch(&mut self, text: &[u8]) -> Result<usize, Fault> {
        let plain = plain_end(text, self.at);
        if text.get(plain).is_none_or(|byte| *byte < 0x80) {
            return Ok(plain);
        }
        let end = quoted_end(text, plain);
        let valid = match std::str::from_utf8(text.get(plain..end).unwrap_or_default()) {
            Ok(_) => end,
            Err(error) => {
                let at = plain + error.valid_up_to();
                match error.error_len() {
                    None if end == text.len() => at,
                    // What comes before it is read first, as if it had come alone.
                    _ if at > self.at => at,
                    bad => {
                        // One byte that begins no sequence proves it; a sequence that is not gone on with takes the next byte.
                        let begins = text.get(at).is_some_and(|byte| (0xC2..=0xF4).contains(byte));
                        self.at = at + bad.unwrap_or(end - at) + begins as usize;
                        return Err(Fault::Invalid);
                    }
                }
            }
        };
        if valid > plain {
            self.string.flags.add(Flags::WIDE);
        }
        Ok(valid)
    }

    /// Appends an escaped character to the value.
    fn decode(&mut self, tape: &mut Tape, at: usize, character: char, lone: bool) -> Piece {
        if !self.string.piece.decoded {
            self.string.flags.add(Flags::ESCAPED);
            tape.decoded.extend_from_slice(&[0; DECODED_HEADER]);
            self.string.piece = Piece { decoded: true, start: tape.decoded.len() as u32, end: 0 };
            tape.decoded.extend_from_slice(tape.text.get(self.string.start..at).unwrap_or_default());
        }
        if lone {
            self.string.flags.add(Flags::LONE_SURROGATE);
        }
        if !character.is_ascii() {
            self.string.flags.add(Flags::WIDE);
        }
        let start = tape.decoded.len() as u32;
        tape.decoded.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        self.string.piece.end = tape.decoded.len() as u32;
        Piece { start, ..self.string.piece }
    }

    /// The value so far of the string being read, if one is, and no name.
    pub fn open_string(&self) -> Option<Piece> {
        (self.state == State::String { name: false }).then_some(self.string.piece)
    }

    #[cfg_attr(fast, optimize(speed))]
    fn end_string(&mut self, tape: &mut Tape, name: bool) -> Result<Token, Fault> {
        let OpenString { start, piece, flags } = self.string;
        let end = self.at;
        self.at += 1;
        if piece.decoded {
            let value = piece.start as usize;
            if let Some(header) = tape.decoded.get_mut(value.saturating_sub(DECODED_HEADER)..value) {
                let words = [(start as u32).to_le_bytes(), ((end - start) as u32).to_le_bytes()];
                header.copy_from_slice(words.as_flattened());
            }
        }
        tape.flags.add(Flags(flags.0 & Flags::LONE_SURROGATE.0));
        let length = piece.end.saturating_sub(piece.start);
        let mut node = Node { tag: Tag::String, flags, start: piece.start, length, link: 0 };
        if !name {
            return Ok(self.scalar(tape, node));
        }
        if flags.contains(Flags::LONE_SURROGATE) {
            return Err(Fault::Invalid);
        }
        node.link = hash(tape.string_bytes(&node));
        let id = tape.nodes.len() as u32;
        tape.nodes.push(node);
        self.state = State::Colon;
        if let Some(open) = self.open.last_mut() {
            open.count += 1;
            if !self.names.insert(tape, open.names, (node.link, id)) {
                return Err(Fault::Invalid);
            }
        }
        Ok(Token::Name(id))
    }
}

/// The escape sequence at `at`, a high surrogate with the low one that follows it.
fn escape(text: &[u8], at: usize) -> Escape {
    let plain = match text.get(at + 1) {
        None => return Escape::Cut,
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(&byte @ (b'"' | b'\\' | b'/')) => byte as char,
        Some(b'u') => {
            return match unit(text, at + 2) {
                Ok(unit) => unicode(text, at + 6, unit),
                Err(escape) => escape,
            };
        }
        Some(_) => return Escape::Wrong(at + 2),
    };
    Escape::Character(plain, false, at + 2)
}

/// The UTF-16 unit that four digits at `at` spell.
fn unit(text: &[u8], at: usize) -> Result<u32, Escape> {
    let mut unit = 0;
    for place in at..at + 4 {
        let Some(&byte) = text.get(place) else { return Err(Escape::Cut) };
        let Some(digit) = (byte as char).to_digit(16) else { return Err(Escape::Wrong(place + 1)) };
        unit = unit << 4 | digit;
    }
    Ok(unit)
}

fn unicode(text: &[u8], end: usize, first: u32) -> Escape {
    let mut code = first;
    let mut next = end;
    if is_high(first) {
        match (text.get(end), text.get(end + 1)) {
            (None, _) | (Some(b'\\'), None) => return Escape::Cut,
            (Some(b'\\'), Some(b'u')) => match unit(text, end + 2) {
                Ok(low) if is_low(low) => {
                    code = 0x10000 + ((first & 0x3FF) << 10) + (low & 0x3FF);
                    next = end + 6;
                }
                Err(Escape::Cut) => return Escape::Cut,
                _ => {}
            },
            _ => {}
        }
    }
    match char::from_u32(code) {
        Some(character) => Escape::Character(character, false, next),
        None => Escape::Character(char::REPLACEMENT_CHARACTER, true, end),
    }
}
