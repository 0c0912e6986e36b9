//! Sums of JSON numbers, exactly.

use super::Decimal;
use crate::json::write;

/// The most digits between the first of the greatest number and the last of the finest.
const SPAN_LIMIT: i64 = 4096;

/// The exact sum of numbers in their normal form ([`Decimal::write_canonical`]); zero for none.
///
/// `None` when it would take more than 4,096 digits to write out, as that of `1e9999` and `1` does.
///
/// # Example: what doubles get wrong
///
/// ```
/// use subcontract::json::number::{Decimal, sum};
///
/// let numbers = ["0.1", "0.2", "9007199254740993"].map(|text| Decimal::parse(text.as_bytes()));
/// assert_eq!(sum(&numbers).as_deref(), Some("9007199254740993.3"));
/// ```
#[must_use]
pub fn sum(numbers: &[Decimal<'_>]) -> Option<String> {
    let (mut low, mut high) = (i64::MAX, i64::MIN);
    for number in numbers.iter().filter(|number| !number.is_zero()) {
        low = low.min(number.exponent);
        high = high.max(number.exponent + number.count() as i64);
    }
    if low > high {
        return Some("0".to_owned());
    }
    if high - low > SPAN_LIMIT {
        return None;
    }
    // One slot a digit, least significant first; the carries are settled at the end.
    let mut slots = vec![0i64; (high - low) as usize];
    for number in numbers.iter().filter(|number| !number.is_zero()) {
        let first = (number.exponent + number.count() as i64 - low) as usize;
        let mut buffer = [0; 20];
        for (slot, digit) in slots.iter_mut().take(first).rev().zip(number.digits(&mut buffer)) {
            let digit = i64::from(digit as u32 & 15);
            *slot += if number.negative { -digit } else { digit };
        }
    }
    let carry = settle(&mut slots);
    slots.push(carry);
    if carry < 0 {
        slots.iter_mut().for_each(|slot| *slot = -*slot);
    }
    let mut rest = settle(&mut slots);
    while rest > 0 {
        slots.push(rest % 10);
        rest /= 10;
    }
    let mut lexeme = String::with_capacity(slots.len() + 24);
    if carry < 0 {
        lexeme.push('-');
    }
    lexeme.extend(slots.iter().rev().map(|slot| (b'0' + *slot as u8) as char));
    lexeme.push_str(if low < 0 { "e-" } else { "e" });
    write::integer(&mut lexeme, low.unsigned_abs());
    let mut out = String::new();
    Decimal::parse(lexeme.as_bytes()).write_canonical(&mut out);
    Some(out)
}

/// Brings every slot into 0 to 9 and gives what is carried out of the last.
fn settle(slots: &mut [i64]) -> i64 {
    slots.iter_mut().fold(0, |carry, slot| {
        let value = *slot + carry;
        *slot = value.rem_euclid(10);
        value.div_euclid(10)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Option<String> {
        let numbers: Vec<Decimal<'_>> = texts.iter().map(|text| Decimal::parse(text.as_bytes())).collect();
        sum(&numbers)
    }

    #[test]
    fn sums_are_exact() {
        for (numbers, expected) in [
            (&["0.1", "0.2"][..], "0.3"),
            (&["9007199254740993", "1"], "9007199254740994"),
            (&["99999999999999999999", "1"], "100000000000000000000"),
            (&["-5", "3"], "-2"),
            (&["5", "-5"], "0"),
            (&["-0.5", "-0.75"], "-1.25"),
            (&["1e400", "-1e400", "7"], "7"),
            (&["1e300", "1e300"], "2e+300"),
            (&["-99.99", "-0.01"], "-100"),
            (&["1e-1000000000", "1e-1000000000"], "2e-1000000000"),
            (&["12345678901234567890.12345678901234567890", "-0.5"], "12345678901234567889.6234567890123456789"),
            (&[], "0"),
            (&["0", "-0.0"], "0"),
        ] {
            assert_eq!(of(numbers).as_deref(), Some(expected), "{numbers:?}");
        }
        let many = vec!["-9.5"; 5000];
        assert_eq!(of(&many).as_deref(), Some("-47500"));
    }

    #[test]
    fn a_sum_too_long_to_write_out_is_none() {
        assert_eq!(of(&["1e9999", "1"]), None);
        assert_eq!(of(&["1e999999999999999999", "1e-999999999999999999"]), None);
    }

    #[test]
    fn sums_agree_with_big_integers() {
        use num_bigint::BigInt;
        use proptest::prelude::*;
        proptest!(|(numbers in prop::collection::vec("-?[1-9][0-9]{0,40}", 0..40))| {
            let texts: Vec<&str> = numbers.iter().map(String::as_str).collect();
            let expected: BigInt = numbers.iter().map(|text| text.parse::<BigInt>().unwrap()).sum();
            let found = of(&texts).unwrap();
            let (mut normal, expected) = (String::new(), expected.to_string());
            Decimal::parse(expected.as_bytes()).write_canonical(&mut normal);
            prop_assert_eq!(found, normal);
        });
    }
}
