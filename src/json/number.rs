//! JSON numbers by their exact decimal value, never through a double.

mod division;
mod double;
mod sum;

use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

pub use double::{NumberFlag, js_differs};
pub use sum::sum;

/// Exponents further out than this are taken as this.
const EXPONENT_LIMIT: i64 = 1_000_000_000_000_000_000;

/// Significant digits that always fit a `u64`.
const SMALL_DIGITS: usize = 19;

/// The exact value of a JSON number, borrowed from its lexeme.
///
/// Equality, order and hash go by value: `1.0`, `1` and `10e-1` are one number, and so are `0` and `-0`.
/// Exact for every literal whose exponent is within ±10^18; a more distant one counts as ±10^18.
/// Every operation takes memory and time linear in the lexeme's length, whatever its exponent; only
/// [`is_multiple_of`](Self::is_multiple_of) between long coefficients takes more, which
/// [`multiple_of_cost`](Self::multiple_of_cost) tells beforehand.
///
/// # Example: equal values
///
/// ```
/// use subcontract::json::number::Decimal;
///
/// assert_eq!(Decimal::parse(b"1.0"), Decimal::parse(b"10e-1"));
/// assert!(Decimal::parse(b"1.11").is_multiple_of(&Decimal::parse(b"0.01")));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Decimal<'a> {
    negative: bool,
    coefficient: Coefficient<'a>,
    exponent: i64,
}

/// The significant digits: without leading zeros and not divisible by ten, so that every value has one form.
#[derive(Clone, Copy, Debug)]
enum Coefficient<'a> {
    /// Up to [`SMALL_DIGITS`] digits; zero is `Small(0)` with exponent 0.
    Small(u64),
    /// `count` digits, more than [`SMALL_DIGITS`], as they stand in the lexeme: a point may lie among them.
    Long { digits: &'a [u8], count: usize },
}

impl<'a> Decimal<'a> {
    /// Reads a lexeme that the parser has already found to be an RFC 8259 number. Never allocates.
    ///
    /// Any other bytes give some number, without a panic.
    #[must_use]
    pub fn parse(lexeme: &'a [u8]) -> Self {
        let (negative, unsigned) = match lexeme {
            [b'-', rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        let mut small = 0u64;
        let mut significant = 0usize;
        let mut fraction = 0i64;
        let mut after_point = false;
        let mut length = unsigned.len();
        for (index, &byte) in unsigned.iter().enumerate() {
            match byte {
                b'0'..=b'9' => {
                    let digit = byte & 0x0f;
                    significant += usize::from(significant > 0 || digit > 0);
                    if significant <= SMALL_DIGITS {
                        small = small * 10 + u64::from(digit);
                    }
                    fraction += i64::from(after_point);
                }
                b'.' => after_point = true,
                _ => {
                    length = index;
                    break;
                }
            }
        }
        if small == 0 {
            return Self { negative: false, coefficient: Coefficient::Small(0), exponent: 0 };
        }
        let (mantissa, tail) = unsigned.split_at_checked(length).unwrap_or((unsigned, b""));
        let exponent = parse_exponent(tail) - fraction;
        if significant <= SMALL_DIGITS {
            Self::small(negative, small, exponent)
        } else {
            Self::long(negative, mantissa, significant, exponent)
        }
    }

    fn small(negative: bool, mut coefficient: u64, mut exponent: i64) -> Self {
        while coefficient.is_multiple_of(10) {
            coefficient /= 10;
            exponent += 1;
        }
        Self { negative, coefficient: Coefficient::Small(coefficient), exponent }
    }

    /// `count` is the number of digits from the first that is not zero; trailing zeros are still among them.
    #[cold]
    fn long(negative: bool, mantissa: &'a [u8], mut count: usize, mut exponent: i64) -> Self {
        let mut digits = mantissa;
        while let [b'0' | b'.', rest @ ..] = digits {
            digits = rest;
        }
        while let [rest @ .., last @ (b'0' | b'.')] = digits {
            digits = rest;
            if *last == b'0' {
                count -= 1;
                exponent += 1;
            }
        }
        if count > SMALL_DIGITS {
            return Self { negative, coefficient: Coefficient::Long { digits, count }, exponent };
        }
        let coefficient =
            digits.iter().filter(|byte| **byte != b'.').fold(0, |value, byte| value * 10 + u64::from(byte & 0x0f));
        Self { negative, coefficient: Coefficient::Small(coefficient), exponent }
    }

    /// Whether the value has no fractional part: `1.0` and `1e2` are integers.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// Whether the value is below zero (`-0` is not).
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// Whether the value is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        matches!(self.coefficient, Coefficient::Small(0))
    }

    /// Whether this value is an integral multiple of `divisor`, exactly.
    ///
    /// Zero is a multiple of everything, and the only multiple of zero. Takes at most
    /// [`multiple_of_cost`](Self::multiple_of_cost) steps; allocates only when `divisor` has more than 19 significant digits.
    #[must_use]
    pub fn is_multiple_of(&self, divisor: &Decimal<'_>) -> bool {
        if self.is_zero() || divisor.is_zero() {
            return self.is_zero();
        }
        // A coefficient is no multiple of ten, so a quotient with a smaller power of ten has a fraction.
        match u64::try_from(self.exponent - divisor.exponent) {
            Ok(shift) => division::divides(&divisor.coefficient, &self.coefficient, shift),
            Err(_) => false,
        }
    }

    /// The steps (of a few nanoseconds) to charge for [`is_multiple_of`](Self::is_multiple_of): one for everyday numbers, linear in
    /// this value's digits, and their product with the divisor's when that has more than 19.
    #[must_use]
    pub fn multiple_of_cost(&self, divisor: &Decimal<'_>) -> u64 {
        let own = self.count() as u64 / 9 + 1;
        match divisor.coefficient {
            Coefficient::Small(_) => own.div_ceil(2),
            Coefficient::Long { count, .. } => {
                let other = count as u64 / 9 + 1;
                (own + other).saturating_mul(other)
            }
        }
    }

    /// The value as a length or count, as `minLength` needs it.
    ///
    /// `None` if it is negative or has a fraction; a value above `usize::MAX` gives `usize::MAX`, which no length reaches.
    #[must_use]
    pub fn to_usize(&self) -> Option<usize> {
        if self.negative || self.exponent < 0 {
            return None;
        }
        let Coefficient::Small(coefficient) = self.coefficient else {
            return Some(usize::MAX);
        };
        let mut value = coefficient;
        for _ in 0..self.exponent {
            if value > u64::MAX / 10 {
                return Some(usize::MAX);
            }
            value *= 10;
        }
        Some(usize::try_from(value).unwrap_or(usize::MAX))
    }

    /// Appends the one normal form that all equal values share.
    ///
    /// It is the notation of RFC 8785 (that of ECMAScript), with the exact digits instead of a double's: an exponent only from
    /// 10^21 upwards and below 10^-6.
    pub fn write_canonical(&self, out: &mut String) {
        if self.negative {
            out.push('-');
        }
        let mut buffer = [0; 20];
        let mut digits = self.digits(&mut buffer);
        let count = self.count() as i64;
        let point = self.exponent + count;
        match point {
            _ if self.is_zero() => out.push('0'),
            1..=21 => {
                for _ in 0..point {
                    out.push(digits.next().unwrap_or('0'));
                }
                if count > point {
                    out.push('.');
                    out.extend(digits);
                }
            }
            -5..=0 => {
                out.push_str("0.");
                for _ in point..0 {
                    out.push('0');
                }
                out.extend(digits);
            }
            _ => {
                out.extend(digits.next());
                if count > 1 {
                    out.push('.');
                    out.extend(digits);
                }
                out.push_str(if point > 0 { "e+" } else { "e-" });
                let mut exponent = [0; 20];
                out.extend(write_digits((point - 1).unsigned_abs(), &mut exponent).iter().copied().map(char::from));
            }
        }
    }

    /// The number of significant digits; one for zero.
    fn count(&self) -> usize {
        match self.coefficient {
            Coefficient::Small(value) => value.checked_ilog10().map_or(1, |log| log as usize + 1),
            Coefficient::Long { count, .. } => count,
        }
    }

    /// The significant digits, most significant first.
    fn digits<'b>(&self, buffer: &'b mut [u8; 20]) -> impl Iterator<Item = char> + use<'a, 'b>
    where
        'a: 'b,
    {
        let digits: &'b [u8] = match self.coefficient {
            Coefficient::Small(value) => write_digits(value, buffer),
            Coefficient::Long { digits, .. } => digits,
        };
        digits.iter().filter(|byte| **byte != b'.').map(|byte| char::from(*byte))
    }

    fn cmp_magnitude(&self, other: &Decimal<'_>) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (false, false) => {}
            (own, others) => return others.cmp(&own),
        }
        if let (Coefficient::Small(a), Coefficient::Small(b)) = (self.coefficient, other.coefficient)
            && self.exponent == other.exponent
        {
            return a.cmp(&b);
        }
        let point = |number: &Decimal<'_>| number.exponent + number.count() as i64;
        point(self).cmp(&point(other)).then_with(|| {
            // Neither ends in a zero, so of two where one begins the other, the longer is the greater.
            let (mut a, mut b) = ([0; 20], [0; 20]);
            self.digits(&mut a).cmp(other.digits(&mut b))
        })
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
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.cmp_magnitude(other),
            (true, true) => other.cmp_magnitude(self),
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
        }
    }
}

impl Hash for Decimal<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u8(u8::from(self.negative));
        state.write_i64(self.exponent);
        match self.coefficient {
            Coefficient::Small(value) => state.write_u64(value),
            Coefficient::Long { digits, .. } => {
                for chunk in division::chunks(digits, SMALL_DIGITS - 1) {
                    state.write_u64(chunk);
                }
            }
        }
    }
}

/// The exponent after `e`; 0 without one.
fn parse_exponent(tail: &[u8]) -> i64 {
    let (negative, digits) = match tail {
        [_, b'-', digits @ ..] => (true, digits),
        [_, b'+', digits @ ..] | [_, digits @ ..] => (false, digits),
        [] => return 0,
    };
    let magnitude = digits.iter().fold(0, |value: i64, byte| {
        value.saturating_mul(10).saturating_add(i64::from(byte & 0x0f)).min(EXPONENT_LIMIT)
    });
    if negative { -magnitude } else { magnitude }
}

/// Decimal digits without the formatting machinery.
fn write_digits(mut value: u64, buffer: &mut [u8; 20]) -> &[u8] {
    let mut start = buffer.len();
    for (index, slot) in buffer.iter_mut().enumerate().rev() {
        *slot = b'0' | (value % 10) as u8;
        value /= 10;
        start = index;
        if value == 0 {
            break;
        }
    }
    buffer.get(start..).unwrap_or_default()
}
