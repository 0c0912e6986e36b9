//! Limits and router picks over the boundary.

use super::Fault;
use crate::limits::pick::{self, Order, Refusal};
use crate::limits::{Asked, Limits, Used};
use crate::members::{Members, Unreadable, push_member, push_string};

/// What a tree of subagents answers to a child that asks, as JSON. `numbers` are whole ones with a comma between them:
/// `depth`, `agents`, `running`, `calls`, `elapsedMs` and `tokens` of what was used, then the limits `maxDepth`, `maxAgents`,
/// `maxConcurrent`, `maxCalls`, `timeoutMs` and `maxTokens`, each 0 for none. `asked` is 0 to start, 1 to be resumed, 2 to go on.
pub(super) fn ask_limits(numbers: &str, asked: usize) -> String {
    let mut numbers = numbers.split(',');
    let mut used = || numbers.next().and_then(|number| number.parse().ok()).unwrap_or(0);
    let (depth, agents, running, calls, elapsed_ms, tokens) = (used(), used(), used(), used(), used(), used());
    let mut limit = || Some(used()).filter(|limit| *limit > 0);
    let limits = Limits {
        max_depth: limit(),
        max_agents: limit(),
        max_concurrent: limit(),
        max_calls: limit(),
        timeout_ms: limit(),
        max_tokens: limit(),
    };
    let asked = match asked {
        0 => Asked::Start,
        1 => Asked::Resume,
        _ => Asked::GoOn,
    };
    limits.answer(&Used { depth, agents, running, calls, elapsed_ms, tokens }, asked).to_json()
}

/// The steps of a router's pick, as JSON: of `{ pick, agents }`, in which `agents` says of each by its name whether it takes an
/// input. What is wrong with the pick is an answer too: `{ code, pointer, message }`.
pub(super) fn resolve_pick(question: &str, sequence: bool) -> Result<String, Fault> {
    let unreadable = |error: Unreadable| Fault::new("invalid_json", error.0);
    let question = Members::parse(question).map_err(unreadable)?;
    let pick = question.value().field("pick").map_err(unreadable)?;
    let agents = question.value().field("agents").map_err(unreadable)?;
    let order = if sequence { Order::Sequence } else { Order::Parallel };
    let mut out = String::from("{");
    match pick::resolve(pick, agents, order) {
        Ok(steps) => push_member(&mut out, "steps", &pick::to_json(&steps)),
        Err(Refusal { code, pointer, message }) => {
            push_string(&mut out, "code", Some(code));
            push_string(&mut out, "pointer", Some(&pointer));
            push_string(&mut out, "message", Some(&message));
        }
    }
    out.push('}');
    Ok(out)
}
