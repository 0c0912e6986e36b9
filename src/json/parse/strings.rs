//! Strings and their escapes.

use super::stop::{Reason, Stop, stop};
use crate::json::scan::{plain_end, quoted_end};
use crate::json::surrogate::{hex4, is_high, is_low};
use crate::json::tape::{DECODED_HEADER, Flags, Node, Tag, Tape};

impl Tape {
    /// A string from its opening quote; returns the index behind the closing one.
    #[inline(always)]
    pub(super) fn string_node(&mut self, text: &[u8], at: usize) -> Result<usize, Stop> {
        let start = at + 1;
        let end = plain_end(text, start);
        if !matches!(text.get(end), Some(b'"')) {
            return self.special_string(text, start, end);
        }
        self.nodes.push(Node {
            tag: Tag::String,
            flags: Flags(0),
            start: start as u32,
            length: (end - start) as u32,
            link: 0,
        });
        Ok(end + 1)
    }

    /// A string with escapes or characters outside ASCII; `plain` is the end of its plain beginning.
    #[inline(never)]
    pub(super) fn special_string(&mut self, text: &[u8], start: usize, plain: usize) -> Result<usize, Stop> {
        let mut flags = Flags(0);
        let mut end = quoted_end(text, plain);
        let decoded_start = self.decoded.len() + DECODED_HEADER;
        if matches!(text.get(end), Some(b'\\')) {
            flags = Flags::ESCAPED;
            self.decoded.extend_from_slice(&[0; DECODED_HEADER]);
            let mut from = start;
            while matches!(text.get(end), Some(b'\\')) {
                self.decoded.extend_from_slice(text.get(from..end).unwrap_or_default());
                // What comes before a wrong or cut escape is wrong first.
                from = self
                    .escape(text, end, &mut flags)
                    .map_err(|stop| invalid_utf8(text, start, end).unwrap_or(stop))?;
                end = quoted_end(text, from);
            }
            self.decoded.extend_from_slice(text.get(from..end).unwrap_or_default());
        }
        if let Some(stop) = invalid_utf8(text, start, end) {
            return Err(stop);
        }
        match text.get(end) {
            Some(b'"') => {}
            _ => return Err(stop(text, end, "control character in a string: it must be escaped")),
        }
        let (start, length) = if flags.contains(Flags::ESCAPED) {
            let length = self.decoded.len() - decoded_start;
            if let Some(header) = self.decoded.get_mut(decoded_start - DECODED_HEADER..decoded_start) {
                let words = [(start as u32).to_le_bytes(), ((end - start) as u32).to_le_bytes()];
                header.copy_from_slice(words.as_flattened());
            }
            (decoded_start, length)
        } else {
            (start, end - start)
        };
        // Without an escape, a byte outside ASCII is what ended the plain beginning.
        if !flags.contains(Flags::ESCAPED) || !self.decoded.get(start..).unwrap_or_default().is_ascii() {
            flags.add(Flags::WIDE);
        }
        self.flags.add(Flags(flags.0 & Flags::LONE_SURROGATE.0));
        self.nodes.push(Node { tag: Tag::String, flags, start: start as u32, length: length as u32, link: 0 });
        Ok(end + 1)
    }

    /// One escape sequence, appended decoded; returns the index behind it.
    fn escape(&mut self, text: &[u8], at: usize, flags: &mut Flags) -> Result<usize, Stop> {
        let plain = match text.get(at + 1) {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(&byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b'u') => return self.unicode_escape(text, at, flags),
            _ => return Err(stop(text, at + 1, "unknown escape in a string")),
        };
        self.decoded.push(plain);
        Ok(at + 2)
    }

    fn unicode_escape(&mut self, text: &[u8], at: usize, flags: &mut Flags) -> Result<usize, Stop> {
        let Some(unit) = hex4(text, at + 2) else {
            let wrong =
                (at + 2..at + 6).find(|&digit| !text.get(digit).is_some_and(u8::is_ascii_hexdigit)).unwrap_or(at);
            return Err(stop(text, wrong, "expected four hexadecimal digits after \\u"));
        };
        let mut end = at + 6;
        let mut code = unit;
        if is_high(unit)
            && text.get(end..end + 2) == Some(b"\\u")
            && let Some(low) = hex4(text, end + 2).filter(|&low| is_low(low))
        {
            code = 0x10000 + ((unit & 0x3FF) << 10) + (low & 0x3FF);
            end += 6;
        }
        let character = char::from_u32(code).unwrap_or_else(|| {
            flags.add(Flags::LONE_SURROGATE);
            char::REPLACEMENT_CHARACTER
        });
        self.decoded.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(end)
    }
}

/// Why a stretch of a string is not UTF-8. A sequence that the end of the text cuts is not wrong.
#[inline(never)]
fn invalid_utf8(text: &[u8], start: usize, end: usize) -> Option<Stop> {
    let error = std::str::from_utf8(text.get(start..end).unwrap_or_default()).err()?;
    let cut = error.error_len().is_none() && end == text.len();
    let reason = if cut { Reason::Ended } else { Reason::Unexpected("invalid UTF-8") };
    Some(Stop { at: start + error.valid_up_to(), reason })
}
