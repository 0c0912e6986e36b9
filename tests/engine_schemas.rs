//! Schemas that do not compile say why and where; what compiles but is not meant is linted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use subcontract::json::tape::{Limits, Tape};
use subcontract::schema::dialect::Draft;
use subcontract::schema::lint::LintCode;
use subcontract::schema::options::{HostRegExp, Options, SchemaLimits, Trust};
use subcontract::validate::Validator;
use subcontract::{SchemaError, SchemaErrorCode};

fn refused(schema: &str, options: &Options) -> SchemaError {
    match Validator::compile(schema.as_bytes(), options) {
        Ok(_) => panic!("compiles: {schema}"),
        Err(error) => error,
    }
}

/// The code and the places at fault.
fn faults(schema: &str, options: &Options) -> (&'static str, Vec<String>) {
    let error = refused(schema, options);
    (error.code.as_str(), error.issues.into_iter().map(|issue| issue.instance_path).collect())
}

fn with(change: impl FnOnce(&mut Options)) -> Options {
    let mut options = Options::default();
    change(&mut options);
    options
}

fn accepts(schema: &str, options: &Options, instance: &str) -> bool {
    let validator = Validator::compile(schema.as_bytes(), options).unwrap_or_else(|error| panic!("{schema}: {error}"));
    validator.is_valid(&Tape::parse(instance.as_bytes(), Limits::default()).unwrap()).unwrap()
}

#[test]
fn what_is_wrong_in_a_schema_is_said_with_its_place() {
    let author = Options::default();
    for (schema, code, paths) in [
        (r#"{"type": "object""#, "invalid_json", &["/type"][..]),
        (r#"{"properties": {"a": {"type": "string", "type": "null"}}}"#, "invalid_json", &["/properties/a/type"]),
        (r#"{"properties": {"a": {"type": "strnig"}}}"#, "invalid_schema", &["/properties/a/type"]),
        (r#"{"minLength": -1, "required": "a"}"#, "invalid_schema", &["/minLength", "/required"]),
        (r#"[]"#, "invalid_schema", &[""]),
        (r##"{"items": {"$ref": "#/$defs/none"}}"##, "unresolved_ref", &["/items/$ref"]),
        (r#"{"$ref": "https://example.com/elsewhere"}"#, "unresolved_ref", &["/$ref"]),
        (r##"{"$ref": "#/const", "const": 1}"##, "unresolved_ref", &["/$ref"]),
        (r##"{"anyOf": [{"$ref": "#a"}, {"$ref": "#b"}]}"##, "unresolved_ref", &["/anyOf/0/$ref", "/anyOf/1/$ref"]),
        (r#"{"$schema": "https://example.com/dialect"}"#, "unknown_dialect", &["/$schema"]),
        (r#"{"pattern": "a("}"#, "invalid_schema", &["/pattern"]),
        (r#"{"pattern": "(?=a)b"}"#, "unsupported_pattern", &["/pattern"]),
        (r#"{"patternProperties": {"(a)\\1": {}}}"#, "unsupported_pattern", &["/patternProperties/(a)\\1"]),
    ] {
        let (found_code, mut found) = faults(schema, &author);
        found.sort();
        found.dedup();
        assert_eq!(
            (found_code, found.iter().map(String::as_str).collect::<Vec<_>>()),
            (code, paths.to_vec()),
            "{schema}"
        );
    }
}

#[test]
fn a_fault_in_another_schema_is_located_there() {
    let options =
        with(|options| options.schemas = vec![("https://example.com/b".into(), r#"{"items": {"type": 1}}"#.into())]);
    let (code, paths) = faults(r#"{"$ref": "https://example.com/b"}"#, &options);
    assert_eq!((code, paths[0].as_str()), ("invalid_schema", "https://example.com/b#/items/type"));
}

#[test]
fn a_schema_of_a_model_is_held_to_more() {
    let model = with(|options| options.trust = Trust::Model);
    assert!(accepts(
        r##"{"type": "object", "title": "t", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"pattern": "^a"}}}"##,
        &model,
        "{}"
    ));
    for (schema, code, path) in [
        (r#"{"properties": {"a": {"nullable": true}}}"#.to_owned(), "unknown_keyword", "/properties/a/nullable"),
        (r#"{"pattern": "(?!a)"}"#.to_owned(), "unsupported_pattern", "/pattern"),
        (format!("{}{}", r#"{"not":"#.repeat(70), "true".to_owned() + &"}".repeat(70)), "too_deep", ""),
        (format!(r#"{{"description": "{}"}}"#, "a".repeat(70_000)), "too_large", ""),
        (
            format!(
                r##"{{"allOf": [{}], "$defs": {{"a": true}}}}"##,
                vec![r##"{"$ref": "#/$defs/a"}"##; 300].join(",")
            ),
            "too_complex",
            "",
        ),
    ] {
        let (found, paths) = faults(&schema, &model);
        assert_eq!(found, code);
        assert!(path.is_empty() || paths == [path], "{code}: {paths:?}");
    }
    let few = with(|options| options.limits = Some(SchemaLimits { subschemas: 3, ..SchemaLimits::AUTHOR }));
    assert_eq!(refused(r#"{"allOf": [{}, {}, {}, {}]}"#, &few).code, SchemaErrorCode::TooComplex);
    assert!(accepts(r#"{"nullable": true}"#, &Options::default(), "1"));
}

#[test]
fn the_dialect_is_what_the_schema_says_else_the_option_else_2020_12() {
    let tuple = r#"{"items": [{"type": "string"}]}"#;
    assert_eq!(refused(tuple, &Options::default()).code, SchemaErrorCode::InvalidSchema);
    let draft7 = with(|options| options.dialect = Some(Draft::Draft7));
    assert!(!accepts(tuple, &draft7, "[1]"));
    let declared = r#"{"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]}"#;
    assert!(!accepts(declared, &Options::default(), "[1]"));
    assert!(accepts(r#"{"exclusiveMinimum": true, "minimum": 1}"#, &with(|o| o.dialect = Some(Draft::Draft4)), "2"));
}

#[test]
fn an_embedded_resource_has_its_own_dialect_and_metaschema() {
    let schema = r#"{
        "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.com/root",
        "properties": {"old": {"$ref": "old"}},
        "$defs": {"old": {"$schema": "http://json-schema.org/draft-04/schema#", "id": "old", "$id": "old", "minimum": 1, "exclusiveMinimum": true}}
    }"#;
    assert!(!accepts(schema, &Options::default(), r#"{"old": 1}"#));
    assert!(accepts(schema, &Options::default(), r#"{"old": 2}"#));
    let broken = schema.replace(r#""exclusiveMinimum": true"#, r#""exclusiveMinimum": 1"#);
    assert_eq!(refused(&broken, &Options::default()).code, SchemaErrorCode::InvalidSchema);
}

#[test]
fn metaschemas_can_be_referred_to_and_accept_themselves() {
    for draft in Draft::ALL {
        let schema = format!(r#"{{"$ref": "{}"}}"#, draft.metaschema_uri());
        assert!(accepts(&schema, &Options::default(), r#"{"type": "object"}"#), "{draft:?}");
        assert!(!accepts(&schema, &Options::default(), r#"{"type": "objekt"}"#), "{draft:?}");
        assert!(!accepts(&schema, &Options::default(), r#"{"properties": {"a": {"maximum": "1"}}}"#), "{draft:?}");
        let itself = with(|options| options.dialect = Some(draft));
        assert!(accepts(&schema.replace("$ref", "$comment"), &itself, "{}"));
    }
}

#[test]
fn lints_say_what_is_probably_not_meant() {
    let lints = |schema: &str, options: &Options| -> Vec<(String, LintCode)> {
        let validator = Validator::compile(schema.as_bytes(), options).unwrap();
        validator.lints().iter().map(|lint| (lint.path.clone(), lint.code)).collect()
    };
    let author = Options::default();
    let one = |path: &str, code| vec![(path.to_owned(), code)];
    assert_eq!(
        lints(r#"{"properties": {"a": {"nullable": true}}}"#, &author),
        one("/properties/a/nullable", LintCode::UnknownKeyword)
    );
    assert_eq!(lints(r#"{"type": "string", "format": "postcode"}"#, &author), one("/format", LintCode::UnknownFormat));
    assert_eq!(lints(r#"{"type": "string", "then": {}}"#, &author), one("/then", LintCode::IgnoredKeyword));
    assert_eq!(lints("{}", &author), one("", LintCode::AcceptsEverything));
    assert_eq!(lints(r#"{"type": "string"}"#, &author), []);
    let draft7 = with(|options| options.dialect = Some(Draft::Draft7));
    let hidden = r##"{"items": {"$ref": "#/definitions/a", "minLength": 1, "title": "t"}, "definitions": {"a": {"type": "string"}}}"##;
    assert_eq!(lints(hidden, &draft7), one("/items/minLength", LintCode::IgnoredSibling));
    let host = with(|options| options.host = Some(Arc::new(Counting::default())));
    assert_eq!(
        lints(r#"{"pattern": "(?=a)(a+)+$"}"#, &host),
        [("/pattern".to_owned(), LintCode::HostPattern), ("/pattern".to_owned(), LintCode::CatastrophicPattern)]
    );
}

#[derive(Default)]
struct Counting {
    live: AtomicU32,
    tested: AtomicU32,
}

impl HostRegExp for Counting {
    fn compile(&self, source: &str) -> Result<u32, String> {
        self.live.fetch_add(1, Ordering::Relaxed);
        if source.contains("refuse") { Err("no".into()) } else { Ok(7) }
    }

    fn test(&self, handle: u32, text: &str) -> bool {
        assert_eq!(handle, 7);
        self.tested.fetch_add(1, Ordering::Relaxed);
        text.starts_with('a')
    }

    fn release(&self, _: u32) {
        self.live.fetch_sub(1, Ordering::Relaxed);
    }
}

#[test]
fn the_host_runs_what_is_outside_the_subset_and_gets_its_handles_back() {
    let host = Arc::new(Counting::default());
    let options = with(|options| options.host = Some(host.clone()));
    // Two of the same are one.
    let schema = r#"{"items": {"pattern": "^(?=a)"}, "contains": {"pattern": "^(?=a)"}}"#;
    let validator = Validator::compile(schema.as_bytes(), &options).unwrap();
    let is_valid = |text: &str| validator.is_valid(&Tape::parse(text.as_bytes(), Limits::default()).unwrap());
    assert_eq!(host.live.load(Ordering::Relaxed), 1);
    assert_eq!(is_valid(r#"["ab"]"#), Ok(true));
    assert_eq!(is_valid(r#"["b"]"#), Ok(false));
    let tested = host.tested.load(Ordering::Relaxed);
    assert!(is_valid(&format!(r#"["{}"]"#, "a".repeat(20_000))).is_err(), "a long text is not given to the host");
    assert_eq!(host.tested.load(Ordering::Relaxed), tested);
    drop(validator);
    assert_eq!(host.live.load(Ordering::Relaxed), 0);
    assert_eq!(refused(r#"{"pattern": "(?=refuse)"}"#, &options).code, SchemaErrorCode::UnsupportedPattern);
}
