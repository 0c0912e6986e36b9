//! When two texts, and two values, count as one: equal after Unicode's NFC and white-space folding. Case counts.

use crate::json::sort::sort_pairs;
use crate::json::{hash_name, write};
use crate::members::Value;

/// Unicode Normalization Form C, which the host has and the core does not carry tables for.
pub trait Normalize {
    /// `text` in NFC. Called for texts beyond ASCII only.
    fn nfc(&self, text: &str) -> String;
}

/// `text` in NFC, without white space at its ends and with one space for each run of it inside.
#[inline(never)]
pub(crate) fn folded(text: &str, host: &dyn Normalize) -> String {
    let composed;
    let text = if text.is_ascii() {
        text
    } else {
        composed = host.nfc(text);
        &composed
    };
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// A text that two values share exactly when they count as one: numbers by value, objects whatever the order of their members.
#[inline(never)]
pub(crate) fn key(value: Value<'_>, host: &dyn Normalize) -> String {
    let mut out = String::new();
    value.write_canonical(&|out, text| write::string(out, &folded(text, host)), &mut out);
    out
}

/// Positions grouped by equal keys: pairs of the first position that has the key and one that has it, sorted.
#[inline(never)]
pub(crate) fn groups(keys: &[String]) -> Vec<(u32, u32)> {
    let key = |at: u32| keys.get(at as usize).map_or("", String::as_str);
    let mut pairs = Vec::with_capacity(keys.len());
    for key in keys {
        pairs.push((hash_name(key.as_bytes()), pairs.len() as u32));
    }
    sort_pairs(&mut pairs, &mut |a, b| a.0.cmp(&b.0).then_with(|| key(a.1).cmp(key(b.1))).then(a.1.cmp(&b.1)));
    let mut first = 0;
    let mut before: Option<u32> = None;
    for pair in &mut pairs {
        if before.is_none_or(|before| key(before) != key(pair.1)) {
            first = pair.1;
        }
        before = Some(pair.1);
        pair.0 = first;
    }
    sort_pairs(&mut pairs, &mut |a, b| a.cmp(b));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::members::Members;

    struct Composed;

    impl Normalize for Composed {
        fn nfc(&self, text: &str) -> String {
            text.replace("e\u{301}", "é")
        }
    }

    #[test]
    fn spelling_folds_and_case_counts() {
        assert_eq!(folded("  a\u{a0}b\n\tc ", &Composed), "a b c");
        assert_eq!(folded("cafe\u{301}", &Composed), "café");
        assert_ne!(folded("A", &Composed), folded("a", &Composed));
    }

    #[test]
    fn values_fold_inside_and_numbers_go_by_value() {
        let key_of = |text: &str| key(Members::parse(text).unwrap().value(), &Composed);
        assert_eq!(key_of(r#"{"q":"a  b","n":1.0}"#), key_of(r#"{"n":1,"q":" a b"}"#));
        assert_ne!(key_of(r#"{"q":"1"}"#), key_of(r#"{"q":1}"#));
    }

    #[test]
    fn groups_come_in_order_of_their_first() {
        assert_eq!(groups(&["b", "a", "b", "c", "a"].map(str::to_owned)), [(0, 0), (0, 2), (1, 1), (1, 4), (3, 3)]);
        assert_eq!(groups(&[]), []);
    }
}
