//! Sorting, compiled once: every order in the engine is one of pairs of numbers, so that small builds hold one sort.

use std::cmp::Ordering;

/// How two pairs compare.
pub(crate) type Order<'a> = &'a mut dyn FnMut(&(u32, u32), &(u32, u32)) -> Ordering;

/// Sorts pairs by an order that leaves no two of them equal, or where equal ones need not be told apart.
#[inline(never)]
pub(crate) fn sort_pairs(pairs: &mut [(u32, u32)], order: Order<'_>) {
    pairs.sort_unstable_by(order);
}
