//! JSON pointers and relative JSON pointers.

/// RFC 6901: empty, or tokens that each begin with a slash, `~` only as `~0` and `~1`.
pub(super) fn is_json_pointer(text: &[u8]) -> bool {
    let mut bytes = text.iter();
    if bytes.next().is_some_and(|first| *first != b'/') {
        return false;
    }
    while let Some(byte) = bytes.next() {
        if *byte == b'~' && !matches!(bytes.next(), Some(b'0' | b'1')) {
            return false;
        }
    }
    true
}

/// How far up, optionally a shift of the index, then `#` or a JSON pointer.
pub(super) fn is_relative_json_pointer(text: &[u8]) -> bool {
    let Some(rest) = strip_integer(text) else { return false };
    let rest = match rest {
        [b'+' | b'-', b'1'..=b'9', ..] => rest.get(1..).and_then(strip_integer).unwrap_or_default(),
        rest => rest,
    };
    rest == b"#" || is_json_pointer(rest)
}

/// What follows a number without leading zeros.
fn strip_integer(text: &[u8]) -> Option<&[u8]> {
    match text {
        [b'0', rest @ ..] => Some(rest),
        [b'1'..=b'9', rest @ ..] => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            rest.get(digits..)
        }
        _ => None,
    }
}
