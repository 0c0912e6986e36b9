//! Typed contracts between a parent agent and its subagents.

pub mod json;
pub mod schema;
pub mod validate;
