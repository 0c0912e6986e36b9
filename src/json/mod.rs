//! JSON text: the one-pass parser and its tape, pointers, exact numbers and the canonical form.

pub mod canonical;
pub(crate) mod equal;
pub(crate) mod lexer;
pub(crate) mod locate;
pub mod number;
pub mod parse;
pub mod pointer;
mod scan;
pub(crate) use scan::{hash as hash_name, same};
pub(crate) mod sort;
mod surrogate;
pub mod tape;
pub mod write;
