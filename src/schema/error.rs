//! How the compiler makes the errors it reports.

use crate::error::{SchemaError, SchemaErrorCode};
use crate::json::parse::{ParseError, ParseErrorCode};
use crate::validate::issue::{Issue, IssueKind};

// Errors are boxed while they go up: what may fail then gives back no more than what may not.

/// An error of one problem, at a path that [`located`] gives.
pub(crate) fn problem(code: SchemaErrorCode, path: String, keyword: &str, message: &str) -> Box<SchemaError> {
    of_issues(code, vec![Issue::other(path, keyword, message)])
}

/// An error whose message is about the first of its issues that says what is wanted: after `anyOf` stand those of its best branch.
pub(crate) fn of_issues(code: SchemaErrorCode, issues: Vec<Issue>) -> Box<SchemaError> {
    let mut message = String::from(match code {
        SchemaErrorCode::InvalidJson => "the schema is no JSON",
        SchemaErrorCode::InvalidSchema => "the schema does not satisfy its metaschema",
        SchemaErrorCode::UnresolvedRef => "the schema has a reference that leads to no schema",
        SchemaErrorCode::UnknownDialect => "the schema is of an unknown dialect",
        SchemaErrorCode::UnsupportedPattern => "the schema has a pattern that cannot run here",
        SchemaErrorCode::TooLarge => "the schema is too large",
        SchemaErrorCode::TooDeep => "the schema is nested too deep",
        SchemaErrorCode::TooComplex => "the schema is too complex",
        SchemaErrorCode::UnknownKeyword => "the schema has an unknown keyword",
    });
    let tells = |issue: &&Issue| match &issue.kind {
        IssueKind::AnyOf => false,
        IssueKind::OneOf { passing } => !passing.is_empty(),
        _ => true,
    };
    if let Some(issue) = issues.iter().find(tells).or(issues.first()) {
        message.push_str(": ");
        if !issue.instance_path.is_empty() {
            message.push_str(&issue.instance_path);
            message.push_str(": ");
        }
        message.push_str(&issue.message());
    }
    Box::new(SchemaError { code, message, issues })
}

/// The error for a schema text that does not parse.
pub(crate) fn from_parse(error: ParseError, document: &str) -> Box<SchemaError> {
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
    problem(code, located(document, &error.instance_path), error.code.as_str(), &message)
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
