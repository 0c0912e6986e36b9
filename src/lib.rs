//! Typed contracts between a parent agent and its subagents.
//!
//! A [`Contract`] judges JSON text, whole or while it [streams](stream) in. Around it stand the rules of delegation, as pure
//! functions: the [`gate`] decides what happens after each attempt of a child, [`repair`] writes the feedback, [`envelope`] what
//! the parent gets, [`resume`] what a suspended child needs to go on, and
//! [`seal`] keeps a client from changing that. Nothing here reads a clock, a random source or the
//! network.

// The core is compiled for size. Where that is done by a compiler that can make exceptions (scripts/setup/standard-library.mjs sets
// `fast`), the functions through which every byte or node goes are compiled for speed.
#![cfg_attr(fast, feature(optimize_attribute))]

pub mod amend;
pub mod attempt;
pub mod contract;
#[cfg(all(target_arch = "wasm32", feature = "wasm", feature = "reference"))]
mod entropy;
pub mod envelope;
pub mod error;
pub mod follow_ups;
pub mod gate;
pub mod guards;
pub mod intake;
pub mod json;
pub mod limits;
pub mod members;
pub mod merge;
#[cfg(feature = "reference")]
pub mod reference;
pub mod render;
pub mod repair;
pub mod resume;
pub mod return_tool;
pub mod salvage;
pub mod schema;
pub mod seal;
pub mod stream;
pub mod tokens;
pub mod validate;
#[cfg(feature = "wasm")]
mod wasm;

pub use contract::{Contract, Verdict};
pub use error::{SchemaError, SchemaErrorCode};
pub use schema::options::Options;
