//! JSON text: the one-pass parser and its tape, pointers, exact numbers and the canonical form.

pub mod canonical;
pub mod number;
pub mod parse;
pub mod pointer;
mod scan;
mod surrogate;
pub mod tape;
pub mod write;
