//! Bytes as base64url without padding (RFC 4648, section 5).

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

pub(super) fn encode(bytes: &[u8], out: &mut String) {
    for chunk in bytes.chunks(3) {
        let mut group = [0; 3];
        for (slot, byte) in group.iter_mut().zip(chunk) {
            *slot = *byte;
        }
        let [a, b, c] = group;
        let bits = u32::from(a) << 16 | u32::from(b) << 8 | u32::from(c);
        let digits =
            [18, 12, 6, 0].map(|shift| ALPHABET.get((bits >> shift & 63) as usize).copied().unwrap_or_default());
        // Always ASCII: the four digits go in at once.
        let digits = std::str::from_utf8(&digits).unwrap_or_default();
        out.push_str(digits.get(..=chunk.len()).unwrap_or_default());
    }
}

/// Bytes have one spelling: padding, white space and spare bits that are set are refused.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut sextets = [u8::MAX; 256];
    for (value, digit) in (0..).zip(ALPHABET) {
        if let Some(sextet) = sextets.get_mut(usize::from(*digit)) {
            *sextet = value;
        }
    }
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for chunk in text.as_bytes().chunks(4) {
        let mut bits = 0;
        for byte in chunk {
            let sextet = sextets.get(usize::from(*byte)).copied().filter(|sextet| *sextet < 64)?;
            bits = bits << 6 | u32::from(sextet);
        }
        bits <<= 6 * (4 - chunk.len());
        let whole = chunk.len() * 6 / 8;
        let spare = bits & (0x00ff_ffff >> (8 * whole));
        if whole == 0 || spare != 0 {
            return None;
        }
        let [_, bytes @ ..] = bits.to_be_bytes();
        out.extend_from_slice(bytes.get(..whole).unwrap_or_default());
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(bytes: &[u8]) -> String {
        let mut out = String::new();
        encode(bytes, &mut out);
        out
    }

    #[test]
    fn base64url_is_that_of_rfc_4648() {
        // RFC 4648, section 10, in the alphabet of section 5 and without padding.
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encoded(bytes.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
        }
        assert_eq!(encoded(&[0xfb, 0xff]), "-_8");
    }

    #[test]
    fn bytes_have_one_spelling() {
        for text in ["Zg==", "Zh", "Zm9", "Z", "Zm9vY", "Zg ", " Zg", "Zg\n", "Zm+/", "Zm8é"] {
            assert_eq!(decode(text), None, "{text:?}");
        }
    }
}
