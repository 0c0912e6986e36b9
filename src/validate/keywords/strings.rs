//! Keywords for strings (validation, section 6.3) and `format` (section 7).

use crate::json::tape::{Node, NodeId};
use crate::schema::plan::{Matcher, Op, SchemaId};
use crate::validate::evaluate::Evaluator;
use crate::validate::violation::Failure;

/// Longer strings are not given to the host's regular expressions, which may backtrack.
const HOST_TEXT: usize = 10_000;

impl Evaluator<'_> {
    #[inline(never)]
    pub(in crate::validate) fn string(&mut self, op: &Op, id: SchemaId, node: NodeId, found: &Node) -> bool {
        let failure = match *op {
            Op::MinLength(limit) => {
                // A code point takes at most four bytes.
                if found.length / 4 >= limit {
                    return true;
                }
                let length = self.length(found);
                if length >= limit {
                    return true;
                }
                Failure::MinLength { limit, found: length }
            }
            Op::MaxLength(limit) => {
                if found.length <= limit {
                    return true;
                }
                let length = self.length(found);
                if length <= limit {
                    return true;
                }
                Failure::MaxLength { limit, found: length }
            }
            Op::Pattern(pattern) => {
                if self.matches(pattern, found) {
                    return true;
                }
                Failure::Pattern
            }
            Op::Format(format) => {
                if !self.charge(found.length as u64 / 8) || format.check(self.tape.string(node)) {
                    return true;
                }
                Failure::Format
            }
            _ => return true,
        };
        self.fail(id, node, failure);
        false
    }

    /// The length in code points.
    fn length(&mut self, found: &Node) -> u32 {
        if !found.is_wide() {
            return found.length;
        }
        self.charge(found.length as u64 / 16);
        self.tape.string_bytes(found).iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u32
    }

    /// Whether a string, or a member name, matches one of the plan's patterns.
    pub(in crate::validate) fn matches(&mut self, pattern: u32, found: &Node) -> bool {
        let plan = self.plan;
        let text = self.tape.string_bytes(found);
        match plan.patterns.get(pattern as usize) {
            Some(Matcher::Native(native)) => {
                let Some(scratch) = self.memory.patterns.get_mut(pattern as usize) else { return true };
                native.is_match_within(text, scratch, &mut self.steps).unwrap_or_else(|| {
                    self.exhausted = true;
                    false
                })
            }
            Some(Matcher::Host(host)) => {
                if text.len() > HOST_TEXT || !self.charge(16 + text.len() as u64) {
                    self.exhausted = true;
                    return false;
                }
                std::str::from_utf8(text).is_ok_and(|text| host.host.test(host.handle, text))
            }
            None => true,
        }
    }
}
