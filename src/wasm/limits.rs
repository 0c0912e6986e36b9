//! Limits and router picks over the boundary.

use super::{Fault, parse_options};
use crate::contract::issues_json;
use crate::json::write::concat;
use crate::limits::pick::{self, Order, Refusal};
use crate::limits::{Asked, Limits, Used};
use crate::members::{Members, Read, Reader, Unreadable};
use crate::validate::issue::Issue;

pub(super) fn answer(limits: &str, used: &str, asked: usize) -> Result<String, Fault> {
    let limits: Limits = parse_options(limits)?;
    let used: Used = parse_options(used)?;
    let asked = match asked {
        0 => Asked::Start,
        1 => Asked::Resume,
        _ => Asked::GoOn,
    };
    Ok(limits.answer(&used, asked).to_json())
}

impl Read for Limits {
    fn read(from: &mut Reader<'_>) -> Self {
        let mut limit = |name| from.may(name).filter(|limit| *limit > 0);
        Self {
            max_depth: limit("maxDepth"),
            max_agents: limit("maxAgents"),
            max_concurrent: limit("maxConcurrent"),
            max_calls: limit("maxCalls"),
            timeout_ms: limit("timeoutMs"),
            max_tokens: limit("maxTokens"),
        }
    }
}

impl Read for Used {
    fn read(from: &mut Reader<'_>) -> Self {
        Self {
            depth: from.need("depth"),
            agents: from.need("agents"),
            running: from.need("running"),
            calls: from.need("calls"),
            elapsed_ms: from.need("elapsedMs"),
            tokens: from.need("tokens"),
        }
    }
}

pub(super) fn resolve_pick(question: &str, agents: &str, sequence: bool) -> Result<String, Fault> {
    let unreadable = |error: Unreadable| Fault::new("pick_invalid", error.0);
    let question = Members::parse(question).map_err(unreadable)?;
    let agents = Members::parse(agents).map_err(unreadable)?;
    let order = if sequence { Order::Sequence } else { Order::Parallel };
    let picked = question.value().field("pick").map_err(unreadable)?;
    pick::resolve(picked, agents.value(), order).map(|steps| pick::to_json(&steps)).map_err(|error| {
        let Refusal { code, pointer, message } = error;
        let place = if pointer.is_empty() { "" } else { " at " };
        let sentence = concat(&["the router's pick", place, &pointer, ": ", &message]);
        let issues = issues_json(&[Issue::other(pointer, code.to_owned(), message)]);
        Fault { issues, ..Fault::new(code, sentence) }
    })
}
