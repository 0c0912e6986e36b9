//! Validation: a compiled schema and a tape give a verdict and issues.

pub mod issue;
