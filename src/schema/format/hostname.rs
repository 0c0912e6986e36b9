//! Hostnames: RFC 1123, and the internationalised ones of RFC 5890.

use super::ascii::{self, LDH};
use super::{idn, punycode};

/// The longest name in its ASCII form.
const NAME_LIMIT: usize = 253;

/// The longest label in its ASCII form.
const LABEL_LIMIT: usize = 63;

pub(super) fn is_hostname(text: &str) -> bool {
    text.len() <= NAME_LIMIT
        && text.split('.').all(|label| is_ldh_label(label) && (!is_a_label(label) || is_allowed_alone(label)))
}

fn is_allowed_alone(label: &str) -> bool {
    let mut buffer = ['\0'; LABEL_LIMIT];
    judge(label, &mut buffer).is_some_and(|judged| !judged.right_to_left || idn::keeps_bidi_rule(judged.chars))
}

pub(super) fn is_idn_hostname(text: &str) -> bool {
    // No character takes less room in ASCII than a quarter of its UTF-8.
    if text.len() > 4 * NAME_LIMIT {
        return false;
    }
    let labels = || text.split(['.', '\u{3002}', '\u{ff0e}', '\u{ff61}']);
    let mut length = 0;
    let mut right_to_left = false;
    for label in labels() {
        let mut buffer = ['\0'; LABEL_LIMIT];
        let Some(judged) = judge(label, &mut buffer) else { return false };
        length += judged.length + 1;
        right_to_left |= judged.right_to_left;
    }
    // One right-to-left label makes all labels of its name keep to the rule.
    length <= NAME_LIMIT + 1 && (!right_to_left || labels().all(keeps_bidi_rule))
}

fn keeps_bidi_rule(label: &str) -> bool {
    let mut buffer = ['\0'; LABEL_LIMIT];
    judge(label, &mut buffer).is_some_and(|judged| idn::keeps_bidi_rule(judged.chars))
}

/// What a label adds to its name.
struct Judged<'a> {
    /// The label as it reads.
    chars: &'a [char],
    /// Its length in ASCII.
    length: usize,
    right_to_left: bool,
}

/// `None` if the label is not allowed in any name.
fn judge<'a>(label: &str, buffer: &'a mut [char]) -> Option<Judged<'a>> {
    let is_ascii = label.is_ascii();
    if is_ascii && !is_ldh_label(label) {
        return None;
    }
    let chars: &[char] = match label.get(4..) {
        Some(encoded) if is_a_label(label) => {
            let decoded = punycode::decode(encoded, buffer)?;
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
    Some(Judged { chars, length, right_to_left: chars.iter().any(|c| idn::is_right_to_left(*c)) })
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
