//! Sealed resume state across the boundary: texts as strings, secrets and bodies as bytes.

use wasm_bindgen::prelude::*;

use super::{error_json, parse_options, resume_refusal};
use crate::members::push_string;
use crate::resume::{self, ResumeState, Terms};
use crate::seal::{self, Form, Key, Token};

/// Writes resume state for a time and for somebody: the body to seal.
///
/// # Errors
/// The refusal as JSON.
#[wasm_bindgen]
pub fn write_resume_state_under(state: &str, terms: &str) -> Result<String, String> {
    let state: ResumeState = parse_options(state)?;
    let terms: Terms = parse_options(terms)?;
    resume::write_under(state, &terms).map_err(resume_refusal)
}

/// Seals a body under a key.
///
/// # Errors
/// The refusal as JSON.
#[wasm_bindgen]
pub fn seal_body(encrypted: bool, body: &[u8], key_id: &str, secret: &[u8]) -> Result<String, String> {
    let form = if encrypted { Form::Encrypted } else { Form::Plain };
    seal::seal_body(form, body, Key { id: key_id, secret }).map_err(refusal)
}

/// `{ form, keyId }` of a token, which nobody has to believe yet.
///
/// # Errors
/// The refusal as JSON.
#[wasm_bindgen]
pub fn read_token(token: &str) -> Result<String, String> {
    let (form, key_id) = seal::head(token).map_err(refusal)?;
    let mut out = String::from("{");
    push_string(&mut out, "form", Some(form.as_str()));
    push_string(&mut out, "keyId", Some(&key_id));
    out.push('}');
    Ok(out)
}

/// The body of a token that was sealed under `secret`.
///
/// # Errors
/// The refusal as JSON.
#[wasm_bindgen]
pub fn open_token(token: &str, secret: &[u8]) -> Result<Vec<u8>, String> {
    Token::parse(token).and_then(|token| token.open(secret)).map_err(refusal)
}

fn refusal(refusal: seal::Refusal) -> String {
    error_json(refusal.code(), &refusal.to_string(), "[]")
}
