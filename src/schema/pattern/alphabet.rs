//! The symbols a pattern can tell apart: code points that lie in the same classes are one symbol.

use super::classes::{CodePoints, sort};

/// A set of code points that no class of the pattern separates.
pub(super) type Symbol = u16;

/// More symbols than this go to the host.
const SYMBOL_LIMIT: usize = 1024;

#[derive(Debug)]
pub(super) struct Alphabet {
    ascii: [Symbol; 128],
    /// First code point and symbol of each interval from U+0080 upwards, sorted.
    intervals: Vec<(u32, u32)>,
    /// For each class, a bit for each symbol, `words` words in a row.
    members: Vec<u64>,
    words: usize,
    symbols: usize,
}

impl Alphabet {
    /// `None` if there are too many symbols.
    pub(super) fn new(classes: &[CodePoints]) -> Option<Self> {
        // The first code point of each interval, and its symbol.
        let mut intervals: Vec<(u32, u32)> = vec![(0, 0)];
        intervals.reserve(1 + classes.iter().map(|set| 2 * set.ranges().len()).sum::<usize>());
        for &(first, last) in classes.iter().flat_map(CodePoints::ranges) {
            intervals.extend([(first, 0), (last + 1, 0)]);
        }
        sort(&mut intervals);
        intervals.insert(intervals.partition_point(|interval| interval.0 < 0x80), (0x80, 0));
        intervals.dedup();
        let mut count = 1;
        // Each class splits every symbol that it holds only in part. A stale split is one made for an earlier class.
        let mut splits: Vec<(usize, u32)> = vec![(usize::MAX, 0)];
        for (class, set) in classes.iter().enumerate() {
            let mut from = 0;
            for range in set.ranges() {
                for (_, symbol) in within(&mut intervals, &mut from, *range) {
                    let split = splits.get_mut(*symbol as usize)?;
                    if split.0 == class {
                        *symbol = split.1;
                    } else {
                        *split = (class, count);
                        *symbol = count;
                        splits.push((class, count));
                        count += 1;
                    }
                }
            }
        }
        let symbols = renumber(&mut intervals, count)?;
        let words = symbols.div_ceil(64);
        let mut members = vec![0; words * classes.len()];
        for (class, set) in classes.iter().enumerate() {
            let mut from = 0;
            for range in set.ranges() {
                for (_, symbol) in within(&mut intervals, &mut from, *range) {
                    *members.get_mut(class * words + *symbol as usize / 64)? |= 1 << (*symbol % 64);
                }
            }
        }
        let mut ascii = [0; 128];
        for pair in intervals.windows(2) {
            let &[(start, symbol), (end, _)] = pair else { continue };
            // U+0080 starts an interval, so none lies across it.
            if let Some(slots) = ascii.get_mut(start as usize..end as usize) {
                slots.fill(symbol as Symbol);
            }
        }
        intervals.retain(|interval| interval.0 >= 0x80);
        intervals.dedup_by_key(|interval| interval.1);
        Some(Self { ascii, intervals, members, words, symbols })
    }

    /// The number of symbols, not counting [`end`](Self::end).
    pub(super) fn len(&self) -> usize {
        self.symbols
    }

    /// The symbol that stands for the end of the text.
    pub(super) fn end(&self) -> Symbol {
        self.symbols as Symbol
    }

    #[inline]
    pub(super) fn ascii(&self, byte: u8) -> Option<Symbol> {
        self.ascii.get(usize::from(byte)).copied()
    }

    pub(super) fn symbol(&self, code: u32) -> Symbol {
        if let Some(symbol) = u8::try_from(code).ok().and_then(|byte| self.ascii(byte)) {
            return symbol;
        }
        let above = match self.intervals.as_slice() {
            [_] => 1,
            intervals => intervals.partition_point(|interval| interval.0 <= code),
        };
        self.intervals.get(above.wrapping_sub(1)).map_or(0, |interval| interval.1 as Symbol)
    }

    pub(super) fn class_contains(&self, class: u16, symbol: Symbol) -> bool {
        usize::from(symbol) < self.symbols
            && self
                .members
                .get(usize::from(class) * self.words + usize::from(symbol) / 64)
                .is_some_and(|word| word >> (symbol % 64) & 1 == 1)
    }

    /// Whether some code point is in both classes.
    pub(super) fn classes_overlap(&self, a: u16, b: u16) -> bool {
        let row = |class: u16| self.members.iter().skip(usize::from(class) * self.words).take(self.words);
        row(a).zip(row(b)).any(|(a, b)| a & b != 0)
    }
}

/// The intervals that a range is made of; `from` is where the range before ended.
fn within<'a>(
    intervals: &'a mut [(u32, u32)],
    from: &mut usize,
    (first, last): (u32, u32),
) -> impl Iterator<Item = &'a mut (u32, u32)> {
    let begin = advance(intervals, *from, first);
    *from = advance(intervals, begin, last + 1);
    intervals.get_mut(begin..*from).unwrap_or_default().iter_mut()
}

/// The index, from `from` on, of the first interval that starts at `code` or later; mostly a near one.
fn advance(intervals: &[(u32, u32)], from: usize, code: u32) -> usize {
    let mut step = 1;
    while intervals.get(from + step).is_some_and(|interval| interval.0 < code) {
        step *= 2;
    }
    let low = from + step / 2;
    let window = intervals.get(low..intervals.len().min(from + step + 1)).unwrap_or_default();
    low + window.partition_point(|interval| interval.0 < code)
}

/// Makes the symbols in use consecutive; gives how many there are.
fn renumber(intervals: &mut [(u32, u32)], count: u32) -> Option<usize> {
    let mut new = vec![u32::MAX; count as usize];
    let mut used = 0;
    for (_, symbol) in intervals {
        let slot = new.get_mut(*symbol as usize)?;
        if *slot == u32::MAX {
            *slot = used;
            used += 1;
        }
        *symbol = *slot;
    }
    (used as usize <= SYMBOL_LIMIT).then_some(used as usize)
}
