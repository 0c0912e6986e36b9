//! The incremental lexer: JSON text that comes in pieces, cut anywhere, read onto a tape as far as it goes.
//!
//! It accepts what [`Tape::parse`] accepts and leaves the same tape; a fault is found at the byte that proves it. A piece costs
//! time in its own length, for nothing is read twice but the few bytes of a cut escape, literal or UTF-8 sequence.

mod names;
mod numbers;
mod seal;
mod strings;

use super::parse::Limits;
use super::tape::{Flags, Node, NodeId, Tag, Tape};
use names::Names;
use numbers::Numeral;
use strings::OpenString;

/// What the lexer has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// The text so far is used up.
    Pending,
    /// A value begins, by its first byte. Of a container the node is on the tape, of a scalar nothing.
    Begin(Tag),
    /// A member name has ended.
    Name(NodeId),
    /// More of a string's value: not of a name.
    Text(Piece),
    /// A value that is no container has ended.
    Scalar(NodeId),
    /// A container has ended.
    Close(NodeId),
}

/// A stretch of a string's value: in the text, or where escapes are, among the decoded values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// Whether it lies among the decoded values.
    pub(crate) decoded: bool,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Piece {
    /// Where it is in the text; nothing when it is decoded.
    pub fn source(self) -> Option<(usize, usize)> {
        (!self.decoded).then_some((self.start as usize, self.end as usize))
    }
}

/// Why no text that goes on like this is accepted. [`Lexer::offset`] says where that became known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is no JSON.
    Invalid,
    /// It is nested deeper than the limit.
    TooDeep,
}

/// An open container.
#[derive(Clone, Copy, Debug)]
struct Open {
    node: NodeId,
    /// Items or members begun.
    count: u32,
    /// Where its names start among those of all open objects.
    names: u32,
    object: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Nothing but perhaps a part of the byte order mark.
    #[default]
    Start,
    Value,
    /// After `[`.
    ItemOrEnd,
    /// After `{`.
    NameOrEnd,
    /// After the comma in an object.
    Name,
    Colon,
    Literal(Tag),
    Number(Numeral),
    String {
        name: bool,
    },
    AfterValue,
    /// After the whole value.
    Done,
}

/// Reads a text in pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lexer {
    /// The first byte that is not read for good.
    at: usize,
    state: State,
    open: Vec<Open>,
    names: Names,
    /// Where the number or literal being read starts.
    start: usize,
    string: OpenString,
}

impl Lexer {
    /// How many bytes have been read for good; after a fault, how many it took to prove it.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Whether the whole value has been read. A number at the root never has: more digits may follow.
    pub fn is_done(&self) -> bool {
        self.state == State::Done
    }

    /// How many containers are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// How many items or members the innermost open container has so far.
    #[inline]
    pub fn count(&self) -> u32 {
        self.open.last().map_or(0, |open| open.count)
    }

    /// Which item of its array the value is that has just begun, from one on; for a member, that of its object.
    #[inline]
    pub fn place_of_begun(&self, container: bool) -> u32 {
        let outer = self.open.len().checked_sub(1 + container as usize);
        outer.and_then(|outer| self.open.get(outer)).map_or(0, |open| open.count)
    }

    /// The next token of the tape's text. After a fault nothing more can be read.
    #[inline]
    #[cfg_attr(fast, optimize(speed))]
    pub fn next(&mut self, tape: &mut Tape, limits: Limits) -> Result<Token, Fault> {
        loop {
            match self.state {
                State::String { name } => return self.string(tape, name),
                State::Number(numeral) => return self.number(tape, numeral),
                State::Literal(tag) => return self.literal(tape, tag),
                State::Start => {
                    if !self.byte_order_mark(&tape.text)? {
                        return Ok(Token::Pending);
                    }
                    continue;
                }
                _ => {}
            }
            let Some(byte) = self.skip_space(&tape.text) else { return Ok(Token::Pending) };
            self.at += 1;
            match (self.state, byte) {
                (State::Value | State::ItemOrEnd, b'"') => {
                    self.begin_value();
                    self.begin_string(false);
                    return Ok(Token::Begin(Tag::String));
                }
                (State::Value | State::ItemOrEnd, b'{') => return self.begin_container(tape, limits, Tag::Object),
                (State::Value | State::ItemOrEnd, b'[') => return self.begin_container(tape, limits, Tag::Array),
                (State::ItemOrEnd, b']') | (State::NameOrEnd, b'}') => return Ok(self.close(tape)),
                (State::Value | State::ItemOrEnd, _) => return self.begin_scalar(byte),
                (State::NameOrEnd | State::Name, b'"') => self.begin_string(true),
                (State::Colon, b':') => self.state = State::Value,
                (State::AfterValue, _) => {
                    let object = self.open.last().is_some_and(|open| open.object);
                    match byte {
                        b',' => self.state = if object { State::Name } else { State::Value },
                        b'}' if object => return Ok(self.close(tape)),
                        b']' if !object => return Ok(self.close(tape)),
                        _ => return Err(Fault::Invalid),
                    }
                }
                _ => return Err(Fault::Invalid),
            }
        }
    }

    /// Whether what follows the mark, or its absence, can be read.
    fn byte_order_mark(&mut self, text: &[u8]) -> Result<bool, Fault> {
        const MARK: &[u8] = "\u{feff}".as_bytes();
        let same = text.iter().zip(MARK).take_while(|(byte, mark)| byte == mark).count();
        if same > 0 && same < MARK.len() {
            self.at = same + 1;
            return if same == text.len() { Ok(false) } else { Err(Fault::Invalid) };
        }
        self.at = same;
        self.state = State::Value;
        Ok(!text.is_empty())
    }

    #[inline]
    fn skip_space(&mut self, text: &[u8]) -> Option<u8> {
        loop {
            match text.get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                other => return other.copied(),
            }
        }
    }

    /// Counts an item; members are counted by their names.
    #[inline]
    fn begin_value(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.count += !open.object as u32;
        }
    }

    #[cfg_attr(fast, optimize(speed))]
    fn begin_container(&mut self, tape: &mut Tape, limits: Limits, tag: Tag) -> Result<Token, Fault> {
        if self.open.len() >= limits.depth {
            return Err(Fault::TooDeep);
        }
        self.begin_value();
        let (object, node) = (tag == Tag::Object, tape.nodes.len() as u32);
        self.open.push(Open { node, count: 0, names: self.names.len(), object });
        tape.nodes.push(Node { tag, flags: Flags(0), start: (self.at - 1) as u32, length: 0, link: 0 });
        self.state = if object { State::NameOrEnd } else { State::ItemOrEnd };
        Ok(Token::Begin(tag))
    }

    fn begin_scalar(&mut self, byte: u8) -> Result<Token, Fault> {
        let tag = match byte {
            b't' => Tag::True,
            b'f' => Tag::False,
            b'n' => Tag::Null,
            b'-' | b'0'..=b'9' => Tag::Number,
            _ => return Err(Fault::Invalid),
        };
        self.begin_value();
        self.start = self.at - 1;
        self.state = if tag == Tag::Number { State::Number(Numeral::of_first(byte)) } else { State::Literal(tag) };
        Ok(Token::Begin(tag))
    }

    fn literal(&mut self, tape: &mut Tape, tag: Tag) -> Result<Token, Fault> {
        let word: &[u8] = match tag {
            Tag::True => b"true",
            Tag::False => b"false",
            _ => b"null",
        };
        let rest = tape.text.get(self.start..).unwrap_or_default();
        let same = rest.iter().zip(word).take_while(|(byte, wanted)| byte == wanted).count();
        if same < word.len() {
            if same == rest.len() {
                return Ok(Token::Pending);
            }
            self.at = self.start + same + 1;
            return Err(Fault::Invalid);
        }
        self.at = self.start + word.len();
        let node = Node { tag, flags: Flags(0), start: self.start as u32, length: word.len() as u32, link: 0 };
        Ok(self.scalar(tape, node))
    }

    #[cfg_attr(fast, optimize(speed))]
    fn number(&mut self, tape: &mut Tape, mut numeral: Numeral) -> Result<Token, Fault> {
        while let Some(&byte) = tape.text.get(self.at) {
            match numeral.next(byte) {
                Some(next) => numeral = next,
                None if numeral.may_end(byte) => {
                    let node = numbers::node(&tape.text, self.start, self.at, numeral);
                    tape.flags.add(Flags(node.flags.0 & 3));
                    return Ok(self.scalar(tape, node));
                }
                None => {
                    self.at += 1;
                    return Err(Fault::Invalid);
                }
            }
            self.at += 1;
        }
        self.state = State::Number(numeral);
        Ok(Token::Pending)
    }

    /// Puts an ended scalar on the tape.
    #[cfg_attr(fast, optimize(speed))]
    fn scalar(&mut self, tape: &mut Tape, node: Node) -> Token {
        let id = tape.nodes.len() as u32;
        tape.nodes.push(node);
        self.state = if self.open.is_empty() { State::Done } else { State::AfterValue };
        Token::Scalar(id)
    }

    #[cfg_attr(fast, optimize(speed))]
    fn close(&mut self, tape: &mut Tape) -> Token {
        let Some(closed) = self.open.pop() else { return Token::Pending };
        self.names.truncate(closed.names);
        let end = tape.nodes.len() as u32;
        if let Some(node) = tape.nodes.get_mut(closed.node as usize) {
            node.length = closed.count;
            node.link = end;
        }
        self.state = if self.open.is_empty() { State::Done } else { State::AfterValue };
        Token::Close(closed.node)
    }

    /// Takes back the last bytes read of a string: what came before them has proved it to be wrong.
    pub fn take_back(&mut self, bytes: usize) {
        self.at -= bytes;
        self.string.shorten(bytes);
    }
}
