//! The tree that a pattern is parsed into.

use core::ops::Range;

use super::classes::CodePoints;

/// Index of a [`Node`] in [`Ast::nodes`].
pub(super) type NodeId = u32;

/// A parsed pattern. Groups leave no trace: a match is a yes or no.
#[derive(Debug)]
pub(super) struct Ast {
    pub(super) nodes: Vec<Node>,
    /// The members of sequences and alternations, referred to by range.
    pub(super) children: Vec<NodeId>,
    pub(super) sets: Vec<CodePoints>,
    pub(super) root: NodeId,
    /// What a linear matcher cannot do, if anything.
    pub(super) unsupported: Option<&'static str>,
}

impl Ast {
    /// The members of a sequence or an alternation.
    pub(super) fn members(&self, range: &Range<u32>) -> &[NodeId] {
        self.children.get(range.start as usize..range.end as usize).unwrap_or_default()
    }
}

#[derive(Clone, Debug)]
pub(super) enum Node {
    Empty,
    Char(char),
    /// Index into [`Ast::sets`].
    Set(u32),
    Sequence(Range<u32>),
    Alternation(Range<u32>),
    /// `max` is `None` if unbounded.
    Repeat {
        node: NodeId,
        min: u32,
        max: Option<u32>,
    },
    Assert(Assertion),
    /// Lookahead or lookbehind, and its body.
    Look(NodeId),
    BackReference,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assertion {
    Start,
    End,
    WordBoundary,
    NotWordBoundary,
}
