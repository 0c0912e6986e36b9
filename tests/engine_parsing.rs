//! Parsing accepts exactly RFC 8259, and tells a text that ended early from one that is wrong.

use subcontract::json::tape::{Flags, Limits, ParseErrorCode, Tape};

const NESTED: Limits = Limits { bytes: 1 << 20, depth: 512 };

fn parse(text: impl AsRef<[u8]>) -> Result<Tape, (ParseErrorCode, String)> {
    Tape::parse(text.as_ref(), NESTED).map_err(|error| (error.code, error.instance_path))
}

fn fixture(name: &str) -> Vec<(String, Vec<u8>)> {
    let text = std::fs::read_to_string(format!("{}/tests/fixtures/json/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let rows: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(rows.len() > 40, "{name} has {} rows", rows.len());
    rows.iter()
        .map(|row| {
            let name = row["name"].as_str().unwrap().to_owned();
            let bytes = match row.get("hex") {
                Some(hex) => hex
                    .as_str()
                    .unwrap()
                    .as_bytes()
                    .chunks(2)
                    .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
                    .collect(),
                None => row["text"].as_str().unwrap().as_bytes().to_vec(),
            };
            (name, bytes)
        })
        .collect()
}

#[test]
fn texts_that_rfc_8259_allows_are_accepted() {
    for (name, text) in fixture("accepted.jsonl") {
        if let Err(error) = Tape::parse(&text, NESTED) {
            panic!("{name}: {error}");
        }
    }
}

#[test]
fn texts_that_rfc_8259_forbids_are_refused() {
    for (name, text) in fixture("refused.jsonl") {
        let error = Tape::parse(&text, NESTED).expect_err(&name);
        assert!(matches!(error.code, ParseErrorCode::InvalidJson | ParseErrorCode::Truncated), "{name}: {error}");
    }
}

#[test]
fn every_proper_prefix_of_a_document_is_truncated_and_nothing_else() {
    let text =
        "\u{feff} {\"a\\u00e9\\ud83d\\ude00é😀\": [true, false, null, -12.5e+3, \"x\\n\"], \"b\":{}, \"c\":[{}]}";
    assert!(parse(text).is_ok());
    for cut in 0..text.len() {
        let (code, _) = parse(&text.as_bytes()[..cut]).expect_err("a prefix");
        assert_eq!(code, ParseErrorCode::Truncated, "cut at {cut}");
    }
}

#[test]
fn what_no_continuation_mends_is_invalid_even_at_the_end() {
    for text in [
        "{]",
        "[1,]",
        "{\"a\" 1",
        "trux",
        "01",
        "-x",
        "1.x",
        "\"\\q",
        "\"\\u12g",
        "\"a\nb",
        "[1}",
        "{\"a\":1,}",
        "1 2",
        "'a'",
        "{a",
        "nul ",
        "\u{feff}\u{feff}1",
    ] {
        assert_eq!(parse(text).expect_err(text).0, ParseErrorCode::InvalidJson, "{text}");
    }
    assert_eq!(parse(b"\"\xC3\x28").unwrap_err().0, ParseErrorCode::InvalidJson);
    assert_eq!(parse(b"\"\xC3").unwrap_err().0, ParseErrorCode::Truncated);
    assert_eq!(parse(b"\"\xC3\"").unwrap_err().0, ParseErrorCode::InvalidJson);
    assert_eq!(parse(b"\"\xED\xA0\x80\"").unwrap_err().0, ParseErrorCode::InvalidJson);
}

#[test]
fn duplicate_member_names_are_refused_in_any_spelling_with_their_pointer() {
    for (text, pointer) in [
        (r#"{"a":1,"a":2}"#, "/a"),
        (r#"{"a":1,"\u0061":2}"#, "/a"),
        (r#"[0,{"x":{"k/1":1,"b":2,"k\/1":3}}]"#, "/1/x/k~11"),
        (r#"{"":1,"":2}"#, "/"),
        // The earliest wins, whichever object closes first.
        (r#"{"a":1,"a":{"b":1,"b":2}}"#, "/a"),
        (r#"{"a":1,"a":2,"c":"#, "/a"),
        (r#"{"a":1,"a":2,]"#, "/a"),
    ] {
        assert_eq!(parse(text).expect_err(text), (ParseErrorCode::InvalidJson, pointer.to_owned()), "{text}");
    }
    assert!(parse(r#"[{"a":1},{"a":1},{"b":{"a":{"a":1}}}]"#).is_ok());
    let wide: Vec<String> = (0..2000).map(|i| format!("\"name{i}\":{i}")).collect();
    assert!(parse(format!("{{{}}}", wide.join(","))).is_ok());
    let (_, pointer) = parse(format!("{{{},\"name77\":0}}", wide.join(","))).unwrap_err();
    assert_eq!(pointer, "/name77");
}

#[test]
fn an_error_says_where_it_is() {
    let error = Tape::parse("{\n  \"é\": [1, tru!]\n}".as_bytes(), NESTED).unwrap_err();
    assert_eq!((error.line, error.column, error.instance_path.as_str()), (2, 15, "/é/1"));
    assert_eq!(error.to_string(), "expected a JSON value at line 2 column 15");
    let error = Tape::parse(b"{\"a\":{\"b\":1,\"c\":[[],[2 3]]}}", NESTED).unwrap_err();
    assert_eq!(error.instance_path, "/a/c/1/0");
}

#[test]
fn limits_have_their_own_codes() {
    let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    assert!(parse(deep(512)).is_ok());
    assert_eq!(parse(deep(513)).unwrap_err().0, ParseErrorCode::TooDeep);
    assert_eq!(parse("[".repeat(100_000)).unwrap_err().0, ParseErrorCode::TooDeep);
    let small = Limits { bytes: 4, depth: 1 };
    assert_eq!(Tape::parse(b"[1,2]", small).unwrap_err().code, ParseErrorCode::TooLarge);
    assert_eq!(Tape::parse(b"[12]", small).unwrap().count(0), 1);
}

#[test]
fn lone_surrogates_become_replacement_characters_in_values_and_errors_in_names() {
    let tape = parse(r#"["\ud83d","a\udc00b","\ud83d\ude00","\ud83d\ud83d\ude00"]"#).unwrap();
    assert!(tape.flags().contains(Flags::LONE_SURROGATE));
    let values: Vec<&str> = tape.items(0).map(|item| tape.string(item)).collect();
    assert_eq!(values, ["\u{fffd}", "a\u{fffd}b", "😀", "\u{fffd}😀"]);
    assert_eq!(tape.json_text(0), r#"["\ufffd","a\ufffdb","\ud83d\ude00","\ufffd\ud83d\ude00"]"#);
    assert_eq!(parse(r#"{"\ud83d":1}"#).unwrap_err().0, ParseErrorCode::InvalidJson);
}

#[test]
fn a_tape_is_walked_and_quotes_its_source() {
    let text = "  {\"a\" : [ ] , \"\\u0062\" : [ [ 1 , {\"x\":\"\\n\"} ] , { } ] , \"__proto__\" : null }  ";
    let tape = parse(text).unwrap();
    let members: Vec<(String, String)> = tape
        .members(0)
        .map(|(name, value)| (tape.string(name).to_owned(), tape.json_text(value).into_owned()))
        .collect();
    assert_eq!(
        members,
        [
            ("a".to_owned(), "[ ]".to_owned()),
            ("b".to_owned(), "[ [ 1 , {\"x\":\"\\n\"} ] , { } ]".to_owned()),
            ("__proto__".to_owned(), "null".to_owned())
        ]
    );
    assert_eq!(tape.json_text(0), text.trim());
    let inner = tape.pointer("/b/0/1/x").unwrap();
    assert_eq!((tape.string(inner), tape.json_text(inner).as_ref()), ("\n", "\"\\n\""));
    assert_eq!(tape.json_text(tape.pointer("/b/1").unwrap()), "{ }");
    assert_eq!(tape.count(tape.pointer("/b").unwrap()), 2);
}

#[test]
fn a_tape_can_be_parsed_into_again() {
    let mut tape = parse(r#"{"a":["\u00e9",{"b":1}]}"#).unwrap();
    assert!(tape.parse_again(b"[1,", NESTED).is_err());
    assert_eq!(tape.node_count(), 0);
    tape.parse_again(br#"["\t",2]"#, NESTED).unwrap();
    assert_eq!((tape.count(0), tape.string(1), tape.number(2)), (2, "\t", "2"));
}

#[test]
fn members_that_collide_in_their_hash_cost_no_quadratic_time() {
    // Names of equal length and ends; whatever the hash makes of them, this has to end at once.
    let names: Vec<String> = (0..100_000).map(|i| format!("\"aaaaaaaa{i:08}bbbbbbbb\":0")).collect();
    let text = format!("{{{}}}", names.join(","));
    assert_eq!(Tape::parse(text.as_bytes(), Limits::default()).unwrap().count(0), 100_000);
}
