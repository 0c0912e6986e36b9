//! The engine against the reference engine: random schemas and instances, verdict for verdict. Where the two disagree the
//! specification decides, and the pair becomes a row of `fixtures/disagreements.jsonl`.
//!
//! `DIFFERENTIAL_CASES` and `DIFFERENTIAL_SEED` make a longer or another run.
#![cfg(feature = "reference")]

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use serde_json::{Map, Value, json};
use subcontract::json::tape::{Limits, Tape};
use subcontract::schema::dialect::Draft;
use subcontract::schema::options::{Formats, Options};
use subcontract::validate::Validator;

const DRAFTS: [(Draft, jsonschema::Draft); 5] = [
    (Draft::Draft4, jsonschema::Draft::Draft4),
    (Draft::Draft6, jsonschema::Draft::Draft6),
    (Draft::Draft7, jsonschema::Draft::Draft7),
    (Draft::Draft201909, jsonschema::Draft::Draft201909),
    (Draft::Draft202012, jsonschema::Draft::Draft202012),
];

fn number(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn scalar() -> impl Strategy<Value = Value> {
    let numbers = [
        "0",
        "-0",
        "1",
        "1.0",
        "2",
        "3",
        "-1",
        "0.1",
        "0.3",
        "2.5",
        "1e2",
        "100",
        "9007199254740993",
        "9007199254740992.0",
        "18446744073709551616",
        "1e-7",
        "-12.50",
    ];
    let strings = [
        "",
        "a",
        "b",
        "ab",
        "abc",
        "é",
        "😀😀",
        "a1",
        "2024-02-29",
        "2023-02-29",
        "x@y.z",
        "10.0.0.1",
        "a b",
        "A",
        "550e8400-e29b-41d4-a716-446655440000",
        "__proto__",
    ];
    prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::Bool),
        3 => select(numbers.to_vec()).prop_map(number),
        3 => select(strings.to_vec()).prop_map(|text| json!(text)),
    ]
}

fn name() -> impl Strategy<Value = String> {
    select(vec!["a", "b", "c", "ab", "a1", "d", "__proto__", "é"]).prop_map(str::to_owned)
}

fn instance() -> BoxedStrategy<Value> {
    scalar()
        .prop_recursive(4, 24, 5, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
                proptest::collection::vec((name(), inner), 0..5).prop_map(object),
            ]
        })
        .boxed()
}

fn object(members: impl IntoIterator<Item = (String, Value)>) -> Value {
    Value::Object(members.into_iter().collect())
}

/// One keyword, or two that belong together, with the subschemas that `inner` makes.
fn keyword(draft: Draft, inner: BoxedStrategy<Value>) -> BoxedStrategy<Vec<(&'static str, Value)>> {
    let types = || select(vec!["null", "boolean", "integer", "number", "string", "array", "object"]);
    let count = || (0u32..4).prop_map(|count| json!(count));
    let bound =
        || select(vec!["0", "1", "2", "2.5", "-1", "1.0", "0.1", "100", "9007199254740992", "1e2"]).prop_map(number);
    let divisor = select(vec!["1", "2", "0.1", "0.01", "3", "2.5", "0.5", "1e1"]).prop_map(number);
    let pattern =
        || select(vec!["^a", "b$", "^[a-z]+$", ".", "\\d", "^$", "^.{2}$", "[^a]", "é", "\\S"]).prop_map(str::to_owned);
    let members =
        |inner: &BoxedStrategy<Value>| proptest::collection::vec((name(), inner.clone()), 0..4).prop_map(object);
    let list =
        |inner: &BoxedStrategy<Value>, least| proptest::collection::vec(inner.clone(), least..4).prop_map(Value::Array);
    let names = || proptest::collection::btree_set(name(), 0..3).prop_map(|names| json!(names));
    fn one<S: Strategy<Value = Value> + 'static>(
        keyword: &'static str,
        values: S,
    ) -> BoxedStrategy<Vec<(&'static str, Value)>> {
        values.prop_map(move |value| vec![(keyword, value)]).boxed()
    }
    let mut some: Vec<BoxedStrategy<Vec<(&'static str, Value)>>> = vec![
        one("type", types().prop_map(|name| json!(name))),
        one("type", proptest::collection::btree_set(types(), 1..4).prop_map(|names| json!(names))),
        one("enum", proptest::collection::vec(instance(), 1..4).prop_map(|values| json!(values))),
        one("multipleOf", divisor),
        one("minimum", bound()),
        one("maximum", bound()),
        one("minLength", count()),
        one("maxLength", count()),
        one("pattern", pattern().prop_map(Value::String)),
        // `date` and `uuid` are younger than the oldest drafts, which leave it open whether they assert there.
        one(
            "format",
            select(if draft >= Draft::Draft201909 {
                vec!["date", "email", "uuid", "unknown"]
            } else {
                vec!["email", "ipv4", "unknown"]
            })
            .prop_map(|name| json!(name)),
        ),
        one("minItems", count()),
        one("maxItems", count()),
        one("uniqueItems", any::<bool>().prop_map(Value::Bool)),
        one("minProperties", count()),
        one("maxProperties", count()),
        one("required", proptest::collection::btree_set(name(), 1..3).prop_map(|names| json!(names))),
        one("properties", members(&inner)),
        one("properties", members(&inner)),
        one("patternProperties", proptest::collection::vec((pattern(), inner.clone()), 1..3).prop_map(object)),
        one("additionalProperties", inner.clone()),
        one("allOf", list(&inner, 1)),
        one("anyOf", list(&inner, 1)),
        one("oneOf", list(&inner, 1)),
        one("not", inner.clone()),
        one("$ref", select(vec!["#/definitions/x", "#/definitions/y"]).prop_map(|text| json!(text))),
    ];
    if draft <= Draft::Draft201909 {
        some.push(one("items", list(&inner, 1)));
        some.push(
            (list(&inner, 1), inner.clone())
                .prop_map(|(items, more)| vec![("items", items), ("additionalItems", more)])
                .boxed(),
        );
    } else {
        some.push(one("prefixItems", list(&inner, 1)));
        some.push(
            (list(&inner, 1), inner.clone())
                .prop_map(|(prefix, more)| vec![("prefixItems", prefix), ("items", more)])
                .boxed(),
        );
    }
    some.push(one("items", inner.clone()));
    if draft == Draft::Draft4 {
        some.push(
            (bound(), any::<bool>())
                .prop_map(|(bound, yes)| vec![("minimum", bound), ("exclusiveMinimum", json!(yes))])
                .boxed(),
        );
        some.push(
            (bound(), any::<bool>())
                .prop_map(|(bound, yes)| vec![("maximum", bound), ("exclusiveMaximum", json!(yes))])
                .boxed(),
        );
    } else {
        some.push(one("exclusiveMinimum", bound()));
        some.push(one("exclusiveMaximum", bound()));
        some.push(one("const", instance()));
        some.push(one("contains", inner.clone()));
        some.push(one("propertyNames", inner.clone()));
    }
    if draft <= Draft::Draft7 {
        let dependency = prop_oneof![
            proptest::collection::btree_set(name(), 1..3).prop_map(|names| json!(names)),
            inner.clone().prop_filter("a dependency is no list", |schema| !schema.is_array()),
        ];
        some.push(one("dependencies", proptest::collection::vec((name(), dependency), 1..3).prop_map(object)));
    } else {
        some.push(one("dependentRequired", proptest::collection::vec((name(), names()), 1..3).prop_map(object)));
        some.push(one("dependentSchemas", members(&inner)));
        some.push(
            (inner.clone(), count(), count())
                .prop_map(|(schema, min, max)| vec![("contains", schema), ("minContains", min), ("maxContains", max)])
                .boxed(),
        );
        for _ in 0..2 {
            some.push(one("unevaluatedProperties", inner.clone()));
            some.push(one("unevaluatedProperties", Just(json!(false))));
            some.push(one("unevaluatedItems", inner.clone()));
            some.push(one("unevaluatedItems", Just(json!(false))));
        }
    }
    if draft >= Draft::Draft7 {
        some.push(
            (inner.clone(), inner.clone(), inner)
                .prop_map(|(condition, then, otherwise)| vec![("if", condition), ("then", then), ("else", otherwise)])
                .boxed(),
        );
    }
    proptest::strategy::Union::new(some).boxed()
}

fn subschema(draft: Draft) -> BoxedStrategy<Value> {
    let leaf = match draft {
        Draft::Draft4 => Just(json!({})).boxed(),
        _ => prop_oneof![Just(json!(true)), Just(json!(false)), Just(json!({}))].boxed(),
    };
    leaf.prop_recursive(4, 32, 4, move |inner| {
        proptest::collection::vec(keyword(draft, inner.boxed()), 1..4)
            .prop_map(|keywords| object(keywords.into_iter().flatten().map(|(name, value)| (name.to_owned(), value))))
    })
    .boxed()
}

/// A schema whose definitions refer to nothing, so that no reference goes in circles.
fn schema(draft: Draft) -> BoxedStrategy<Value> {
    let definition = subschema(draft).prop_map(without_references);
    (subschema(draft), definition.clone(), definition)
        .prop_map(|(schema, x, y)| {
            let mut root = match schema {
                Value::Object(members) => members,
                other => Map::from_iter([("allOf".to_owned(), json!([other]))]),
            };
            // Beside a `$ref` old drafts would not see them, though the pointer still leads there.
            root.insert("definitions".to_owned(), json!({"x": x, "y": y}));
            Value::Object(root)
        })
        .boxed()
}

fn without_references(value: Value) -> Value {
    match value {
        Value::Object(members) => object(
            members
                .into_iter()
                .filter(|(name, _)| name != "$ref")
                .map(|(name, value)| (name, without_references(value))),
        ),
        Value::Array(items) => Value::Array(items.into_iter().map(without_references).collect()),
        other => other,
    }
}

fn own(schema: &str, draft: Draft, instance: &str) -> Result<bool, String> {
    let mut options = Options::default();
    options.dialect = Some(draft);
    options.formats = Formats::Assert;
    let validator = Validator::compile(schema.as_bytes(), &options).map_err(|error| error.to_string())?;
    let tape = Tape::parse(instance.as_bytes(), Limits::default()).map_err(|error| error.to_string())?;
    let valid = validator.is_valid(&tape).map_err(|error| error.to_string())?;
    let report = validator.issues(&tape, 50);
    if report.issues.is_empty() != valid {
        return Err(format!("is_valid says {valid}, issues are {:?}", report.issues));
    }
    Ok(valid)
}

/// Pairs on which the reference engine is known to differ, by what the schema has in it; a fixture row says who is right.
fn is_known(draft: Draft, schema: &Value) -> bool {
    let text = schema.to_string();
    draft == Draft::Draft201909 && text.contains("\"contains\"") && text.contains("\"unevaluatedItems\"")
}

fn from_env(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn verdicts_equal_those_of_the_reference_engine() {
    let cases = from_env("DIFFERENTIAL_CASES", 400) as u32;
    let seed = from_env("DIFFERENTIAL_SEED", 1);
    for (draft, theirs) in DRAFTS {
        let config = Config {
            cases,
            failure_persistence: None,
            rng_seed: RngSeed::Fixed(seed),
            max_shrink_iters: 20_000,
            ..Config::default()
        };
        let pairs = (schema(draft), proptest::collection::vec(instance(), 4));
        let outcome = TestRunner::new(config).run(&pairs, |(schema, instances)| {
            let reference = jsonschema::options().with_draft(theirs).should_validate_formats(true).build(&schema);
            for instance in &instances {
                let ours = own(&schema.to_string(), draft, &instance.to_string());
                let theirs =
                    reference.as_ref().map(|reference| reference.is_valid(instance)).map_err(ToString::to_string);
                let same = match (&ours, &theirs) {
                    (Ok(ours), Ok(theirs)) => ours == theirs,
                    (Err(_), Err(_)) => true,
                    _ => false,
                };
                prop_assert!(
                    same || is_known(draft, &schema),
                    "{draft:?}: ours {ours:?}, theirs {theirs:?}\n{schema}\n{instance}"
                );
            }
            Ok(())
        });
        if let Err(error) = outcome {
            panic!("{error}");
        }
    }
}
