//! The pools that names, numbers, strings, patterns and formats are drawn from: few of each, so that they meet.

use subcontract::schema::dialect::Draft;

pub const NAMES: &[&str] = &["a", "b", "c", "ab", "a1", "d", "é", "__proto__", "constructor", "", "a/b", "a~b", "$ref", "type"];

pub const NUMBERS: &[&str] = &[
    "0", "1", "2", "3", "-1", "-0", "1.0", "0.1", "0.3", "2.5", "1e2", "100", "10", "7", "4", "1e-7", "-12.50", "0.0", "1E+2",
    "9007199254740993", "9007199254740992.0", "18446744073709551616", "-9223372036854775809", "123456789012345678901234567890",
    "0.1000000000000000055511151231257827", "1e400", "-1e400", "1e-400", "5e-324", "1.7976931348623157e308", "100000000000000000000e-20",
];

pub const BOUNDS: &[&str] = &[
    "0", "1", "2", "3", "2.5", "-1", "1.0", "0.1", "100", "9007199254740992", "1e2", "18446744073709551615", "-0.5", "1e-7", "1e400",
    "0.30000000000000004", "-9223372036854775808",
];

pub const DIVISORS: &[&str] = &[
    "1", "2", "0.1", "0.01", "3", "2.5", "0.5", "1e1", "1.0", "7", "1e-7", "0.3", "9007199254740993", "1e-400", "1e20", "0.0001",
];

pub const STRINGS: &[&str] = &[
    "", "a", "b", "ab", "abc", "é", "😀", "😀😀", "a1", "A", "a b", "aé", "e\u{301}", "\u{0}", "\n", "1", "true", "__proto__", "a\u{2028}b",
];

/// Patterns, each with some strings that match it.
pub const PATTERNS: &[(&str, &[&str])] = &[
    ("^a", &["a", "ab", "a1"]),
    ("b$", &["b", "ab"]),
    ("^[a-z]+$", &["a", "abc"]),
    (".", &["a", "é", "😀"]),
    ("\\d", &["a1", "1"]),
    ("^$", &[""]),
    ("^.{2}$", &["ab", "😀😀", "aé"]),
    ("[^a]", &["b", "ab"]),
    ("é", &["é", "aé"]),
    ("\\S", &["a"]),
    ("^\\w*$", &["", "a1", "__proto__"]),
    ("^(a|b)c?$", &["a", "b", "ac"]),
    ("^\\p{L}$", &["a", "é"]),
    ("^\\p{Lu}\\p{Ll}*$", &["A", "Ab"]),
    ("^\\u{1f600}+$", &["😀", "😀😀"]),
    ("^[\\u0000-\\u007f]*$", &["", "abc", "\n"]),
    ("^\\s|\\s$", &["a ", "\u{2028}", "\n"]),
    ("\\bb", &["b", "a b"]),
    ("^(?:ab){1,2}$", &["ab", "abab"]),
    ("a{2,}", &["aa", "aaa"]),
    ("^[^\\s\\d]$", &["a", "é"]),
    ("\\.", &["a.b"]),
    ("^[a-c\\-]+?$", &["a-b"]),
    ("", &["", "a"]),
    ("^\\cJ$", &["\n"]),
    ("^\\x61$", &["a"]),
    ("^\\D+$", &["abc"]),
    ("^\\W$", &["é", " "]),
];

/// Formats with the draft that brought them, and strings that have each or just fail to. Drafts may know more formats than
/// their own; we know all of them in every draft, the reference engine does not.
pub const FORMATS: &[(&str, Draft, &[&str])] = &[
    ("date", Draft::Draft7, &["2024-02-29", "2023-02-29", "2024-2-29", "0000-01-01", "2024-13-01"]),
    ("time", Draft::Draft7, &["12:00:00Z", "23:59:60Z", "24:00:00Z", "12:00:00", "12:00:00.5+01:00", "12:00:00z", "23:59:60+00:30"]),
    ("date-time", Draft::Draft4, &["2024-02-29T12:00:00Z", "2024-02-29 12:00:00Z", "2024-02-29t12:00:00z", "1998-12-31T23:59:60Z", "2024-02-29T12:00:00"]),
    ("duration", Draft::Draft201909, &["P1D", "PT1H", "P", "PT", "P1W", "P1W1D", "P1Y2M3DT4H5M6S", "PT0.5S", "P1D2H"]),
    ("email", Draft::Draft4, &["a@b.c", "a@b", "a.b@c.d", ".a@b.c", "a..b@c.d", "\"a b\"@c.d", "a@[127.0.0.1]", "a@-b.c", "é@b.c"]),
    ("hostname", Draft::Draft4, &["a", "a.b", "-a", "a-", "a_b", "a..b", "xn--ls8h", "a.", "1.2.3.4"]),
    ("ipv4", Draft::Draft4, &["127.0.0.1", "256.0.0.1", "01.0.0.1", "1.2.3", "1.2.3.4.5", "0.0.0.0"]),
    ("ipv6", Draft::Draft4, &["::1", "::", "1::2::3", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7", "::ffff:1.2.3.4", "fe80::1%eth0", "12345::"]),
    ("uri", Draft::Draft4, &["http://a", "a:b", "//a", "a", "http://a b", "http://[::1]/", "http://a/%zz", "urn:a", "http://é"]),
    ("uri-reference", Draft::Draft6, &["", "a", "//a", "#a", "a b", "%zz", "http://a", "é", "a\\b"]),
    ("iri", Draft::Draft7, &["http://é", "é", "http://a", "http://a b"]),
    ("iri-reference", Draft::Draft7, &["é", "#é", "a b", ""]),
    ("uri-template", Draft::Draft6, &["{a}", "a{b", "{}", "{+a}", "a", "{a:3}", "{a*}", "{a}}"]),
    ("json-pointer", Draft::Draft6, &["", "/a", "a", "/~0", "/~2", "/a~", "/é"]),
    ("relative-json-pointer", Draft::Draft7, &["0", "1/a", "0#", "01", "-1", "0##", "1/~2", "a"]),
    ("regex", Draft::Draft7, &["a", "(", "[a", "a{1", "\\d", "(?<n>a)\\k<n>", "a**", "\\a", "(?=a)"]),
    ("uuid", Draft::Draft201909, &["550e8400-e29b-41d4-a716-446655440000", "550E8400-E29B-41D4-A716-446655440000", "550e8400e29b41d4a716446655440000", "x"]),
    ("unknown", Draft::Draft4, &["a", "b"]),
];
