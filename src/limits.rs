//! Limits of a tree of subagents, and whom a router picks.
//!
//! A run that delegates is the root of a tree: its children may delegate too. One budget holds for the whole tree. What was
//! used of it comes in as numbers, because clocks and counters are the host's.

pub mod pick;

use crate::json::write::{concat, decimal};
use crate::members::push_string;

/// What a tree may use. What is absent is not limited.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    /// How deep the tree may grow: the root's children are 1 deep.
    pub max_depth: Option<u64>,
    /// How many children one parent may start.
    pub max_agents: Option<u64>,
    /// How many children may run at once.
    pub max_concurrent: Option<u64>,
    /// How many children may be started in all.
    pub max_calls: Option<u64>,
    /// Milliseconds for all children, from the first one's start on.
    pub timeout_ms: Option<u64>,
    /// Tokens that all children may use.
    pub max_tokens: Option<u64>,
}

/// What a tree has used, as one child sees it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Used {
    /// How deep this child is or would be.
    pub depth: u64,
    /// Children that its parent has started.
    pub agents: u64,
    /// Children that run now.
    pub running: u64,
    /// Children that were started in all.
    pub calls: u64,
    /// Milliseconds since the first one was started.
    pub elapsed_ms: u64,
    /// Tokens used by all.
    pub tokens: u64,
}

/// What a child asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// To be started.
    Start,
    /// To be started although others have been counted for it: it was suspended.
    Resume,
    /// To go on: another call of its model, or of a model's tool.
    GoOn,
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It may.
    Yes,
    /// It may once another child has ended.
    Wait,
    /// It may not.
    Refused {
        /// The stable code.
        code: &'static str,
        /// One sentence for the parent's model: lower case, no final period.
        message: String,
    },
}

impl Limits {
    /// Whether a child may do what it asks for.
    pub fn answer(&self, used: &Used, asked: Asked) -> Answer {
        let starts = asked == Asked::Start;
        let enters = asked != Asked::GoOn;
        let checks = [
            (enters, self.max_depth, used.depth.saturating_sub(1), DEPTH),
            (starts, self.max_agents, used.agents, AGENTS),
            (starts, self.max_calls, used.calls, CALLS),
            (true, self.timeout_ms, used.elapsed_ms, TIME),
            (true, self.max_tokens, used.tokens, TOKENS),
        ];
        for (applies, limit, used, Sentence { code, before, between, after }) in checks {
            let Some(limit) = limit.filter(|limit| applies && used >= *limit) else { continue };
            let what = if enters { "not started" } else { "stopped" };
            // The time that has passed says nothing beyond the limit.
            let count = if code == TIME.code { String::new() } else { decimal(used) };
            let message = ["the subagent was ", what, ": ", before, &count, between, &decimal(limit), after];
            return Answer::Refused { code, message: concat(&message) };
        }
        match self.max_concurrent {
            Some(limit) if enters && used.running >= limit => Answer::Wait,
            _ => Answer::Yes,
        }
    }
}

/// What a refusal says, around what was used and the limit.
struct Sentence {
    code: &'static str,
    before: &'static str,
    between: &'static str,
    after: &'static str,
}

const DEPTH: Sentence = Sentence {
    code: "max_depth_reached",
    before: "its parent is ",
    between: " deep, and nobody may be deeper than ",
    after: "; do its job yourself",
};
const AGENTS: Sentence = Sentence {
    code: "max_agents_reached",
    before: "its parent has started ",
    between: " and may start no more than ",
    after: "; go on with what you have",
};
const CALLS: Sentence = Sentence {
    code: "max_calls_reached",
    before: "",
    between: " were started in all, and no more than ",
    after: " may be; go on with what you have",
};
const TIME: Sentence = Sentence {
    code: "timeout_reached",
    before: "the time for all subagents, ",
    between: "",
    after: " ms, is over; go on with what you have",
};
const TOKENS: Sentence = Sentence {
    code: "max_tokens_reached",
    before: "",
    between: " tokens were used by all subagents, and no more than ",
    after: " may be; go on with what you have",
};

impl Answer {
    /// `{ action: 'yes' | 'wait' }` or `{ action: 'refused', code, message }`.
    pub fn to_json(&self) -> String {
        let mut out = String::from("{");
        let action = match self {
            Self::Yes => "yes",
            Self::Wait => "wait",
            Self::Refused { .. } => "refused",
        };
        push_string(&mut out, "action", Some(action));
        if let Self::Refused { code, message } = self {
            push_string(&mut out, "code", Some(code));
            push_string(&mut out, "message", Some(message));
        }
        out.push('}');
        out
    }
}
