//! Hostnames: RFC 1123, and the internationalised ones of RFC 5890.

use super::ascii::{self, LDH};
use super::{idn, punycode};

/// The longest name in its ASCII form.
const NAME_LIMIT: usize = 253;

/// The longest label in its ASCII form.
const LABEL_LIMIT: usize = 63;

pub(super) fn is_hostname(text: &str) -> bool {
    text.len() <= NAME_LIMIT
        && text.split('.').all(|label| is_ldh_label(label) && (!is_a_label(label) || checked_a_label(label).is_some()))
}

pub(super) fn is_idn_hostname(text: &str) -> bool {
    // No character takes less room in ASCII than a quarter of its UTF-8.
    if text.len() > 4 * NAME_LIMIT {
        return false;
    }
    // Whether a label has to keep to the rule of right-to-left text depends on the labels beside it.
    let labels = || text.split(['.', '\u{3002}', '\u{ff0e}', '\u{ff61}']);
    let mut length = 0;
    let mut bidirectional = false;
    for label in labels() {
        let ascii_length = if label.is_ascii() {
            if !is_ldh_label(label) {
                return false;
            }
            if is_a_label(label) {
                let Some(is_right_to_left) = checked_a_label(label) else { return false };
                bidirectional |= is_right_to_left;
            }
            label.len()
        } else {
            if !idn::is_u_label(label.chars()) {
                return false;
            }
            bidirectional |= label.chars().any(idn::is_right_to_left);
            match punycode::encoded_length(label.chars()) {
                Some(encoded) => "xn--".len() + encoded,
                None => return false,
            }
        };
        if ascii_length > LABEL_LIMIT {
            return false;
        }
        length += ascii_length + 1;
    }
    length <= NAME_LIMIT + 1
        && (!bidirectional || labels().all(|label| is_a_label(label) || idn::keeps_bidi_rule(label.chars())))
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

/// Whether an A-label stands for a right-to-left label; `None` if it stands for no valid label in the one way it may.
fn checked_a_label(label: &str) -> Option<bool> {
    let encoded = label.get(4..)?;
    let mut buffer = ['\0'; LABEL_LIMIT];
    let decoded = punycode::decode(encoded, &mut buffer)?;
    let chars = || decoded.iter().copied();
    let right_to_left = chars().any(idn::is_right_to_left);
    let valid = !chars().all(|c| c.is_ascii())
        && idn::is_u_label(chars())
        && (!right_to_left || idn::keeps_bidi_rule(chars()))
        && punycode::encoded_length(chars()) == Some(encoded.len());
    valid.then_some(right_to_left)
}
