//! Numbers, which stay as they are written.

use super::stop::{Reason, Stop, stop};
use crate::json::number::{NumberFlag, js_differs};
use crate::json::tape::{Flags, Node, Tag, Tape};

impl Tape {
    #[inline(always)]
    pub(super) fn number_node(&mut self, text: &[u8], at: usize) -> Result<usize, Stop> {
        let digits = at + matches!(text.get(at), Some(b'-')) as usize;
        let mut end = digits_end(text, digits);
        if end == digits {
            return Err(stop(text, end, "expected a digit"));
        }
        if end > digits + 1 && matches!(text.get(digits), Some(b'0')) {
            return Err(Stop { at: digits, reason: Reason::Unexpected("leading zero in a number") });
        }
        let mut flags = Flags::INTEGER;
        if let Some(b'.' | b'e' | b'E') = text.get(end) {
            flags = Flags(0);
            end = fraction_and_exponent_end(text, end)?;
        }
        // A double holds every integer of up to 15 digits, and no short plain fraction is out of range.
        if end - at > 15 || flags == Flags(0) && has_exponent(text, at, end) {
            match js_differs(text.get(at..end).unwrap_or_default()) {
                Some(NumberFlag::UnsafeInteger) => flags.add(Flags::UNSAFE_INTEGER),
                Some(NumberFlag::OutOfRange) => flags.add(Flags::NUMBER_OUT_OF_RANGE),
                None => {}
            }
            self.flags.add(Flags(flags.0 & 3));
        }
        self.nodes.push(Node { tag: Tag::Number, flags, start: at as u32, length: (end - at) as u32, link: 0 });
        Ok(end)
    }
}

#[inline(always)]
fn digits_end(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(|byte| byte.wrapping_sub(b'0') < 10) {
        at += 1;
    }
    at
}

fn fraction_and_exponent_end(text: &[u8], mut at: usize) -> Result<usize, Stop> {
    if matches!(text.get(at), Some(b'.')) {
        let end = digits_end(text, at + 1);
        if end == at + 1 {
            return Err(stop(text, end, "expected a digit after the decimal point"));
        }
        at = end;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        let digits = at + 1 + matches!(text.get(at + 1), Some(b'+' | b'-')) as usize;
        let end = digits_end(text, digits);
        if end == digits {
            return Err(stop(text, end, "expected a digit in the exponent"));
        }
        at = end;
    }
    Ok(at)
}

fn has_exponent(text: &[u8], from: usize, to: usize) -> bool {
    text.get(from..to).unwrap_or_default().iter().any(|byte| byte | 0x20 == b'e')
}
