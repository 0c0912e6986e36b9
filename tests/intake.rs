//! Lenient intake: what is found in a model's text, what is said of the rest, and that a stream finds the same however it is cut.
//!
//! `STREAM_CASES` makes a longer run.

#[allow(dead_code, reason = "the other tests of streams use the rest")]
mod generator;
#[path = "streams/pieces.rs"]
#[allow(dead_code, reason = "the tests of strict streams use the rest")]
mod pieces;

use generator::choices::Choices;
use generator::schema::value;
use pieces::{Shown, cut, is_kept};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use subcontract::intake::{Intake, lenient};
use subcontract::json::tape::Limits;
use subcontract::stream::{ContractStream, Status};
use subcontract::{Contract, Options, Verdict};

fn contract(schema: &str) -> Contract {
    Contract::compile(schema, &Options::default()).unwrap()
}

/// The value's text and the steps, or the code. Arrays cannot be meant.
fn found(text: &str) -> Result<(String, Vec<&'static str>), &'static str> {
    match lenient(text.as_bytes(), None, Limits::default(), false) {
        Ok(found) => Ok((found.tape.json_text(0).into_owned(), found.flags)),
        Err(refusal) => Err(refusal.code),
    }
}

#[track_caller]
fn is(text: &str, value: &str, flags: &[&str]) {
    every_split_agrees(r#"{"type":"object"}"#, text.as_bytes(), None);
    every_split_agrees("true", text.as_bytes(), None);
    let found = found(text);
    assert_eq!(found.as_ref().map(|(value, flags)| (&value[..], &flags[..])), Ok((value, flags)), "{text}");
}

#[track_caller]
fn refused(text: &str, code: &str) {
    every_split_agrees(r#"{"type":"object"}"#, text.as_bytes(), None);
    every_split_agrees("true", text.as_bytes(), Some("length"));
    assert_eq!(found(text), Err(code), "{text}");
}

/// What a stream says of a text, and all that it showed on the way.
#[derive(Debug, PartialEq)]
struct Outcome {
    status: Status,
    rejection: Option<(usize, subcontract::contract::Rejected)>,
    verdict: Verdict,
    shown: Option<String>,
}

fn run<'t>(contract: &Contract, pieces: impl IntoIterator<Item = &'t [u8]>, finish: Option<&str>) -> Outcome {
    let mut stream: ContractStream<&Contract> = contract.stream(Intake::Lenient);
    stream.watch();
    let mut shown = Shown::default();
    for piece in pieces {
        let before = (stream.status(), shown.value.clone());
        let status = stream.push(piece);
        shown.apply(stream.edits(), &stream);
        assert!(!before.0.is_final() || before.0 == status, "{before:?} became {status:?}");
        assert_eq!(status.is_final(), stream.rejection().is_some());
        if let Some(before) = &before.1 {
            assert!(is_kept(before, shown.value.as_ref().unwrap()));
        }
    }
    let rejection = stream.rejected_at().zip(stream.rejection().cloned());
    let status = stream.status();
    Outcome { status, rejection, verdict: stream.end(finish), shown: shown.value.map(|value| value.text()) }
}

/// One piece, single bytes and every cut in two say the same, and the verdict is that of the whole text.
#[track_caller]
fn every_split_agrees(schema: &str, text: &[u8], finish: Option<&str>) {
    let contract = contract(schema);
    let whole = run(&contract, [text], finish);
    agrees(&contract, text, finish, &whole);
    assert_eq!(run(&contract, text.chunks(1), finish), whole, "{}", text.escape_ascii());
    for at in 1..text.len() {
        let (first, rest) = text.split_at(at);
        assert_eq!(run(&contract, [first, rest], finish), whole, "{} cut at {at}", text.escape_ascii());
    }
}

#[track_caller]
fn agrees(contract: &Contract, text: &[u8], finish: Option<&str>, outcome: &Outcome) {
    assert_eq!(outcome.verdict, contract.read_return(text, finish, Intake::Lenient), "{}", text.escape_ascii());
    let rejected = match &outcome.verdict {
        Verdict::Accepted(_) => None,
        Verdict::Rejected(rejected) => Some(rejected.code),
    };
    match outcome.status {
        Status::Complete => assert_eq!(rejected, None, "{}", text.escape_ascii()),
        Status::InvalidJson => assert_eq!(rejected, Some("invalid_json"), "{}", text.escape_ascii()),
        Status::Rejected => assert!(rejected.is_some(), "{}", text.escape_ascii()),
        Status::Incomplete => {}
    }
    if let Some((at, rejection)) = &outcome.rejection {
        assert!((1..=text.len()).contains(at) && !rejection.issues.is_empty(), "{at} in {}", text.escape_ascii());
    }
}

#[test]
fn one_value_amid_prose() {
    is(r#"{"a":1}"#, r#"{"a":1}"#, &[]);
    is(" \n{\"a\":1}\r\n\n", r#"{"a":1}"#, &[]);
    is("\u{feff}{\"a\":1}", r#"{"a":1}"#, &[]);
    is(r#"Here is `the` result: {"a":1}"#, r#"{"a":1}"#, &["leading_text"]);
    is("{\"a\":1}\n\nLet me know!", r#"{"a":1}"#, &["trailing_text"]);
    is(r#"Use {curly} braces like this: {"a":1}."#, r#"{"a":1}"#, &["leading_text", "trailing_text"]);
    is("“Ja” — [1], [2, p. 4] and [see](x): {\"a\":[1]}", r#"{"a":[1]}"#, &["leading_text"]);
    is("{\"a\":1}\n\n[1] Smith 2020\n[2, 3]", r#"{"a":1}"#, &["trailing_text"]);
    is("- [ ] todo\n- [x] done\n[[Page]] {}", "{}", &["leading_text"]);
    is("Return `{\"a\":1}`", r#"{"a":1}"#, &["leading_text", "trailing_text"]);
    is("{{name}} is { a template } {\n\"a\"\n:1}", "{\n\"a\"\n:1}", &["leading_text"]);
    is(
        r#"<answer>{"a":"</answer> ``` <think> \" {"}</answer>"#,
        r#"{"a":"</answer> ``` <think> \" {"}"#,
        &["leading_text", "trailing_text"],
    );
    // A bracket that stays open does not reach into the next paragraph.
    is("The set {x | x > 0}, :-{ and so on.\n\n{\"a\":1}", r#"{"a":1}"#, &["leading_text"]);
}

#[test]
fn an_array_amid_prose_is_one_where_it_holds_an_object_or_can_be_meant() {
    is(r#"[{"a":1}]"#, r#"[{"a":1}]"#, &[]);
    is(r#"Result: [{"a":1}, {"b":[]}]"#, r#"[{"a":1}, {"b":[]}]"#, &["leading_text"]);
    is("So: [ {} ]", "[ {} ]", &["leading_text"]);
    refused("As said in [1] and [\"Smith\", 2].", "no_return");
    // Where nothing else stands, it is the return, and of the wrong type.
    is(" [\"bad\"] ", "[\"bad\"]", &[]);
    is("```json\n[1]\n```", "[1]", &["fenced"]);
    refused("[1] is where it says so", "no_return");
    refused("[[1], [\"x\"]] are where it says so", "no_return");
    let meant = |text: &str| match lenient(text.as_bytes(), None, Limits::default(), true) {
        Ok(found) => found.tape.json_text(0).into_owned(),
        Err(refusal) => refusal.code.to_owned(),
    };
    assert_eq!(meant("So: [1, 2]."), "[1, 2]");
    assert_eq!(meant("So: [[1], []]"), "[[1], []]");
    assert_eq!(meant("So: []"), "[]");
    assert_eq!(meant("[see] this: [\"a\"]"), "[\"a\"]");
    assert_eq!(meant("So: [1] or [2]"), "ambiguous");
    assert_eq!(meant("So: [1, 2"), "truncated");
    assert_eq!(meant("So: [1, 2, x]"), "invalid_json");
    assert_eq!(meant("['a', 'b']"), "invalid_json");
    assert_eq!(meant("{'a': [1, 2]}"), "invalid_json");
}

#[test]
fn one_fenced_block() {
    let fenced: &[&str] = &["fenced"];
    for text in [
        "```json\n{\"a\":1}\n```",
        "```json\n{\"a\":1}\n```\n\n\n",
        "```JSON\r\n{\"a\":1}\r\n```",
        "```json{\"a\":1}```",
        "``` json {\"a\":1} ```",
        "```\n{\"a\":1}\n```",
        "```{\"a\":1}```",
        "```python\n{\"a\":1}\n```",
        "~~~json\n{\"a\":1}\n~~~",
        "````json5 title=x\n\n{\"a\":1}\n`````",
        "  ```json\n  {\"a\":1}\n  ```",
        "\u{feff}```json\n{\"a\":1}\n```",
        "```json\n{\"a\":1}",
    ] {
        is(text, r#"{"a":1}"#, fenced);
    }
    is("```json\n{\"md\":\"a\\n```py\\n1\\n```\"}\n```", "{\"md\":\"a\\n```py\\n1\\n```\"}", fenced);
    is("Sure:\n```json\n{\"a\":1}\n```\nDone {really}.", r#"{"a":1}"#, &["fenced", "leading_text", "trailing_text"]);
    is("Sure: ```json\n{\"a\":1}\n```", r#"{"a":1}"#, &["fenced", "leading_text"]);
    is("```json\n// the result\n{\"a\":1}\n```", r#"{"a":1}"#, &["fenced", "leading_text"]);
    is("```json\n{\"a\":1} // the result\n```", r#"{"a":1}"#, &["fenced", "trailing_text"]);
    is("```json\n[1, 2]\n```", "[1, 2]", fenced);
    is("```json\n42\n```", "42", fenced);
    is("```\nnull ```", "null", fenced);
    is("```json\n\"a\"", "\"a\"", fenced);
    // A mark within a line, of which nothing says that it opens a block.
    is("Put it into ``` marks.\n{\"a\":1}", r#"{"a":1}"#, &["leading_text"]);
    is("```code``` is {\"a\":1}", r#"{"a":1}"#, &["leading_text"]);
    is("Result: ```{\"a\":1}```", r#"{"a":1}"#, &["leading_text", "trailing_text"]);
}

#[test]
fn a_block_of_another_language_is_skipped() {
    is("```python\nx = {\"a\": 9}\n```\n{\"a\":1}", r#"{"a":1}"#, &["leading_text"]);
    is(
        "```js\n[1,2].map(f)\nconst y = {\"b\":1}\n```\n```json\n{\"a\":1}\n```",
        r#"{"a":1}"#,
        &["fenced", "leading_text"],
    );
    is("```js {1,3}\nf({\"b\":1})\n```\n{\"a\":1}", r#"{"a":1}"#, &["leading_text"]);
    is("```sh\necho '```' {\"b\":1}\n   ```\n{\"a\":1}", r#"{"a":1}"#, &["leading_text"]);
    refused("```python\nx = {\"a\": 9}\n```", "no_return");
    refused("```python\nx = {\"a\": 9}", "no_return");
}

#[test]
fn a_block_within_a_block() {
    is("```markdown\n# Report\n```json\n{\"a\":1}\n```\n```\n", r#"{"a":1}"#, &["fenced", "leading_text"]);
    is("````md\n```json\n{\"a\":1}\n```\n````", r#"{"a":1}"#, &["fenced"]);
    is("````md\n```js\nf({\"b\":1})\n```\n````\n{\"a\":1}", r#"{"a":1}"#, &["leading_text"]);
    refused("````md\n```json\n{\"a\":1}\n```\n```json\n{\"a\":2}\n```\n````", "ambiguous");
}

#[test]
fn reasoning_is_skipped() {
    let leading: &[&str] = &["leading_text"];
    for (open, close) in [
        ("<think>", "</think>"),
        ("<THINKING>", "</Thinking>"),
        ("<reasoning>", "</reasoning>"),
        ("[THINK]", "[/THINK]"),
        ("<seed:think>", "</seed:think>"),
        ("◁think▷", "◁/think▷"),
        ("<|channel|>analysis<|message|>", "<|end|>"),
    ] {
        is(&format!("{open}\nmaybe {{\"a\":9}}? no.\n{close}\n\n{{\"a\":1}}"), r#"{"a":1}"#, leading);
        is(
            &format!("{open}```json\n{{\"a\":9}}```{close}```json\n{{\"a\":1}}\n```"),
            r#"{"a":1}"#,
            &["fenced", "leading_text"],
        );
        is(&format!("{{\"a\":1}}{open}{{\"a\":2}}{close}"), r#"{"a":1}"#, &["trailing_text"]);
        refused(&format!("{open}{{\"a\":1}}"), "truncated");
        refused(&format!("{open}{{\"a\":1}}{close}"), "no_return");
    }
    is("<think>a</think><think>{\"b\":1}</think>42", "42", leading);
    is("Okay. The braces {x} and {{y\n</think>\n{\"a\":1}", r#"{"a":1}"#, leading);
    is("Tags like `<think>` hide text. {\"a\":1}", r#"{"a":1}"#, leading);
    is("<thinker> 1 < 2 [T] {\"a\":1}", r#"{"a":1}"#, leading);
    refused("maybe {\"a\":9}?</think>{\"a\":1}", "ambiguous");
    refused("{\"a\":1}</think>", "ambiguous");
}

#[test]
fn a_scalar_is_a_value_where_nothing_else_stands() {
    is("42", "42", &[]);
    is(" -1.5e3\n", "-1.5e3", &[]);
    is("true", "true", &[]);
    is("\"a {b} \\\" \\u00e9\" ", "\"a {b} \\\" \\u00e9\"", &[]);
    is("<think>hm</think>\nnull", "null", &["leading_text"]);
    refused("The answer is 42.", "no_return");
    refused("42 is the answer", "no_return");
    refused("true, I think", "no_return");
    refused("not found", "no_return");
    refused("tru", "truncated");
    refused("-", "truncated");
    refused("\"abc", "truncated");
    refused("```json\n12", "truncated");
    is("\"Here\" it is: {\"a\":1}", r#"{"a":1}"#, &["leading_text"]);
    is("\"unclosed {\"a\":1}", r#"{"a":1}"#, &["leading_text"]);
    is("2 results: {\"a\":1}", r#"{"a":1}"#, &["leading_text"]);
    is("```\n42 lines\n```\n{\"a\":1}", r#"{"a":1}"#, &["leading_text"]);
}

#[test]
fn two_values_are_ambiguous() {
    refused("{\"a\":1}{\"a\":2}{\"a\":3}", "ambiguous");
    refused("{\"a\":1} or {\"a\":1}", "ambiguous");
    refused("For example {\"a\":9}. Result:\n```json\n{\"a\":1}\n```", "ambiguous");
    refused("```json\n{\"a\":1}\n{\"a\":2}\n```", "ambiguous");
    refused("```json\n{\"a\":1}\n```\n```json\n2\n```", "ambiguous");
    refused("{\"a\":1} and {\"b\":", "ambiguous");
    refused("{\"a\":1} and [{}]", "ambiguous");
}

#[test]
fn what_is_malformed_is_not_mended() {
    for text in [
        "{'a': 1}",
        "{“a”:1}",
        "{\"a\":1,}",
        "{\"{\"a\":[1]}",
        "Here: {\"a\":+1}",
        "Here: {\"a\":NaN} and {\"a\":1}",
        "```json\n{'a': 1}\n```",
        "```json\n{\"a\":1,}\n```",
        "```\n{a: 1}\n```",
        "{\"a\":1,\"a\":2}",
        "{\"a\":\"line\nline\"}",
        // What stands in brackets that are no JSON would have to be taken out of them.
        "{'a': {\"b\": 1}}",
        "{result: {\"a\":1}}",
        "[note: {\"a\":1}]",
        "[{'x': 1}, {\"a\":1}]",
        "{{ {\"a\":1} }}",
    ] {
        refused(text, "invalid_json");
    }
    refused("I used {braces} here.", "no_return");
}

#[test]
fn what_is_cut_is_not_closed() {
    for text in [
        "{",
        "{ ",
        "{\"a\":1",
        "{\"a\": tru",
        "{\"a\":\"\\ud83d",
        "Here: {\"a\":[{}",
        "```json\n{\"a\":1",
        "```json\n",
        "```json",
        "So: {",
    ] {
        refused(text, "truncated");
    }
    refused("", "no_return");
    refused(" \n", "no_return");
    refused("\u{feff}", "no_return");
    refused("Sorry, I cannot.", "no_return");
    let code =
        |text: &str| lenient(text.as_bytes(), Some("length"), Limits::default(), false).map_err(|refusal| refusal.code);
    assert_eq!(code("Sorry, I").unwrap_err(), "truncated");
    assert_eq!(code("12").unwrap_err(), "truncated");
    assert_eq!(code("true").unwrap_err(), "truncated");
    assert!(code("\"12\"").is_ok() && code("{}").is_ok() && code("```\n12\n```").is_ok() && code("{} and").is_ok());
}

#[test]
fn invalid_utf_8_is_no_return_wherever_it_stands() {
    let contract = contract("true");
    for text in [
        &b"caf\xe9 {\"a\":1}"[..],
        b"{\"a\":1} caf\xe9!",
        b"{\"a\":\"\xff\"}",
        b"<think>\xc3(</think>{}",
        b"```\n[\xf0\x9f(",
    ] {
        every_split_agrees("true", text, None);
        let Verdict::Rejected(rejected) = contract.read_return(text, None, Intake::Lenient) else { panic!() };
        assert_eq!(rejected.code, "invalid_json", "{}", text.escape_ascii());
        assert_eq!(run(&contract, text.chunks(1), None).status, Status::InvalidJson);
    }
    every_split_agrees("true", b"{\"a\":1} caf\xc3", None);
    assert!(matches!(contract.read_return(b"{\"a\":1} caf\xc3", None, Intake::Lenient), Verdict::Accepted(_)));
}

#[test]
fn places_and_messages_are_those_of_the_value() {
    let rejected = |text: &str| {
        let contract = contract(r#"{"type":"object","properties":{"a":{"type":"integer"}}}"#);
        let Verdict::Rejected(rejected) = contract.read_return(text.as_bytes(), None, Intake::Lenient) else {
            panic!()
        };
        (rejected.issues[0].to_string(), rejected.flags)
    };
    assert_eq!(rejected("So: {\"a\":\"x\"}"), ("/a: expected integer, found string".to_owned(), vec!["leading_text"]));
    assert_eq!(rejected("```\n{\"a\":01}").0, "/a: leading zero in a number at line 1 column 6");
    assert_eq!(rejected("{'a':1}").0, "expected a member name in double quotes at line 1 column 2");
    assert_eq!(rejected("{} {}").0, "there is more than one JSON value in the text");
    assert_eq!(rejected("{}</think>").0, "the reasoning ends only after the JSON value");
    assert_eq!(rejected("(none)").0, "there is no JSON value in the text");
    assert_eq!(rejected("[x: {}]").0, "the JSON value stands inside brackets that are not JSON");
    assert_eq!(rejected("So: {\"a\":1").0, "/a: the text ends before the JSON value does at line 1 column 7");
}

#[test]
fn a_stream_shows_the_value_alone_and_from_its_first_member_name_on() {
    let contract = contract(r#"{"type":"object"}"#);
    let mut stream = contract.stream(Intake::Lenient);
    stream.watch();
    let mut shown = Shown::default();
    let mut push = |piece: &str| {
        stream.push(piece.as_bytes());
        shown.apply(stream.edits(), &stream);
        shown.value.as_ref().map(|value| value.text())
    };
    assert_eq!(push("<think>{\"a\":9}</thi"), None);
    assert_eq!(push("nk>I use {braces} {"), None);
    assert_eq!(push(" "), None);
    assert_eq!(push("\""), Some("{}".to_owned()));
    assert_eq!(push("claim\":\"x"), Some(r#"{"claim":"x"}"#.to_owned()));
    assert_eq!(push("yz\"}\n```"), Some(r#"{"claim":"xyz"}"#.to_owned()));
    assert_eq!(push("\nDone. {"), Some(r#"{"claim":"xyz"}"#.to_owned()));
    assert_eq!(push("\"claim\":\"other"), Some(r#"{"claim":"xyz"}"#.to_owned()));
    assert_eq!(stream.status(), Status::Rejected);
    assert_eq!(stream.rejection().unwrap().code, "ambiguous");
}

#[test]
fn a_violation_amid_prose_is_proved_where_it_stands() {
    let contract = contract(r#"{"type":"object","properties":{"a":{"enum":["x"]}}}"#);
    let text = "Naïve: {\"a\":\"y\" } and more";
    let outcome = run(&contract, text.as_bytes().chunks(3), None);
    let (at, rejection) = outcome.rejection.unwrap();
    assert_eq!(&text[..at], "Naïve: {\"a\":\"y\"");
    assert_eq!(rejection.issues[0].to_string(), r#"/a: expected one of "x", found "y""#);
    assert_eq!(outcome.status, Status::Rejected);
}

/// What hostile or broken models write, by the megabyte: quadratic time would be hours.
#[test]
fn time_is_linear_whatever_the_text() {
    let many = |piece: &str| piece.repeat((1 << 20) / piece.len());
    let texts = [
        many("{"),
        many("["),
        many("`"),
        many("~"),
        many("<"),
        many("<think>"),
        many("</think>"),
        many("</thin"),
        many("{ "),
        format!("{{{}", many(" ")),
        many("[x"),
        many("[1,"),
        many("[[1,x"),
        many("{}x"),
        many("[{"),
        format!("[{}", many("{}")),
        many("\""),
        many("\\\""),
        many("```\n"),
        many("```json\n"),
        many("```js\n"),
        many("```js\n```json\n"),
        many("\"</think>"),
        many("1</think>"),
        format!("<think>{}", many("</")),
        format!("```{}", many("a")),
        format!("```js\n{}", many("{\"a\":1} ``` ")),
        format!("[{}", many("\"a\" ")),
        many("◁"),
        many("[\"a\\u12"),
    ];
    let contract = contract("true");
    for text in &texts {
        let verdict = contract.read_return(text.as_bytes(), None, Intake::Lenient);
        let mut stream = contract.stream(Intake::Lenient);
        for piece in text.as_bytes().chunks(7) {
            stream.push(piece);
        }
        assert_eq!(stream.end(None), verdict);
    }
}

fn config() -> Config {
    let cases = std::env::var("STREAM_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(400);
    Config { cases, rng_seed: RngSeed::Fixed(5), failure_persistence: None, ..Config::default() }
}

/// A text as models write them, and worse.
fn answer(choices: &mut Choices<'_>) -> Vec<u8> {
    let mut text = String::new();
    for _ in 0..1 + choices.below(7) {
        match choices.below(6) {
            0 | 1 => text.push_str(choices.pick(&[
                "```json\n",
                "```",
                "```\n",
                "\n```\n",
                "~~~\n",
                "```js\n",
                "````",
                "`",
                "<think>",
                "</think>",
                "<thin",
                "[THINK]",
                "[/THINK]",
                "<|end|>",
                "\n",
                "\n\n",
                "  ",
                "\u{feff}",
            ])),
            2 => text.push_str(choices.pick(&[
                "So: ",
                "I used {braces}",
                "[1]",
                "[2, 3] ",
                "{",
                "}",
                "[",
                "]",
                "\"",
                "true",
                "nul",
                "-1",
                "{'a': ",
                "é",
                "◁",
                "{\"",
                "[{",
                "{}",
                "[]",
                "\\",
            ])),
            3 => {
                let whole = value(choices, 2).text();
                text.push_str(whole.get(..choices.below(whole.len() + 1)).unwrap_or(&whole));
            }
            _ => text.push_str(&value(choices, 2).text()),
        }
    }
    let mut text = text.into_bytes();
    if choices.once_in(8) && !text.is_empty() {
        let at = choices.below(256) * text.len() / 256;
        text[at] = choices.pick(b"\"\\{}[]`<\xff\xc3\xe2 \n");
    }
    text
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_stream_finds_what_is_found_in_the_whole_text(
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
        cuts in proptest::collection::vec(any::<u8>(), 0..100),
    ) {
        let mut choices = Choices::new(&bytes);
        let schema = choices.pick(&["true", r#"{"type":"object"}"#, r#"{"type":["array","null"],"items":{"type":"integer"}}"#, r#"{"maxProperties":1}"#]);
        let contract = contract(schema);
        let finish = choices.pick(&[None, None, Some("length")]);
        let text = answer(&mut choices);
        let whole = run(&contract, [text.as_slice()], finish);
        agrees(&contract, &text, finish, &whole);
        prop_assert_eq!(&run(&contract, text.chunks(1), finish), &whole, "{}", text.escape_ascii());
        prop_assert_eq!(&run(&contract, cut(&text, &mut Choices::new(&cuts)), finish), &whole, "{}", text.escape_ascii());
        // What proves that the text is to be given up is its shortest beginning that does.
        if let Some((at, _)) = &whole.rejection {
            let proof = run(&contract, [&text[..*at]], finish);
            prop_assert_eq!((proof.status, &proof.rejection), (whole.status, &whole.rejection), "{}", text.escape_ascii());
            prop_assert!(!run(&contract, [&text[..at - 1]], finish).status.is_final(), "{at} in {}", text.escape_ascii());
        }
        // What is accepted stands in the text, to the letter.
        if let Verdict::Accepted(accepted) = &whole.verdict {
            prop_assert!(String::from_utf8_lossy(&text).contains(&accepted.text) || accepted.flags.contains(&"lone_surrogate"));
            prop_assert!(matches!(contract.check(accepted.text.as_bytes()), Verdict::Accepted(_)));
        }
    }
}
