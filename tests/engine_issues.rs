//! Issues that a model can repair from: complete, in document order, from the branch that fits best.

use subcontract::json::tape::{Limits, Tape};
use subcontract::schema::options::Options;
use subcontract::validate::issue::Issue;
use subcontract::validate::{Report, Validator};

fn report(schema: &str, instance: &str, cap: usize) -> Report {
    let validator =
        Validator::compile(schema.as_bytes(), &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let tape = Tape::parse(instance.as_bytes(), Limits::default()).unwrap();
    validator.issues(&tape, cap)
}

/// Each issue as `path keyword: message`.
fn issues(schema: &str, instance: &str) -> Vec<String> {
    let line = |issue: &Issue| format!("{} {}: {}", issue.instance_path, issue.keyword(), issue.message());
    report(schema, instance, 50).issues.iter().map(line).collect()
}

#[test]
fn all_independent_issues_come_in_document_order() {
    let schema = r#"{
        "required": ["z", "claim", "confidence"], "additionalProperties": false, "minProperties": 1,
        "properties": {
            "z": {}, "claim": {"type": "string", "minLength": 3, "pattern": "^[A-Z]"},
            "confidence": {"enum": ["low", "high"]},
            "sources": {"type": "array", "minItems": 2, "items": {"type": "object", "required": ["url"]}}
        }
    }"#;
    let instance = r#"{"sources": [{"uri": 1}], "extra": 1, "claim": "a"}"#;
    assert_eq!(
        issues(schema, instance),
        [
            r#" required: missing required property "z""#,
            r#" required: missing required property "confidence""#,
            "/sources minItems: expected at least 2 items, found 1",
            r#"/sources/0 required: missing required property "url""#,
            r#"/extra additionalProperties: property "extra" is not allowed here, remove it"#,
            "/claim minLength: expected at least 3 characters, found 1",
            "/claim pattern: expected a string that matches the pattern ^[A-Z]",
        ]
    );
}

#[test]
fn the_cap_keeps_the_first_and_counts_the_rest() {
    let instance = format!("[{}]", vec!["1"; 200].join(","));
    let report = report(r#"{"items": {"type": "string"}}"#, &instance, 3);
    assert_eq!(report.issues.len(), 3);
    assert_eq!((report.more, report.incomplete), (197, false));
    assert_eq!(report.issues[2].instance_path, "/2");
}

#[test]
fn a_discriminator_chooses_the_branch() {
    let schema = r##"{"oneOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}, {"type": "null"}],
        "$defs": {
            "a": {"type": "object", "properties": {"kind": {"const": "a"}, "x": {"type": "integer"}}, "required": ["kind", "x"]},
            "b": {"type": "object", "properties": {"kind": {"const": "b"}, "y": {"type": "integer"}, "z": {"type": "integer"}, "w": {"type": "string"}},
                  "required": ["kind", "y", "z", "w"], "additionalProperties": false}
        }}"##;
    assert_eq!(
        issues(schema, r#"{"kind": "b", "x": 1, "y": "1"}"#),
        [
            " oneOf: expected a value that meets exactly one of the schemas in oneOf, but it meets none",
            r#" required: missing required property "z""#,
            r#" required: missing required property "w""#,
            r#"/x additionalProperties: property "x" is not allowed here, remove it"#,
            "/y type: expected integer, found string",
        ]
    );
}

#[test]
fn without_a_discriminator_the_branch_with_the_fewest_violations_of_the_right_type_speaks() {
    let schema = r#"{"anyOf": [{"type": "string"}, {"type": "object", "required": ["a", "b", "c"]}, {"type": "object", "required": ["a", "d"]}]}"#;
    assert_eq!(
        issues(schema, r#"{"b": 1, "c": 2}"#),
        [
            " anyOf: expected a value that meets at least one of the schemas in anyOf",
            r#" required: missing required property "a""#
        ]
    );
    let nullable = r#"{"properties": {"size": {"anyOf": [{"type": "number", "minimum": 1}, {"type": "null"}]}}}"#;
    assert_eq!(
        issues(nullable, r#"{"size": 0}"#),
        [
            "/size anyOf: expected a value that meets at least one of the schemas in anyOf",
            "/size minimum: expected a number >= 1, found 0"
        ]
    );
}

#[test]
fn of_branches_with_as_many_violations_the_one_that_knows_more_of_the_members_speaks() {
    let schema = r##"{"anyOf": [{"$ref": "#/$defs/file"}, {"$ref": "#/$defs/url"}], "$defs": {
        "file": {"properties": {"path": {"type": "string"}}, "required": ["path"]},
        "url": {"properties": {"url": {"type": "string"}, "at": {"type": "string"}}, "required": ["url"]}
    }}"##;
    for (instance, wanted) in [
        (r#"{"url": 1, "at": "now"}"#, "/url type: expected string, found integer"),
        (r#"{"path": 1, "mode": "r"}"#, "/path type: expected string, found integer"),
        // Neither knows any: the first speaks.
        (r#"{"host": "x"}"#, r#" required: missing required property "path""#),
    ] {
        assert_eq!(
            issues(schema, instance),
            [" anyOf: expected a value that meets at least one of the schemas in anyOf", wanted]
        );
    }
    assert_eq!(
        issues(
            r#"{"oneOf": [{"items": false}, {"prefixItems": [true, {"type": "string"}], "items": false}]}"#,
            "[1, 2]"
        )[1..],
        ["/1 type: expected string, found integer"]
    );
}

#[test]
fn several_branches_of_one_of_are_named() {
    assert_eq!(
        issues(r#"{"oneOf": [{"type": "integer"}, {"minimum": 2}, {"type": "string"}]}"#, "3"),
        [" oneOf: expected a value that meets exactly one of the schemas in oneOf, but it meets number 0 and 1"]
    );
}

#[test]
fn a_member_that_fails_is_not_called_unevaluated_as_well() {
    let schema = r##"{"$ref": "#/$defs/base", "anyOf": [{"properties": {"c": {"type": "string"}}, "required": ["c"]}, {"required": ["d"]}],
        "unevaluatedProperties": false, "$defs": {"base": {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}}}"##;
    assert_eq!(
        issues(schema, r#"{"a": 1, "b": "x", "c": 2, "e": 3}"#),
        [
            " anyOf: expected a value that meets at least one of the schemas in anyOf",
            "/a type: expected string, found integer",
            "/c type: expected string, found integer",
            r#"/e unevaluatedProperties: property "e" is not allowed here, remove it"#,
        ]
    );
}

#[test]
fn a_value_encoded_twice_is_called_so() {
    let schema = r#"{"properties": {"list": {"type": "array"}, "count": {"type": "integer"}}}"#;
    assert_eq!(
        issues(schema, r#"{"list": "[1, 2]", "count": "12"}"#),
        [
            "/list type: expected array, found string: it is encoded twice, give the value itself and not a string of JSON",
            "/count type: expected integer, found string"
        ]
    );
}

#[test]
fn every_other_keyword_says_what_is_wanted() {
    for (schema, instance, wanted) in [
        (r#"{"const": {"a": [1]}}"#, "2", r#" const: expected {"a": [1]}, found 2"#),
        (r#"{"exclusiveMaximum": 1e2}"#, "100.0", " exclusiveMaximum: expected a number < 1e2, found 100.0"),
        (r#"{"multipleOf": 0.01}"#, "0.105", " multipleOf: expected a multiple of 0.01, found 0.105"),
        (r#"{"maxLength": 2}"#, "\"a😀é\"", " maxLength: expected at most 2 characters, found 3"),
        (r#"{"format": "date"}"#, "\"tomorrow\"", r#" format: expected a string of format "date""#),
        (
            r#"{"uniqueItems": true}"#,
            "[1, {}, 1.0]",
            " uniqueItems: expected unique items, but items 0 and 2 are equal",
        ),
        (
            r#"{"contains": {"const": 1}, "minContains": 2}"#,
            "[1]",
            " minContains: expected at least 2 matching items, found 1",
        ),
        (
            r#"{"contains": {"const": 1}, "maxContains": 1}"#,
            "[1, 1]",
            " maxContains: expected at most 1 matching item, found 2",
        ),
        (r#"{"contains": {"const": 1}}"#, "[]", " contains: expected at least 1 matching item, found 0"),
        (r#"{"prefixItems": [true], "items": false}"#, "[1, 2]", "/1 items: expected at most 1 item"),
        (r#"{"unevaluatedItems": false}"#, "[1]", "/0 unevaluatedItems: this item is not allowed here, remove it"),
        (r#"{"maxProperties": 1}"#, r#"{"a": 1, "b": 1}"#, " maxProperties: expected at most 1 property, found 2"),
        (
            r#"{"propertyNames": {"maxLength": 2}}"#,
            r#"{"ok": 1, "a/long": 1}"#,
            r#"/a~1long propertyNames: property name "a/long" is not allowed: expected at most 2 characters, found 6"#,
        ),
        (
            r#"{"dependentRequired": {"a": ["b"]}}"#,
            r#"{"a": 1}"#,
            r#" dependentRequired: missing property "b", which is required because "a" is present"#,
        ),
        (r#"{"not": {"type": "null"}}"#, "null", " not: expected a value that does not meet the schema in not"),
        (r#"{"properties": {"a": false}}"#, r#"{"a": 1}"#, "/a false schema: no value is allowed here"),
        (
            r#"{"if": {"type": "string"}, "then": {"minLength": 1}}"#,
            "\"\"",
            " minLength: expected at least 1 character, found 0",
        ),
        (
            r#"{"dependentSchemas": {"a": {"required": ["b"]}}}"#,
            r#"{"a": 1}"#,
            r#" required: missing required property "b""#,
        ),
    ] {
        assert_eq!(issues(schema, instance), [wanted], "{schema}");
    }
}

#[test]
fn schema_paths_point_into_the_schema() {
    let schema = r##"{"properties": {"a/b": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"items": {"minimum": 1}}}}"##;
    let report = report(schema, r#"{"a/b": [0]}"#, 50);
    assert_eq!(report.issues[0].schema_path, "/$defs/n/items/minimum");
    assert_eq!(report.issues[0].instance_path, "/a~1b/0");
    let mut options = Options::default();
    options.schemas = vec![("https://example.com/other".into(), r#"{"type": "null"}"#.into())];
    let validator = Validator::compile(br#"{"$ref": "https://example.com/other"}"#, &options).unwrap();
    let tape = Tape::parse(b"1", Limits::default()).unwrap();
    assert_eq!(validator.issues(&tape, 1).issues[0].schema_path, "https://example.com/other#/type");
}

#[test]
fn masked_issues_hold_no_values() {
    let report = report(r#"{"properties": {"pin": {"enum": ["0000"]}}}"#, r#"{"pin": "1234"}"#, 50);
    let masked = report.issues[0].clone().masked();
    assert_eq!(masked.to_string(), r#"/pin: expected one of "0000""#);
    let mut out = String::new();
    masked.write_json(&mut out);
    assert!(!out.contains("1234"), "{out}");
}
