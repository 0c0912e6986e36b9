//! Writing text by hand, so that the core needs neither a serialiser nor the standard library's formatting.

/// Pieces of text in a row.
pub fn concat(pieces: &[&str]) -> String {
    let mut out = String::new();
    for piece in pieces {
        out.push_str(piece);
    }
    out
}

/// Pieces of text with another between them.
pub fn separated(pieces: &[&str], by: &str) -> String {
    let mut out = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        if at > 0 {
            out.push_str(by);
        }
        out.push_str(piece);
    }
    out
}

/// An unsigned integer in decimal.
pub fn decimal(value: u64) -> String {
    let mut out = String::new();
    integer(&mut out, value);
    out
}

/// Appends `text` as a JSON string, quotes included.
pub fn string(out: &mut String, text: &str) {
    out.push('"');
    let mut plain_from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(text.get(plain_from..at).unwrap_or_default());
        plain_from = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            8 => out.push_str("\\b"),
            12 => out.push_str("\\f"),
            _ => {
                out.push_str("\\u00");
                out.push(hex_digit(byte >> 4));
                out.push(hex_digit(byte & 15));
            }
        }
    }
    out.push_str(text.get(plain_from..).unwrap_or_default());
    out.push('"');
}

/// Appends an unsigned integer in decimal.
pub fn integer(out: &mut String, mut value: u64) {
    let mut digits = [0u8; 20];
    let mut length = 0;
    for slot in digits.iter_mut().rev() {
        *slot = b'0' + (value % 10) as u8;
        length += 1;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.push_str(std::str::from_utf8(digits.get(20 - length..).unwrap_or_default()).unwrap_or_default());
}

fn hex_digit(nibble: u8) -> char {
    (if nibble < 10 { b'0' + nibble } else { b'a' + nibble - 10 }) as char
}

#[cfg(test)]
mod tests {
    #[test]
    fn strings_are_escaped_as_json_stringify_does() {
        let mut out = String::new();
        super::string(&mut out, "a\"b\\c\n\r\t\u{8}\u{c}\u{0}\u{1f}é😀");
        assert_eq!(out, "\"a\\\"b\\\\c\\n\\r\\t\\b\\f\\u0000\\u001fé😀\"");
    }

    #[test]
    fn integers_are_decimal() {
        for value in [0, 7, 10, 99, 12345, u64::MAX] {
            let mut out = String::new();
            super::integer(&mut out, value);
            assert_eq!(out, value.to_string());
        }
    }
}
