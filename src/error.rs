//! What a contract that does not compile reports.

use std::fmt;

use crate::validate::issue::Issue;

/// Why a schema did not compile.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaError {
    /// What kind of fault it is.
    pub code: SchemaErrorCode,
    /// One sentence: lower case, no final period.
    pub message: String,
    /// Where the schema is wrong. `instance_path` points into the schema's own text.
    pub issues: Vec<Issue>,
}

/// The kinds of fault a schema can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaErrorCode {
    /// The text is no JSON, or names a member twice.
    InvalidJson,
    /// The schema does not satisfy its metaschema.
    InvalidSchema,
    /// A `$ref` leads nowhere; nothing is ever fetched.
    UnresolvedRef,
    /// `$schema` names a dialect that is not one of the five.
    UnknownDialect,
    /// A pattern is no ECMA-262 regular expression, or one that cannot run here.
    UnsupportedPattern,
    /// The schema is larger than its limit.
    TooLarge,
    /// The schema is deeper than its limit.
    TooDeep,
    /// The schema has more references or subschemas than its limit.
    TooComplex,
    /// A keyword is unknown and the schema came from a model.
    UnknownKeyword,
}

impl SchemaErrorCode {
    /// The stable code as it goes over the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidJson => "invalid_json",
            Self::InvalidSchema => "invalid_schema",
            Self::UnresolvedRef => "unresolved_ref",
            Self::UnknownDialect => "unknown_dialect",
            Self::UnsupportedPattern => "unsupported_pattern",
            Self::TooLarge => "too_large",
            Self::TooDeep => "too_deep",
            Self::TooComplex => "too_complex",
            Self::UnknownKeyword => "unknown_keyword",
        }
    }
}

impl SchemaError {
    /// A fault without a list of issues.
    pub fn new(code: SchemaErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), issues: Vec::new() }
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SchemaError {}
