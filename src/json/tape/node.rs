//! Nodes: what a tape consists of.

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Tag {
    /// `null`
    Null,
    /// `false`
    False,
    /// `true`
    True,
    /// A number.
    Number,
    /// A string, or a member name.
    String,
    /// An array: its items follow it.
    Array,
    /// An object: its members follow it, each as a name and a value.
    Object,
}

impl PartialOrd for Tag {
    #[inline]
    fn partial_cmp(&self, other: &Tag) -> Option<std::cmp::Ordering> {
        (*self as u8).partial_cmp(&(*other as u8))
    }
}

/// What is worth knowing about a node, or about a whole text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub(in crate::json) u8);

impl Flags {
    /// An integer beyond 2⁵³−1 that JavaScript's `JSON.parse` rewrites to a neighbour.
    pub const UNSAFE_INTEGER: Flags = Flags(1);
    /// A number that JavaScript's `JSON.parse` turns into an infinity or, though not zero, into zero.
    pub const NUMBER_OUT_OF_RANGE: Flags = Flags(2);
    /// A string with a lone surrogate, which stands as U+FFFD.
    pub const LONE_SURROGATE: Flags = Flags(4);
    /// A string with escapes: its value is not its source text.
    pub(in crate::json) const ESCAPED: Flags = Flags(8);
    /// A string with characters outside ASCII.
    pub(in crate::json) const WIDE: Flags = Flags(16);
    /// A number without fraction and exponent.
    pub(in crate::json) const INTEGER: Flags = Flags(32);

    /// Whether every flag of `other` is set.
    pub const fn contains(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    pub(in crate::json) fn add(&mut self, other: Flags) {
        self.0 |= other.0;
    }

    /// The names under which a verdict lists these flags.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        [
            (Flags::UNSAFE_INTEGER, "unsafe_integer"),
            (Flags::NUMBER_OUT_OF_RANGE, "number_out_of_range"),
            (Flags::LONE_SURROGATE, "lone_surrogate"),
        ]
        .into_iter()
        .filter_map(move |(flag, name)| self.contains(flag).then_some(name))
    }
}

/// One value, or one member name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub tag: Tag,
    pub flags: Flags,
    /// Where it starts in the text; for an escaped string, where its value starts among the decoded ones.
    pub start: u32,
    /// Bytes of a string's value or of a number, or how many items or members a container has.
    pub length: u32,
    /// The hash of a member name, or the node after a container.
    pub link: u32,
}

impl Node {
    /// Whether a number is written without fraction and exponent.
    #[inline]
    pub fn is_plain_integer(&self) -> bool {
        self.flags.contains(Flags::INTEGER)
    }

    /// Whether a string has characters outside ASCII.
    #[inline]
    pub fn is_wide(&self) -> bool {
        self.flags.contains(Flags::WIDE)
    }
}

pub(super) static NULL: Node = Node { tag: Tag::Null, flags: Flags(0), start: 0, length: 0, link: 0 };

/// Bytes before an escaped string's decoded value that say where its source text starts and how long it is.
pub(in crate::json) const DECODED_HEADER: usize = 8;
