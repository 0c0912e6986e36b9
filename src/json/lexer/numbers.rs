//! Numbers that may be cut between any two of their characters.

use crate::json::number::{NumberFlag, js_differs};
use crate::json::tape::{Flags, Node, Tag};

/// How far a number has been read: what its last character was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numeral {
    Minus,
    /// A zero that no digit may follow.
    Zero,
    Integer,
    Point,
    Fraction,
    /// The `e`.
    Mark,
    /// The exponent's sign.
    Sign,
    Exponent,
}

impl Numeral {
    pub fn of_first(byte: u8) -> Numeral {
        match byte {
            b'-' => Numeral::Minus,
            b'0' => Numeral::Zero,
            _ => Numeral::Integer,
        }
    }

    /// The number with one more character; none when that is not part of it.
    #[inline]
    pub fn next(self, byte: u8) -> Option<Numeral> {
        use Numeral::{Exponent, Fraction, Integer, Mark, Minus, Point, Sign, Zero};
        match (self, byte) {
            (Minus, b'0') => Some(Zero),
            (Minus | Integer, b'0'..=b'9') => Some(Integer),
            (Zero | Integer, b'.') => Some(Point),
            (Point | Fraction, b'0'..=b'9') => Some(Fraction),
            (Zero | Integer | Fraction, b'e' | b'E') => Some(Mark),
            (Mark, b'+' | b'-') => Some(Sign),
            (Mark | Sign | Exponent, b'0'..=b'9') => Some(Exponent),
            _ => None,
        }
    }

    /// Whether the number is whole before this character, which is not part of it.
    pub fn may_end(self, byte: u8) -> bool {
        match self {
            Numeral::Integer | Numeral::Fraction | Numeral::Exponent => true,
            Numeral::Zero => !byte.is_ascii_digit(),
            Numeral::Minus | Numeral::Point | Numeral::Mark | Numeral::Sign => false,
        }
    }
}

/// The node of a number that has been read whole.
pub(super) fn node(text: &[u8], start: usize, end: usize, numeral: Numeral) -> Node {
    let integer = matches!(numeral, Numeral::Zero | Numeral::Integer);
    let mut flags = if integer { Flags::INTEGER } else { Flags(0) };
    // A double holds every integer of up to 15 digits, and no short plain fraction is out of range.
    if end - start > 15 || numeral == Numeral::Exponent {
        match js_differs(text.get(start..end).unwrap_or_default()) {
            Some(NumberFlag::UnsafeInteger) => flags.add(Flags::UNSAFE_INTEGER),
            Some(NumberFlag::OutOfRange) => flags.add(Flags::NUMBER_OUT_OF_RANGE),
            None => {}
        }
    }
    Node { tag: Tag::Number, flags, start: start as u32, length: (end - start) as u32, link: 0 }
}
