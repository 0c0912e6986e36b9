//! Why a schema does not compile.

use std::fmt;

use crate::json::parse::{ParseError, ParseErrorCode};
use crate::validate::issue::Issue;

/// The kind of a [`SchemaError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaErrorCode {
    /// The text is no JSON, or has a duplicate member name.
    InvalidJson,
    /// The schema does not meet its metaschema.
    InvalidSchema,
    /// A reference leads nowhere, or to something that is no schema.
    UnresolvedRef,
    /// `$schema` names a dialect that is neither known nor among the schemas given.
    UnknownDialect,
    /// A pattern is no regular expression, or one that may not or cannot be run.
    UnsupportedPattern,
    /// A limit of size is exceeded.
    TooLarge,
    /// The text is nested too deep.
    TooDeep,
    /// There are too many references or subschemas.
    TooComplex,
    /// A keyword is unknown, in a schema where that is refused.
    UnknownKeyword,
}

impl SchemaErrorCode {
    /// The code as it is spelled outside.
    pub fn as_str(self) -> &'static str {
        match self {
            SchemaErrorCode::InvalidJson => "invalid_json",
            SchemaErrorCode::InvalidSchema => "invalid_schema",
            SchemaErrorCode::UnresolvedRef => "unresolved_ref",
            SchemaErrorCode::UnknownDialect => "unknown_dialect",
            SchemaErrorCode::UnsupportedPattern => "unsupported_pattern",
            SchemaErrorCode::TooLarge => "too_large",
            SchemaErrorCode::TooDeep => "too_deep",
            SchemaErrorCode::TooComplex => "too_complex",
            SchemaErrorCode::UnknownKeyword => "unknown_keyword",
        }
    }
}

/// A schema that does not compile. Each issue's `instance_path` is a pointer into the schema; in a schema other than the
/// one compiled, its URI and `#` stand before the pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaError {
    /// The kind of the first problem.
    pub code: SchemaErrorCode,
    /// What is wrong, and where.
    pub issues: Vec<Issue>,
}

impl SchemaError {
    pub(crate) fn new(code: SchemaErrorCode, path: String, keyword: &str, message: String) -> SchemaError {
        SchemaError { code, issues: vec![Issue::other(path, keyword, message)] }
    }

    pub(crate) fn from_parse(error: ParseError, document: &str) -> SchemaError {
        let code = match error.code {
            ParseErrorCode::InvalidJson | ParseErrorCode::Truncated => SchemaErrorCode::InvalidJson,
            ParseErrorCode::TooLarge => SchemaErrorCode::TooLarge,
            ParseErrorCode::TooDeep => SchemaErrorCode::TooDeep,
        };
        let mut message = error.message;
        for (before, number) in [(" at line ", error.line), (" column ", error.column)] {
            message.push_str(before);
            crate::json::write::integer(&mut message, number as u64);
        }
        SchemaError::new(code, located(document, &error.instance_path), error.code.as_str(), message)
    }
}

/// A pointer into a document; the one compiled has the name "".
pub(crate) fn located(document: &str, pointer: &str) -> String {
    let mut path = String::from(document);
    if !document.is_empty() {
        path.push('#');
    }
    path.push_str(pointer);
    path
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.code {
            SchemaErrorCode::InvalidJson => "schema is not valid JSON",
            SchemaErrorCode::InvalidSchema => "schema does not meet its metaschema",
            SchemaErrorCode::UnresolvedRef => "schema has a reference that leads to no schema",
            SchemaErrorCode::UnknownDialect => "schema is of an unknown dialect",
            SchemaErrorCode::UnsupportedPattern => "schema has a pattern that cannot be run",
            SchemaErrorCode::TooLarge => "schema is too large",
            SchemaErrorCode::TooDeep => "schema is nested too deep",
            SchemaErrorCode::TooComplex => "schema is too complex",
            SchemaErrorCode::UnknownKeyword => "schema has an unknown keyword",
        })?;
        if let Some(issue) = self.issues.first() {
            f.write_str(": ")?;
            issue.fmt(f)?;
        }
        if self.issues.len() > 1 {
            write!(f, " (and {} more)", self.issues.len() - 1)?;
        }
        Ok(())
    }
}

impl std::error::Error for SchemaError {}
