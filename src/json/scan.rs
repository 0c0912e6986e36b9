//! Byte scanning and hashing for the parser: where a plain stretch of a string ends, and what a key hashes to.

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd;

/// The first index at or after `from` that is not plain string content: a quote, a backslash, a control character,
/// a byte outside ASCII, or the end of the text.
#[inline(always)]
pub(crate) fn plain_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    while let Some(chunk) = text.get(at..).and_then(|rest| rest.first_chunk::<16>()) {
        let stops = simd::stop_bits(chunk);
        if stops != 0 {
            return at + stops.trailing_zeros() as usize;
        }
        at += 16;
    }
    while let Some(chunk) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let stops = stop_bytes(u64::from_le_bytes(*chunk));
        if stops != 0 {
            return at + (stops.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(&byte) = text.get(at) {
        if byte == b'"' || byte == b'\\' || byte.wrapping_sub(0x20) >= 0x60 {
            break;
        }
        at += 1;
    }
    at
}

/// As [`plain_end`], for text that is known to leave ASCII: bytes from 0x80 up do not stop it.
pub(crate) fn quoted_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    while let Some(chunk) = text.get(at..).and_then(|rest| rest.first_chunk::<16>()) {
        let ends = simd::end_bits(chunk);
        if ends != 0 {
            return at + ends.trailing_zeros() as usize;
        }
        at += 16;
    }
    while let Some(&byte) = text.get(at) {
        if byte == b'"' || byte == b'\\' || byte < 0x20 {
            break;
        }
        at += 1;
    }
    at
}

/// A word with the high bit set in the lowest byte that stops a plain stretch (higher bytes may be set falsely).
#[inline(always)]
fn stop_bytes(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let quote = word ^ (ONES * b'"' as u64);
    let backslash = word ^ (ONES * b'\\' as u64);
    (quote.wrapping_sub(ONES) & !quote
        | backslash.wrapping_sub(ONES) & !backslash
        | word.wrapping_sub(ONES * 0x20) & !word
        | word)
        & HIGH
}

/// Whether two texts are equal. In WebAssembly the few bytes of a name are compared in less time than a call takes.
#[inline]
pub(crate) fn same(mut a: &[u8], mut b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    while let (Some((word_of_a, rest_of_a)), Some((word_of_b, rest_of_b))) =
        (a.split_first_chunk::<8>(), b.split_first_chunk::<8>())
    {
        if word_of_a != word_of_b {
            return false;
        }
        (a, b) = (rest_of_a, rest_of_b);
    }
    short_word(a) == short_word(b)
}

/// A text of fewer than eight bytes as a word. Texts of one length have the same one only if they are equal.
#[inline(always)]
fn short_word(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        return u32::from_le_bytes(*first) as u64 | (u32::from_le_bytes(*last) as u64) << 32;
    }
    let byte = |at: usize| bytes.get(at).copied().unwrap_or_default() as u64;
    byte(0) | byte(1) << 8 | byte(2) << 16
}

/// The hash of a member name. Nothing relies on it being hard to collide: every user of it bounds the cost of collisions.
#[inline(always)]
pub(crate) fn hash(bytes: &[u8]) -> u32 {
    const K: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut state = (bytes.len() as u64).wrapping_mul(K);
    let mut rest = bytes;
    if let Some(last) = bytes.last_chunk::<8>() {
        while let Some((word, more)) = rest.split_first_chunk::<8>() {
            state = (state.rotate_left(23) ^ u64::from_le_bytes(*word)).wrapping_mul(K);
            rest = more;
        }
        state = (state.rotate_left(23) ^ u64::from_le_bytes(*last)).wrapping_mul(K);
    } else {
        state = (state ^ short_word(bytes)).wrapping_mul(K);
    }
    (state >> 32) as u32 ^ (state as u32 & 0xFFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_stretch_ends_at_the_first_special_byte_wherever_it_stands() {
        for special in [b'"', b'\\', 0, 0x1F, 0x80, 0xFF] {
            for at in 0..40 {
                let mut text = vec![b'a'; 45];
                text[at] = special;
                for from in 0..=at {
                    assert_eq!(plain_end(&text, from), at, "{special:#x} at {at} from {from}");
                }
            }
        }
        assert_eq!(plain_end(b" !#[]~\x7f", 0), 7);
    }

    #[test]
    fn texts_are_the_same_that_differ_in_no_byte() {
        for length in 0..40 {
            let text: Vec<u8> = (0..length).collect();
            assert!(same(&text, &text.clone()));
            assert!(!same(&text, &[&text[..], b"x"].concat()));
            for at in 0..text.len() {
                let mut other = text.clone();
                other[at] ^= 0x40;
                assert!(!same(&text, &other), "{length} bytes that differ at {at}");
            }
        }
    }

    #[test]
    fn names_that_share_their_ends_hash_apart() {
        let mut seen: Vec<u32> = (0..1000).map(|i| hash(format!("prop_{i:04}_of_the_name").as_bytes())).collect();
        seen.sort_unstable();
        seen.dedup();
        assert!(seen.len() > 998);
    }
}
