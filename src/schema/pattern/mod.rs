//! ECMA-262 regular expressions (flag `u`) matched in time linear in the text.

use core::fmt;

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

impl std::error::Error for PatternError {}

/// A compiled pattern. Immutable and cheap to clone; what matching learns goes into a [`Scratch`].
#[derive(Clone, Debug)]
pub struct Pattern;

/// What matching learns about one pattern, kept between calls so that later calls are fast.
///
/// Keep one `Scratch` *per pattern* (a `Vec<Scratch>` beside the plan's patterns). One used with another pattern stays correct but starts anew.
#[derive(Clone, Debug, Default)]
pub struct Scratch {}

impl Pattern {
    /// Compiles a pattern's source.
    ///
    /// # Errors
    ///
    /// [`PatternError::Syntax`] if it is no regular expression, [`PatternError::Unsupported`] if it needs the host's engine.
    pub fn compile(source: &str) -> Result<Self, PatternError> {
        let _ = source;
        todo!()
    }
    /// Whether the pattern matches anywhere in `text` (valid UTF-8).
    #[must_use]
    pub fn is_match(&self, text: &[u8], scratch: &mut Scratch) -> bool {
        let _ = (text, scratch);
        todo!()
    }
    /// The steps to charge for matching a text of this many bytes: linear in it, and the same whatever the scratch already knows.
    #[must_use]
    pub fn cost(&self, text_len: usize) -> u64 {
        let _ = text_len;
        todo!()
    }
}

/// Whether `source` is a regular expression under flag `u`, supported natively or not.
///
/// # Errors
///
/// Only [`PatternError::Syntax`].
pub fn check_syntax(source: &str) -> Result<(), PatternError> {
    let _ = source;
    todo!()
}

/// What [`lint`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lint {
    /// A backtracking engine may take time exponential in the text's length.
    Exponential,
}

/// Recognises a pattern on which a backtracking engine (the host's `RegExp`) takes exponential time.
#[must_use]
pub fn lint(source: &str) -> Option<Lint> {
    let _ = source;
    todo!()
}
