//! Formats: tables, and the official suite's optional format tests.

mod suite;

use proptest::prelude::*;
use subcontract::schema::format::Format;
use subcontract::schema::pattern::{Pattern, PatternError, Scratch};

const NAMES: [&str; 19] = [
    "date",
    "time",
    "date-time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
    "uuid",
];

#[test]
fn beyond_the_official_suite() {
    let rows: &[(&str, &[&str], &[&str])] = &[
        ("date", &["2000-02-29"], &["1900-02-29", "2000-2-29"]),
        ("time", &["23:59:59.0Z", "00:59:60+01:00"], &["23:59:59.Z", "24:00:00Z", "00:00:00", "00:00:00+0100"]),
        (
            "date-time",
            &["2024-02-29T00:00:00z"],
            &["2024-02-29 00:00:00Z", "2024-02-30T00:00:00Z", "2024-02-29T", "2024-02-2é"],
        ),
        ("duration", &["P1Y", "P1YT1S", "PT1H1M1S"], &["P1Y1D", "P1W1D", "PT", "P", "PT1W", "P1", "p1D"]),
        (
            "email",
            &["a@b", "a+b@c.d", "\"a\\\"b\"@c.d", "\"\"@c.d", "a@[IPv6:::1]"],
            &["a@b@c", "a@-b", "a@b.", "a@[::1]", "\"a\"b\"@c", "\"a@c", "é@c.d", "a@é.d", "\"\\\"@c.d", "a b@c.d"],
        ),
        ("idn-email", &["é@c.d", "a@é.d", "\"é\"@c.d"], &["a@", "@é", "a@é..d"]),
        ("hostname", &["a", "1", "a.b-c"], &["a_b", "a.-b", "a..b", "é", "xn--", "xn--a"]),
        (
            "idn-hostname",
            &["é.com", "xn--9ca.com", "faß.de", "بي‌بي"],
            &["é-.com", "É.com", "é..com", "ab--é", "a_é", "ⅷ"],
        ),
        ("ipv4", &["1.2.3.4", "0.0.0.0"], &["01.2.3.4", "1.2.3", "1.2.3.4.", "256.1.1.1", "1.2.3.300"]),
        (
            "ipv6",
            &["::", "1::", "::1.2.3.4", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8"],
            &[
                "",
                ":",
                ":::",
                "1:2:3:4:5:6:7:8::",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:",
                "::1.2.3",
                "1.2.3.4::",
                "1:2:3:4:5:6:7:1.2.3.4",
            ],
        ),
        (
            "uri",
            &["a:", "a:b?c#d", "http://[::1]:80/", "http://u@h:/", "http:///x"],
            &["a", "a:b#c#d", "http://[::1", "http://[::1]x/", "http://h:8x/", "a:é", "a:[", "1:a"],
        ),
        ("uri-reference", &["", "?", "#", "a/b:c", "//h", "./a:b"], &["a b", "1a:b", "%", "é"]),
        ("iri", &["a:é", "http://é/é?\u{e000}#é"], &["é", "a:\u{e000}", "a:\u{fffe}"]),
        ("iri-reference", &["é", ""], &["é é", "\u{e000}"]),
        (
            "uri-template",
            &["{a}", "{+a,b*}", "{?a:3}", "é{a.b}"],
            &["{", "}", "{}", "{a", "{a:0}", "{a:12345}", "{a b}", "{a*:3}", "%4"],
        ),
        ("json-pointer", &["", "/", "/a~0~1"], &["a", "/~", "/~2"]),
        ("relative-json-pointer", &["0", "1/a", "0#", "0-1/a", "1+2#"], &["", "00", "-1", "0a", "0+", "0+0", "0+01"]),
        ("regex", &["(?<=a)b", "(a)\\1", "\\p{Emoji}", "(?i:a)", "[]"], &["(", "\\1", "[b-a]", "a{2,1}", "\\p{Nope}"]),
        (
            "uuid",
            &["00000000-0000-0000-0000-000000000000"],
            &["", "0000000000000000000000000000000000000", "00000000-0000-0000-0000-00000000000é"],
        ),
    ];
    for (name, yes, no) in rows {
        let format = Format::from_name(name).unwrap();
        for text in *yes {
            assert!(format.check(text), "{text:?} is a {name}");
        }
        for text in *no {
            assert!(!format.check(text), "{text:?} is no {name}");
        }
    }
}

#[test]
fn unknown_names_assert_nothing() {
    for name in ["", "uint64", "Date", "color", "ip-address", "host-name"] {
        assert_eq!(Format::from_name(name), None, "{name}");
    }
}

#[test]
fn a_pattern_is_a_regex_whether_native_or_not() {
    for source in ["a", "(?=a)", "\\p{L}", "(", "\\q", "(?:a{200}){200}"] {
        let syntax = !matches!(Pattern::compile(source), Err(PatternError::Syntax { .. }));
        assert_eq!(Format::Regex.check(source), syntax, "{source}");
    }
    // RFC 3339's own words as a pattern, against the format.
    let pattern = Pattern::compile("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$").unwrap();
    let text = "2024-01-31T12:00:00Z";
    assert!(pattern.is_match(text.as_bytes(), &mut Scratch::default()) && Format::DateTime.check(text));
}

#[test]
fn official_suite() {
    let Some(folder) = suite::folder() else { return };
    // How many there are, all of which pass; the `jsonschema` crate without its tables for internationalised names passes
    // 219, 325, 620, 701 and 708.
    let known = [219, 325, 676, 757, 764];
    for (draft, known) in suite::DRAFTS.iter().zip(known) {
        let mut files: Vec<_> = std::fs::read_dir(folder.join(draft).join("optional/format"))
            .expect("the draft has optional format tests")
            .map(|entry| entry.expect("a folder can be read").path())
            .collect();
        files.sort();
        let (mut total, mut failing) = (0, Vec::new());
        for file in &files {
            for case in suite::cases(file) {
                total += 1;
                if judge(&case) != case.valid {
                    failing.push(format!("{}: {}: {}", file.display(), case.description, case.data));
                }
            }
        }
        println!("{draft}: {} of {total} optional format tests pass", total - failing.len());
        assert!(failing.is_empty(), "{draft}:\n{}", failing.join("\n"));
        assert!(total >= known, "{draft}: only {total} tests were found");
    }
}

/// What the schema says of the instance, for the few kinds of schema in these files.
fn judge(case: &suite::Case) -> bool {
    let Some(text) = case.data.as_str() else { return true };
    let Some(name) = case.schema["format"].as_str() else {
        panic!("{}: a schema without format: {}", case.group, case.schema);
    };
    Format::from_name(name).is_none_or(|format| format.check(text))
}

proptest! {
    #[test]
    fn any_text_is_judged_without_a_panic(text in "\\PC{0,40}", near in "[-+.:/@%~#\\[\\]{}\"xn0-9a-fTZPVé字\u{660}\u{200c}]{0,40}") {
        for name in NAMES {
            let format = Format::from_name(name).unwrap();
            let _ = format.check(&text);
            let _ = format.check(&near);
            let _ = format.check(&format!("xn--{near}"));
        }
    }

    #[test]
    fn addresses_agree_with_the_standard_library(text in "[0-9a-f:.]{0,20}", groups in prop::collection::vec("[0-9a-f]{1,4}", 1..9), at in 0usize..9) {
        let mut compressed = groups.clone();
        compressed.insert(at.min(groups.len()), String::new());
        for text in [text, groups.join(":"), compressed.join(":"), format!(":{}", compressed.join(":")), format!("{}:1.2.3.4", groups.join(":"))] {
            prop_assert_eq!(Format::Ipv6.check(&text), text.parse::<std::net::Ipv6Addr>().is_ok(), "{}", text);
            prop_assert_eq!(Format::Ipv4.check(&text), text.parse::<std::net::Ipv4Addr>().is_ok(), "{}", text);
        }
    }
}
