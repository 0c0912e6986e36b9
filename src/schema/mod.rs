//! What a schema's text means: patterns and formats.

pub mod format;
pub mod pattern;
