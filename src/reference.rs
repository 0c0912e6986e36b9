//! The `jsonschema` crate behind our own verdicts and issues.
//!
//! It is the oracle of the differential tests and a second opinion wherever size does not matter. It never sees the text
//! itself: the tape has already decided what is JSON.

use std::collections::BTreeMap;
use std::error::Error as StdError;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ReferencingError, Retrieve, Uri, ValidationError};
use serde::Deserialize;
use serde_json::Value;

use crate::error::{SchemaError, SchemaErrorCode};
use crate::json::pointer;
use crate::json::tape::{Limits, Tape};
use crate::schema::dialect::Draft;
use crate::schema::options::{Formats, Options, Trust};
use crate::validate::Report;
use crate::validate::issue::{Issue, IssueKind, Types};

/// A schema compiled by the `jsonschema` crate.
#[derive(Debug)]
pub struct Validator(jsonschema::Validator);

impl Validator {
    /// Compiles a schema text.
    ///
    /// # Errors
    /// When the schema does not satisfy its metaschema, or a reference leads outside of `options.schemas`. A schema from a
    /// model is refused: the crate has no limits for it.
    pub fn compile(schema: &[u8], options: &Options) -> Result<Self, SchemaError> {
        if options.trust == Trust::Model {
            let message = "the reference engine takes no schema from a model";
            return Err(SchemaError::new(SchemaErrorCode::InvalidSchema, message));
        }
        let tape = Tape::parse(schema, Limits::default())
            .map_err(|error| SchemaError::new(SchemaErrorCode::InvalidJson, error.to_string()))?;
        let schema = value(&tape);
        known_dialect(&schema)?;
        let mut builder = jsonschema::options()
            .with_retriever(Given::read(&options.schemas)?)
            .should_validate_formats(options.formats == Formats::Assert);
        if schema.get("$schema").is_none() {
            builder = builder.with_draft(draft(options.dialect.unwrap_or(Draft::Draft202012)));
        }
        builder.build(&schema).map(Self).map_err(|error| schema_error(&error))
    }

    /// Whether the instance satisfies the schema.
    pub fn is_valid(&self, instance: &Tape) -> bool {
        self.0.is_valid(&value(instance))
    }

    /// The issues of an instance, up to `cap`, in the crate's order.
    pub fn issues(&self, instance: &Tape, cap: usize) -> Report {
        let instance = value(instance);
        let mut issues = Vec::new();
        for error in self.0.iter_errors(&instance) {
            report(&error, &mut issues);
        }
        let more = issues.len().saturating_sub(cap);
        issues.truncate(cap);
        Report { issues, more, incomplete: false }
    }
}

/// The crate's own value. The tape has bounded the depth; lone surrogates stand as U+FFFD.
fn value(tape: &Tape) -> Value {
    let text = tape.json_text(0);
    let mut reader = serde_json::Deserializer::from_str(&text);
    reader.disable_recursion_limit();
    Value::deserialize(&mut reader).unwrap_or_default()
}

/// The schemas that were given, as the only place references resolve from.
struct Given(BTreeMap<String, Value>);

impl Given {
    fn read(schemas: &[(String, String)]) -> Result<Self, SchemaError> {
        let mut read = BTreeMap::new();
        for (uri, text) in schemas {
            let tape = Tape::parse(text.as_bytes(), Limits::default()).map_err(|error| {
                SchemaError::new(SchemaErrorCode::InvalidJson, format!("schema {uri} is no JSON: {error}"))
            })?;
            read.insert(without_fragment(uri).to_owned(), value(&tape));
        }
        Ok(Self(read))
    }
}

impl Retrieve for Given {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn StdError + Send + Sync>> {
        let uri = without_fragment(uri.as_str());
        self.0.get(uri).cloned().ok_or_else(|| format!("{uri} is not among the given schemas").into())
    }
}

fn without_fragment(uri: &str) -> &str {
    uri.split_once('#').map_or(uri, |(before, _)| before)
}

fn draft(dialect: Draft) -> jsonschema::Draft {
    match dialect {
        Draft::Draft4 => jsonschema::Draft::Draft4,
        Draft::Draft6 => jsonschema::Draft::Draft6,
        Draft::Draft7 => jsonschema::Draft::Draft7,
        Draft::Draft201909 => jsonschema::Draft::Draft201909,
        Draft::Draft202012 => jsonschema::Draft::Draft202012,
    }
}

fn known_dialect(schema: &Value) -> Result<(), SchemaError> {
    match schema.get("$schema") {
        None | Some(Value::String(_)) => Ok(()),
        Some(_) => Err(SchemaError::new(SchemaErrorCode::UnknownDialect, "$schema must be a URI")),
    }
}

fn schema_error(error: &ValidationError<'_>) -> SchemaError {
    let code = match error.kind() {
        ValidationErrorKind::Referencing(ReferencingError::UnknownSpecification { .. }) => {
            SchemaErrorCode::UnknownDialect
        }
        ValidationErrorKind::Referencing(_) => SchemaErrorCode::UnresolvedRef,
        ValidationErrorKind::Format { format } if format == "regex" => SchemaErrorCode::UnsupportedPattern,
        _ => SchemaErrorCode::InvalidSchema,
    };
    let mut issues = Vec::new();
    report(error, &mut issues);
    let place = if error.instance_path().is_empty() { "the root" } else { error.instance_path().as_str() };
    SchemaError { code, message: format!("the schema is invalid at {place}: {}", error.masked()), issues }
}

/// Appends what one of the crate's errors says: one issue for each property it names.
fn report(error: &ValidationError<'_>, issues: &mut Vec<Issue>) {
    let at = error.instance_path().as_str();
    let schema_path = error.evaluation_path().as_str();
    let issue =
        |instance_path: String, kind: IssueKind| Issue { instance_path, schema_path: schema_path.to_owned(), kind };
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            for name in unexpected {
                issues.push(issue(property(at, name), IssueKind::AdditionalProperty { name: name.clone() }));
            }
        }
        ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            for name in unexpected {
                issues.push(issue(property(at, name), IssueKind::UnevaluatedProperty { name: name.clone() }));
            }
        }
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            let kind = match error.kind() {
                ValidationErrorKind::AnyOf { .. } => IssueKind::AnyOf,
                _ => IssueKind::OneOf { passing: Vec::new() },
            };
            issues.push(issue(at.to_owned(), kind));
            if let Some(branch) = context.iter().min_by_key(|errors| errors.len()) {
                branch.iter().for_each(|error| report(error, issues));
            }
        }
        ValidationErrorKind::PropertyNames { error: inner } => {
            let name = inner.instance().as_str().unwrap_or_default().to_owned();
            issues.push(issue(property(at, &name), IssueKind::PropertyNames { name, reason: None }));
            report(inner, issues);
        }
        _ => issues.push(issue(at.to_owned(), single(error))),
    }
}

fn property(object: &str, name: &str) -> String {
    let mut path = object.to_owned();
    pointer::push_name(&mut path, name);
    path
}

/// The kinds that are about one place.
fn single(error: &ValidationError<'_>) -> IssueKind {
    use ValidationErrorKind as Kind;
    let instance = error.instance().as_ref();
    let count = || match instance {
        Value::String(text) => text.chars().count() as u64,
        Value::Array(items) => items.len() as u64,
        Value::Object(members) => members.len() as u64,
        _ => 0,
    };
    let found = || short(instance);
    let bound = |keyword, comparison, limit: &Value| IssueKind::Bound {
        keyword,
        comparison,
        limit: limit.to_string(),
        found: found(),
    };
    let counted = |keyword, limit| IssueKind::Count { keyword, limit, found: count() };
    match error.kind() {
        Kind::Type { kind } => {
            let expected = expected_types(kind);
            let found = found_type(instance);
            let double_encoded = instance
                .as_str()
                .and_then(|text| serde_json::from_str::<Value>(text).ok())
                .is_some_and(|inner| inner.is_object() || inner.is_array())
                && (expected.meets(Types::OBJECT) || expected.meets(Types::ARRAY));
            IssueKind::Type { expected, found, double_encoded }
        }
        Kind::Required { property } => {
            IssueKind::Required { missing: property.as_str().unwrap_or_default().to_owned() }
        }
        Kind::Enum { options } => IssueKind::Enum {
            allowed: options.as_array().map(|all| all.iter().map(Value::to_string).collect()).unwrap_or_default(),
            found: found(),
        },
        Kind::Constant { expected_value } => IssueKind::Const { allowed: expected_value.to_string(), found: found() },
        Kind::Minimum { limit } => bound("minimum", ">=", limit),
        Kind::Maximum { limit } => bound("maximum", "<=", limit),
        Kind::ExclusiveMinimum { limit } => bound("exclusiveMinimum", ">", limit),
        Kind::ExclusiveMaximum { limit } => bound("exclusiveMaximum", "<", limit),
        Kind::MultipleOf { multiple_of } => {
            IssueKind::MultipleOf { multiple_of: multiple_of.to_string(), found: found() }
        }
        Kind::MinLength { limit } => counted("minLength", *limit),
        Kind::MaxLength { limit } => counted("maxLength", *limit),
        Kind::MinItems { limit } => counted("minItems", *limit),
        Kind::MaxItems { limit } => counted("maxItems", *limit),
        Kind::MinProperties { limit } => counted("minProperties", *limit),
        Kind::MaxProperties { limit } => counted("maxProperties", *limit),
        Kind::Pattern { pattern } => IssueKind::Pattern { pattern: pattern.clone() },
        Kind::Format { format } => IssueKind::Format { format: format.clone() },
        Kind::OneOfMultipleValid { context } => IssueKind::OneOf {
            passing: (0u64..).zip(context).filter(|(_, errors)| errors.is_empty()).map(|(index, _)| index).collect(),
        },
        Kind::Not { .. } => IssueKind::Not,
        Kind::FalseSchema => IssueKind::FalseSchema,
        other => IssueKind::Other { keyword: other.keyword().to_owned(), message: error.masked().to_string() },
    }
}

/// The value as JSON text, when it is short enough to be worth quoting.
fn short(value: &Value) -> Option<String> {
    const LIMIT: usize = 80;
    let text = value.to_string();
    (text.chars().count() <= LIMIT).then_some(text)
}

fn expected_types(kind: &TypeKind) -> Types {
    let of = |kind: JsonType| Types::from_name(kind.as_str()).unwrap_or_default();
    match kind {
        TypeKind::Single(one) => of(*one),
        TypeKind::Multiple(several) => several.iter().fold(Types::default(), |all, one| all.with(of(one))),
    }
}

fn found_type(value: &Value) -> Types {
    match value {
        Value::Null => Types::NULL,
        Value::Bool(_) => Types::BOOLEAN,
        Value::Number(_) => Types::NUMBER,
        Value::String(_) => Types::STRING,
        Value::Array(_) => Types::ARRAY,
        Value::Object(_) => Types::OBJECT,
    }
}
