//! Exact divisibility of decimal coefficients, in base 10^9 when they are long.

use super::Coefficient;

const BASE: u64 = 1_000_000_000;

/// Whether `divisor` divides `dividend` · 10^`shift`; both are positive and neither is a multiple of ten.
///
/// 10^shift only matters by the twos and fives of the divisor that it cancels, so it is never computed.
pub(super) fn divides(divisor: &Coefficient<'_>, dividend: &Coefficient<'_>, shift: u64) -> bool {
    if let (Coefficient::Small(divisor), Coefficient::Small(dividend)) = (*divisor, *dividend) {
        return dividend.is_multiple_of(cancel(cancel(divisor, 2, shift), 5, shift));
    }
    let mut divisor = limbs(divisor);
    cancel_limbs(&mut divisor, 2, shift);
    cancel_limbs(&mut divisor, 5, shift);
    divides_limbs(&divisor, limbs(dividend))
}

/// The values of successive groups of `width` (at most 18) digits; the last group may be shorter.
pub(super) fn chunks(digits: &[u8], width: usize) -> impl Iterator<Item = u64> {
    let mut digits = digits.iter().filter(|byte| **byte != b'.').peekable();
    core::iter::from_fn(move || {
        digits.peek()?;
        Some(digits.by_ref().take(width).fold(0, |value, byte| value * 10 + u64::from(byte & 0x0f)))
    })
}

fn cancel(mut value: u64, prime: u64, mut times: u64) -> u64 {
    while times > 0 && value.is_multiple_of(prime) {
        value /= prime;
        times -= 1;
    }
    value
}

/// Limbs in base 10^9, least significant first, the last not zero.
pub(super) fn limbs(coefficient: &Coefficient<'_>) -> Vec<u32> {
    let mut limbs = Vec::new();
    match *coefficient {
        Coefficient::Small(mut value) => {
            while value > 0 {
                limbs.push((value % BASE) as u32);
                value /= BASE;
            }
        }
        Coefficient::Long { digits, count } => {
            limbs.reserve_exact(count / 9 + 1);
            let (mut limb, mut unit) = (0, 1);
            for byte in digits.iter().rev().filter(|byte| **byte != b'.') {
                limb += u32::from(byte & 0x0f) * unit;
                unit *= 10;
                if u64::from(unit) == BASE {
                    limbs.push(limb);
                    (limb, unit) = (0, 1);
                }
            }
            limbs.push(limb);
            trim(&mut limbs);
        }
    }
    limbs
}

/// Divides by `prime` (2 or 5) as often as it goes, at most `times`; gives how often it did.
pub(super) fn cancel_limbs(limbs: &mut Vec<u32>, prime: u64, times: u64) -> u64 {
    // The greatest powers that keep a remainder and a limb together within 64 bits.
    let step = if prime == 2 { 29 } else { 12 };
    let mut done = 0;
    while done < times {
        let wanted = step.min(times - done) as u32;
        let divisor = prime.pow(wanted);
        let rest = limbs.iter().rev().fold(0, |rest, limb| (rest * BASE + u64::from(*limb)) % divisor);
        let mut power = wanted;
        while power > 0 && !rest.is_multiple_of(prime.pow(power)) {
            power -= 1;
        }
        let divisor = prime.pow(power);
        let mut rest = 0;
        for limb in limbs.iter_mut().rev() {
            let value = rest * BASE + u64::from(*limb);
            *limb = (value / divisor) as u32;
            rest = value % divisor;
        }
        trim(limbs);
        done += u64::from(power);
        if power < wanted {
            break;
        }
    }
    done
}

/// Long division (Knuth, algorithm D) that keeps only the remainder.
fn divides_limbs(divisor: &[u32], mut dividend: Vec<u32>) -> bool {
    let size = divisor.len();
    let Some(&top) = divisor.last() else { return false };
    if dividend.len() < size {
        return false;
    }
    if size == 1 {
        let top = u64::from(top);
        return dividend.iter().rev().fold(0, |rest, limb| (rest * BASE + u64::from(*limb)) % top) == 0;
    }
    // Scaling both makes the divisor's top limb at least half the base, so that an estimate errs by two at most.
    let scale = BASE / (u64::from(top) + 1);
    let mut divisor = divisor.to_vec();
    multiply(&mut divisor, scale);
    dividend.push(0);
    multiply(&mut dividend, scale);
    let (Some(&top), Some(&second)) = (divisor.last(), divisor.get(size - 2)) else { return false };
    for offset in (0..dividend.len() - size).rev() {
        let Some(window) = dividend.get_mut(offset..=offset + size) else { return false };
        let [.., c, b, a] = window else { return false };
        let (high, next) = (u64::from(*a) * BASE + u64::from(*b), u64::from(*c));
        let mut quotient = (high / u64::from(top)).min(BASE - 1);
        let mut rest = high - quotient * u64::from(top);
        while rest < BASE && quotient * u64::from(second) > rest * BASE + next {
            quotient -= 1;
            rest += u64::from(top);
        }
        if !subtract(window, &divisor, quotient) {
            add_back(window, &divisor);
        }
    }
    dividend.iter().all(|limb| *limb == 0)
}

fn multiply(limbs: &mut [u32], factor: u64) {
    let mut carry = 0;
    for limb in limbs {
        let value = u64::from(*limb) * factor + carry;
        *limb = (value % BASE) as u32;
        carry = value / BASE;
    }
}

/// `window -= divisor * quotient`; false if that went below zero, by less than one divisor.
fn subtract(window: &mut [u32], divisor: &[u32], quotient: u64) -> bool {
    let mut carry = 0;
    for (limb, part) in window.iter_mut().zip(divisor.iter().chain(&[0])) {
        let taken = u64::from(*part) * quotient + carry;
        carry = taken / BASE;
        let low = (taken % BASE) as u32;
        *limb = if *limb >= low {
            *limb - low
        } else {
            carry += 1;
            *limb + BASE as u32 - low
        };
    }
    carry == 0
}

fn add_back(window: &mut [u32], divisor: &[u32]) {
    let mut carry = 0;
    for (limb, part) in window.iter_mut().zip(divisor.iter().chain(&[0])) {
        let sum = *limb + part + carry;
        carry = sum / BASE as u32;
        *limb = sum % BASE as u32;
    }
}

fn trim(limbs: &mut Vec<u32>) {
    while let [.., 0] = limbs.as_slice() {
        limbs.pop();
    }
}
