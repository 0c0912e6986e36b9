//! JSON text: the one-pass parser and its tape, pointers, exact numbers and the canonical form.

pub mod parse;
pub mod pointer;
mod scan;
mod surrogate;
pub mod tape;
pub mod write;

/// What JavaScript would make of a number.
fn js_flags(_lexeme: &str) -> tape::Flags {
    tape::Flags::default()
}
