//! What a delegation asks of the core beside the gate: a return given up early, and the members of a model's tool call.

use wasm_bindgen::prelude::*;

use super::{ContractHandle, JudgeOptions, error_json, parse_options};
use crate::gate;
use crate::members::{Members, push_member, quote};
use crate::validate::issue::Issue;

#[wasm_bindgen]
impl ContractHandle {
    /// Refuses a call of the return tool that was given up while it streamed in; the decision as JSON.
    ///
    /// # Errors
    /// When the options are not of their shape.
    pub fn refuse_early(&self, code: &str, issues: &str, options: &str) -> Result<String, String> {
        let options: JudgeOptions = parse_options(options)?;
        let issues: Vec<Issue> = parse_options(issues)?;
        Ok(gate::refuse_early(&self.0, code, issues, options.attempt).to_json())
    }
}

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
