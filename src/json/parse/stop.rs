//! Where the parser stops at a text that is wrong or ends too early, and the error that becomes of it.

use super::{Limits, ParseError, ParseErrorCode};
use crate::json::pointer;
use crate::json::tape::{DECODED_HEADER, Flags, Node, Tape};
use crate::json::write::{concat, decimal};

/// Where and why reading stopped.
pub(super) struct Stop {
    pub at: usize,
    pub reason: Reason,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    Ended,
    Unexpected(&'static str),
    TooDeep,
    DuplicateName(u32),
}

/// A stop at `at`: the text has ended there, or is wrong.
#[cold]
pub(super) fn stop(text: &[u8], at: usize, expected: &'static str) -> Stop {
    let reason = if at >= text.len() { Reason::Ended } else { Reason::Unexpected(expected) };
    Stop { at, reason }
}

impl Tape {
    /// Turns a stop into an error. A duplicate name in an object that is still open precedes it.
    #[cold]
    #[inline(never)]
    pub(super) fn explain(&mut self, mut stop: Stop, limits: Limits) -> ParseError {
        let text = std::mem::take(&mut self.text);
        let open = std::mem::take(&mut self.scratch.open);
        let nodes = self.nodes.len() as u32;
        let end_of = |level: usize| open.get(level + 1).map_or(nodes, |inner| inner.node);
        let mut levels = open.len();
        let mut first: Option<(u32, usize)> = None;
        for (level, frame) in open.iter().enumerate().filter(|(_, frame)| frame.object) {
            if let Some(id) = self.first_duplicate(&text, frame.node, end_of(level))
                && first.is_none_or(|(other, _)| id < other)
            {
                first = Some((id, level + 1));
            }
        }
        if let Some((id, level)) = first {
            levels = level;
            stop.reason = Reason::DuplicateName(id);
        }
        let mut instance_path = String::new();
        for (level, frame) in open.iter().enumerate().take(levels) {
            if !frame.object {
                pointer::push_index(&mut instance_path, (frame.count as u64).saturating_sub(1));
                continue;
            }
            let name = match first {
                Some((id, _)) if level + 1 == levels => Some(id),
                _ => self.names(frame.node, end_of(level)).last(),
            };
            if let Some(id) = name {
                let name = std::str::from_utf8(self.name_bytes(&text, id)).unwrap_or_default();
                pointer::push_name(&mut instance_path, name);
            }
        }
        if let Some((id, _)) = first {
            let node = self.nodes.get(id as usize).copied();
            stop.at = node.map_or(0, |node| self.name_offset(&node));
        }
        self.text = text;
        self.scratch.open = open;
        let (code, message) = match stop.reason {
            Reason::Ended => (ParseErrorCode::Truncated, String::from("the text ends before the JSON value does")),
            Reason::Unexpected(what) => (ParseErrorCode::InvalidJson, String::from(what)),
            Reason::DuplicateName(_) => (ParseErrorCode::InvalidJson, String::from("duplicate member name")),
            Reason::TooDeep => {
                let levels = decimal(limits.depth as u64);
                (ParseErrorCode::TooDeep, concat(&["nested deeper than ", &levels, " levels"]))
            }
        };
        let before = self.text().get(..stop.at).unwrap_or_default();
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let in_line = before.get(line_start..).unwrap_or_default();
        let column = in_line.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() + 1;
        ParseError { code, offset: stop.at, line, column, instance_path, message }
    }

    fn name_offset(&self, node: &Node) -> usize {
        let start = node.start as usize;
        if !node.flags.contains(Flags::ESCAPED) {
            return start.saturating_sub(1);
        }
        let header = self.decoded.get(start.saturating_sub(DECODED_HEADER)..).and_then(|rest| rest.first_chunk::<4>());
        header.map_or(0, |bytes| (u32::from_le_bytes(*bytes) as usize).saturating_sub(1))
    }
}
