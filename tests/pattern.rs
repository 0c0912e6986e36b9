//! ECMA-262 patterns: tables, V8's verdicts, the official suite, and the `regex` crate as an oracle.

mod suite;

use proptest::prelude::*;
use subcontract::schema::pattern::{Lint, Pattern, PatternError, Scratch, check_syntax, lint};

fn matches(pattern: &str, text: &str) -> bool {
    let compiled = Pattern::compile(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
    compiled.is_match(text.as_bytes(), &mut Scratch::default())
}

#[test]
fn matches_as_ecma_262_says() {
    let rows: &[(&str, &[&str], &[&str])] = &[
        ("", &["", "a"], &[]),
        ("a", &["a", "xay"], &["", "b"]),
        ("^a", &["a", "ab"], &["ba", ""]),
        ("a$", &["a", "ba"], &["ab", "a\n"]),
        ("^$", &[""], &["a", "\n"]),
        ("^(?:)$", &[""], &["a"]),
        ("a|b", &["a", "xb"], &["c"]),
        ("^(a|b|)c$", &["ac", "bc", "c"], &["abc", "d"]),
        ("^a{2,3}$", &["aa", "aaa"], &["a", "aaaa"]),
        ("^a{2,}$", &["aa", "aaaaaaa"], &["a"]),
        ("^a{0}$", &[""], &["a"]),
        ("^(ab){2}?$", &["abab"], &["ab", "ababab"]),
        ("^a*?b+?c??$", &["b", "aabbc"], &["a", "bcc"]),
        ("^(a*)*$", &["", "aaa"], &["aab"]),
        ("^(a+)+$", &["aaaa"], &["", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"]),
        ("^(|a)+$", &["", "aa"], &["b"]),
        ("^[]$", &[], &["", "a"]),
        ("^[^]$", &["a", "\n", "é", "😀"], &["", "ab"]),
        ("^[a-c\\d_-]+$", &["a1_-"], &["d", ""]),
        ("^[\\-a]$", &["-", "a"], &["b"]),
        ("^[-a]$", &["-", "a"], &["b"]),
        ("^[a-]$", &["-", "a"], &["b"]),
        ("^[\\b]$", &["\u{8}"], &["b"]),
        ("^[^a-z]$", &["A", "é", "😀"], &["a"]),
        ("^[\\D]$", &["a", "߀"], &["1"]),
        ("^[^\\d\\s]$", &["a"], &["1", " ", "\u{feff}"]),
        ("^.$", &["a", "é", "😀", "\u{85}"], &["\n", "\r", "\u{2028}", "\u{2029}", "ab", ""]),
        ("^\\u0041\\x42\\u{43}\\cA\\0$", &["ABC\u{1}\0"], &["ABC"]),
        ("^\\ud83d\\ude00$", &["😀"], &["\u{fffd}"]),
        ("^\\u{1f600}$", &["😀"], &[]),
        ("^\\ud83d$", &[], &["😀", "\u{fffd}"]),
        ("^[\\ud83d\\ude00-\\u{1f64f}]$", &["😀", "🙏"], &["🚀"]),
        ("^[😀-🙏]$", &["😃"], &["🚀"]),
        ("^\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\/$", &["^$\\.*+?()[]{}|/"], &[]),
        ("^\\t\\n\\v\\f\\r$", &["\t\n\u{b}\u{c}\r"], &[]),
        ("\\bfoo\\b", &["foo", "a foo!", "éfooé"], &["foox", "xfoo", "_foo"]),
        ("^\\b$", &[], &["", "a"]),
        ("\\B", &["", "ab", "é", "éé", "!"], &["a", "aéa"]),
        ("^\\B.\\B$", &["é", "-"], &["a"]),
        ("a\\b|b\\B", &["a", "bc", "a-"], &["ab", "b"]),
        ("\\b^a", &["a"], &["ba"]),
        ("$^", &[""], &["a"]),
        ("(?<year>\\d{4})-(?<month>\\d\\d)", &["2024-01"], &["24-1"]),
        ("(?:(?<a>x)|(?<a>y))z", &["xz", "yz"], &["z"]),
        ("^\\p{L}+$", &["aßπЖ字"], &["1", "\u{300}"]),
        ("^\\p{Lu}\\p{Ll}\\p{Lt}$", &["Aaǅ", "Ωωǅ", "Ąąǅ"], &["aAǅ"]),
        ("^\\P{L}$", &["1", "-", "😀"], &["a", "é"]),
        ("^[\\p{L}\\p{Nd}_]+$", &["é৪_"], &["-"]),
        ("^[^\\p{L}]$", &["1"], &["é"]),
        ("^\\p{Script=Greek}\\p{sc=Cyrl}\\p{Script=Han}$", &["πЖ字"], &["aaa"]),
        ("^\\p{General_Category=Decimal_Number}$", &["৪"], &["a", "Ⅷ"]),
        ("^\\p{N}$", &["৪", "Ⅷ", "½"], &["a"]),
        ("^\\p{P}\\p{Z}\\p{M}$", &["!\u{a0}\u{300}"], &["aaa"]),
        ("^\\p{ASCII}\\p{Any}$", &["a😀"], &["éa"]),
        ("^x-", &["x-", "x-foo"], &["ax-", "x"]),
        ("^[\\w%+.-]+@[\\d.A-Za-z-]+\\.[A-Za-z]{2,}$", &["joe@example.com"], &["nope", "joe@example.c"]),
        (
            "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:Z))$",
            &["2024-01-31T00:00:00Z", "2024-02-29T00:00:00.123Z"],
            &["2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2024-01-01T00:00:00+01:00"],
        ),
    ];
    for (pattern, yes, no) in rows {
        for text in *yes {
            assert!(matches(pattern, text), "/{pattern}/u matches {text:?}");
        }
        for text in *no {
            assert!(!matches(pattern, text), "/{pattern}/u does not match {text:?}");
        }
    }
}

#[test]
fn refuses_what_is_no_pattern_under_flag_u() {
    for pattern in [
        "(",
        ")",
        "(a",
        "a)",
        "[",
        "[a",
        "]",
        "{",
        "}",
        "a{",
        "a{1",
        "a{1,",
        "a{,2}",
        "{1}",
        "a{2,1}",
        "*",
        "+a",
        "?",
        "a**",
        "a+*",
        "a???",
        "^*",
        "$+",
        "\\b+",
        "(?=a)*",
        "(?<!a)?",
        "(?",
        "(?a)",
        "(?P<n>a)",
        "(?#c)",
        "(?i)a",
        "(?ims)abc",
        "(?-:a)",
        "(?ii:a)",
        "(?<>a)",
        "(?<1>a)",
        "(?<a",
        "(?<a>x)(?<a>y)",
        "(?:(?<a>x)|(?<b>y))(?<a>z)",
        "\\",
        "\\a",
        "\\e",
        "\\z",
        "\\-",
        "\\_",
        "\\é",
        "\\8",
        "\\1",
        "(a)\\2",
        "\\k<a>",
        "\\k",
        "(?<a>.)\\k<b>",
        "\\c",
        "\\c1",
        "\\x1",
        "\\xg0",
        "\\u12",
        "\\u{110000}",
        "\\u{}",
        "\\u{12",
        "\\00",
        "\\01",
        "[\\1]",
        "[\\B]",
        "[\\k]",
        "[b-a]",
        "[\\d-z]",
        "[a-\\d]",
        "[\\p{L}-z]",
        "\\p",
        "\\p{",
        "\\p{}",
        "\\p{Foo}",
        "\\p{gc=Foo}",
        "\\p{Lu=Foo}",
        "\\p{letter}",
        "\\pL",
        "[\\a]",
        "[\\_]",
        "\\p{Script}",
    ] {
        assert!(
            matches!(Pattern::compile(pattern), Err(PatternError::Syntax { .. })),
            "{pattern}: {:?}",
            Pattern::compile(pattern)
        );
        assert!(check_syntax(pattern).is_err(), "{pattern}");
    }
    assert_eq!(Pattern::compile("ab(c").unwrap_err(), PatternError::Syntax { offset: 4, what: "unterminated group" });
    assert_eq!(Pattern::compile("ab\\qc").unwrap_err(), PatternError::Syntax { offset: 2, what: "invalid escape" });
}

#[test]
fn leaves_the_rest_of_ecma_262_to_the_host() {
    for (pattern, what) in [
        ("(?=a)", "lookaround"),
        ("(?!a)b", "lookaround"),
        ("(?<=a+)b", "lookaround"),
        ("(?<!a)b", "lookaround"),
        ("(a)\\1", "back reference"),
        ("\\1(a)", "back reference"),
        ("(?<n>a)\\k<n>", "back reference"),
        ("\\k<n>(?<n>a)", "back reference"),
        ("(?<\\u0061>a)\\k<a>", "back reference"),
        ("(?i:a)", "modifiers"),
        ("(?im-s:a)", "modifiers"),
        ("\\p{Emoji}", "unicode property"),
        ("[\\p{Script=Thai}]", "unicode property"),
        ("\\p{scx=Greek}", "unicode property"),
        ("(?:a{200}){200}", "too long with its repetitions written out"),
        ("a{4294967296}", "too long with its repetitions written out"),
    ] {
        assert_eq!(Pattern::compile(pattern).unwrap_err(), PatternError::Unsupported(what), "{pattern}");
        assert_eq!(check_syntax(pattern), Ok(()), "{pattern}");
    }
    let deep = format!("{}a{}", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(check_syntax(&deep), Ok(()));
    assert!(matches!(Pattern::compile(&deep), Err(PatternError::Unsupported(_))));
    let nested = format!("{}a{}", "(".repeat(5_000), ")".repeat(5_000));
    assert!(matches(&nested, "xay"), "plain groups do not nest in the tree");
    let nested = format!("{}a{}", "(?:b".repeat(1_000), ")*".repeat(1_000));
    assert_eq!(Pattern::compile(&nested).unwrap_err(), PatternError::Unsupported("too deeply nested"));
    let letters: String = ('\u{4e00}'..).take(1_100).collect();
    assert_eq!(Pattern::compile(&letters).unwrap_err(), PatternError::Unsupported("too many different characters"));
    assert!(matches("((((((){99999}){99999}){99999}){99999}){99999}){99999}", ""), "repeating nothing takes no room");
}

#[test]
fn a_scratch_may_go_from_pattern_to_pattern() {
    let patterns = ["^a+$", "b", "^\\d{3}$"].map(|source| Pattern::compile(source).unwrap());
    let mut scratch = Scratch::default();
    for _ in 0..3 {
        let answers = patterns.each_ref().map(|pattern| pattern.is_match(b"aaa", &mut scratch));
        assert_eq!(answers, [true, false, false]);
        let answers = patterns.each_ref().map(|pattern| pattern.is_match(b"123", &mut scratch));
        assert_eq!(answers, [false, false, true]);
    }
}

#[test]
fn bounded_memory_keeps_the_answers_right() {
    // Its deterministic automaton has 2^14 states, so that the scratch starts anew again and again.
    let pattern = Pattern::compile("(a|b)*a(a|b){13}c").unwrap();
    let oracle = regex::Regex::new("(a|b)*a(a|b){13}c").unwrap();
    let mut scratch = Scratch::default();
    let mut seed = 1u64;
    let mut text = String::new();
    for round in 0..200_000 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        text.push(if seed >> 60 == 0 {
            'c'
        } else if seed >> 62 & 1 == 0 {
            'a'
        } else {
            'b'
        });
        if text.len() == 400 {
            assert_eq!(pattern.is_match(text.as_bytes(), &mut scratch), oracle.is_match(&text), "{text}");
            text.clear();
            text.push_str(if round % 2 == 0 { "b" } else { "" });
        }
    }
}

#[test]
fn steps_depend_on_pattern_and_text_alone() {
    let taken = |pattern: &Pattern, text: &[u8], scratch: &mut Scratch| {
        let mut steps = 10_000_000;
        pattern.is_match_within(text, scratch, &mut steps).map(|_| 10_000_000 - steps)
    };
    let pattern = Pattern::compile("^a+$").unwrap();
    let mut scratch = Scratch::default();
    assert_eq!(taken(&pattern, b"", &mut scratch), Some(4));
    assert_eq!(taken(&pattern, &[b'a'; 4000], &mut scratch), Some(1004));
    // Hundreds of places stay in play, and the scratch is emptied on the way.
    let pattern = Pattern::compile("(a|b)*a(a|b){200}c").unwrap();
    let mut seed = 1u64;
    let text: Vec<u8> = (0..5000)
        .map(|_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if seed >> 63 == 0 { b'a' } else { b'b' }
        })
        .collect();
    let first = taken(&pattern, &text, &mut scratch);
    assert!(first.is_some_and(|steps| steps > 500_000), "{first:?}");
    assert_eq!(taken(&pattern, &text, &mut scratch), first);
    assert_eq!(taken(&pattern, &text, &mut Scratch::default()), first);
    let mut steps = 100_000;
    assert_eq!(pattern.is_match_within(&text, &mut scratch, &mut steps), None);
    assert!(pattern.is_match(b"ab", &mut scratch) == Pattern::compile("c").unwrap().is_match(b"ab", &mut scratch));
}

#[test]
fn lint_warns_of_exponential_patterns_only() {
    for pattern in [
        "^(a+)+$",
        "^(a*)*$",
        "^(a|a)*$",
        "^(a|ab|b)*$",
        "(\\w+\\s?)*$",
        "^([a-z]+)*$",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
        "^(a?){20}$|(a|aa)+$",
        "^(?=.*\\d)(\\w*)*$",
        "(?=(a+)+$)",
        "^(\\d+|\\w+)*$",
        "^(a+){10}$",
        "(x+x+)+y",
        "(?:a|a?)+b",
        "^(?:.*,)*.*$x",
    ] {
        assert_eq!(lint(pattern), Some(Lint::Exponential), "{pattern}");
    }
    for pattern in [
        "^a+$",
        "^(ab)+$",
        "^(a|b)*$",
        "^[a-z]+(-[a-z]+)*$",
        "^(\\w+\\s)*\\w+$",
        "^(?=.*\\d)(?=.*[a-z]).{8,}$",
        "^(a?)*$",
        "^(|a)*$",
        "^\\d{4}-\\d{2}-\\d{2}$",
        "^(?!.*--)[a-z-]+$",
        "^(\"[^\"]*\"|[^\",]*)(,(\"[^\"]*\"|[^\",]*))*$",
        "(a)\\1",
        "^(a*b)*$",
        "^\\s*\\s*$",
        "^(a+){2}$",
        "(",
        "",
        "^[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+$",
        "^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}$",
    ] {
        assert_eq!(lint(pattern), None, "{pattern}");
    }
}

#[test]
fn unicode_tables_agree_with_the_regex_crate() {
    // The two may be of different Unicode versions: later ones give meaning to unassigned code points, and 17.0 moved U+0295.
    let unassigned = regex::Regex::new("^\\p{Cn}$").unwrap();
    for property in [
        "L",
        "LC",
        "Lu",
        "Ll",
        "Lt",
        "M",
        "N",
        "Nd",
        "P",
        "Z",
        "Zs",
        "Zl",
        "Zp",
        "Cc",
        "White_Space",
        "ASCII_Hex_Digit",
        "Script=Latin",
        "Script=Greek",
        "Script=Cyrillic",
        "Script=Han",
    ] {
        let own = Pattern::compile(&format!("^\\p{{{property}}}$")).unwrap();
        let theirs = regex::Regex::new(&format!("^\\p{{{property}}}$")).unwrap();
        let mut scratch = Scratch::default();
        let mut buffer = [0; 4];
        let mut later = 0;
        // Everything but the insides of the large uniform blocks, where a few stand for all.
        let dense = |c: &char| matches!(*c, '\0'..='\u{3400}' | '\u{a000}'..='\u{ac00}' | '\u{d700}'..='\u{14700}' | '\u{16000}'..='\u{17000}' | '\u{1a000}'..='\u{20000}');
        for c in ('\0'..=char::MAX).filter(|c| dense(c) || (*c as u32).is_multiple_of(61)) {
            let text = &*c.encode_utf8(&mut buffer);
            if own.is_match(text.as_bytes(), &mut scratch) != theirs.is_match(text) {
                assert!(unassigned.is_match(text) || c == '\u{295}', "\\p{{{property}}} and {c:?}");
                later += 1;
            }
        }
        assert!(later < 6000, "{property}: {later} differ");
    }
}

#[test]
fn agrees_with_v8() {
    let fixture: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("fixtures/ecma-patterns.json")).expect("the fixture is JSON");
    let (mut judged, mut native) = (0, 0);
    for row in &fixture {
        let source = row["pattern"].as_str().unwrap();
        let valid = row["valid"].as_bool().unwrap();
        assert_eq!(check_syntax(source).is_ok(), valid, "/{source}/u");
        match Pattern::compile(source) {
            Ok(pattern) => {
                native += 1;
                let mut scratch = Scratch::default();
                assert!(valid, "/{source}/u");
                for (text, matched) in row["texts"].as_object().into_iter().flatten() {
                    judged += 1;
                    let own = pattern.is_match(text.as_bytes(), &mut scratch);
                    assert_eq!(own, matched.as_bool().unwrap(), "/{source}/u on {text:?}");
                }
            }
            Err(PatternError::Syntax { .. }) => assert!(!valid, "/{source}/u"),
            Err(PatternError::Unsupported(_)) => assert!(valid, "/{source}/u"),
        }
    }
    assert!(native > 500 && judged > 5_000, "{native} patterns, {judged} texts");
}

#[test]
fn official_suite() {
    let Some(folder) = suite::folder() else { return };
    let files =
        ["pattern.json", "patternProperties.json", "optional/ecmascript-regex.json", "optional/non-bmp-regex.json"];
    let mut judged = 0;
    for file in suite::DRAFTS.iter().flat_map(|draft| files.map(|file| folder.join(draft).join(file))) {
        for case in suite::cases(&file) {
            if let (Some(source), Some(text)) = (case.schema["pattern"].as_str(), case.data.as_str()) {
                assert_eq!(matches(source, text), case.valid, "{}: {}", case.group, case.description);
                judged += 1;
            }
            for source in case.schema["patternProperties"].as_object().into_iter().flatten().map(|entry| entry.0) {
                assert!(Pattern::compile(source).is_ok(), "{source}");
            }
            if let (Some(patterns), Some(object), Some(false)) = (
                case.schema["patternProperties"].as_object(),
                case.data.as_object(),
                case.schema["additionalProperties"].as_bool(),
            ) && patterns.values().all(|schema| schema.as_bool() == Some(true))
                && case.schema.get("properties").is_none()
            {
                let all = object.keys().all(|key| patterns.keys().any(|pattern| matches(pattern, key)));
                assert_eq!(all, case.valid, "{}: {}", case.group, case.description);
                judged += 1;
            }
        }
    }
    println!("{judged} pattern cases of the official suite");
    assert!(judged > 300, "{judged}");
}

/// A pattern in both dialects.
#[derive(Clone, Debug)]
struct Both {
    ecma: String,
    rust: String,
}

fn both(ecma: &str, rust: &str) -> Both {
    Both { ecma: ecma.into(), rust: rust.into() }
}

fn pattern() -> impl Strategy<Value = Both> {
    let same = |s: &'static str| Just(both(s, s));
    let leaf = prop_oneof![
        4 => prop::sample::select(vec!["a", "b", "c", "é", "字", "😀", "-", "0"]).prop_map(|s| both(s, s)),
        2 => prop::sample::select(vec!["[ab]", "[a-c]", "[é-字]", "[^a]", "[^é0]", "[a\\-0]", "\\p{L}", "\\P{Lu}", "[\\p{Nd}a]", "[b-😀]"]).prop_map(|s| both(s, s)),
        1 => Just(both("\\d", "[0-9]")),
        1 => Just(both("\\w", "[0-9A-Za-z_]")),
        1 => Just(both("\\W", "[^0-9A-Za-z_]")),
        1 => Just(both("\\s", "[\\t-\\r \\u{a0}\\u{1680}\\u{2000}-\\u{200a}\\u{2028}\\u{2029}\\u{202f}\\u{205f}\\u{3000}\\u{feff}]")),
        1 => Just(both(".", "[^\\n\\r\\u{2028}\\u{2029}]")),
        1 => Just(both("[]", "[a&&b]")),
        1 => same("^"),
        1 => same("$"),
        1 => Just(both("\\b", "(?-u:\\b)")),
        1 => Just(both("", "")),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..5).prop_map(|parts| Both {
                ecma: parts.iter().map(|part| format!("(?:{})", part.ecma)).collect(),
                rust: parts.iter().map(|part| format!("(?:{})", part.rust)).collect(),
            }),
            prop::collection::vec(inner.clone(), 2..4).prop_map(|parts| Both {
                ecma: format!("(?:{})", parts.iter().map(|part| part.ecma.as_str()).collect::<Vec<_>>().join("|")),
                rust: format!("(?:{})", parts.iter().map(|part| part.rust.as_str()).collect::<Vec<_>>().join("|")),
            }),
            (inner, prop::sample::select(vec!["*", "+", "?", "*?", "{0}", "{2}", "{1,3}", "{2,}", "{0,4}?", "{3,5}"]))
                .prop_map(|(part, times)| Both {
                    ecma: format!("({}){times}", part.ecma),
                    rust: format!("({}){times}", part.rust)
                }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn agrees_with_the_regex_crate(pattern in pattern(), texts in prop::collection::vec("[abc0é字😀 \\-\n]{0,12}", 1..8)) {
        let own = Pattern::compile(&pattern.ecma);
        prop_assume!(!matches!(own, Err(PatternError::Unsupported("too long with its repetitions written out"))));
        let own = own.map_err(|error| TestCaseError::fail(format!("{}: {error}", pattern.ecma)))?;
        let theirs = regex::RegexBuilder::new(&pattern.rust).size_limit(1 << 26).build();
        prop_assume!(theirs.is_ok());
        let theirs = theirs.unwrap();
        let mut scratch = Scratch::default();
        for text in &texts {
            prop_assert_eq!(own.is_match(text.as_bytes(), &mut scratch), theirs.is_match(text), "/{}/u on {:?}", pattern.ecma, text);
        }
    }

    #[test]
    fn any_text_is_parsed_without_a_panic(source in "\\PC{0,40}") {
        let syntax = check_syntax(&source);
        let compiled = Pattern::compile(&source);
        prop_assert_eq!(syntax.is_ok(), !matches!(compiled, Err(PatternError::Syntax { .. })));
        let _ = lint(&source);
    }

    #[test]
    fn any_pattern_like_text_is_parsed_without_a_panic(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "(", ")", "[", "]", "{", "}", "|", "*", "+", "?", "^", "$", "\\", "-", ",", "1", "9", "a", "b", "é", "(?:", "(?<n>", "(?=", "\\k<n>",
            "\\1", "\\b", "\\d", "\\p{L}", "\\u", "{2,3}", "{1000}", "(?i:", "[^", "\\ud83d", "\\ude00", "<", ">", "=", "!", ":", ".",
        ]), 0..30),
        bytes in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let source = pieces.concat();
        let syntax = check_syntax(&source);
        let compiled = Pattern::compile(&source);
        prop_assert_eq!(syntax.is_ok(), !matches!(compiled, Err(PatternError::Syntax { .. })), "{}", source);
        if let Ok(pattern) = compiled {
            // Not even bytes that are no UTF-8 may end in a panic.
            let _ = pattern.is_match(&bytes, &mut Scratch::default());
        }
        let _ = lint(&source);
    }
}
