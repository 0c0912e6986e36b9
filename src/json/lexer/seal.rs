//! A half-read text made to look like a whole one for a moment, so that what is on the tape can be walked.

use super::{Lexer, Open};
use crate::json::tape::{Flags, Node, NodeId, Tag, Tape};

/// What [`Lexer::seal`] took away and added.
#[derive(Debug)]
pub(crate) struct Sealed {
    rest: Vec<u8>,
    nodes: usize,
}

impl Lexer {
    /// Makes the text end where it has been read and the open containers end where the tape does, so that what is on it can be
    /// walked, and puts a stand-in of kind `tag` where a value that has only begun will be, of a string what has come of it.
    #[cold]
    pub fn seal(&self, tape: &mut Tape, value: NodeId, tag: Tag) -> Sealed {
        let sealed = Sealed { rest: tape.split_off(self.at), nodes: tape.nodes.len() };
        while tape.nodes.len() <= value as usize {
            let so_far = self.open_string().filter(|_| tag == Tag::String);
            let (start, end) = so_far.map_or((self.at as u32, self.at as u32), |piece| (piece.start, piece.end));
            let flags = if so_far.is_some() { self.string.flags() } else { Flags(0) };
            tape.nodes.push(Node { tag, flags, start, length: end.saturating_sub(start), link: 0 });
        }
        let end = tape.nodes.len() as u32;
        self.close_open(tape, |open| (open.count, end));
        sealed
    }

    /// Takes back what [`Lexer::seal`] did.
    #[cold]
    pub fn unseal(&self, tape: &mut Tape, sealed: Sealed) {
        self.close_open(tape, |_| (0, 0));
        tape.nodes.truncate(sealed.nodes);
        tape.append(&sealed.rest);
    }

    fn close_open(&self, tape: &mut Tape, length_and_link: impl Fn(&Open) -> (u32, u32)) {
        for open in &self.open {
            if let Some(node) = tape.nodes.get_mut(open.node as usize) {
                (node.length, node.link) = length_and_link(open);
            }
        }
    }
}
