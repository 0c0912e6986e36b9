//! The gate over the boundary: decisions about returns, and changes of accepted ones.

use wasm_bindgen::prelude::*;

use super::{ContractHandle, error_json, parse_options, with_input, with_parsed_input};
use crate::amend;
use crate::attempt::Via;
use crate::contract::{Accepted, Verdict};
use crate::gate::{self, Attempt, Refusal};
use crate::guards::{self, Evidence};
use crate::json::tape::{Limits, ParseError, Tape};
use crate::members::{Read, Reader, Unreadable};
use crate::salvage;
use crate::validate::issue::Issue;

#[wasm_bindgen]
impl ContractHandle {
    /// Judges the return in the input buffer; the decision as JSON.
    ///
    /// # Errors
    /// When the options are not of their shape.
    pub fn judge(&self, length: usize, options: &str) -> Result<String, String> {
        let options: JudgeOptions = parse_options(options)?;
        let finish = options.finish_reason.as_deref();
        let decision = with_input(length, |raw| gate::judge(&self.0, raw, options.via, finish, options.attempt));
        Ok(decision.to_json())
    }

    /// Judges the end of a child without a return; the decision as JSON.
    ///
    /// # Errors
    /// When the options are not of their shape.
    pub fn judge_no_return(&self, options: &str) -> Result<String, String> {
        let options: NoReturnOptions = parse_options(options)?;
        let finish = options.finish_reason.as_deref();
        Ok(gate::judge_no_return(&self.0, options.return_tool, finish, options.attempt).to_json())
    }

    /// Decides about a return that its stream, a refinement or a guard refused; the decision as JSON.
    ///
    /// # Errors
    /// When the refusal or the options are not of their shape.
    pub fn refuse(&self, refusal: &str, options: &str) -> Result<String, String> {
        let options: JudgeOptions = parse_options(options)?;
        let refusal: Refusal = parse_options(refusal)?;
        Ok(gate::refuse(&self.0, refusal, options.via, options.attempt).to_json())
    }

    /// What a guard says of the accepted text in the input buffer; its findings as JSON.
    ///
    /// # Errors
    /// When the text or the evidence are not of their shape.
    pub fn guard(&self, name: &str, length: usize, evidence: &str) -> Result<String, String> {
        let evidence: Evidence = parse_options(evidence)?;
        with_parsed_input(length, |parsed| {
            let findings = guards::find(name, &self.0, parsed.map_err(no_json)?, &evidence);
            Ok(guards::to_json(&findings.unwrap_or_default()))
        })
    }

    /// The closed and valid parts of the return in the input buffer. `by_tool`: it was the argument text of the return tool.
    pub fn salvage(&self, length: usize, by_tool: bool) -> Option<String> {
        let via = if by_tool { Via::ReturnTool } else { Via::Text };
        with_input(length, |raw| salvage::salvage(&self.0, raw, via))
    }
}

/// The text in the input buffer with a value at a pointer.
///
/// # Errors
/// When the pointer leads nowhere.
#[wasm_bindgen]
pub fn amend(length: usize, pointer: &str, value: &str) -> Result<String, String> {
    with_parsed_input(length, |parsed| amend::set(parsed.map_err(no_json)?, pointer, value).map_err(cannot_amend))
}

/// What a recipe makes of the text in the input buffer, as a verdict: `{ ok, text, flags }`.
///
/// # Errors
/// When the recipe asks for what is not there.
#[wasm_bindgen]
pub fn rebuild(length: usize, recipe: &str) -> Result<String, String> {
    let recipe = Tape::parse(recipe.as_bytes(), Limits { bytes: u32::MAX as usize / 4, ..Limits::default() });
    let recipe = recipe.map_err(no_json)?;
    let made =
        with_parsed_input(length, |parsed| amend::rebuild(parsed.map_err(no_json)?, &recipe).map_err(cannot_amend))?;
    let tape = Tape::parse(made.as_bytes(), Limits::default()).map_err(no_json)?;
    Ok(Verdict::Accepted(Accepted::of(&tape)).to_json())
}

/// About how many tokens a text is.
#[wasm_bindgen]
pub fn estimate_tokens(text: &str) -> usize {
    crate::tokens::estimate(text)
}

fn no_json(error: ParseError) -> String {
    error_json(error.code.as_str(), &error.to_string(), "[]")
}

fn cannot_amend(why: Unreadable) -> String {
    error_json("cannot_amend", &why.0, "[]")
}

impl Read for Attempt {
    fn read(from: &mut Reader<'_>) -> Self {
        Self { attempt: from.need("attempt"), max_retries: from.need("maxRetries") }
    }
}

struct JudgeOptions {
    attempt: Attempt,
    via: Via,
    finish_reason: Option<String>,
}

impl Read for JudgeOptions {
    fn read(from: &mut Reader<'_>) -> Self {
        Self { attempt: Attempt::read(from), via: from.need("via"), finish_reason: from.may("finishReason") }
    }
}

struct NoReturnOptions {
    attempt: Attempt,
    return_tool: bool,
    finish_reason: Option<String>,
}

impl Read for NoReturnOptions {
    fn read(from: &mut Reader<'_>) -> Self {
        Self {
            attempt: Attempt::read(from),
            return_tool: from.need("returnTool"),
            finish_reason: from.may("finishReason"),
        }
    }
}

impl Read for Refusal {
    fn read(from: &mut Reader<'_>) -> Self {
        Self {
            code: from.need("code"),
            issues: from.need::<Vec<Issue>>("issues"),
            omitted: from.may::<u32>("omitted").unwrap_or_default() as usize,
            early: from.or_default("early"),
        }
    }
}
