//! The keywords, one file for each group of the specification.

mod any_type;
mod arrays;
mod logic;
mod numbers;
mod objects;
mod references;
mod strings;
mod unevaluated;
