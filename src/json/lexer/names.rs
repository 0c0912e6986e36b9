//! The member names of the open objects, to find the second of two equal ones as soon as it ends.
//!
//! Names may be chosen to collide in any hash that is not keyed, and nothing here is random; so the names of an object are
//! kept in sorted runs of doubling length, compared by hash and then by bytes. Adding one costs a few binary searches.

use std::cmp::Ordering;

use crate::json::sort::sort_pairs;
use crate::json::tape::{NodeId, Tape};

/// So many of the youngest names are searched one by one; most objects have no more.
const UNSORTED: usize = 16;

/// Hash and node of each name of each open object, the innermost object's last.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(Vec<(u32, NodeId)>);

impl Names {
    pub fn len(&self) -> u32 {
        self.0.len() as u32
    }

    pub fn truncate(&mut self, length: u32) {
        self.0.truncate(length as usize);
    }

    /// Adds a name to the innermost object, whose names start at `from`; false when it has it already.
    pub fn insert(&mut self, tape: &Tape, from: u32, name: (u32, NodeId)) -> bool {
        let names = self.0.get_mut(from as usize..).unwrap_or_default();
        let sorted = names.len() - names.len() % UNSORTED;
        let (runs, young) = names.split_at(sorted);
        if young.iter().any(|other| compare(tape, other, &name) == Ordering::Equal) || in_runs(tape, runs, &name) {
            return false;
        }
        self.0.push(name);
        let names = self.0.get_mut(from as usize..).unwrap_or_default();
        if names.len().is_multiple_of(UNSORTED) {
            // As in binary counting: the new run takes in every run before it of the length it has reached.
            let length = UNSORTED << (names.len() / UNSORTED).trailing_zeros();
            let start = names.len().saturating_sub(length);
            let run = names.get_mut(start..).unwrap_or_default();
            sort_pairs(run, &mut |a, b| compare(tape, a, b));
        }
        true
    }
}

/// Searches the sorted runs: one for each bit of their number, the longest first.
fn in_runs(tape: &Tape, mut runs: &[(u32, NodeId)], name: &(u32, NodeId)) -> bool {
    while let Some(bit) = (runs.len() / UNSORTED).checked_ilog2() {
        let (run, rest) = runs.split_at((UNSORTED << bit).min(runs.len()));
        if run.binary_search_by(|other| compare(tape, other, name)).is_ok() {
            return true;
        }
        runs = rest;
    }
    false
}

#[inline]
fn compare(tape: &Tape, a: &(u32, NodeId), b: &(u32, NodeId)) -> Ordering {
    let bytes = |name: &(u32, NodeId)| tape.string_bytes(tape.node(name.1));
    a.0.cmp(&b.0).then_with(|| bytes(a).cmp(bytes(b)))
}
