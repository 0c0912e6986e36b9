//! Sets of code points: ranges, the class escapes and the Unicode properties that are known natively.

use super::tables;
use crate::json::sort::sort_pairs;

/// A set of code points as sorted, separate, inclusive ranges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CodePoints {
    ranges: Vec<(u32, u32)>,
}

const LAST: u32 = 0x10_ffff;

pub(super) const DIGIT: &[(u32, u32)] = &[(0x30, 0x39)];
pub(super) const WORD: &[(u32, u32)] = &[(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)];
/// ECMA-262's WhiteSpace and LineTerminator.
pub(super) const SPACE: &[(u32, u32)] = &[
    (0x09, 0x0d),
    (0x20, 0x20),
    (0xa0, 0xa0),
    (0x1680, 0x1680),
    (0x2000, 0x200a),
    (0x2028, 0x2029),
    (0x202f, 0x202f),
    (0x205f, 0x205f),
    (0x3000, 0x3000),
    (0xfeff, 0xfeff),
];
pub(super) const LINE_TERMINATOR: &[(u32, u32)] = &[(0x0a, 0x0a), (0x0d, 0x0d), (0x2028, 0x2029)];
const WHITE_SPACE: &[(u32, u32)] = &[
    (0x09, 0x0d),
    (0x20, 0x20),
    (0x85, 0x85),
    (0xa0, 0xa0),
    (0x1680, 0x1680),
    (0x2000, 0x200a),
    (0x2028, 0x2029),
    (0x202f, 0x202f),
    (0x205f, 0x205f),
    (0x3000, 0x3000),
];
const HEX_DIGIT: &[(u32, u32)] = &[(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)];

impl CodePoints {
    pub(super) fn of(ranges: &[(u32, u32)]) -> Self {
        Self { ranges: ranges.to_vec() }
    }

    pub(super) fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// Adds a range; [`normalize`](Self::normalize) must follow before the set is used.
    pub(super) fn push(&mut self, first: u32, last: u32) {
        self.ranges.push((first, last));
    }

    pub(super) fn extend(&mut self, other: &Self) {
        self.ranges.extend_from_slice(&other.ranges);
    }

    pub(super) fn normalize(&mut self) {
        if self.ranges.windows(2).all(|pair| matches!(pair, [a, b] if a.1.saturating_add(1) < b.0)) {
            return;
        }
        sort(&mut self.ranges);
        let mut kept = 0usize;
        for index in 1..self.ranges.len() {
            let Some(&next) = self.ranges.get(index) else { break };
            let Some(last) = self.ranges.get_mut(kept) else { break };
            if next.0 <= last.1.saturating_add(1) {
                last.1 = last.1.max(next.1);
            } else {
                kept += 1;
                if let Some(slot) = self.ranges.get_mut(kept) {
                    *slot = next;
                }
            }
        }
        self.ranges.truncate(kept + 1);
    }

    pub(super) fn negate(&mut self) {
        let mut gaps = Vec::with_capacity(self.ranges.len() + 1);
        let mut next = 0;
        for &(first, last) in &self.ranges {
            if first > next {
                gaps.push((next, first - 1));
            }
            next = last + 1;
        }
        if next <= LAST {
            gaps.push((next, LAST));
        }
        self.ranges = gaps;
    }

    fn from_tables(tables: &[&[u8]]) -> Self {
        let mut set = Self::default();
        for table in tables {
            let mut integers = varints(table);
            let mut next = 0;
            while let (Some(head), Some(count)) = (integers.next(), integers.next()) {
                let (start, step) = (next + head / 2, 1 + head % 2);
                let last = start + (count - 1) * step;
                if step == 1 {
                    set.push(start, last);
                } else {
                    (start..=last).step_by(2).for_each(|code| set.push(code, code));
                }
                next = last + 1;
            }
        }
        set.normalize();
        set
    }

    fn minus(mut self, other: &Self) -> Self {
        self.negate();
        self.extend(other);
        self.normalize();
        self.negate();
        self
    }
}

/// Sorts what is mostly in order already.
pub(super) fn sort(pairs: &mut [(u32, u32)]) {
    if !pairs.is_sorted() {
        sort_pairs(pairs, &mut |a, b| a.cmp(b));
    }
}

fn varints(table: &[u8]) -> impl Iterator<Item = u32> {
    let mut bytes = table.iter();
    core::iter::from_fn(move || {
        let (mut value, mut shift) = (0, 0);
        loop {
            let byte = u32::from(*bytes.next()?);
            value |= (byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
            shift += 7;
        }
    })
}

/// Sets that formats ask for one character at a time.
#[derive(Clone, Copy, Debug)]
pub(in crate::schema) enum UnicodeSet {
    /// General category L.
    Letter,
    /// General categories Lu and Lt.
    Capital,
    /// General category M.
    Mark,
    /// General category Nd.
    Digit,
    Greek,
    Han,
    Hebrew,
    Hiragana,
    Katakana,
}

/// Whether a character belongs to a set.
pub(in crate::schema) fn is_in(set: UnicodeSet, c: char) -> bool {
    let within = |table| table_contains(table, c as u32);
    match set {
        // Most of what is not Latin is ideographs and Hangul, which stand late in the table.
        UnicodeSet::Letter => matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}') || within(tables::L),
        UnicodeSet::Capital => within(tables::LU) || within(tables::LT),
        UnicodeSet::Mark => within(tables::M),
        UnicodeSet::Digit => within(tables::ND),
        UnicodeSet::Greek => within(tables::GREEK),
        UnicodeSet::Han => within(tables::HAN),
        UnicodeSet::Hebrew => within(tables::HEBREW),
        UnicodeSet::Hiragana => within(tables::HIRAGANA),
        UnicodeSet::Katakana => within(tables::KATAKANA),
    }
}

/// Whether a table's set contains a code point, without unpacking it.
fn table_contains(table: &[u8], code: u32) -> bool {
    let mut integers = varints(table);
    let mut next = 0;
    while let (Some(head), Some(count)) = (integers.next(), integers.next()) {
        let (start, step) = (next + head / 2, 1 + head % 2);
        let last = start + (count - 1) * step;
        if code <= last {
            return code >= start && (code - start).is_multiple_of(step);
        }
        next = last + 1;
    }
    false
}

/// What `\p{...}` names.
pub(super) enum Property {
    Known(CodePoints),
    /// A property of ECMA-262 whose table is not worth its size here.
    Unknown,
    /// No property of ECMA-262.
    Invalid,
}

/// General categories, binary properties and their aliases that are well-formed but have no table here.
const UNSUPPORTED_CATEGORIES: &str = "Lm Modifier_Letter Lo Other_Letter Mn Nonspacing_Mark Mc Spacing_Mark Me Enclosing_Mark \
Nl Letter_Number No Other_Number Pc Connector_Punctuation Pd Dash_Punctuation Ps Open_Punctuation Pe Close_Punctuation \
Pi Initial_Punctuation Pf Final_Punctuation Po Other_Punctuation S Symbol Sm Math_Symbol Sc Currency_Symbol Sk Modifier_Symbol \
So Other_Symbol C Other Cf Format Cs Surrogate Co Private_Use Cn Unassigned";
const UNSUPPORTED_BINARY: &str = "Assigned Alphabetic Alpha Bidi_Control Bidi_C Bidi_Mirrored Bidi_M Case_Ignorable CI Cased \
Changes_When_Casefolded CWCF Changes_When_Casemapped CWCM Changes_When_Lowercased CWL Changes_When_NFKC_Casefolded CWKCF \
Changes_When_Titlecased CWT Changes_When_Uppercased CWU Dash Default_Ignorable_Code_Point DI Deprecated Dep Diacritic Dia Emoji \
Emoji_Component EComp Emoji_Modifier EMod Emoji_Modifier_Base EBase Emoji_Presentation EPres Extended_Pictographic ExtPict \
Extender Ext Grapheme_Base Gr_Base Grapheme_Extend Gr_Ext Hex_Digit Hex IDS_Binary_Operator IDSB IDS_Trinary_Operator IDST \
ID_Continue IDC ID_Start IDS Ideographic Ideo Join_Control Join_C Logical_Order_Exception LOE Lowercase Lower Math \
Noncharacter_Code_Point NChar Pattern_Syntax Pat_Syn Pattern_White_Space Pat_WS Quotation_Mark QMark Radical \
Regional_Indicator RI Sentence_Terminal STerm Soft_Dotted SD Terminal_Punctuation Term Unified_Ideograph UIdeo Uppercase Upper \
Variation_Selector VS XID_Continue XIDC XID_Start XIDS";

/// Looks up `\p{name}` or `\p{name=value}`.
///
/// Script names beyond the four known ones are not listed: any name-like value counts as a script, for the host to judge.
pub(super) fn property(name: &str, value: Option<&str>) -> Property {
    let listed = |list: &str, name: &str| list.split(' ').any(|entry| entry == name);
    match (name, value) {
        (_, None) => match binary(name).or_else(|| category(name)) {
            Some(set) => Property::Known(set),
            None if listed(UNSUPPORTED_CATEGORIES, name) || listed(UNSUPPORTED_BINARY, name) => Property::Unknown,
            None => Property::Invalid,
        },
        ("General_Category" | "gc", Some(value)) => match category(value) {
            Some(set) => Property::Known(set),
            None if listed(UNSUPPORTED_CATEGORIES, value) => Property::Unknown,
            None => Property::Invalid,
        },
        ("Script" | "sc", Some(value)) => script(value).map_or_else(|| script_name(value), Property::Known),
        ("Script_Extensions" | "scx", Some(value)) => script_name(value),
        _ => Property::Invalid,
    }
}

fn script_name(value: &str) -> Property {
    let name_like = value.starts_with(|c: char| c.is_ascii_uppercase())
        && value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if name_like { Property::Unknown } else { Property::Invalid }
}

fn script(value: &str) -> Option<CodePoints> {
    let table = match value {
        "Latin" | "Latn" => tables::LATIN,
        "Greek" | "Grek" => tables::GREEK,
        "Cyrillic" | "Cyrl" => tables::CYRILLIC,
        "Han" | "Hani" => tables::HAN,
        "Hebrew" | "Hebr" => tables::HEBREW,
        "Hiragana" | "Hira" => tables::HIRAGANA,
        "Katakana" | "Kana" => tables::KATAKANA,
        _ => return None,
    };
    Some(CodePoints::from_tables(&[table]))
}

fn category(value: &str) -> Option<CodePoints> {
    Some(match value {
        "L" | "Letter" => CodePoints::from_tables(&[tables::L]),
        "LC" | "Cased_Letter" => CodePoints::from_tables(&[tables::LC]),
        "Lu" | "Uppercase_Letter" => CodePoints::from_tables(&[tables::LU]),
        "Ll" | "Lowercase_Letter" => {
            CodePoints::from_tables(&[tables::LC]).minus(&CodePoints::from_tables(&[tables::LU, tables::LT]))
        }
        "Lt" | "Titlecase_Letter" => CodePoints::from_tables(&[tables::LT]),
        "M" | "Mark" | "Combining_Mark" => CodePoints::from_tables(&[tables::M]),
        "N" | "Number" => CodePoints::from_tables(&[tables::ND, tables::NL_NO]),
        "Nd" | "Decimal_Number" | "digit" => CodePoints::from_tables(&[tables::ND]),
        "P" | "Punctuation" | "punct" => CodePoints::from_tables(&[tables::P]),
        "Z" | "Separator" => CodePoints::from_tables(&[tables::Z]),
        "Zs" | "Space_Separator" => CodePoints::from_tables(&[tables::Z]).minus(&CodePoints::of(&[(0x2028, 0x2029)])),
        "Zl" | "Line_Separator" => CodePoints::of(&[(0x2028, 0x2028)]),
        "Zp" | "Paragraph_Separator" => CodePoints::of(&[(0x2029, 0x2029)]),
        "Cc" | "Control" | "cntrl" => CodePoints::of(&[(0, 0x1f), (0x7f, 0x9f)]),
        _ => return None,
    })
}

fn binary(name: &str) -> Option<CodePoints> {
    Some(match name {
        "Any" => CodePoints::of(&[(0, LAST)]),
        "ASCII" => CodePoints::of(&[(0, 0x7f)]),
        "ASCII_Hex_Digit" | "AHex" => CodePoints::of(HEX_DIGIT),
        "White_Space" | "space" => CodePoints::of(WHITE_SPACE),
        _ => return None,
    })
}
