//! JSON numbers by their exact decimal value, never through a double.

use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

/// The exact value of a JSON number, borrowed from its lexeme.
///
/// Equality, order and hash go by value: `1.0`, `1` and `10e-1` are one number, and so are `0` and `-0`.
#[derive(Clone, Copy, Debug)]
pub struct Decimal<'a> {
    lexeme: &'a [u8],
}

impl<'a> Decimal<'a> {
    /// Reads a lexeme that the parser has already found to be an RFC 8259 number. Never allocates.
    #[must_use]
    pub fn parse(lexeme: &'a [u8]) -> Self {
        Self { lexeme }
    }
    /// Whether the value has no fractional part: `1.0` and `1e2` are integers.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        todo!()
    }
    /// Whether the value is below zero (`-0` is not).
    #[must_use]
    pub fn is_negative(&self) -> bool {
        todo!()
    }
    /// Whether the value is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        todo!()
    }
    /// Whether this value is an integral multiple of `divisor`, exactly. Zero is a multiple of everything, and the only multiple of zero.
    ///
    /// The work is bounded by [`multiple_of_cost`](Self::multiple_of_cost) steps.
    #[must_use]
    pub fn is_multiple_of(&self, divisor: &Decimal<'_>) -> bool {
        let _ = divisor;
        todo!()
    }
    /// An upper bound of the steps that [`is_multiple_of`](Self::is_multiple_of) takes, for the caller to charge before asking.
    #[must_use]
    pub fn multiple_of_cost(&self, divisor: &Decimal<'_>) -> u64 {
        let _ = divisor;
        todo!()
    }
    /// The value as a length or count: `None` if it is negative or has a fraction; a value above `usize::MAX` gives `usize::MAX`, which no length reaches.
    #[must_use]
    pub fn to_usize(&self) -> Option<usize> {
        todo!()
    }
    /// Appends the one normal form that all equal values share: RFC 8785's notation (that of ECMAScript) with the exact digits.
    pub fn write_canonical(&self, out: &mut String) {
        out.push_str(core::str::from_utf8(self.lexeme).unwrap_or_default());
        todo!()
    }
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Decimal<'_> {}
impl PartialOrd for Decimal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Decimal<'_> {
    fn cmp(&self, _other: &Self) -> Ordering {
        todo!()
    }
}
impl Hash for Decimal<'_> {
    fn hash<H: Hasher>(&self, _state: &mut H) {
        todo!()
    }
}

/// How the value that `JSON.parse` makes of a number differs from the number that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberFlag {
    /// An integer beyond 2^53 - 1 that a double cannot hold: it is rewritten to a neighbour.
    UnsafeInteger,
    /// Too large for a double (it becomes `Infinity`) or too small (it becomes `0`).
    OutOfRange,
}

/// Whether `JSON.parse` would represent another value than `lexeme` says, and how.
#[must_use]
pub fn js_differs(lexeme: &[u8]) -> Option<NumberFlag> {
    let _ = lexeme;
    todo!()
}
