//! Limits and router picks over the boundary.

use wasm_bindgen::prelude::*;

use super::{error_json, parse_options};
use crate::contract::issues_json;
use crate::json::write::concat;
use crate::limits::pick::{self, Agent, Order, Refusal};
use crate::limits::{Asked, Limits, Used};
use crate::members::{Read, Unreadable, Value};
use crate::validate::issue::Issue;

/// What a tree of subagents answers to a child that asks: `{ limits, used, asked }` as JSON, the answer as JSON.
///
/// # Errors
/// When the question is not of its shape.
#[wasm_bindgen]
pub fn ask_limits(question: &str) -> Result<String, String> {
    let Question { limits, used, asked } = parse_options(question)?;
    Ok(limits.answer(&used, asked).to_json())
}

struct Question {
    limits: Limits,
    used: Used,
    asked: Asked,
}

impl Read for Question {
    fn read(value: Value<'_>) -> Result<Self, Unreadable> {
        Ok(Self { limits: value.need("limits")?, used: value.need("used")?, asked: value.need("asked")? })
    }
}

/// The steps of a router's pick: `{ pick, agents, order }` as JSON, the steps as JSON.
///
/// # Errors
/// The refusal as JSON, with one issue that points into the pick.
#[wasm_bindgen]
pub fn resolve_pick(question: &str) -> Result<String, String> {
    parse_options::<Picked>(question)?.0.map(|steps| pick::to_json(&steps)).map_err(|error| {
        let Refusal { code, pointer, message } = error;
        let place = if pointer.is_empty() { String::new() } else { concat(&[" at ", &pointer]) };
        let sentence = concat(&["the router's pick", &place, ": ", &message]);
        error_json(code, &sentence, &issues_json(&[Issue::other(pointer, code.to_owned(), message)]))
    })
}

struct Picked(Result<Vec<pick::Step>, Refusal>);

impl Read for Picked {
    fn read(value: Value<'_>) -> Result<Self, Unreadable> {
        let agents: Vec<Agent> = value.need("agents")?;
        let order: Order = value.need("order")?;
        let written = value.member("pick").ok_or_else(|| Unreadable("pick is missing".to_owned()))?;
        Ok(Self(pick::resolve(written, &agents, order)))
    }
}
