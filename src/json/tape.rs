//! The tape: JSON text read in one pass into flat nodes, and how to walk them.

mod node;
mod source;

use super::lexer::Piece;
pub use super::parse::{Limits, ParseError, ParseErrorCode};
use super::pointer;
pub(super) use node::DECODED_HEADER;
use node::NULL;
pub(crate) use node::Node;
pub use node::{Flags, Tag};

/// The index of a node on a [`Tape`]; the document's root is node 0.
pub type NodeId = u32;

/// A parsed JSON text. It owns the text and can be parsed into again without allocating.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    /// The text, and maybe more behind it.
    pub(super) text: Vec<u8>,
    pub(super) text_length: usize,
    pub(super) nodes: Vec<Node>,
    pub(super) decoded: Vec<u8>,
    pub(super) scratch: super::parse::Scratch,
    pub(super) flags: Flags,
}

impl Tape {
    /// A tape of no text.
    pub const EMPTY: Tape = Tape {
        text: Vec::new(),
        text_length: 0,
        nodes: Vec::new(),
        decoded: Vec::new(),
        scratch: super::parse::Scratch::EMPTY,
        flags: Flags(0),
    };

    /// Parses a text. A leading byte order mark is ignored.
    ///
    /// # Errors
    /// When the text is not exactly one JSON value by RFC 8259, has a duplicate member name, a lone surrogate in a member name or
    /// invalid UTF-8, or exceeds a limit.
    pub fn parse(text: &[u8], limits: Limits) -> Result<Tape, ParseError> {
        let mut tape = Tape::default();
        tape.parse_again(text, limits)?;
        Ok(tape)
    }

    /// Parses a text into this tape, in the buffers it has. After an error the tape is empty: its root is `null`.
    ///
    /// # Errors
    /// As [`Tape::parse`].
    pub fn parse_again(&mut self, text: &[u8], limits: Limits) -> Result<(), ParseError> {
        self.text.clear();
        if text.len() <= limits.bytes {
            self.text.extend_from_slice(text);
            self.parse_buffer(text.len(), limits)
        } else {
            self.nodes.clear();
            Err(ParseError::too_large(limits.bytes))
        }
    }

    /// The buffer that [`Tape::parse_buffer`] reads: a caller may fill it in place of copying a text in. It may be longer than
    /// the text. The tape is empty until it is parsed.
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        self.nodes.clear();
        self.text_length = 0;
        &mut self.text
    }

    /// Adds to the text without reading it, for the incremental lexer.
    #[cfg_attr(fast, optimize(speed))]
    pub(crate) fn append(&mut self, piece: &[u8]) {
        if piece.len() > 64 {
            self.text.extend_from_slice(piece);
        } else {
            // In WebAssembly copying so little takes less time than calling the host to copy it.
            self.text.reserve(piece.len());
            let (words, rest) = piece.as_chunks::<8>();
            words.iter().for_each(|word| self.text.extend_from_slice(word));
            rest.iter().for_each(|byte| self.text.push(*byte));
        }
        self.text_length = self.text.len();
    }

    /// Drops the text from a place on.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.text.truncate(length);
        self.text_length = self.text.len();
    }

    /// Takes the text from a place on off.
    pub(crate) fn split_off(&mut self, at: usize) -> Vec<u8> {
        let rest = self.text.split_off(at.min(self.text.len()));
        self.text_length = self.text.len();
        rest
    }

    /// A stretch of a string's value, or of the text.
    #[inline]
    pub(crate) fn piece(&self, piece: Piece) -> &[u8] {
        let from = if piece.decoded { &self.decoded } else { &self.text };
        from.get(piece.start as usize..piece.end as usize).unwrap_or_default()
    }

    /// Where the value of a string, or the source of a number, is.
    #[inline]
    pub(crate) fn value_piece(&self, node: NodeId) -> Piece {
        let node = self.node(node);
        Piece { decoded: node.flags.contains(Flags::ESCAPED), start: node.start, end: node.start + node.length }
    }

    /// The whole text, a byte order mark included.
    #[inline]
    pub fn text(&self) -> &[u8] {
        self.text.get(..self.text_length).unwrap_or_default()
    }

    /// What is noteworthy anywhere in the text.
    pub fn flags(&self) -> Flags {
        self.flags
    }

    /// What is noteworthy about one node.
    pub fn node_flags(&self, node: NodeId) -> Flags {
        Flags(self.node(node).flags.0 & 7)
    }

    /// How many nodes there are, member names included.
    pub fn node_count(&self) -> u32 {
        self.nodes.len() as u32
    }

    #[inline(always)]
    pub(crate) fn node(&self, node: NodeId) -> &Node {
        self.nodes.get(node as usize).unwrap_or(&NULL)
    }

    /// What the node is.
    #[inline]
    pub fn tag(&self, node: NodeId) -> Tag {
        self.node(node).tag
    }

    /// How many items an array has, or members an object.
    pub fn count(&self, node: NodeId) -> u32 {
        let node = self.node(node);
        if node.tag >= Tag::Array { node.length } else { 0 }
    }

    /// The node after `node` and all it contains.
    // As all that the parser and the evaluator do for each node: told, because the core is compiled for size.
    #[inline(always)]
    pub fn next(&self, node: NodeId) -> NodeId {
        let found = self.node(node);
        if found.tag >= Tag::Array { found.link } else { node + 1 }
    }

    /// The value of a string or member name as UTF-8 bytes; empty for other nodes.
    #[inline(always)]
    pub(crate) fn string_bytes(&self, node: &Node) -> &[u8] {
        let from = if node.flags.contains(Flags::ESCAPED) { &self.decoded } else { &self.text };
        let (start, end) = (node.start as usize, node.start as usize + node.length as usize);
        if node.tag == Tag::String { from.get(start..end).unwrap_or_default() } else { &[] }
    }

    /// The value of a string or member name; empty for other nodes.
    pub fn string(&self, node: NodeId) -> &str {
        std::str::from_utf8(self.string_bytes(self.node(node))).unwrap_or_default()
    }

    /// The value of a node that is a string.
    pub fn as_string(&self, node: NodeId) -> Option<&str> {
        (self.tag(node) == Tag::String).then(|| self.string(node))
    }

    /// A number's source text; empty for other nodes.
    pub fn number(&self, node: NodeId) -> &str {
        let found = self.node(node);
        let bytes = if found.tag == Tag::Number { self.number_bytes(found) } else { &[] };
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// The source text of a node that is a number.
    #[inline]
    pub(crate) fn number_bytes(&self, node: &Node) -> &[u8] {
        self.text.get(node.start as usize..node.start as usize + node.length as usize).unwrap_or_default()
    }

    /// The value of a number that is written as an integer of up to 18 digits.
    #[inline(always)]
    pub(crate) fn small_integer(&self, node: &Node) -> Option<i64> {
        if !node.is_plain_integer() || node.length > 18 {
            return None;
        }
        let bytes = self.number_bytes(node);
        let (negative, digits) = match bytes.split_first() {
            Some((b'-', digits)) => (true, digits),
            _ => (false, bytes),
        };
        let value = digits.iter().fold(0i64, |value, digit| value * 10 + (digit & 15) as i64);
        Some(if negative { -value } else { value })
    }

    /// The items of an array; nothing for other nodes.
    pub fn items(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let found = self.node(node);
        let end = if found.tag == Tag::Array { found.link } else { node };
        let mut at = node + 1;
        std::iter::from_fn(move || {
            let item = at;
            (item < end).then(|| {
                at = self.next(item);
                item
            })
        })
    }

    /// The members of an object as nodes of name and value; nothing for other nodes.
    pub fn members(&self, node: NodeId) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        let found = self.node(node);
        let end = if found.tag == Tag::Object { found.link } else { node };
        let mut at = node + 1;
        std::iter::from_fn(move || {
            let name = at;
            (name < end).then(|| {
                at = self.next(name + 1);
                (name, name + 1)
            })
        })
    }

    /// The value of an object's member, in time linear in the number of members.
    pub fn get(&self, object: NodeId, name: &str) -> Option<NodeId> {
        self.find(object, name.as_bytes(), super::scan::hash(name.as_bytes()))
    }

    /// As [`Tape::get`], with the name's hash known.
    #[inline]
    pub(crate) fn find(&self, object: NodeId, name: &[u8], hash: u32) -> Option<NodeId> {
        let found = self.node(object);
        let end = if found.tag == Tag::Object { found.link } else { object };
        let mut at = object + 1;
        while at < end {
            let key = self.node(at);
            if key.link == hash && self.string_bytes(key) == name {
                return Some(at + 1);
            }
            at = self.next(at + 1);
        }
        None
    }

    /// Follows a JSON Pointer from the root.
    pub fn pointer(&self, pointer: &str) -> Option<NodeId> {
        pointer::resolve(self, 0, pointer)
    }
}
