//! Where a JavaScript number would not be the number that is written, decided without floating point.

use core::cmp::Ordering;

use super::{Coefficient, Decimal, division};

/// How the value that `JSON.parse` makes of a number differs from the number that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberFlag {
    /// An integer beyond 2^53 - 1 that a double cannot hold: it is rewritten to a neighbour.
    UnsafeInteger,
    /// Too large for a double (it becomes `Infinity`) or too small (it becomes `0`).
    OutOfRange,
}

/// 2^1024 - 2^970: from here on doubles round to infinity.
const OVERFLOW: &str = "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880177904174497792";

/// The leading digits of 2^-1075: up to there doubles round to zero.
const UNDERFLOW: &str = "2470328229206232720882843964341106861825";

/// Whether `JSON.parse` would represent another value than `lexeme` says, and how.
///
/// An integer is compared exactly, so `9007199254740993` is flagged and `9007199254740992` (2^53) and `1e22` are not.
/// A fraction is never flagged for rounding, which is what fractions in doubles do; only for leaving the range.
#[must_use]
pub fn js_differs(lexeme: &[u8]) -> Option<NumberFlag> {
    let number = Decimal::parse(lexeme);
    if number.is_zero() {
        return None;
    }
    // The value lies in [10^(point - 1), 10^point).
    let point = number.exponent + number.count() as i64;
    let compare = |bound: &str| {
        let mut buffer = [0; 20];
        number.digits(&mut buffer).cmp(bound.chars())
    };
    let out_of_range = match point {
        309 => compare(OVERFLOW) != Ordering::Less,
        -323 => compare(UNDERFLOW) == Ordering::Less,
        _ => !(-323..=309).contains(&point),
    };
    if out_of_range {
        return Some(NumberFlag::OutOfRange);
    }
    // 10^15 is still below 2^53.
    if point <= 15 || !number.is_integer() || fits_significand(&number) {
        return None;
    }
    Some(NumberFlag::UnsafeInteger)
}

/// Whether an integer within the range of doubles is one: whether its odd part is below 2^53.
fn fits_significand(number: &Decimal<'_>) -> bool {
    const LIMIT: u64 = 1 << 53;
    let mut odd = match number.coefficient {
        Coefficient::Small(value) => value >> value.trailing_zeros(),
        Coefficient::Long { .. } => {
            let mut limbs = division::limbs(&number.coefficient);
            division::cancel_limbs(&mut limbs, 2, u64::MAX);
            match limbs.as_slice() {
                [low] => u64::from(*low),
                [low, high] => u64::from(*high) * 1_000_000_000 + u64::from(*low),
                _ => return false,
            }
        }
    };
    let mut fives = number.exponent;
    while fives > 0 && odd < LIMIT {
        odd *= 5;
        fives -= 1;
    }
    odd < LIMIT
}
