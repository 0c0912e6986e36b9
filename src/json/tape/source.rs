//! Where a node stands in the text, and what stands there.

use std::borrow::Cow;

use super::{DECODED_HEADER, Flags, Node, NodeId, Tag, Tape};
use crate::json::surrogate;

impl Tape {
    /// The JSON text of a node as it stands in the source. Lone surrogates in it, which are escapes, are written as `\ufffd`.
    pub fn json_text(&self, node: NodeId) -> Cow<'_, str> {
        let text = self.source(node);
        if self.flags.contains(Flags::LONE_SURROGATE) { surrogate::replaced(text) } else { Cow::Borrowed(text) }
    }

    /// As [`Tape::json_text`], with lone surrogates as they are.
    pub(crate) fn source(&self, node: NodeId) -> &str {
        let bytes = self.text.get(self.offset(node)..self.source_end(node));
        bytes.and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }

    /// Where the node's text starts, in bytes.
    pub fn offset(&self, node: NodeId) -> usize {
        self.source_start(self.node(node))
    }

    fn source_start(&self, node: &Node) -> usize {
        let start = node.start as usize;
        match node.tag {
            Tag::String if node.flags.contains(Flags::ESCAPED) => self.decoded_header(node).0.saturating_sub(1),
            Tag::String => start.saturating_sub(1),
            _ => start,
        }
    }

    fn source_end(&self, node: NodeId) -> usize {
        let found = self.node(node);
        let start = found.start as usize;
        match found.tag {
            Tag::Null | Tag::True => start + 4,
            Tag::False => start + 5,
            Tag::Number => start + found.length as usize,
            Tag::String if found.flags.contains(Flags::ESCAPED) => {
                let (start, length) = self.decoded_header(found);
                start + length + 1
            }
            Tag::String => start + found.length as usize + 1,
            Tag::Array | Tag::Object => self.container_end(node),
        }
    }

    /// Finds a container's end behind its last leaf: only white space and closing brackets stand between the two.
    fn container_end(&self, node: NodeId) -> usize {
        let found = self.node(node);
        let close = |tag| if tag == Tag::Object { b'}' } else { b']' };
        // Walking up from the last leaf, the brackets that close it are those of every container that ends where ours does.
        let last = found.link.saturating_sub(1).max(node);
        let mut at = if last == node || self.tag(last) >= Tag::Array {
            self.node(last).start as usize + 1
        } else {
            self.source_end(last)
        };
        let mut open = (node..=last).filter(|&id| self.tag(id) >= Tag::Array && self.next(id) == found.link).count();
        while let Some(&byte) = self.text.get(at) {
            at += 1;
            if byte == b'}' || byte == b']' {
                open = open.saturating_sub(1);
                if open == 0 {
                    debug_assert_eq!(byte, close(found.tag));
                    break;
                }
            }
        }
        at
    }

    /// Where the source of an escaped string starts behind its quote, and its length in bytes.
    fn decoded_header(&self, node: &Node) -> (usize, usize) {
        let word = |at: usize| {
            let bytes = self.decoded.get(at..).and_then(|rest| rest.first_chunk::<4>());
            bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize)
        };
        let at = (node.start as usize).saturating_sub(DECODED_HEADER);
        (word(at), word(at + 4))
    }
}
