//! The result envelope: what a parent gets back for one delegation, as JSON text.
//!
//! The host fills in [`EnvelopeParts`]; [`build`] refuses parts that contradict each other and writes the wire form, in
//! which the child's accepted text stands to the letter. The same parts give the same bytes.

mod contract;
mod parts;
mod read;
mod refusal;
mod shown;
mod summary;
mod wire;

pub use contract::{ContractRef, ContractSource};
pub use parts::{EnvelopeError, EnvelopeParts, MeasuredEffort, Status};
pub use read::parse;
pub use refusal::Refusal;
pub use shown::{for_event, for_model};
pub use summary::{SUMMARY_LIMIT, task_summary};
pub use wire::build;

/// The version this writer writes, and the newest that its reader knows.
pub const SCHEMA_VERSION: u32 = 1;
