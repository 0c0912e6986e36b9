//! The gate over the boundary: decisions about returns, and changes of accepted ones.

use wasm_bindgen::prelude::*;

use super::{Fault, parse_options, with_input, with_parsed_input};
use crate::amend;
use crate::attempt::Via;
use crate::contract::{Accepted, Contract, Verdict};
use crate::gate::{self, Attempt, Refusal};
use crate::guards::{self, Evidence};
use crate::json::tape::{Limits, Tape};
use crate::members::{Read, Reader, Unreadable};
use crate::salvage;
use crate::validate::issue::Issue;

pub(super) fn judge(contract: &Contract, length: usize, options: &str) -> Result<String, Fault> {
    let options: JudgeOptions = parse_options(options)?;
    let finish = options.finish_reason.as_deref();
    let decision = with_input(length, |raw| gate::judge(contract, raw, options.via, finish, options.attempt));
    Ok(decision.to_json())
}

pub(super) fn judge_no_return(contract: &Contract, options: &str) -> Result<String, Fault> {
    let options: NoReturnOptions = parse_options(options)?;
    let finish = options.finish_reason.as_deref();
    Ok(gate::judge_no_return(contract, options.return_tool, finish, options.attempt).to_json())
}

pub(super) fn refuse(contract: &Contract, refusal: &str, options: &str) -> Result<String, Fault> {
    let options: JudgeOptions = parse_options(options)?;
    let refusal: Refusal = parse_options(refusal)?;
    Ok(gate::refuse(contract, refusal, options.via, options.attempt).to_json())
}

pub(super) fn guard(contract: &Contract, length: usize, name: &str, evidence: &str) -> Result<String, Fault> {
    let evidence: Evidence = parse_options(evidence)?;
    with_parsed_input(length, |parsed| {
        let findings = guards::find(name, contract, parsed?, &evidence);
        Ok(guards::to_json(&findings.unwrap_or_default()))
    })
}

pub(super) fn salvage(contract: &Contract, length: usize, via: &str) -> Option<String> {
    let via = if via == Via::ReturnTool.as_str() { Via::ReturnTool } else { Via::Text };
    with_input(length, |raw| salvage::salvage(contract, raw, via))
}

pub(super) fn amend(length: usize, pointer: &str, value: &str) -> Result<String, Fault> {
    with_parsed_input(length, |parsed| amend::set(parsed?, pointer, value).map_err(cannot_amend))
}

pub(super) fn rebuild(length: usize, recipe: &str) -> Result<String, Fault> {
    let recipe = Tape::parse(recipe.as_bytes(), Limits { bytes: u32::MAX as usize / 4, ..Limits::default() });
    let recipe = recipe?;
    let made = with_parsed_input(length, |parsed| amend::rebuild(parsed?, &recipe).map_err(cannot_amend))?;
    let tape = Tape::parse(made.as_bytes(), Limits::default())?;
    Ok(Verdict::Accepted(Accepted::of(&tape)).to_json())
}

/// About how many tokens a text is.
#[wasm_bindgen]
pub fn estimate_tokens(text: &str) -> usize {
    crate::tokens::estimate(text)
}

fn cannot_amend(why: Unreadable) -> Fault {
    Fault::new("cannot_amend", why.0)
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
