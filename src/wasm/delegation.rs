//! What a delegation asks of the core beside the gate: the members of a model's tool call.

use wasm_bindgen::prelude::*;

use super::error_json;
use crate::members::{Members, push_member, quote};

/// The members of a JSON object as an object of their exact texts.
///
/// # Errors
/// When the text is no JSON object or names a member twice.
#[wasm_bindgen]
pub fn members_of(text: &str) -> Result<String, String> {
    let members = Members::parse(text).map_err(|error| error_json("invalid_json", &error.0, "[]"))?;
    let mut out = String::from("{");
    for (name, value) in members.value().members() {
        push_member(&mut out, name, &quote(value.text()));
    }
    out.push('}');
    Ok(out)
}
