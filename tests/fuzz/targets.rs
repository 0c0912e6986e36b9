//! What must hold for any bytes: the fuzz targets, as functions. `tests/fuzz.rs` runs them on mutated seeds with the other tests,
//! the crate beside this file runs them under cargo-fuzz.

use std::sync::OnceLock;

use subcontract::intake::Intake;
use subcontract::json::pointer;
use subcontract::json::tape::{Limits, NodeId, ParseErrorCode, Tag, Tape};
use subcontract::schema::dialect::Draft;
use subcontract::schema::options::{Formats, Options, Trust};
use subcontract::stream::Status;
use subcontract::validate::Validator;
use subcontract::{Contract, SchemaErrorCode, Verdict};

/// serde_json's own limit on depth, where its feature that lifts it is off.
const THEIR_DEPTH: usize = 120;

/// Any bytes as a text to be judged: refused, or a tape that says exactly what the text says. Returns which, as each target does.
pub fn parse(bytes: &[u8]) -> bool {
    let theirs = serde_json::from_slice::<serde_json::Value>(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    let read = Tape::parse(bytes, Limits::default());
    match &read {
        Ok(tape) => {
            let lone = tape.flags().names().any(|name| name == "lone_surrogate");
            let beyond = depth(tape) > THEIR_DEPTH
                || theirs.as_ref().is_err_and(|error| error.to_string().starts_with("number out of range"));
            assert!(theirs.is_ok() || lone || beyond, "serde_json refuses it: {theirs:?}");
            accepted(tape, bytes);
        }
        Err(error) => {
            assert!(error.offset <= bytes.len(), "{error:?}");
            assert!(error.line >= 1 && error.column >= 1 && !error.message.ends_with('.'), "{error:?}");
            assert!(pointer::tokens(&error.instance_path).is_some(), "{error:?}");
            let on_purpose = error.message == "duplicate member name" || error.code == ParseErrorCode::TooDeep;
            assert!(theirs.is_err() || on_purpose, "serde_json accepts it: {error:?}");
        }
    }
    // Tighter limits refuse more, and nothing else.
    let tight = Limits { bytes: 64, depth: 3 };
    match (Tape::parse(bytes, tight), &read) {
        (Ok(one), Ok(other)) => assert_eq!(one.json_text(0), other.json_text(0)),
        (Ok(_), Err(error)) => panic!("only the tighter limits let it pass: {error:?}"),
        (Err(one), Ok(_)) => assert!(matches!(one.code, ParseErrorCode::TooLarge | ParseErrorCode::TooDeep), "{one:?}"),
        (Err(_), Err(_)) => {}
    }
    read.is_ok()
}

fn depth(tape: &Tape) -> usize {
    let mut open: Vec<NodeId> = Vec::new();
    let mut deepest = 0;
    for node in 0..tape.node_count() {
        while open.last().is_some_and(|end| *end <= node) {
            open.pop();
        }
        if tape.tag(node) >= Tag::Array {
            open.push(tape.next(node));
            deepest = deepest.max(open.len());
        }
    }
    deepest
}

/// The tape's invariants, and that writing it out and reading it back changes nothing.
fn accepted(tape: &Tape, bytes: &[u8]) {
    let count = tape.node_count();
    assert!(count > 0 && tape.next(0) == count, "the root does not span the tape");
    for node in 0..count {
        let next = tape.next(node);
        assert!(node < next && next <= count, "node {node} ends at {next} of {count}");
        match tape.tag(node) {
            Tag::Array => assert_eq!(tape.items(node).count(), tape.count(node) as usize),
            Tag::Object => {
                let members: Vec<(NodeId, NodeId)> = tape.members(node).collect();
                assert_eq!(members.len(), tape.count(node) as usize);
                for (name, value) in members {
                    assert_eq!(tape.tag(name), Tag::String);
                    assert_eq!(tape.get(node, tape.string(name)), Some(value), "a member is not found by its name");
                }
            }
            Tag::Number => assert!(!tape.number(node).is_empty()),
            _ => {}
        }
    }
    let text = tape.json_text(0);
    let again = Tape::parse(text.as_bytes(), Limits::default()).expect("its own text is JSON");
    assert_eq!(again.json_text(0), text);
    assert_eq!(again.node_count(), count);
    for node in 0..count {
        assert_eq!(
            (again.tag(node), again.string(node), again.number(node)),
            (tape.tag(node), tape.string(node), tape.number(node))
        );
    }
    let mut used = again;
    used.parse_again(bytes, Limits::default()).expect("it was accepted before");
    assert_eq!(used.json_text(0), text, "a used tape reads another text");
    // Whatever a text is cut to is still its beginning.
    let cuts = [1, bytes.len() / 3, bytes.len() / 2, bytes.len().saturating_sub(1)];
    for cut in cuts.into_iter().filter(|cut| *cut < bytes.len()) {
        let Err(error) = Tape::parse(&bytes[..cut], Limits::default()) else { continue };
        assert_eq!(error.code, ParseErrorCode::Truncated, "cut to {cut} of {} bytes: {error:?}", bytes.len());
    }
}

/// The first byte as options, the others as a schema: compiled, or refused with a place in it.
pub fn compile(bytes: &[u8]) -> bool {
    let Some((options, schema)) = bytes.split_first() else { return false };
    let options = options_of(*options);
    match Validator::compile(schema, &options) {
        Ok(validator) => {
            let own = Tape::parse(schema, Limits::default()).expect("what compiles is JSON");
            let text = std::str::from_utf8(schema).expect("JSON is UTF-8");
            let contract = Contract::compile(text, &options).expect("it compiled before");
            assert!(contract.digest().starts_with("sha256-"));
            for lint in validator.lints() {
                assert!(pointer::tokens(&lint.path).is_some() || lint.path.contains('#'), "{lint:?}");
            }
            for instance in instances().iter().chain([&own]) {
                judged(&validator, instance);
            }
            true
        }
        Err(error) => {
            assert!(!error.message.is_empty(), "{error:?}");
            assert!(!error.issues.is_empty(), "{error:?}");
            let Ok(own) = Tape::parse(schema, Limits::default()) else {
                let codes = [SchemaErrorCode::InvalidJson, SchemaErrorCode::TooDeep, SchemaErrorCode::TooLarge];
                assert!(codes.contains(&error.code), "{error:?}");
                return false;
            };
            for issue in error.issues.iter().filter(|issue| !issue.instance_path.contains('#')) {
                let found = pointer::resolve(&own, 0, &issue.instance_path);
                assert!(found.is_some(), "{} leads nowhere", issue.instance_path);
            }
            false
        }
    }
}

fn options_of(byte: u8) -> Options {
    let mut options = Options::default();
    options.dialect = Draft::ALL.get(byte as usize % 6).copied();
    options.trust = if byte & 0x40 == 0 { Trust::Author } else { Trust::Model };
    options.formats = if byte & 0x80 == 0 { Formats::Assert } else { Formats::Annotate };
    options.schemas =
        vec![("http://example.com/other.json".to_owned(), r#"{"$defs":{"a":{"type":"string"}}}"#.to_owned())];
    options.steps = Some(50_000);
    options
}

/// Instances of every type, to put questions to any schema.
fn instances() -> &'static [Tape] {
    static INSTANCES: OnceLock<Vec<Tape>> = OnceLock::new();
    let texts = [
        "null",
        "-0.0",
        r#""é\ud83d\ude00""#,
        r#"[1,"a",{"a":[[]]},1.0,"a"]"#,
        r#"{"a":{"type":1},"b":"é","":[],"a/b":{"~":0},"__proto__":null}"#,
        "12345678901234567890.5e-3",
    ];
    INSTANCES.get_or_init(|| {
        texts.iter().map(|text| Tape::parse(text.as_bytes(), Limits::default()).expect("they are JSON")).collect()
    })
}

/// The first byte as options, then a schema and behind a line feed an instance, which is judged in every way.
pub fn check(bytes: &[u8]) -> bool {
    let Some((options, rest)) = bytes.split_first() else { return false };
    let Some(at) = rest.iter().position(|byte| *byte == b'\n') else { return false };
    let (schema, instance) = (&rest[..at], &rest[at + 1..]);
    let options = options_of(*options);
    let Ok(validator) = Validator::compile(schema, &options) else { return false };
    let tape = Tape::parse(instance, Limits::default());
    if let Ok(tape) = &tape {
        judged(&validator, tape);
    }
    let text = std::str::from_utf8(schema).expect("JSON is UTF-8");
    let contract = Contract::compile(text, &options).expect("it compiled before");
    for verdict in [
        contract.check(instance),
        contract.read_return(instance, Some("length"), Intake::Strict),
        contract.read_return(instance, None, Intake::Lenient),
    ] {
        let wire = Tape::parse(verdict.to_json().as_bytes(), Limits::default()).expect("a verdict's wire form is JSON");
        assert!(wire.flags().names().all(|flag| flag != "lone_surrogate"));
        let ok = wire.get(0, "ok").map(|ok| wire.tag(ok));
        assert_eq!(ok, Some(if matches!(verdict, Verdict::Accepted(_)) { Tag::True } else { Tag::False }));
        if let Verdict::Rejected(rejected) = &verdict {
            assert!(!rejected.issues.is_empty() && rejected.issues.len() <= subcontract::contract::ISSUE_CAP);
        }
    }
    assert_eq!(contract.is_valid(instance), matches!(contract.check(instance), Verdict::Accepted(_)));
    tape.is_ok()
}

/// As [`check`], but the instance streams: in pieces that its own bytes cut, and byte by byte.
pub fn push(bytes: &[u8]) -> bool {
    let Some((options, rest)) = bytes.split_first() else { return false };
    let Some(at) = rest.iter().position(|byte| *byte == b'\n') else { return false };
    let (schema, instance) = (&rest[..at], &rest[at + 1..]);
    let Ok(schema) = std::str::from_utf8(schema) else { return false };
    let Ok(contract) = Contract::compile(schema, &options_of(*options)) else { return false };
    let lenient = pushed(&contract, instance, Intake::Lenient);
    pushed(&contract, instance, Intake::Strict) || lenient
}

fn pushed(contract: &Contract, instance: &[u8], intake: Intake) -> bool {
    let pieces = instance.chunk_by(|before, _| *before % 5 != 0).collect::<Vec<&[u8]>>();
    let verdict = contract.read_return(instance, None, intake);
    let [cut, bytewise] = [pieces, instance.chunks(1).collect()].map(|pieces| {
        let mut stream = contract.stream(intake);
        stream.watch();
        for piece in pieces {
            let before = stream.status();
            let status = stream.push(piece);
            assert!(!before.is_final() || status == before, "{before:?} became {status:?}");
        }
        let (status, rejected_at) = (stream.status(), stream.rejected_at());
        let rejection = stream.rejection().cloned();
        assert_eq!(rejection.is_some(), status.is_final());
        assert_eq!(stream.end(None), verdict, "a stream ends otherwise than the whole text");
        (status, rejected_at, rejection)
    });
    assert_eq!(cut, bytewise, "a cut matters");
    assert!(!cut.0.is_final() || matches!(verdict, Verdict::Rejected(_)), "rejected, but {verdict:?}");
    assert!(cut.0 != Status::Complete || matches!(verdict, Verdict::Accepted(_)), "complete, but {verdict:?}");
    matches!(verdict, Verdict::Accepted(_)) || cut.0 == Status::Rejected
}

/// `is_valid` and `issues` say the same, within the cap, and every issue is about a place in the instance.
fn judged(validator: &Validator, instance: &Tape) {
    let valid = validator.is_valid(instance);
    let all = validator.issues(instance, usize::MAX);
    if let Ok(valid) = valid
        && !all.incomplete
    {
        assert_eq!(valid, all.issues.is_empty(), "{:?}", all.issues);
    }
    assert_eq!(all.more, 0);
    for cap in [0, 1, 3] {
        let some = validator.issues(instance, cap);
        assert!(some.issues.len() <= cap);
        assert_eq!(some.issues.len() + some.more, all.issues.len());
        assert_eq!(some.issues, all.issues[..some.issues.len()]);
    }
    for issue in &all.issues {
        assert!(!issue.message().is_empty(), "{issue:?}");
        assert!(
            pointer::resolve(instance, 0, &issue.instance_path).is_some(),
            "{} leads nowhere in {}",
            issue.instance_path,
            instance.json_text(0)
        );
    }
}
