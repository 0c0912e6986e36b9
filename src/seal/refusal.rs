//! Why resume state is not sealed or not opened.

use std::fmt;

use crate::resume;

/// Why a token was not made or not opened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// A key is unusable; the sentence says how.
    Key(&'static str),
    /// The text is no token; the sentence says how.
    Unreadable(&'static str),
    /// The end of the token is missing.
    Truncated,
    /// A token of a version this reader does not know.
    UnknownVersion,
    /// Sealed under a key this host does not have.
    UnknownKey,
    /// The MAC does not fit: the token was changed, or never sealed here.
    Tampered,
    /// The body is encrypted, and has to be decrypted first.
    Encrypted,
    /// What was in the token was not taken up.
    State(resume::Refusal),
}

impl Refusal {
    /// The stable code of this refusal.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Key(_) => "seal_key",
            Self::Unreadable(_) => "resume_unreadable",
            Self::Truncated => "resume_truncated",
            Self::UnknownVersion => "resume_unknown_version",
            Self::UnknownKey => "resume_unknown_key",
            Self::Tampered => "resume_tampered",
            Self::Encrypted => "resume_encrypted",
            Self::State(refusal) => refusal.code(),
        }
    }

    /// One line: lower case, no final period.
    pub fn message(&self) -> String {
        let message = match self {
            Self::Key(why) | Self::Unreadable(why) => why,
            Self::Truncated => "the end of the resume token is missing",
            Self::UnknownVersion => "the resume token is of a version that this one does not read",
            Self::UnknownKey => "the resume token was sealed under a key that is not among the given ones",
            Self::Tampered => "the resume token was changed after it was sealed, or was never sealed here",
            Self::Encrypted => "the resume token is encrypted",
            Self::State(refusal) => return refusal.message(),
        };
        message.to_owned()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for Refusal {}

impl From<resume::Refusal> for Refusal {
    fn from(refusal: resume::Refusal) -> Self {
        Self::State(refusal)
    }
}

pub(super) const NOT_A_TOKEN: Refusal = Refusal::Unreadable("this is no resume token");
