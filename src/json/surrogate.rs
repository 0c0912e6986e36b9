//! Lone surrogates in JSON source text: `\ud83d` without its partner cannot leave as UTF-8.

use std::borrow::Cow;

/// The four hex digits at `at`, as a UTF-16 unit.
pub(super) fn hex4(text: &[u8], at: usize) -> Option<u32> {
    let digits = text.get(at..)?.first_chunk::<4>()?;
    digits.iter().try_fold(0, |unit, &digit| Some(unit << 4 | (digit as char).to_digit(16)?))
}

/// Valid JSON source text with every lone surrogate escape written as `\ufffd`.
pub(super) fn replaced(source: &str) -> Cow<'_, str> {
    let text = source.as_bytes();
    let mut out = String::new();
    let (mut at, mut kept) = (0, 0);
    while let Some(&byte) = text.get(at) {
        if byte != b'\\' {
            at += 1;
            continue;
        }
        let Some(unit) = hex4(text, at + 2).filter(|_| text.get(at + 1) == Some(&b'u')) else {
            at += 2;
            continue;
        };
        if is_high(unit) && text.get(at + 6..at + 8) == Some(b"\\u") && hex4(text, at + 8).is_some_and(is_low) {
            at += 12;
            continue;
        }
        if is_high(unit) || is_low(unit) {
            out.push_str(source.get(kept..at).unwrap_or_default());
            out.push_str("\\ufffd");
            kept = at + 6;
        }
        at += 6;
    }
    if kept == 0 {
        return Cow::Borrowed(source);
    }
    out.push_str(source.get(kept..).unwrap_or_default());
    Cow::Owned(out)
}

pub(super) fn is_high(unit: u32) -> bool {
    unit & 0xFC00 == 0xD800
}

pub(super) fn is_low(unit: u32) -> bool {
    unit & 0xFC00 == 0xDC00
}
