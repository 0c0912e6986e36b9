//! Which items or members of a value have been evaluated, for `unevaluatedItems` and `unevaluatedProperties`.

use super::evaluate::Evaluator;
use crate::json::tape::{Node, Tag};

/// Where the evaluated items or members of a value are marked: an offset into [`Memory::marks`](super::evaluate::Memory::marks), or nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marks(u32);

impl Marks {
    pub const NONE: Marks = Marks(u32::MAX);
}

impl Evaluator<'_> {
    /// A region for the items or members of one value, none of them marked.
    #[inline(never)]
    pub fn new_marks(&mut self, found: &Node) -> Marks {
        let start = self.memory.marks.len();
        let words = words(found);
        if !self.charge(words as u64) {
            return Marks::NONE;
        }
        self.memory.marks.resize(start + words, 0);
        Marks(start as u32)
    }

    /// Gives back the youngest region, its marks added to another one if asked.
    #[inline(never)]
    pub fn release_marks(&mut self, marks: Marks, outer: Marks, keep: bool) {
        let start = (marks.0 as usize).min(self.memory.marks.len());
        let (before, own) = self.memory.marks.split_at_mut(start);
        if keep && let Some(target) = before.get_mut(outer.0 as usize..) {
            for (target, own) in target.iter_mut().zip(own) {
                *target |= *own;
            }
        }
        if marks != Marks::NONE {
            self.memory.marks.truncate(start);
        }
    }

    #[inline(always)]
    pub fn mark(&mut self, marks: Marks, index: u32) {
        if marks != Marks::NONE
            && let Some(word) = self.memory.marks.get_mut(marks.0 as usize + (index / 64) as usize)
        {
            *word |= 1 << (index % 64);
        }
    }

    /// How many are marked in the youngest region.
    pub fn count_marks(&self, marks: Marks) -> u32 {
        self.memory.marks.get(marks.0 as usize..).unwrap_or_default().iter().map(|word| word.count_ones()).sum()
    }

    pub fn is_marked(&self, marks: Marks, index: u32) -> bool {
        let word = self.memory.marks.get((marks.0 as usize).saturating_add((index / 64) as usize));
        word.is_some_and(|word| word & 1 << (index % 64) != 0)
    }
}

fn words(found: &Node) -> usize {
    if found.tag >= Tag::Array { (found.length as usize).div_ceil(64) } else { 0 }
}
