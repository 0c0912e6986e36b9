//! The classes of ASCII characters that the grammars share, as bits.

/// RFC 3986 `unreserved` and `sub-delims`.
pub(super) const URI: u8 = 1;
pub(super) const COLON: u8 = 1 << 1;
pub(super) const AT: u8 = 1 << 2;
pub(super) const SLASH: u8 = 1 << 3;
pub(super) const QUESTION_MARK: u8 = 1 << 4;
/// RFC 5321 `atext`.
pub(super) const ATEXT: u8 = 1 << 5;
/// Letters, digits and hyphen.
pub(super) const LDH: u8 = 1 << 6;

static CLASSES: [u8; 128] = classes();

/// Whether a byte belongs to one of the classes; what is not ASCII belongs to none.
#[inline]
pub(super) fn is(byte: u8, classes: u8) -> bool {
    CLASSES.get(usize::from(byte)).is_some_and(|known| known & classes != 0)
}

const fn classes() -> [u8; 128] {
    let mut table = [0; 128];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = match byte as u8 {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' => URI | ATEXT | LDH,
            b'_' | b'~' | b'!' | b'$' | b'&' | b'\'' | b'*' | b'+' | b'=' => URI | ATEXT,
            b'.' | b'(' | b')' | b',' | b';' => URI,
            b'#' | b'%' | b'^' | b'`' | b'{' | b'|' | b'}' => ATEXT,
            b'/' => ATEXT | SLASH,
            b'?' => ATEXT | QUESTION_MARK,
            b':' => COLON,
            b'@' => AT,
            _ => 0,
        };
        byte += 1;
    }
    table
}
