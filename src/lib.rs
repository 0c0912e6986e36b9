//! Typed contracts between a parent agent and its subagents.
