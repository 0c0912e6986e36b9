//! ECMA-262 regular expressions (flag `u`) matched in time linear in the text.
//!
//! A pattern becomes a nondeterministic automaton over the few symbols that its classes tell apart; matching builds a
//! deterministic one from it, state by state as texts ask for them, in bounded memory. Captures, greed and laziness do not
//! change whether there is a match, so they cost nothing.
//!
//! Where V8 departs from ECMA-262 (it looks for `\B` inside surrogate pairs), this keeps to ECMA-262.
//!
//! Native: literals, escapes, classes, `.`, `^`, `$`, `\b`, `\B`, groups of all kinds, alternation, all quantifiers, and
//! `\p{...}` for the properties that JSON Schema's users need (`classes.rs`). Lookaround, back references, modifiers and the
//! other properties are well-formed but [`Unsupported`](PatternError::Unsupported), as is what exceeds a limit: 16 KiB of
//! source, 10,000 instructions with repetitions written out, nesting of 200, 1,024 symbols.

mod alphabet;
mod ast;
mod classes;
mod cursor;
mod escapes;
mod lint;
mod matcher;
mod names;
mod parse;
mod program;
mod tables;

use core::fmt;
use std::sync::Arc;

pub(in crate::schema) use classes::{UnicodeSet, is_in};
pub use lint::{Lint, lint};
pub use matcher::Scratch;
use program::Program;

/// Longer sources go to the host.
const SOURCE_LIMIT: usize = 16 * 1024;

/// Why a pattern cannot be matched natively.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// Well-formed ECMA-262, but outside the linear subset or its limits: the host's `RegExp` may run it.
    Unsupported(&'static str),
    /// No regular expression under flag `u`.
    Syntax {
        /// Byte offset in the pattern's source.
        offset: usize,
        /// What is wrong there.
        what: &'static str,
    },
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(what) | Self::Syntax { what, .. } => f.write_str(what),
        }
    }
}

impl core::error::Error for PatternError {}

/// A compiled pattern. Immutable and cheap to clone; what matching learns goes into a [`Scratch`].
#[derive(Clone, Debug)]
pub struct Pattern {
    program: Arc<Program>,
}

impl Pattern {
    /// Compiles a pattern's source.
    ///
    /// # Errors
    ///
    /// [`PatternError::Syntax`] if it is no regular expression, [`PatternError::Unsupported`] if it needs the host's engine.
    ///
    /// # Example: a search, not anchored
    ///
    /// ```
    /// use subcontract::schema::pattern::{Pattern, Scratch};
    ///
    /// let pattern = Pattern::compile("a+").unwrap();
    /// let mut scratch = Scratch::default();
    /// assert!(pattern.is_match(b"xxaayy", &mut scratch));
    /// assert!(!pattern.is_match(b"xxyy", &mut scratch));
    /// ```
    pub fn compile(source: &str) -> Result<Self, PatternError> {
        if source.len() > SOURCE_LIMIT {
            check_syntax(source)?;
            return Err(PatternError::Unsupported("longer than 16 KiB"));
        }
        let ast = parse::parse(source)?;
        match ast.unsupported {
            Some(what) => Err(PatternError::Unsupported(what)),
            None => Ok(Self { program: Arc::new(Program::compile(&ast)?) }),
        }
    }

    /// Whether the pattern matches anywhere in `text`, which is UTF-8.
    ///
    /// Other bytes give some answer, without a panic.
    #[must_use]
    pub fn is_match(&self, text: &[u8], scratch: &mut Scratch) -> bool {
        let mut steps = u64::MAX;
        matcher::is_match(&self.program, text, scratch, &mut steps).unwrap_or_default()
    }

    /// As [`is_match`](Self::is_match), within a budget of steps of a few nanoseconds each: what it takes goes off `steps`, and
    /// `None` says that they do not suffice.
    ///
    /// An everyday match takes 4 steps and one for each 4 bytes. Where the text keeps more than 16 places of the pattern in
    /// play, each character takes as many steps as there are. It depends on pattern and text alone, not on the scratch.
    #[must_use]
    pub fn is_match_within(&self, text: &[u8], scratch: &mut Scratch, steps: &mut u64) -> Option<bool> {
        matcher::is_match(&self.program, text, scratch, steps)
    }
}

/// Whether `source` is a regular expression under flag `u`, supported natively or not.
///
/// # Errors
///
/// Only [`PatternError::Syntax`].
pub fn check_syntax(source: &str) -> Result<(), PatternError> {
    parse::check(source)
}
