//! The parser: one pass over UTF-8 bytes, exactly RFC 8259, without recursion.

mod error;
mod names;
mod numbers;
mod stop;
mod strings;

use super::tape::{Flags, Node, Tag, Tape};
pub use error::{ParseError, ParseErrorCode};
use stop::{Reason, Stop, stop};

/// How large and how deep a text may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of text.
    pub bytes: usize,
    /// Containers inside each other.
    pub depth: usize,
}

impl Default for Limits {
    /// 16 MiB and a depth of 512.
    fn default() -> Limits {
        Limits { bytes: 16 << 20, depth: 512 }
    }
}

/// An open container.
#[derive(Clone, Copy, Debug)]
struct Open {
    node: u32,
    /// Members or items begun.
    count: u32,
    object: bool,
    /// A bit for each name, by its hash, and whether two names have had the same: only then may two be equal.
    seen: u64,
    suspect: bool,
}

impl Open {
    #[inline(always)]
    fn of(node: u32, object: bool) -> Open {
        Open { node, count: 0, object, seen: 0, suspect: false }
    }
}

/// What the parser needs while it runs and a tape keeps for the next text.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    open: Vec<Open>,
    /// Hash and node of each name of the object that is looked at for equal ones.
    names: Vec<(u32, u32)>,
}

impl Scratch {
    pub(super) const EMPTY: Scratch = Scratch { open: Vec::new(), names: Vec::new() };
}

impl Tape {
    /// Parses the first `length` bytes of [`Tape::buffer`].
    ///
    /// # Errors
    /// As [`Tape::parse`].
    #[cfg_attr(fast, optimize(speed))]
    pub fn parse_buffer(&mut self, length: usize, limits: Limits) -> Result<(), ParseError> {
        self.nodes.clear();
        self.decoded.clear();
        self.scratch.open.clear();
        self.flags = Flags::default();
        self.text_length = length.min(self.text.len());
        if self.text_length > limits.bytes.min(u32::MAX as usize / 4) {
            return Err(ParseError::too_large(limits.bytes));
        }
        self.nodes.reserve(self.text_length / 8 + 4);
        // The text is out of the tape while the parser writes to the other buffers.
        let text = std::mem::take(&mut self.text);
        let read = self.read(text.get(..self.text_length).unwrap_or_default(), limits.depth);
        self.text = text;
        read.map_err(|stop| {
            let error = self.explain(stop, limits);
            self.nodes.clear();
            error
        })
    }

    #[inline(never)]
    #[cfg_attr(fast, optimize(speed))]
    fn read(&mut self, text: &[u8], depth: usize) -> Result<(), Stop> {
        let mut at = after_byte_order_mark(text)?;
        let mut current = Open::of(0, false);
        let mut levels = 0;
        macro_rules! located {
            ($read:expr) => {
                match $read {
                    Ok(at) => at,
                    Err(stop) => return Err(self.with_open(stop, current, levels)),
                }
            };
        }
        'value: loop {
            at = skip_space(text, at);
            if current.object {
                at = located!(self.name(text, at));
                let bit = 1u64 << (self.nodes.last().map_or(0, |name| name.link) % 64);
                current.suspect |= current.seen & bit != 0;
                current.seen |= bit;
                at = skip_space(text, at);
            }
            match text.get(at) {
                Some(b'"') => at = located!(self.string_node(text, at)),
                Some(&bracket @ (b'{' | b'[')) => {
                    if levels == depth {
                        located!(Err(Stop { at, reason: Reason::TooDeep }));
                    }
                    if levels > 0 {
                        self.scratch.open.push(current);
                    }
                    levels += 1;
                    let object = bracket == b'{';
                    current = Open::of(self.nodes.len() as u32, object);
                    let tag = if object { Tag::Object } else { Tag::Array };
                    self.nodes.push(Node { tag, flags: Flags(0), start: at as u32, length: 0, link: 0 });
                    at = skip_space(text, at + 1);
                    let closing = if object { b'}' } else { b']' };
                    if text.get(at).is_none_or(|byte| *byte != closing) {
                        current.count = 1;
                        continue 'value;
                    }
                }
                Some(&byte) => at = located!(self.scalar(text, at, byte)),
                None => located!(Err(Stop { at, reason: Reason::Ended })),
            }
            // A value has ended, or an empty container is about to.
            loop {
                if levels == 0 {
                    break 'value;
                }
                at = skip_space(text, at);
                let closing = if current.object { b'}' } else { b']' };
                match text.get(at) {
                    Some(b',') if current.count > 0 => {
                        current.count += 1;
                        at += 1;
                        continue 'value;
                    }
                    Some(&byte) if byte == closing => at += 1,
                    Some(_) => {
                        let expected = if current.object {
                            "expected a comma or a closing brace"
                        } else {
                            "expected a comma or a closing bracket"
                        };
                        located!(Err(Stop { at, reason: Reason::Unexpected(expected) }));
                    }
                    None => located!(Err(Stop { at, reason: Reason::Ended })),
                }
                if current.suspect && self.first_duplicate(text, current.node, self.nodes.len() as u32).is_some() {
                    // Which one comes first is found out with the other open objects.
                    located!(Err(Stop { at, reason: Reason::Ended }));
                }
                let end = self.nodes.len() as u32;
                if let Some(node) = self.nodes.get_mut(current.node as usize) {
                    node.length = current.count;
                    node.link = end;
                }
                levels -= 1;
                if let Some(outer) = self.scratch.open.pop() {
                    current = outer;
                }
            }
        }
        at = skip_space(text, at);
        match text.get(at) {
            None => Ok(()),
            Some(_) => Err(Stop { at, reason: Reason::Unexpected("expected the end of the text") }),
        }
    }

    /// Puts the innermost container back on the stack, for the error's pointer.
    #[cold]
    fn with_open(&mut self, stop: Stop, current: Open, levels: usize) -> Stop {
        if levels > 0 {
            self.scratch.open.push(current);
        }
        stop
    }

    #[inline(always)]
    fn scalar(&mut self, text: &[u8], at: usize, byte: u8) -> Result<usize, Stop> {
        match byte {
            b'-' | b'0'..=b'9' => self.number_node(text, at),
            b't' => self.literal(text, at, b"true", Tag::True),
            b'f' => self.literal(text, at, b"false", Tag::False),
            b'n' => self.literal(text, at, b"null", Tag::Null),
            _ => Err(stop(text, at, "expected a JSON value")),
        }
    }

    #[inline(always)]
    fn literal<const N: usize>(
        &mut self,
        text: &[u8],
        at: usize,
        word: &'static [u8; N],
        tag: Tag,
    ) -> Result<usize, Stop> {
        let rest = text.get(at..).unwrap_or_default();
        if rest.first_chunk::<N>() != Some(word) {
            return Err(not_literal(rest, at, word));
        }
        self.nodes.push(Node { tag, flags: Flags(0), start: at as u32, length: word.len() as u32, link: 0 });
        Ok(at + word.len())
    }
}

/// Where a text ceases to be a literal.
#[cold]
#[inline(never)]
fn not_literal(rest: &[u8], at: usize, word: &[u8]) -> Stop {
    let same = rest.iter().zip(word).take_while(|(a, b)| a == b).count();
    let reason = if same == rest.len() { Reason::Ended } else { Reason::Unexpected("expected a JSON value") };
    Stop { at: at + same, reason }
}

fn after_byte_order_mark(text: &[u8]) -> Result<usize, Stop> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    if text.starts_with(MARK) {
        return Ok(MARK.len());
    }
    if !text.is_empty() && MARK.starts_with(text) {
        return Err(Stop { at: text.len(), reason: Reason::Ended });
    }
    Ok(0)
}

#[inline(always)]
fn skip_space(text: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = text.get(at) {
        at += 1;
    }
    at
}
