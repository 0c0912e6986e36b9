//! Edits: what a piece of text changed in the value so far, for whoever shows it while it grows.

use std::ops::Deref;

use super::ContractStream;
use crate::contract::Contract;
pub use crate::json::lexer::Piece;
use crate::json::lexer::Token;
use crate::json::tape::{NodeId, Tag, Tape};

/// One step from the value before a piece to the value after it. Steps only add: what is there never changes or goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Edit {
    /// An empty object, which the next edits fill.
    Object,
    /// An empty array, which the next edits fill.
    Array,
    /// The object or array being filled is whole.
    Close,
    /// The name of the member whose value comes next.
    Name(Piece),
    /// A string, which may grow.
    String(Piece),
    /// More of the string that came last.
    More(Piece),
    /// A number, in JSON's spelling.
    Number(Piece),
    /// `true` or `false`
    Boolean(bool),
    /// `null`
    Null,
}

impl<C: Deref<Target = Contract>> ContractStream<C> {
    /// Records edits from the next piece on, and returns those that lead from nothing to the value so far.
    ///
    /// # Example: half a key, number or escape is not shown
    /// ```
    /// use subcontract::intake::Intake;
    /// use subcontract::stream::Edit;
    /// use subcontract::{Contract, Options};
    ///
    /// let contract = Contract::compile("true", &Options::default())?;
    /// let mut stream = contract.stream(Intake::Strict);
    /// assert_eq!(stream.watch(), []);
    ///
    /// stream.push(br#"{"claim":"pins v3\"#);
    /// let [Edit::Object, Edit::Name(name), Edit::String(text)] = stream.edits() else { panic!() };
    /// assert_eq!((stream.piece(*name), stream.piece(*text)), ("claim", "pins v3"));
    ///
    /// stream.push(br#"n","calls":1"#);
    /// let [Edit::More(text), Edit::Name(_)] = stream.edits() else { panic!() };
    /// assert_eq!(stream.piece(*text), "\n");
    /// # Ok::<(), subcontract::SchemaError>(())
    /// ```
    pub fn watch(&mut self) -> Vec<Edit> {
        self.edits.get_or_insert_default();
        replay(&self.tape, self.lexer.open_string())
    }

    /// What the last piece changed. Nothing unless [`ContractStream::watch`] was called before it.
    pub fn edits(&self) -> &[Edit] {
        self.edits.as_deref().unwrap_or_default()
    }

    /// The text of an edit.
    pub fn piece(&self, piece: Piece) -> &str {
        std::str::from_utf8(self.tape.piece(piece)).unwrap_or_default()
    }
}

/// Records what a token changes.
#[inline]
pub(super) fn record(edits: &mut Vec<Edit>, tape: &Tape, token: Token) {
    let edit = match token {
        Token::Begin(Tag::Object) => Edit::Object,
        Token::Begin(Tag::Array) => Edit::Array,
        Token::Begin(Tag::String) => Edit::String(EMPTY),
        Token::Close(_) => Edit::Close,
        Token::Name(node) => Edit::Name(tape.value_piece(node)),
        Token::Text(piece) => match edits.last_mut() {
            Some(Edit::String(text)) if text.start == text.end => {
                *text = piece;
                return;
            }
            Some(Edit::String(text) | Edit::More(text)) if text.decoded == piece.decoded && text.end == piece.start => {
                text.end = piece.end;
                return;
            }
            _ => Edit::More(piece),
        },
        Token::Scalar(node) if tape.tag(node) != Tag::String => scalar(tape, node),
        Token::Scalar(_) | Token::Begin(_) | Token::Pending => return,
    };
    edits.push(edit);
}

const EMPTY: Piece = Piece { decoded: false, start: 0, end: 0 };

fn scalar(tape: &Tape, node: NodeId) -> Edit {
    match tape.tag(node) {
        Tag::Number => Edit::Number(tape.value_piece(node)),
        Tag::True => Edit::Boolean(true),
        Tag::False => Edit::Boolean(false),
        Tag::String => Edit::String(tape.value_piece(node)),
        _ => Edit::Null,
    }
}

/// The edits that make what is on a tape that is being read. An open container has no end yet.
fn replay(tape: &Tape, open_string: Option<Piece>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut open: Vec<(NodeId, bool)> = Vec::new();
    let mut name = false;
    for node in 0..tape.node_count() {
        if name {
            edits.push(Edit::Name(tape.value_piece(node)));
            name = false;
            continue;
        }
        match tape.tag(node) {
            tag @ (Tag::Object | Tag::Array) => {
                edits.push(if tag == Tag::Object { Edit::Object } else { Edit::Array });
                open.push((node, tag == Tag::Object));
            }
            _ => edits.push(scalar(tape, node)),
        }
        while let Some(&(container, _)) = open.last()
            && tape.next(container) == node + 1
        {
            edits.push(Edit::Close);
            open.pop();
        }
        name = open.last().is_some_and(|(_, object)| *object);
    }
    edits.extend(open_string.map(Edit::String));
    edits
}
