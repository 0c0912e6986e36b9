//! Limits and router picks over the boundary.

use wasm_bindgen::prelude::*;

use super::error_json;
use crate::contract::issues_json;
use crate::json::write::concat;
use crate::limits::pick::{self, Order, Refusal};
use crate::limits::{Asked, Limits, Used};
use crate::members::{Members, Unreadable};
use crate::validate::issue::Issue;

/// What a tree of subagents answers to a child that asks, as JSON. All are whole numbers: `limits` are `maxDepth`, `maxAgents`,
/// `maxConcurrent`, `maxCalls`, `timeoutMs`, `maxTokens`, each 0 for none; `used` are `depth`, `agents`, `running`, `calls`,
/// `elapsedMs`, `tokens`; `asked` is 0 to start, 1 to be resumed, 2 to go on.
#[wasm_bindgen]
pub fn ask_limits(limits: &[f64], used: &[f64], asked: u8) -> String {
    let number = |list: &[f64], at: usize| list.get(at).map_or(0, |number| *number as u64);
    let limit = |at| Some(number(limits, at)).filter(|limit| *limit > 0);
    let used = |at| number(used, at);
    let limits = Limits {
        max_depth: limit(0),
        max_agents: limit(1),
        max_concurrent: limit(2),
        max_calls: limit(3),
        timeout_ms: limit(4),
        max_tokens: limit(5),
    };
    let used = Used {
        depth: used(0),
        agents: used(1),
        running: used(2),
        calls: used(3),
        elapsed_ms: used(4),
        tokens: used(5),
    };
    let asked = match asked {
        0 => Asked::Start,
        1 => Asked::Resume,
        _ => Asked::GoOn,
    };
    limits.answer(&used, asked).to_json()
}

/// The steps of a router's pick, as JSON: `{ pick }` and an object that says of each agent by its name whether it takes an input.
///
/// # Errors
/// The refusal as JSON, with one issue that points into the pick.
#[wasm_bindgen]
pub fn resolve_pick(question: &str, agents: &str, sequence: bool) -> Result<String, String> {
    let unreadable = |error: Unreadable| error_json("pick_invalid", &error.0, "[]");
    let question = Members::parse(question).map_err(unreadable)?;
    let agents = Members::parse(agents).map_err(unreadable)?;
    let order = if sequence { Order::Sequence } else { Order::Parallel };
    let picked = question.value().field("pick").map_err(unreadable)?;
    pick::resolve(picked, agents.value(), order).map(|steps| pick::to_json(&steps)).map_err(|error| {
        let Refusal { code, pointer, message } = error;
        let place = if pointer.is_empty() { "" } else { " at " };
        let sentence = concat(&["the router's pick", place, &pointer, ": ", &message]);
        error_json(code, &sentence, &issues_json(&[Issue::other(pointer, code.to_owned(), message)]))
    })
}
