//! Hostnames: RFC 1123, and the internationalised ones of RFC 5890.

use super::ascii::{self, LDH};
use super::{idn, punycode};

/// The longest name in its ASCII form.
const NAME_LIMIT: usize = 253;

/// The longest label in its ASCII form.
const LABEL_LIMIT: usize = 63;

pub(super) fn is_hostname(text: &str) -> bool {
    text.len() <= NAME_LIMIT
        && text.split('.').all(|label| {
            is_ldh_label(label)
                && (!is_a_label(label)
                    || judge(label).is_some_and(|judged| !judged.right_to_left || judged.keeps_bidi_rule))
        })
}

pub(super) fn is_idn_hostname(text: &str) -> bool {
    // No character takes less room in ASCII than a quarter of its UTF-8.
    if text.len() > 4 * NAME_LIMIT {
        return false;
    }
    let mut length = 0;
    // Whether a label has to keep to the rule of right-to-left text depends on the labels beside it too.
    let (mut right_to_left, mut keep_bidi_rule) = (false, true);
    for label in text.split(|c| matches!(c, '.' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}')) {
        let Some(judged) = judge(label) else { return false };
        length += judged.length + 1;
        right_to_left |= judged.right_to_left;
        keep_bidi_rule &= judged.keeps_bidi_rule;
    }
    length <= NAME_LIMIT + 1 && (!right_to_left || keep_bidi_rule)
}

/// What a label adds to its name.
struct Judged {
    /// In ASCII.
    length: usize,
    right_to_left: bool,
    keeps_bidi_rule: bool,
}

/// `None` if the label is not allowed in any name.
fn judge(label: &str) -> Option<Judged> {
    let mut buffer = ['\0'; LABEL_LIMIT];
    let is_ascii = label.is_ascii();
    if is_ascii && !is_ldh_label(label) {
        return None;
    }
    let chars: &[char] = match label.get(4..) {
        Some(encoded) if is_a_label(label) => {
            let decoded = punycode::decode(encoded, &mut buffer)?;
            let canonical =
                !decoded.iter().all(char::is_ascii) && punycode::encoded_length(decoded) == Some(encoded.len());
            canonical.then_some(decoded)?
        }
        _ => {
            let mut count = 0;
            for c in label.chars() {
                *buffer.get_mut(count)? = c;
                count += 1;
            }
            buffer.get(..count)?
        }
    };
    let length = if is_ascii { label.len() } else { "xn--".len() + punycode::encoded_length(chars)? };
    if length > LABEL_LIMIT || (!is_ascii || is_a_label(label)) && !idn::is_u_label(chars) {
        return None;
    }
    let right_to_left = chars.iter().any(|c| idn::is_right_to_left(*c));
    Some(Judged { length, right_to_left, keeps_bidi_rule: idn::keeps_bidi_rule(chars) })
}

/// Letters, digits and hyphens, these not at the ends.
fn is_ldh_label(label: &str) -> bool {
    let bytes = label.as_bytes();
    let ends =
        bytes.first().is_some_and(u8::is_ascii_alphanumeric) && bytes.last().is_some_and(u8::is_ascii_alphanumeric);
    ends && bytes.len() <= LABEL_LIMIT && bytes.iter().all(|byte| ascii::is(*byte, LDH))
}

fn is_a_label(label: &str) -> bool {
    label.get(..4).is_some_and(|prefix| prefix.eq_ignore_ascii_case("xn--"))
}
