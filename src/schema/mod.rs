//! Schemas: dialects, references, and the plan that a schema text compiles to.

mod compile;
pub mod dialect;
mod error;
pub mod format;
pub(crate) mod keyword;
pub mod lint;
mod metaschema;
pub mod options;
pub mod pattern;
pub(crate) mod plan;
mod resolve;
mod uri;

pub(crate) use compile::{Check, compile};
