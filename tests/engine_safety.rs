//! No input makes the engine panic, overflow its stack or run without end.

use std::fmt::Write as _;

use proptest::prelude::*;
use subcontract::SchemaErrorCode;
use subcontract::json::tape::{Limits, Tape};
use subcontract::schema::dialect::Draft;
use subcontract::schema::options::{Options, Trust};
use subcontract::validate::{TooComplex, Validator};

fn compile(schema: &str) -> Validator {
    Validator::compile(schema.as_bytes(), &Options::default()).unwrap_or_else(|error| panic!("{schema}: {error}"))
}

fn tape(text: &str) -> Tape {
    Tape::parse(text.as_bytes(), Limits::default()).unwrap()
}

#[test]
fn references_that_never_advance_end_as_too_complex() {
    for schema in [
        r##"{"$ref": "#"}"##,
        r##"{"allOf": [{"$ref": "#"}]}"##,
        r##"{"anyOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"not": {"$ref": "#/$defs/b"}}, "b": {"if": {"$ref": "#/$defs/a"}}}}"##,
        r##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}"##,
        r##"{"$dynamicRef": "#a", "$dynamicAnchor": "a"}"##,
        r##"{"oneOf": [{"$ref": "#"}, {"$ref": "#"}, {"$ref": "#"}], "unevaluatedProperties": {"$ref": "#"}}"##,
    ] {
        let mut options = Options::default();
        options.steps = Some(100_000);
        let validator = Validator::compile(schema.as_bytes(), &options).unwrap();
        assert_eq!(validator.is_valid(&tape(r#"{"a": {}}"#)), Err(TooComplex), "{schema}");
        assert!(validator.issues(&tape(r#"{"a": {}}"#), 50).incomplete, "{schema}");
    }
}

#[test]
fn instances_and_schemas_of_the_greatest_depth_are_judged() {
    let schema = r##"{"$ref": "#/$defs/n", "$defs": {"n": {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}, "additionalProperties": false}]}}}"##;
    let validator = compile(schema);
    let deep = |last: &str| tape(&format!("{}{last}{}", "{\"n\":".repeat(512), "}".repeat(512)));
    assert_eq!(validator.is_valid(&deep("null")), Ok(true));
    assert_eq!(validator.is_valid(&deep("1")), Ok(false));
    // Which branch fits best is asked anew at each level: the budget ends it, with what was found so far.
    let report = validator.issues(&deep("1"), 50);
    assert!(!report.issues.is_empty());

    let nested = format!("{}{{\"type\":\"null\"}}{}", "{\"items\":".repeat(511), "}".repeat(511));
    let validator = compile(&nested);
    let array = |depth: usize, last: &str| tape(&format!("{}{last}{}", "[".repeat(depth), "]".repeat(depth)));
    assert_eq!(validator.is_valid(&array(511, "null")), Ok(true));
    assert_eq!(validator.is_valid(&array(511, "1")), Ok(false));
    let constant = compile(&format!(r#"{{"const": {}1{}}}"#, "[".repeat(510), "]".repeat(510)));
    assert_eq!(constant.is_valid(&array(510, "1.0")), Ok(true));
    let unique = compile(r#"{"uniqueItems": true}"#);
    let items: Vec<String> = (0..12).map(|i| format!("{}{i}{}", "[".repeat(500), "]".repeat(500))).collect();
    assert_eq!(unique.is_valid(&tape(&format!("[{}]", items.join(",")))), Ok(true));
}

#[test]
fn schemas_of_the_greatest_depth_compile() {
    let nest =
        |open: &str, inner: &str, close: &str, depth| format!("{}{inner}{}", open.repeat(depth), close.repeat(depth));
    for (open, inner, close, depth) in [
        (r#"{"items":"#, "false", "}", 511),
        (r#"{"not":"#, "false", "}", 511),
        (r#"{"unevaluatedProperties":"#, "false", "}", 511),
        (r#"{"allOf":["#, "false", "]}", 255),
        (r#"{"properties":{"n":"#, "false", "}}", 255),
        (r#"{"$defs":{"n":"#, "false", "}}", 255),
    ] {
        let schema = nest(open, inner, close, depth);
        let compiled = Validator::compile(schema.as_bytes(), &Options::default());
        assert!(compiled.is_ok(), "{open}: {compiled:?}");
    }
    // In 2019-09 the metaschema's own anyOf for items takes a third level of the budget.
    let mut options = Options::default();
    options.dialect = Some(Draft::Draft201909);
    let compile = |depth| Validator::compile(nest(r#"{"items":"#, "false", "}", depth).as_bytes(), &options);
    assert!(compile(420).is_ok());
    assert_eq!(compile(511).unwrap_err().code, SchemaErrorCode::TooComplex);
}

#[test]
fn a_budget_of_steps_bounds_what_a_schema_can_ask() {
    let mut schema = String::from("{\"$defs\": {\"s0\": {\"minLength\": 1}");
    for level in 1..30 {
        let below = format!(r##"{{"$ref": "#/$defs/s{}"}}"##, level - 1);
        write!(schema, r#", "s{level}": {{"allOf": [{below}, {below}]}}"#).unwrap();
    }
    schema.push_str("}, \"$ref\": \"#/$defs/s29\"}");
    assert_eq!(compile(&schema).is_valid(&tape("\"a\"")), Err(TooComplex));
    let mut options = Options::default();
    options.steps = Some(10);
    let validator = Validator::compile(br#"{"items": {"pattern": "a"}}"#, &options).unwrap();
    let long = format!("[\"{}\"]", "a".repeat(100_000));
    assert_eq!(validator.is_valid(&tape(&long)), Err(TooComplex));
    let report = validator.issues(&tape(&long), 50);
    assert!(report.incomplete && report.issues.is_empty(), "what was not looked at is no issue: {:?}", report.issues);
}

#[test]
fn what_collides_or_grows_is_judged_in_time() {
    let numbers: Vec<String> = (0..60_000).map(|i| format!("{i}.5")).collect();
    assert_eq!(compile(r#"{"uniqueItems": true}"#).is_valid(&tape(&format!("[{}]", numbers.join(",")))), Ok(true));
    let same = vec!["{\"a\":[1,2]}"; 60_000].join(",");
    assert_eq!(compile(r#"{"uniqueItems": true}"#).is_valid(&tape(&format!("[{same}]"))), Ok(false));
    let digits = "9".repeat(100_000);
    assert!(compile(r#"{"multipleOf": 7, "maximum": 1e5}"#).is_valid(&tape(&digits)).is_ok_and(|valid| !valid));
    assert!(compile(r#"{"multipleOf": 1e-300}"#).is_valid(&tape("1e300")).is_ok());
    assert!(compile(r#"{"multipleOf": 0.0001}"#).is_valid(&tape("1e999999999")).is_ok());
    assert!(compile(r#"{"pattern": "^(a+)+$"}"#).is_valid(&tape(&format!("\"{}!\"", "a".repeat(50_000)))).is_ok());
}

#[test]
fn a_validator_can_be_shared_between_threads() {
    let validator = compile(r#"{"items": {"type": "string", "pattern": "^a"}}"#);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..200 {
                    assert_eq!(validator.is_valid(&tape(r#"["ab", "a"]"#)), Ok(true));
                    assert_eq!(validator.issues(&tape(r#"["ab", "b"]"#), 5).issues.len(), 1);
                }
            });
        }
    });
}

/// Text that is nearly JSON, and nearly a schema.
fn fragments() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(&b"{"[..]),
        Just(&b"}"[..]),
        Just(&b"["[..]),
        Just(&b"]"[..]),
        Just(&b":"[..]),
        Just(&b","[..]),
        Just(&b"\""[..]),
        Just(&b"\\"[..]),
        Just(&b"\\u"[..]),
        Just(&b"\\ud83d"[..]),
        Just(&b"\\udc00"[..]),
        Just(&b"\"a\""[..]),
        Just(&b"1"[..]),
        Just(&b"-"[..]),
        Just(&b"0.5e"[..]),
        Just(&b"true"[..]),
        Just(&b"nul"[..]),
        Just(&b" "[..]),
        Just("é😀".as_bytes()),
        Just(&b"\xff"[..]),
        Just(&b"\xe2\x82"[..]),
        Just(&b"\"$ref\":\"#\""[..]),
        Just(&b"\"type\":"[..]),
        Just(&b"\"items\":"[..]),
        Just(&b"\"anyOf\":["[..]),
        Just(&b"\"properties\":{"[..]),
        Just(&b"\"$id\":\"a\""[..]),
        Just(&b"\"pattern\":\"(a\""[..]),
        Just(&b"\"unevaluatedItems\":"[..]),
        Just(&b"1e999"[..]),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Values whose members are keywords, with values that mostly do not fit them.
fn nearly_schema() -> impl Strategy<Value = serde_json::Value> {
    let keywords = [
        "$id",
        "id",
        "$schema",
        "$ref",
        "$anchor",
        "$dynamicRef",
        "$dynamicAnchor",
        "$recursiveRef",
        "$recursiveAnchor",
        "$vocabulary",
        "$defs",
        "definitions",
        "type",
        "enum",
        "const",
        "multipleOf",
        "minimum",
        "exclusiveMinimum",
        "maxLength",
        "pattern",
        "format",
        "items",
        "prefixItems",
        "additionalItems",
        "contains",
        "minContains",
        "maxContains",
        "uniqueItems",
        "properties",
        "patternProperties",
        "additionalProperties",
        "propertyNames",
        "required",
        "minProperties",
        "dependencies",
        "dependentRequired",
        "dependentSchemas",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "then",
        "else",
        "unevaluatedItems",
        "unevaluatedProperties",
        "a",
    ];
    let leaf = prop_oneof![
        Just(serde_json::json!(null)),
        Just(serde_json::json!(true)),
        Just(serde_json::json!(false)),
        Just(serde_json::json!(-1)),
        Just(serde_json::json!(2)),
        Just(serde_json::json!("#")),
        Just(serde_json::json!("#/a/0")),
        Just(serde_json::json!("a")),
        Just(serde_json::json!("http://json-schema.org/draft-07/schema#")),
        Just(serde_json::json!("https://json-schema.org/draft/2019-09/schema")),
        Just(serde_json::json!("#a")),
        Just(serde_json::json!("string")),
        Just(serde_json::json!("[")),
        Just(serde_json::json!({})),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::Array),
            proptest::collection::vec((proptest::sample::select(keywords.to_vec()), inner), 0..5).prop_map(|members| {
                serde_json::Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
            }),
        ]
    })
}

/// Compiles a text as a schema in every way and checks it, and others, against what compiles.
fn compile_and_check(text: &[u8]) {
    let instances = [tape("null"), tape("[1, \"a\", {\"a\": [[]]}]"), tape("{\"a\": {\"type\": 1}, \"b\": \"é\"}")];
    for draft in Draft::ALL {
        for trust in [Trust::Author, Trust::Model] {
            let mut options = Options::default();
            options.dialect = Some(draft);
            options.trust = trust;
            options.steps = Some(5_000);
            let Ok(validator) = Validator::compile(text, &options) else { continue };
            for instance in instances.iter().chain(validator.schema()) {
                let valid = validator.is_valid(instance);
                let report = validator.issues(instance, 10);
                if !report.incomplete && valid.is_ok() {
                    assert_eq!(valid, Ok(report.issues.is_empty()), "{}", String::from_utf8_lossy(text));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        let _ = Tape::parse(&bytes, Limits::default());
        compile_and_check(&bytes);
    }

    #[test]
    fn fragments_of_json_never_panic(bytes in fragments()) {
        compile_and_check(&bytes);
    }

    #[test]
    fn nearly_schemas_never_panic(schema in nearly_schema()) {
        compile_and_check(schema.to_string().as_bytes());
    }

    /// Our parser and serde_json's agree on what is JSON, but for what the design refuses on purpose.
    #[test]
    fn parsing_agrees_with_serde_json(bytes in fragments()) {
        let theirs = serde_json::from_slice::<serde_json::Value>(&bytes);
        match Tape::parse(&bytes, Limits::default()) {
            Ok(tape) => {
                let lone = !tape.flags().names().collect::<String>().is_empty();
                prop_assert!(lone || theirs.is_ok(), "we accept {:?}", String::from_utf8_lossy(&bytes));
            }
            Err(error) => prop_assert!(theirs.is_err() || error.message == "duplicate member name", "we refuse {:?}: {error}", String::from_utf8_lossy(&bytes)),
        }
    }
}
