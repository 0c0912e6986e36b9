//! Sealed resume state: a token that a client can carry and cannot change.
//!
//! `sr1.<form>.<key id>.<body>.<mac>`, every part but the first base64url without padding. The MAC is HMAC-SHA-256 under
//! the host's secret over a domain label and all the other parts, each with its length in front, so that no part can pass
//! for another. Sealing is not secrecy: a plain body is readable by whoever holds the token.

mod base64url;
mod refusal;
mod token;

use crate::resume::{self, Expected, ResumeState, Terms};
use refusal::NOT_A_TOKEN;
pub use refusal::Refusal;
pub use token::{Form, Token, head, seal_body};

/// The shortest secret that is taken, in bytes: as long as the MAC itself.
pub const SHORTEST_SECRET: usize = 32;

/// The longest key id, in bytes.
pub const LONGEST_KEY_ID: usize = 64;

/// A secret and the name by which tokens refer to it. It has no `Debug`, so that no log shows it.
#[derive(Clone, Copy)]
pub struct Key<'a> {
    /// At most [`LONGEST_KEY_ID`] bytes. Tokens show it.
    pub id: &'a str,
    /// At least [`SHORTEST_SECRET`] random bytes.
    pub secret: &'a [u8],
}

/// Seals resume state under `key`, for at most `terms.ttl` milliseconds.
///
/// # Errors
/// As [`seal_body`] and [`resume::write_under`].
pub fn seal(state: ResumeState, terms: &Terms, key: Key<'_>) -> Result<String, Refusal> {
    let text = resume::write_under(state, terms)?;
    seal_body(Form::Plain, text.as_bytes(), key)
}

/// Opens sealed resume state with whichever of `keys` it was sealed under, and compares it with what the host expects.
///
/// # Errors
/// The first reason not to resume.
pub fn open(token: &str, keys: &[Key<'_>], expected: &Expected) -> Result<ResumeState, Refusal> {
    let token = Token::parse(token)?;
    let key = keys.iter().find(|key| key.id == token.key_id()).ok_or(Refusal::UnknownKey)?;
    let form = token.form();
    let body = token.open(key.secret)?;
    if form == Form::Encrypted {
        return Err(Refusal::Encrypted);
    }
    let text = String::from_utf8(body).map_err(|_| NOT_A_TOKEN)?;
    Ok(resume::open(&text, expected)?)
}
