//! Judging while a text streams: the verdict is that of the whole text however it is cut, and what is rejected early could not
//! have become valid.
//!
//! `STREAM_CASES` makes a longer run.

#[path = "streams/completion.rs"]
mod completion;
#[cfg(feature = "reference")]
#[path = "differential/engines.rs"]
#[allow(dead_code, reason = "the differential tests tell disagreements apart")]
mod engines;
#[allow(dead_code, reason = "the differential tests also mutate schemas and minimise pairs")]
mod generator;
#[cfg(feature = "reference")]
#[path = "differential/known.rs"]
mod known;
#[path = "streams/pieces.rs"]
mod pieces;

use completion::complete;
use generator::choices::Choices;
use generator::{instance, schema};
use pieces::{Outcome, Shown, cut, is_kept, run, value};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use subcontract::intake::Intake;
use subcontract::json::tape::{Limits, Tape};
use subcontract::schema::options::Formats;
use subcontract::stream::{Edit, Status};
use subcontract::{Contract, Options, Verdict};

fn config() -> Config {
    let cases = std::env::var("STREAM_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(400);
    Config { cases, rng_seed: RngSeed::Fixed(4), failure_persistence: None, ..Config::default() }
}

fn options(schema: &schema::Schema) -> Options {
    let mut options = Options::default();
    options.dialect = Some(schema.draft);
    options.formats = if schema.formats { Formats::Assert } else { Formats::Annotate };
    options.schemas = schema.schemas.iter().map(|(uri, schema)| (uri.clone(), schema.text())).collect();
    options
}

/// A contract, and a text for it that may be valid, invalid, damaged or cut off.
fn contract_and_text(choices: &mut Choices<'_>) -> Option<(schema::Schema, Contract, Vec<u8>)> {
    let schema = schema::generate(choices);
    let contract = Contract::compile(&schema.root.text(), &options(&schema)).ok()?;
    let mut text = instance::generate(&schema, choices).respelled(choices).into_bytes();
    match choices.below(6) {
        0 if !text.is_empty() => {
            let at = choices.below(256) * text.len() / 256;
            text[at] = choices.pick(b"\"\\{}[],:0e-.\xff\xc3 n");
        }
        1 => text.truncate(choices.below(256) * text.len() / 256),
        _ => {}
    }
    Some((schema, contract, text))
}

/// What must hold between a stream and the check of the whole text.
fn assert_agrees(contract: &Contract, text: &[u8], outcome: &Outcome, finish: Option<&str>) {
    assert_eq!(outcome.verdict, contract.read_return(text, finish, Intake::Strict));
    let root_may_go_on = text.trim_ascii().is_empty() || text.last().is_some_and(u8::is_ascii_digit);
    match (&outcome.verdict, outcome.status) {
        (Verdict::Accepted(_), Status::Complete) => {}
        (Verdict::Accepted(_), Status::Incomplete) => assert!(root_may_go_on),
        (Verdict::Accepted(_), status) => panic!("accepted, but {status:?}"),
        (Verdict::Rejected(rejected), status) => match status {
            Status::Complete => assert!(finish.is_some(), "complete, but {rejected:?}"),
            Status::InvalidJson => assert_eq!(rejected.code, "invalid_json"),
            Status::Incomplete => assert!(
                rejected.code == "truncated" || root_may_go_on && rejected.code == "schema_violation",
                "incomplete, but {rejected:?}"
            ),
            Status::Rejected => {}
        },
    }
    if let Some((at, rejection)) = &outcome.rejection {
        assert!((1..=text.len()).contains(at), "rejected at {at} of {}", text.len());
        assert!(!rejection.issues.is_empty());
        assert_eq!(rejection.code == "invalid_json", outcome.status == Status::InvalidJson, "{rejection:?}");
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_verdict_is_that_of_the_whole_text_however_it_is_cut(
        bytes in proptest::collection::vec(any::<u8>(), 0..1200),
        cuts in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        let mut choices = Choices::new(&bytes);
        let Some((schema, contract, text)) = contract_and_text(&mut choices) else { return Ok(()) };
        let shown = || format!("{} against {}", String::from_utf8_lossy(&text), schema.root.text());
        let finish = Choices::new(&cuts).pick(&[None, None, Some("stop"), Some("length")]);
        let whole = run(&contract, [text.as_slice()], finish);
        assert_agrees(&contract, &text, &whole, finish);
        let bytewise = run(&contract, text.chunks(1), finish);
        let outcome = run(&contract, cut(&text, &mut Choices::new(&cuts)), finish);
        for other in [bytewise, outcome] {
            prop_assert_eq!(&other.verdict, &whole.verdict, "{}", shown());
            prop_assert_eq!(other.status, whole.status, "{}", shown());
            prop_assert_eq!(&other.rejection, &whole.rejection, "{}", shown());
        }
    }

    #[test]
    fn what_is_rejected_early_is_invalid_however_it_goes_on(
        bytes in proptest::collection::vec(any::<u8>(), 0..1200),
        endings in proptest::collection::vec(any::<u8>(), 0..300),
    ) {
        let mut choices = Choices::new(&bytes);
        let Some((schema, contract, text)) = contract_and_text(&mut choices) else { return Ok(()) };
        let outcome = run(&contract, [text.as_slice()], None);
        let Some((at, _)) = outcome.rejection.filter(|_| outcome.status == Status::Rejected) else { return Ok(()) };
        // A number that ends at a character outside ASCII has ended at its first byte, and nothing goes on from there.
        let Ok(beginning) = std::str::from_utf8(&text[..at]) else { return Ok(()) };
        #[cfg(feature = "reference")]
        let reference = Contract::compile_by_reference(&schema.root.text(), &options(&schema)).ok();
        let mut endings = Choices::new(&endings);
        for _ in 0..8 {
            let text = complete(beginning, &mut endings);
            prop_assert!(!contract.is_valid(text.as_bytes()), "{text} starts {beginning}, against {}", schema.root.text());
            #[cfg(feature = "reference")]
            if reference.as_ref().is_some_and(|reference| reference.is_valid(text.as_bytes())) {
                let instance = value(&Tape::parse(text.as_bytes(), Limits::default()).unwrap(), 0);
                let fault = known::fault(&schema, &instance);
                prop_assert!(fault.is_some(), "{text} is valid by reference, against {}", schema.root.text());
            }
        }
    }

    #[test]
    fn a_string_that_takes_plain_text_is_lengthened_by_it_and_nothing_else_happens(
        bytes in proptest::collection::vec(any::<u8>(), 0..1200),
        places in proptest::collection::vec(any::<u16>(), 40),
    ) {
        let mut choices = Choices::new(&bytes);
        let Some((schema, contract, text)) = contract_and_text(&mut choices) else { return Ok(()) };
        for place in places {
            let beginning = &text[..place as usize % (text.len() + 1)];
            let mut stream = contract.stream(Intake::Strict);
            let status = stream.push(beginning);
            stream.watch();
            let plain = "pins é 😀";
            if !stream.takes_plain_text(plain.len()) {
                continue;
            }
            let shown = || format!("{} against {}", String::from_utf8_lossy(beginning), schema.root.text());
            prop_assert_eq!(stream.push(plain.as_bytes()), status, "{}", shown());
            let [Edit::More(more)] = stream.edits() else { panic!("{:?}: {}", stream.edits(), shown()) };
            prop_assert_eq!(stream.piece(*more), plain, "{}", shown());
        }
    }

    #[test]
    fn the_value_so_far_only_grows_and_ends_as_the_value(
        bytes in proptest::collection::vec(any::<u8>(), 0..1200),
        cuts in proptest::collection::vec(any::<u8>(), 0..200),
        late in 0usize..40,
    ) {
        let mut choices = Choices::new(&bytes);
        let schema = schema::generate(&mut choices);
        let text = instance::generate(&schema, &mut choices).respelled(&mut choices).into_bytes();
        let contract = Contract::compile("true", &Options::default()).unwrap();
        let pieces = cut(&text, &mut Choices::new(&cuts));
        let mut stream = contract.stream(Intake::Strict);
        let (mut from_start, mut from_late) = (Shown::default(), Shown::default());
        prop_assert_eq!(stream.watch(), []);
        let mut unwatched = contract.stream(Intake::Strict);
        for (index, piece) in pieces.iter().enumerate() {
            if index == late {
                let edits = unwatched.watch();
                from_late.apply(&edits, &unwatched);
                prop_assert_eq!(&from_late.value, &from_start.value, "first looked at after piece {}", index);
            }
            let before = from_start.value.clone();
            stream.push(piece);
            from_start.apply(stream.edits(), &stream);
            if let Some(before) = before {
                let after = from_start.value.as_ref().unwrap();
                prop_assert!(is_kept(&before, after), "{:?} became {:?}", before, after);
            }
            unwatched.push(piece);
            from_late.apply(unwatched.edits(), &unwatched);
            if index >= late {
                prop_assert_eq!(&from_late.value, &from_start.value);
            }
        }
        if stream.status() == Status::Complete {
            let tape = Tape::parse(&text, Limits::default()).unwrap();
            prop_assert_eq!(from_start.value, Some(value(&tape, 0)));
        }
    }
}

/// The texts of `tests/fixtures/json`, and what is hard about cutting text.
fn hard_texts() -> Vec<Vec<u8>> {
    let mut texts: Vec<Vec<u8>> = Vec::new();
    for name in ["accepted.jsonl", "refused.jsonl"] {
        let path = format!("{}/tests/fixtures/json/{name}", env!("CARGO_MANIFEST_DIR"));
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            texts.push(match (row["text"].as_str(), row["hex"].as_str()) {
                (Some(text), _) => text.as_bytes().to_vec(),
                (None, Some(hex)) => hex
                    .as_bytes()
                    .chunks(2)
                    .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
                    .collect(),
                _ => panic!("a row without text: {line}"),
            });
        }
    }
    assert!(texts.len() > 100);
    texts.extend([
        "\u{feff} {\"a\\u00e9\\ud83d\\ude00é😀\": [true, false, null, -12.5e+3, \"x\\n\"], \"b\":{}, \"c\":[{}]} \n"
            .into(),
        br#"["\ud83d","\ud83d\n","\ud83dx","\ude00","\ud83d\ud83d\ude00","\ud83d\u00e9","\uD83D\\","\ud8"]"#.to_vec(),
        br#"{"\ud83d":1}"#.to_vec(),
        br#"{"a":1,"b":{"c":2},"\u0061":3}"#.to_vec(),
        br#"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}"#.to_vec(),
        b"\xef\xbb".to_vec(),
        b"\xef\xbb0".to_vec(),
        b"[\"\xe2\x82\",1]".to_vec(),
        b"[\"\xed\xa0\x80\"]".to_vec(),
        b"[\"\xc3\\n\"]".to_vec(),
        b"{\"\xe2\x82\\\"\":1}".to_vec(),
        b"{\"name \xc3\xa9\xff\":1}".to_vec(),
        b"{\"name\xff\":\"value\xff\"}".to_vec(),
        b"[\"\xf0\x9f\x98\x80\xf0\x9f\"]".to_vec(),
        b"123456789012345678901234567890.5e-400 ".to_vec(),
        b"[9007199254740993,1e400,-0,0.0e-0]".to_vec(),
        ["[".repeat(513), "]".repeat(513)].concat().into_bytes(),
        ["[".repeat(512), "]".repeat(512)].concat().into_bytes(),
    ]);
    texts
}

#[test]
fn hard_texts_and_all_their_prefixes_are_read_alike_in_one_piece_and_byte_by_byte() {
    let anything = Contract::compile("true", &Options::default()).unwrap();
    for text in hard_texts() {
        let shortest = if text.len() > 200 { text.len() - 1 } else { 0 };
        for end in shortest..=text.len() {
            let text = &text[..end];
            let whole = run(&anything, [text], None);
            let bytewise = run(&anything, text.chunks(1), None);
            let shown = String::from_utf8_lossy(text);
            assert_eq!(whole.rejection, bytewise.rejection, "{shown}");
            assert_eq!(whole.status, bytewise.status, "{shown}");
            assert_eq!(whole.verdict, bytewise.verdict, "{shown}");
            assert_agrees(&anything, text, &bytewise, None);
        }
    }
}

#[test]
fn names_that_repeat_are_found_among_many_at_once() {
    let anything = Contract::compile("true", &Options::default()).unwrap();
    for count in [1, 2, 15, 16, 17, 31, 32, 33, 47, 48, 100, 500] {
        let members: Vec<String> = (0..count).map(|index| format!("\"n{}\":{index}", index * 7919 % 1000)).collect();
        for repeated in [0, count / 2, count - 1] {
            let name = format!("\"n{}\"", repeated * 7919 % 1000);
            let text = format!("{{{},{name}", members.join(","));
            let mut stream = anything.stream(Intake::Strict);
            assert_eq!(stream.push(&text.as_bytes()[..text.len() - 1]), Status::Incomplete, "{count} names");
            assert_eq!(stream.push(b"\""), Status::InvalidJson, "{count} names, the {repeated}th again");
            assert_eq!(stream.rejected_at(), Some(text.len()));
            assert!(stream.rejection().unwrap().issues[0].to_string().contains("duplicate member name"));
        }
        let mut stream = anything.stream(Intake::Strict);
        assert_eq!(stream.push(format!("{{{}}}", members.join(",")).as_bytes()), Status::Complete);
    }
}

/// Each text is rejected exactly at the mark, with the issue.
#[test]
fn a_text_is_rejected_where_no_continuation_can_mend_it() {
    let cases = [
        // (schema, text up to the proof ‖ the rest, issue)
        (r#"{"type":"object"}"#, r#"[‖1]"#, "expected object, found array"),
        (r#"{"type":"integer"}"#, r#""‖5""#, "expected integer, found string"),
        (r#"{"type":"string"}"#, r#"1‖5"#, "expected string, found number"),
        (r#"{"items":{"type":"integer"}}"#, r#"[1,2.5,‖3]"#, "/1: expected integer, found number"),
        (r#"{"properties":{"a":{"type":"null"}}}"#, r#"{"a":t‖rue}"#, "/a: expected null, found boolean"),
        (r#"{"properties":{"a":{"enum":["x",1]}}}"#, r#"{"a":{‖"x":1}}"#, "/a: expected one of \"x\", 1"),
        (
            r#"{"properties":{"a":{"enum":["x","y"]}}}"#,
            r#"{"a":"xy"‖,"b":1}"#,
            "/a: expected one of \"x\", \"y\", found \"xy\"",
        ),
        (r#"{"items":{"const":true}}"#, r#"[true,false‖]"#, "/1: expected true, found false"),
        (r#"{"items":{"const":true}}"#, r#"[n‖ull]"#, "/0: expected true"),
        (r#"{"maxLength":3}"#, r#""ab\u00e9d‖efgh"#, "expected at most 3 characters, found 4"),
        (r#"{"maxLength":2}"#, r#""éé€‖ and more"#, "expected at most 2 characters, found 3"),
        (r#"{"minLength":3}"#, r#""ab"‖ "#, "expected at least 3 characters, found 2"),
        (r#"{"pattern":"^a"}"#, r#""ba"‖"#, "matches the pattern ^a"),
        (r#"{"format":"date"}"#, r#""2024-13-01"‖"#, "date"),
        (r#"{"items":{"minimum":10}}"#, r#"[12,5,‖13]"#, "/1: expected"),
        (r#"{"maxItems":2}"#, r#"[1,2,[‖3]]"#, "at most 2 items"),
        (r#"{"minItems":2}"#, r#"[1]‖ "#, "at least 2 items"),
        (r#"{"uniqueItems":true}"#, r#"[1,2,1.0]‖ "#, "unique"),
        (r#"{"contains":{"const":1}}"#, r#"[2,3]‖ "#, "at least 1 matching item"),
        (r#"{"prefixItems":[true],"items":false}"#, r#"[1,2‖]"#, "/1"),
        (r#"{"maxProperties":1}"#, r#"{"a":1,"b"‖:2}"#, "at most 1 propert"),
        (r#"{"required":["a","b"]}"#, r#"{"a":1}‖ "#, "missing required property \"b\""),
        (r#"{"properties":{"a":true},"additionalProperties":false}"#, r#"{"a":1,"c"‖:2}"#, "/c: "),
        (r#"{"patternProperties":{"^x":{"type":"null"}}}"#, r#"{"a":1,"x1":"‖"}"#, "/x1: expected null, found string"),
        (r#"{"additionalProperties":{"type":"null"}}"#, r#"{"a":"‖"}"#, "/a: expected null, found string"),
        (r#"{"propertyNames":{"maxLength":1}}"#, r#"{"a":1,"bc"‖:2}"#, "/bc: "),
        (r#"{"dependentRequired":{"a":["b"]}}"#, r#"{"a":1,"c":2}‖ "#, "\"b\""),
        (
            r##"{"$ref":"#/$defs/x","$defs":{"x":{"properties":{"a":{"$ref":"#/$defs/y"}}},"y":{"type":"null"}}}"##,
            r#"{"a":[‖"#,
            "/a: expected null",
        ),
        (r#"{"allOf":[{"required":["a"]},{"properties":{"a":{"type":"null"}}}]}"#, r#"{"a":"‖"#, "/a: expected null"),
        // What can only be an object is followed into the alternative for objects.
        (
            r#"{"anyOf":[{"type":"null"},{"type":"object","properties":{"a":{"type":"null"}}}]}"#,
            r#"{"a":"‖"#,
            "/a: expected null",
        ),
        (r#"{"oneOf":[{"type":"string","maxLength":1},{"type":"null"}]}"#, r#""ab‖c"#, "at most 1 character"),
        (r#"{"anyOf":[{"type":"null"},{"type":"string"}]}"#, r#"[‖"#, ""),
        (r#"{"anyOf":[{"required":["a"]},{"required":["b"]}]}"#, r#"{"c":1}‖ "#, ""),
        (r#"{"not":{"required":["a"]}}"#, r#"{"a":1}‖ "#, ""),
        (r#"{"if":{"required":["a"]},"then":{"required":["b"]}}"#, r#"{"a":1}‖ "#, "missing required property \"b\""),
        (r#"{"items":{"properties":{"a":true},"unevaluatedProperties":false}}"#, r#"[{"a":1},{"b":1}‖,{}]"#, "/1/b"),
        (r#"{"properties":{"a":false}}"#, r#"{"a":1‖}"#, "/a"),
        ("false", r#"[‖"#, ""),
    ];
    let mut wrong = Vec::new();
    for (schema, marked, wanted) in cases {
        let contract = Contract::compile(schema, &Options::default()).unwrap();
        let (proof, rest) = marked.split_once('‖').unwrap();
        let text = format!("{proof}{rest}");
        for pieces in [vec![text.as_bytes()], text.as_bytes().chunks(1).collect()] {
            let outcome = run(&contract, pieces, None);
            let as_wanted = outcome.rejection.as_ref().is_some_and(|(at, rejection)| {
                outcome.status == Status::Rejected
                    && &text[..*at] == proof
                    && rejection.code == "schema_violation"
                    && rejection.issues[0].to_string().contains(wanted)
            });
            if !as_wanted {
                let issue = outcome.rejection.map(|(at, rejection)| (at, rejection.issues[0].to_string()));
                wrong.push(format!("{schema}: {marked}: {:?}, {issue:?}", outcome.status));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn plain_text_is_taken_by_the_value_of_a_string_that_may_have_any_length() {
    let schema = r#"{"properties":{"short":{"maxLength":9}},"required":["claim"]}"#;
    let contract = Contract::compile(schema, &Options::default()).unwrap();
    let takes = |beginning: &[u8], intake, bytes| {
        let mut stream = contract.stream(intake);
        stream.push(beginning);
        stream.takes_plain_text(bytes)
    };
    for beginning in ["\"", "{\"claim\":\"", "[\"pins", "[\"a\\n", "[\"é", "[\"\\ud83d\\ude00"] {
        assert!(takes(beginning.as_bytes(), Intake::Strict, 100), "{beginning}");
        assert!(!takes(beginning.as_bytes(), Intake::Lenient, 100), "{beginning}");
        assert!(!takes(beginning.as_bytes(), Intake::Strict, 16 << 20), "{beginning}");
    }
    for beginning in
        ["", "[", "[1", "{\"", "{\"claim", "{\"short\":\"", "[\"a\\", "[\"\\u00", "[\"\\ud83d", "[\"a\"", "\"a\" x\""]
    {
        assert!(!takes(beginning.as_bytes(), Intake::Strict, 100), "{beginning}");
    }
    assert!(!takes(b"[\"\xc3", Intake::Strict, 100));
}

#[test]
fn what_later_text_could_mend_is_not_held_against_it() {
    let cases = [
        (r#"{"type":"string","minLength":5,"pattern":"b$","format":"date"}"#, r#""a"#),
        (r#"{"enum":["abc"]}"#, r#""ab"#),
        (r#"{"minimum":10}"#, "[1"),
        (r#"{"items":{"minimum":10}}"#, "[1"),
        (r#"{"items":{"type":"integer"}}"#, "[1.0"),
        (r#"{"required":["a"],"minProperties":3,"dependentRequired":{"b":["c"]}}"#, r#"{"b":1"#),
        (r#"{"minItems":3,"contains":{"const":1}}"#, "[2"),
        (r#"{"maxItems":1}"#, "[2,"),
        (r#"{"not":{"const":{}}}"#, "{"),
        (r#"{"anyOf":[{"required":["a"]},{"properties":{"b":{"type":"null"}}}]}"#, r#"{"b":1,"#),
        (r#"{"maxLength":2}"#, "\"ab"),
        (r#"{"maxLength":2}"#, "\"é\\u00e9"),
        (r#"{"properties":{"a":{"type":"null"}}}"#, r#"{"a":"#),
        ("true", "{\"a\":1,\"a"),
    ];
    for (schema, text) in cases {
        let contract = Contract::compile(schema, &Options::default()).unwrap();
        assert_eq!(run(&contract, text.as_bytes().chunks(1), None).status, Status::Incomplete, "{schema}: {text}");
    }
}

#[test]
fn a_dynamic_reference_is_followed_in_the_scope_of_the_document() {
    let strict = r##"{
        "$id": "https://example.com/strict",
        "$dynamicAnchor": "node",
        "$ref": "tree",
        "unevaluatedProperties": false,
        "$defs": {"tree": {
            "$id": "tree",
            "$dynamicAnchor": "node",
            "properties": {"data": true, "children": {"type": "array", "items": {"$dynamicRef": "#node"}}}
        }}
    }"##;
    let contract = Contract::compile(strict, &Options::default()).unwrap();
    let outcome = run(&contract, br#"{"children":[{"children":[{"data":1}]},{"daat":1}"#.chunks(1), None);
    assert_eq!(outcome.status, Status::Rejected);
    assert_eq!(outcome.rejection.unwrap().1.issues[0].instance_path, "/children/1/daat");
    let outcome = run(&contract, br#"{"children":[{"children":[{"data":1}]},{"data":1}]}"#.chunks(1), None);
    assert_eq!(outcome.status, Status::Complete);
}

#[test]
fn a_text_beyond_the_size_limit_is_rejected_and_no_more_of_it_is_kept() {
    let anything = Contract::compile("true", &Options::default()).unwrap();
    let mut stream = anything.stream(Intake::Strict);
    let piece = " ".repeat(1 << 20);
    for _ in 0..16 {
        assert_eq!(stream.push(piece.as_bytes()), Status::Incomplete);
    }
    for _ in 0..3 {
        assert_eq!(stream.push(piece.as_bytes()), Status::Rejected);
    }
    assert_eq!(stream.rejection().unwrap().code, "too_large");
    assert_eq!(stream.text().len(), (16 << 20) + 1);
    let Verdict::Rejected(rejected) = stream.end(None) else { panic!("too large") };
    assert_eq!(rejected.code, "too_large");
}

#[test]
fn a_stream_can_own_its_contract_and_move_to_another_thread() {
    let contract = std::sync::Arc::new(Contract::compile(r#"{"type":"object"}"#, &Options::default()).unwrap());
    let mut stream = subcontract::stream::ContractStream::new(contract.clone(), Intake::Strict);
    drop(contract);
    let verdict = std::thread::spawn(move || {
        stream.push(b"{}");
        stream.end(None)
    });
    assert!(matches!(verdict.join().unwrap(), Verdict::Accepted(_)));
}
