//! Issues: what is wrong with an instance, as data, and how they read to a model and in JSON.

mod json;
mod kind;
mod message;
mod types;

use std::fmt;

use crate::json::write;
pub use kind::IssueKind;
pub use types::Types;

/// One violation of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Issue {
    /// JSON Pointer to the value at fault. A missing property is reported at the object that lacks it, an extra one at the property.
    pub instance_path: String,
    /// JSON Pointer through the schema, `$ref`s included, to the keyword that failed.
    pub schema_path: String,
    /// The violation with its data.
    pub kind: IssueKind,
}

impl Issue {
    /// An issue at a place of the instance, for a check that is not a keyword of JSON Schema.
    pub fn other(instance_path: impl Into<String>, keyword: impl Into<String>, message: impl Into<String>) -> Issue {
        let kind = IssueKind::Other { keyword: keyword.into(), message: message.into() };
        Issue { instance_path: instance_path.into(), schema_path: String::new(), kind }
    }

    /// The keyword that failed.
    pub fn keyword(&self) -> &str {
        self.kind.keyword()
    }

    /// What is wrong and what is wanted.
    pub fn message(&self) -> String {
        self.kind.message()
    }

    /// The same issue without values of the instance.
    #[must_use]
    pub fn masked(self) -> Issue {
        Issue { kind: self.kind.masked(), ..self }
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.instance_path.is_empty() {
            f.write_str(&self.kind.message())
        } else {
            f.write_str(&write::concat(&[&self.instance_path, ": ", &self.kind.message()]))
        }
    }
}
