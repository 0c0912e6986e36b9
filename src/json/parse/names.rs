//! Member names, and whether two of one object are equal.

use super::skip_space;
use super::stop::{Reason, Stop, stop};
use crate::json::scan::{hash, plain_end};
use crate::json::sort::sort_pairs;
use crate::json::tape::{Flags, Node, Tag, Tape};

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
            self.scratch.names.push((link, self.nodes.len() as u32));
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
            return Err(Stop { at, reason: Reason::Unexpected("lone surrogate in a member name") });
        }
        let link = hash(self.name_bytes(text, id));
        if let Some(node) = self.nodes.last_mut() {
            node.link = link;
        }
        self.scratch.names.push((link, id));
        Ok(end)
    }

    /// Whether two names of the innermost object, whose names start at `from`, are equal.
    #[inline]
    #[cfg_attr(fast, optimize(speed))]
    pub(super) fn has_duplicate(&self, text: &[u8], from: u32) -> bool {
        let names = self.scratch.names.get(from as usize..).unwrap_or_default();
        if names.len() > 24 {
            return self.first_duplicate(text, from, u32::MAX).is_some();
        }
        let mut rest = names;
        while let Some((&(hash, id), more)) = rest.split_first() {
            if more.iter().any(|other| other.0 == hash && self.same_name(text, id, other.1)) {
                return true;
            }
            rest = more;
        }
        false
    }

    fn same_name(&self, text: &[u8], a: u32, b: u32) -> bool {
        self.name_bytes(text, a) == self.name_bytes(text, b)
    }

    pub(super) fn name_bytes<'a>(&'a self, text: &'a [u8], id: u32) -> &'a [u8] {
        let Some(node) = self.nodes.get(id as usize) else { return &[] };
        let from = if node.flags.contains(Flags::ESCAPED) { &self.decoded } else { text };
        from.get(node.start as usize..node.start as usize + node.length as usize).unwrap_or_default()
    }

    /// The first name between `from` and `to` that repeats an earlier one. Sorting by hash and then by bytes keeps it
    /// O(n log n) whatever the names collide in.
    #[inline(never)]
    pub(super) fn first_duplicate(&self, text: &[u8], from: u32, to: u32) -> Option<u32> {
        let to = self.scratch.names.len().min(to as usize);
        let mut names = self.scratch.names.get(from as usize..to).unwrap_or_default().to_vec();
        sort_pairs(&mut names, &mut |a, b| {
            let by_name = || self.name_bytes(text, a.1).cmp(self.name_bytes(text, b.1));
            a.0.cmp(&b.0).then_with(by_name).then(a.1.cmp(&b.1))
        });
        let repeats = names.windows(2).filter_map(|pair| match pair {
            [a, b] if a.0 == b.0 && self.same_name(text, a.1, b.1) => Some(b.1),
            _ => None,
        });
        repeats.min()
    }
}
