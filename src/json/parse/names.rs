//! Member names, and whether two of one object are equal.

use super::skip_space;
use super::stop::{Reason, Stop, stop};
use crate::json::scan::{hash, plain_end};
use crate::json::sort::sort_pairs;
use crate::json::tape::{Flags, Node, Tag, Tape};

/// So many names are compared each with each.
const FEW: usize = 24;

impl Tape {
    /// A member name and its colon.
    #[inline(always)]
    pub(super) fn name(&mut self, text: &[u8], at: usize) -> Result<usize, Stop> {
        if !matches!(text.get(at), Some(b'"')) {
            return Err(stop(text, at, "expected a member name in double quotes"));
        }
        let start = at + 1;
        let plain = plain_end(text, start);
        let end = if matches!(text.get(plain), Some(b'"')) {
            let link = hash(text.get(start..plain).unwrap_or_default());
            let length = (plain - start) as u32;
            self.nodes.push(Node { tag: Tag::String, flags: Flags(0), start: start as u32, length, link });
            plain + 1
        } else {
            self.special_name(text, at, plain)?
        };
        let colon = skip_space(text, end);
        if !matches!(text.get(colon), Some(b':')) {
            return Err(stop(text, colon, "expected a colon after the member name"));
        }
        Ok(colon + 1)
    }

    /// As [`Tape::special_string`], for a member name whose opening quote is at `at`.
    #[inline(never)]
    fn special_name(&mut self, text: &[u8], at: usize, plain: usize) -> Result<usize, Stop> {
        let end = self.special_string(text, at + 1, plain)?;
        let id = self.nodes.len() as u32 - 1;
        let Some(&node) = self.nodes.last() else { return Ok(end) };
        if node.flags.contains(Flags::LONE_SURROGATE) {
            self.nodes.pop();
            return Err(Stop { at, reason: Reason::Unexpected("lone surrogate in a member name") });
        }
        let link = hash(self.name_bytes(text, id));
        if let Some(node) = self.nodes.last_mut() {
            node.link = link;
        }
        Ok(end)
    }

    pub(super) fn name_bytes<'a>(&'a self, text: &'a [u8], id: u32) -> &'a [u8] {
        let Some(node) = self.nodes.get(id as usize) else { return &[] };
        let from = if node.flags.contains(Flags::ESCAPED) { &self.decoded } else { text };
        from.get(node.start as usize..node.start as usize + node.length as usize).unwrap_or_default()
    }

    /// The first name of an object that repeats an earlier one. `end`: the node behind the members that have begun; the last of
    /// them may have no value yet, or one that is open. Sorting by hash and then by bytes keeps it O(n log n) whatever the names
    /// collide in.
    #[inline(never)]
    pub(super) fn first_duplicate(&mut self, text: &[u8], object: u32, end: u32) -> Option<u32> {
        let mut names = std::mem::take(&mut self.scratch.names);
        names.clear();
        names.extend(self.names(object, end).map(|id| (self.node(id).link, id)));
        let same =
            |a: &(u32, u32), b: &(u32, u32)| a.0 == b.0 && self.name_bytes(text, a.1) == self.name_bytes(text, b.1);
        let first = if names.len() <= FEW {
            let repeats =
                names.iter().enumerate().find(|(at, name)| names.iter().take(*at).any(|other| same(name, other)));
            repeats.map(|(_, name)| name.1)
        } else {
            sort_pairs(&mut names, &mut |a, b| {
                let by_name = || self.name_bytes(text, a.1).cmp(self.name_bytes(text, b.1));
                a.0.cmp(&b.0).then_with(by_name).then(a.1.cmp(&b.1))
            });
            let repeats = names.windows(2).filter_map(|pair| match pair {
                [a, b] if same(a, b) => Some(b.1),
                _ => None,
            });
            repeats.min()
        };
        self.scratch.names = names;
        first
    }

    /// The names of an object, up to `end` as above.
    pub(super) fn names(&self, object: u32, end: u32) -> impl Iterator<Item = u32> + '_ {
        let mut at = object + 1;
        std::iter::from_fn(move || {
            let name = at;
            (name < end).then(|| {
                at = if name + 1 < end { self.next(name + 1) } else { end };
                name
            })
        })
    }
}
