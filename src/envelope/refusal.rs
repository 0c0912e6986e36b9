//! Why an envelope is not built or not read.

use std::fmt;

use super::SCHEMA_VERSION;
use crate::json::write::{concat, decimal};

/// Why an envelope was not built or not read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The parts contradict each other; the sentence says how.
    Inconsistent(&'static str),
    /// A part that should be JSON text is not.
    NotJson {
        /// The part's name.
        part: &'static str,
        /// The parser's sentence.
        message: String,
    },
    /// The text is no envelope.
    Unreadable(String),
    /// The envelope was written by a version this reader does not know.
    UnknownVersion(String),
}

impl Refusal {
    /// The stable code of this refusal.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Inconsistent(_) => "envelope_inconsistent",
            Self::NotJson { .. } => "envelope_not_json",
            Self::Unreadable(_) => "envelope_unreadable",
            Self::UnknownVersion(_) => "envelope_unknown_version",
        }
    }

    /// One line: lower case, no final period.
    pub fn message(&self) -> String {
        match self {
            Self::Inconsistent(why) => concat(&["the envelope's parts contradict each other: ", why]),
            Self::NotJson { part, message } => concat(&[part, " is no JSON text: ", message]),
            Self::Unreadable(why) => concat(&["this is no envelope: ", why]),
            Self::UnknownVersion(version) => {
                let own = decimal(SCHEMA_VERSION.into());
                concat(&["schema_version ", version, " is unknown; this version reads ", &own])
            }
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for Refusal {}
