//! Lints: what is valid in a schema and probably not meant.

/// The kind of a [`Lint`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LintCode {
    /// The keyword has no meaning in the schema's dialect.
    UnknownKeyword,
    /// The format is unknown: it asserts nothing.
    UnknownFormat,
    /// A backtracking engine can take exponential time for the pattern, and the host's `RegExp` runs it.
    CatastrophicPattern,
    /// The pattern is outside the linear subset: the host's `RegExp` runs it.
    HostPattern,
    /// The keyword stands beside a `$ref` that hides it, as drafts up to 7 have it.
    IgnoredSibling,
    /// The keyword does nothing without another that is missing.
    IgnoredKeyword,
    /// The whole schema accepts everything.
    AcceptsEverything,
}

impl LintCode {
    /// The code as it is spelled outside.
    pub fn as_str(self) -> &'static str {
        match self {
            LintCode::UnknownKeyword => "unknown_keyword",
            LintCode::UnknownFormat => "unknown_format",
            LintCode::CatastrophicPattern => "catastrophic_pattern",
            LintCode::HostPattern => "host_pattern",
            LintCode::IgnoredSibling => "ignored_sibling",
            LintCode::IgnoredKeyword => "ignored_keyword",
            LintCode::AcceptsEverything => "accepts_everything",
        }
    }

    /// What it means, lower case, without a final period.
    pub fn message(self) -> &'static str {
        match self {
            LintCode::UnknownKeyword => "this keyword is unknown in the schema's dialect and asserts nothing",
            LintCode::UnknownFormat => "this format is unknown and asserts nothing",
            LintCode::CatastrophicPattern => "this pattern can take exponential time on the host's regular expressions",
            LintCode::HostPattern => {
                "this pattern is outside the linear subset and runs on the host's regular expressions"
            }
            LintCode::IgnoredSibling => "this keyword is ignored because drafts up to 7 ignore what stands beside $ref",
            LintCode::IgnoredKeyword => "this keyword does nothing without the keyword it goes with",
            LintCode::AcceptsEverything => "this schema accepts every value",
        }
    }
}

/// Something in a schema that is valid and probably not meant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lint {
    /// A JSON Pointer into the schema, after its URI and `#` when it is not the schema compiled.
    pub path: String,
    /// The kind.
    pub code: LintCode,
}
