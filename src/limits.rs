//! Limits of a tree of subagents, and whom a router picks.
//!
//! A run that delegates is the root of a tree: its children may delegate too. One budget holds for the whole tree. What was
//! used of it comes in as numbers, because clocks and counters are the host's.

pub mod pick;

use crate::json::write::{concat, decimal};
use crate::members::{Read, Unreadable, Value, push_string};

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
        let over = |limit: Option<u64>, used: u64| limit.filter(|limit| used >= *limit);
        if asked != Asked::GoOn
            && let Some(limit) = over(self.max_depth, used.depth.saturating_sub(1))
        {
            let levels = ["it would be ", &decimal(used.depth), " deep, and no more than ", &decimal(limit)];
            return refused(asked, "max_depth_reached", &[&concat(&levels), " are allowed; do its job yourself"]);
        }
        if asked == Asked::Start {
            if let Some(limit) = over(self.max_agents, used.agents) {
                let counts = ["its parent has started ", &decimal(used.agents), " and may start no more than "];
                return refused(asked, "max_agents_reached", &[&concat(&counts), &decimal(limit), GO_ON]);
            }
            if let Some(limit) = over(self.max_calls, used.calls) {
                let counts = [&decimal(used.calls), " were started in all, and no more than ", &decimal(limit)];
                return refused(asked, "max_calls_reached", &[&concat(&counts), " may be", GO_ON]);
            }
        }
        if let Some(limit) = over(self.timeout_ms, used.elapsed_ms) {
            let time = ["the time for all subagents, ", &decimal(limit), " ms, is over"];
            return refused(asked, "timeout_reached", &[&concat(&time), GO_ON]);
        }
        if let Some(limit) = over(self.max_tokens, used.tokens) {
            let counts =
                [&decimal(used.tokens), " tokens were used by all subagents, and no more than ", &decimal(limit)];
            return refused(asked, "max_tokens_reached", &[&concat(&counts), " may be", GO_ON]);
        }
        match over(self.max_concurrent, used.running) {
            Some(_) if asked != Asked::GoOn => Answer::Wait,
            _ => Answer::Yes,
        }
    }
}

const GO_ON: &str = "; go on with what you have";

fn refused(asked: Asked, code: &'static str, why: &[&str]) -> Answer {
    let what = if asked == Asked::GoOn { "the subagent was stopped: " } else { "the subagent was not started: " };
    Answer::Refused { code, message: concat(&[what, &concat(why)]) }
}

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

impl Read for Asked {
    fn read(value: Value<'_>) -> Result<Self, Unreadable> {
        let names = [("start", Self::Start), ("resume", Self::Resume), ("go_on", Self::GoOn)];
        crate::members::read_name(value, &names)
    }
}

impl Read for Limits {
    fn read(value: Value<'_>) -> Result<Self, Unreadable> {
        value.only(&["maxDepth", "maxAgents", "maxConcurrent", "maxCalls", "timeoutMs", "maxTokens"])?;
        Ok(Self {
            max_depth: value.may("maxDepth")?,
            max_agents: value.may("maxAgents")?,
            max_concurrent: value.may("maxConcurrent")?,
            max_calls: value.may("maxCalls")?,
            timeout_ms: value.may("timeoutMs")?,
            max_tokens: value.may("maxTokens")?,
        })
    }
}

impl Read for Used {
    fn read(value: Value<'_>) -> Result<Self, Unreadable> {
        Ok(Self {
            depth: value.need("depth")?,
            agents: value.need("agents")?,
            running: value.need("running")?,
            calls: value.need("calls")?,
            elapsed_ms: value.need("elapsedMs")?,
            tokens: value.need("tokens")?,
        })
    }
}
