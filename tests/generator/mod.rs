//! Random schemas and instances for the differential and the fuzz tests, made from bytes.

pub mod choices;
pub mod instance;
pub mod json;
pub mod minimise;
pub mod schema;
mod values;
