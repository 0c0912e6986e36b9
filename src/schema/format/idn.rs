//! Internationalised labels: RFC 5892's code points and contexts, RFC 5893's rule for right-to-left text.
//!
//! Code points are judged by general category and by block, which is all that RFC 5892 needs but for compatibility characters:
//! those outside the blocks named here pass, as do labels that are not in normal form C.

use crate::schema::pattern::{UnicodeSet, is_in};

/// Viramas (canonical combining class 9) of the basic plane.
const VIRAMAS: &[u16] = &[
    0x094d, 0x09cd, 0x0a4d, 0x0acd, 0x0b4d, 0x0bcd, 0x0c4d, 0x0ccd, 0x0d3b, 0x0d3c, 0x0d4d, 0x0dca, 0x0e3a, 0x0eba,
    0x0f84, 0x1039, 0x103a, 0x1714, 0x1715, 0x1734, 0x17d2, 0x1a60, 0x1b44, 0x1baa, 0x1bab, 0x1bf2, 0x1bf3, 0x2d7f,
    0xa806, 0xa82c, 0xa8c4, 0xa953, 0xa9c0, 0xaaf6, 0xabed,
];

/// Whether a label of more than ASCII is allowed, right-to-left order aside.
pub(super) fn is_u_label(label: &[char]) -> bool {
    if label.first().is_none_or(|first| *first == '-' || is_in(UnicodeSet::Mark, *first))
        || label.last() == Some(&'-')
        || matches!(label, [_, _, '-', '-', ..])
    {
        return false;
    }
    label.iter().enumerate().all(|(index, &c)| {
        let (before, after) = (label.get(..index).unwrap_or_default(), label.get(index + 1..).unwrap_or_default());
        let (previous, next) = (before.last().copied(), after.first().copied());
        match c {
            '\u{b7}' => previous == Some('l') && next == Some('l'),
            '\u{375}' => next.is_some_and(|next| is_in(UnicodeSet::Greek, next)),
            '\u{5f3}' | '\u{5f4}' => previous.is_some_and(|previous| is_in(UnicodeSet::Hebrew, previous)),
            '\u{30fb}' => label.iter().any(|&c| {
                [UnicodeSet::Hiragana, UnicodeSet::Katakana, UnicodeSet::Han].iter().any(|set| is_in(*set, c))
            }),
            '\u{660}'..='\u{669}' => !label.iter().any(|c| ('\u{6f0}'..='\u{6f9}').contains(c)),
            '\u{200d}' => previous.is_some_and(is_virama),
            '\u{200c}' => previous.is_some_and(is_virama) || joins(before, after),
            c => is_valid(c),
        }
    })
}

fn is_virama(c: char) -> bool {
    u16::try_from(c as u32).is_ok_and(|code| VIRAMAS.binary_search(&code).is_ok())
}

/// RFC 5892's PVALID, as far as categories and blocks tell.
fn is_valid(c: char) -> bool {
    match c {
        'a'..='z' | '0'..='9' | '-' => true,
        '\0'..='\x7f' => false,
        // Exceptions that are valid, then those that are not.
        '\u{6fd}' | '\u{6fe}' | '\u{f0b}' | '\u{3007}' => true,
        '\u{640}' | '\u{7fa}' | '\u{302e}' | '\u{302f}' | '\u{3031}'..='\u{3035}' | '\u{303b}' => false,
        // Enclosing marks.
        '\u{488}' | '\u{489}' | '\u{1abe}' | '\u{20dd}'..='\u{20e4}' | '\u{a670}'..='\u{a672}' => false,
        // Conjoining jamo and the blocks of compatibility characters.
        '\u{1100}'..='\u{11ff}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{d7b0}'..='\u{d7ff}'
        | '\u{2100}'..='\u{214d}'
        | '\u{f900}'..='\u{fa0d}'
        | '\u{fb00}'..='\u{fb1d}'
        | '\u{fb1f}'..='\u{fdff}'
        | '\u{fe70}'..='\u{ffff}'
        | '\u{1d400}'..='\u{1d7ff}'
        | '\u{2f800}'..='\u{2fa1f}' => false,
        c => {
            (is_in(UnicodeSet::Letter, c) && !is_in(UnicodeSet::Capital, c))
                || is_in(UnicodeSet::Mark, c)
                || is_in(UnicodeSet::Digit, c)
        }
    }
}

/// RFC 5892, appendix A.1, for Arabic, Syriac and N'Ko: a zero width non-joiner between letters that would join.
fn joins(before: &[char], after: &[char]) -> bool {
    let joining = |c: char| {
        matches!(c, '\u{620}' | '\u{622}'..='\u{64a}' | '\u{66e}'..='\u{673}' | '\u{675}'..='\u{6d3}' | '\u{6d5}' | '\u{6ee}' | '\u{6ef}'
            | '\u{6fa}'..='\u{6fc}' | '\u{6ff}'..='\u{72f}' | '\u{74d}'..='\u{77f}' | '\u{7ca}'..='\u{7ea}' | '\u{8a0}'..='\u{8c7}')
    };
    // Letters that join to the one before them only.
    let only_right = |c: char| {
        matches!(c, '\u{622}'..='\u{625}' | '\u{627}' | '\u{629}' | '\u{62f}'..='\u{632}' | '\u{648}' | '\u{671}'..='\u{677}'
            | '\u{688}'..='\u{699}' | '\u{6c0}' | '\u{6c3}'..='\u{6cb}' | '\u{6cd}' | '\u{6cf}' | '\u{6d2}' | '\u{6d3}' | '\u{6d5}'
            | '\u{6ee}' | '\u{6ef}' | '\u{710}' | '\u{715}'..='\u{719}' | '\u{71e}' | '\u{728}' | '\u{72a}' | '\u{72c}' | '\u{72f}')
    };
    let is_letter = |c: &&char| !is_in(UnicodeSet::Mark, **c);
    before.iter().rev().find(is_letter).is_some_and(|c| joining(*c) && !only_right(*c))
        && after.iter().find(is_letter).is_some_and(|c| joining(*c))
}

/// Whether a character makes its domain name one of mixed direction (bidirectional classes R, AL and AN).
pub(super) fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
        && !is_european_digit(c)
        && !is_in(UnicodeSet::Mark, c)
}

fn is_european_digit(c: char) -> bool {
    matches!(c, '0'..='9' | '\u{6f0}'..='\u{6f9}')
}

fn is_arabic_digit(c: char) -> bool {
    matches!(c, '\u{660}'..='\u{669}' | '\u{10d30}'..='\u{10d39}')
}

/// RFC 5893, section 2, for one label of a name of mixed direction.
pub(super) fn keeps_bidi_rule(label: &[char]) -> bool {
    let Some(&first) = label.first() else { return false };
    let is_left_to_right = |c: char| !is_right_to_left(c) && is_in(UnicodeSet::Letter, c);
    let last = label.iter().copied().rev().find(|c| !is_in(UnicodeSet::Mark, *c)).unwrap_or(first);
    let has = |test: fn(char) -> bool| label.iter().any(|c| test(*c));
    if is_right_to_left(first) && !is_arabic_digit(first) {
        !label.iter().any(|c| is_left_to_right(*c))
            && (is_right_to_left(last) || is_european_digit(last))
            && !(has(is_european_digit) && has(is_arabic_digit))
    } else {
        is_left_to_right(first) && !has(is_right_to_left) && (is_left_to_right(last) || is_european_digit(last))
    }
}
