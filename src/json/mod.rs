//! JSON text: numbers by value.

pub mod number;
