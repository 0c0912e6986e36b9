//! From a node back to its JSON Pointer.

use super::pointer::{push_index, push_name};
use super::tape::{NodeId, Tag, Tape};

/// The pointer to a node; for a member name, that of the member.
pub(crate) fn pointer(tape: &Tape, node: NodeId) -> String {
    let mut out = String::new();
    let mut at = 0;
    while at < node {
        let inside = match tape.tag(at) {
            Tag::Object => tape
                .members(at)
                .find(|&(name, value)| name == node || (value <= node && node < tape.next(value)))
                .map(|(name, value)| {
                    push_name(&mut out, tape.string(name));
                    if name == node { node } else { value }
                }),
            Tag::Array => {
                let item = tape.items(at).enumerate().find(|&(_, item)| item <= node && node < tape.next(item));
                item.map(|(index, item)| {
                    push_index(&mut out, index as u64);
                    item
                })
            }
            _ => None,
        };
        match inside {
            Some(next) => at = next,
            None => break,
        }
    }
    out
}
