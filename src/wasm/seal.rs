//! Sealed resume state across the boundary: texts as strings, secrets and bodies as bytes.

use wasm_bindgen::prelude::*;

use super::Fault;
use crate::members::push_string;
use crate::seal::{self, Form, Key, Token};

/// Seals a body under a key.
///
/// # Errors
/// The refusal as JSON.
#[wasm_bindgen]
pub fn seal_body(encrypted: bool, body: &[u8], key_id: &str, secret: &[u8]) -> Result<String, String> {
    let form = if encrypted { Form::Encrypted } else { Form::Plain };
    seal::seal_body(form, body, Key { id: key_id, secret }).map_err(refusal)
}

pub(super) fn read_token(token: &str) -> Result<String, Fault> {
    let (form, key_id) = seal::head(token).map_err(fault)?;
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

fn fault(refusal: seal::Refusal) -> Fault {
    Fault::new(refusal.code(), refusal.message())
}

fn refusal(refusal: seal::Refusal) -> String {
    fault(refusal).into_json()
}
