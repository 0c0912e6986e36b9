//! The symbols a pattern can tell apart: code points that lie in the same classes are one symbol.

use core::ops::Range;

use super::classes::CodePoints;

/// A set of code points that no class of the pattern separates.
pub(super) type Symbol = u16;

/// More symbols than this go to the host.
const SYMBOL_LIMIT: usize = 1024;

#[derive(Debug)]
pub(super) struct Alphabet {
    ascii: [Symbol; 128],
    /// First code point and symbol of each interval from U+0080 upwards, sorted.
    intervals: Vec<(u32, Symbol)>,
    /// For each class, a bit for each symbol, `words` words in a row.
    members: Vec<u64>,
    words: usize,
    symbols: usize,
}

impl Alphabet {
    /// `None` if there are too many symbols.
    pub(super) fn new(classes: &[CodePoints]) -> Option<Self> {
        let mut starts: Vec<u32> = vec![0, 0x80];
        starts.reserve(classes.iter().map(|set| 2 * set.ranges().len()).sum());
        for &(first, last) in classes.iter().flat_map(CodePoints::ranges) {
            starts.extend([first, last + 1]);
        }
        starts.sort_unstable();
        starts.dedup();
        let mut symbol_of = vec![0u32; starts.len()];
        let mut count = 1;
        // Each class splits every symbol that it holds only in part. A stale split is one made for an earlier class.
        let mut splits: Vec<(usize, u32)> = vec![(usize::MAX, 0)];
        for (class, set) in classes.iter().enumerate() {
            for range in intervals_of(set, &starts) {
                for symbol in symbol_of.get_mut(range)? {
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
        let symbols = renumber(&mut symbol_of, count)?;
        let words = symbols.div_ceil(64);
        let mut members = vec![0; words * classes.len()];
        for (class, set) in classes.iter().enumerate() {
            for range in intervals_of(set, &starts) {
                for symbol in symbol_of.get(range)? {
                    *members.get_mut(class * words + *symbol as usize / 64)? |= 1 << (symbol % 64);
                }
            }
        }
        let mut ascii = [0; 128];
        let mut intervals: Vec<(u32, Symbol)> = Vec::new();
        for (index, (&start, &symbol)) in starts.iter().zip(&symbol_of).enumerate() {
            let symbol = symbol as Symbol;
            if start < 0x80 {
                let end = starts.get(index + 1).map_or(0x80, |end| *end);
                ascii.get_mut(start as usize..end as usize)?.fill(symbol);
            } else if intervals.last().is_none_or(|last| last.1 != symbol) {
                intervals.push((start, symbol));
            }
        }
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
        self.intervals.get(above.wrapping_sub(1)).map_or(0, |interval| interval.1)
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

/// The intervals that each range of a set is made of.
fn intervals_of(set: &CodePoints, starts: &[u32]) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    set.ranges().iter().map(move |&(first, last)| {
        from = advance(starts, from, first);
        let begin = from;
        from = advance(starts, from, last + 1);
        begin..from
    })
}

/// The first index from `from` on whose start is `code` or more, which is mostly near.
fn advance(starts: &[u32], from: usize, code: u32) -> usize {
    let mut step = 1;
    while starts.get(from + step).is_some_and(|start| *start < code) {
        step *= 2;
    }
    let low = from + step / 2;
    let window = starts.get(low..starts.len().min(from + step + 1)).unwrap_or_default();
    low + window.partition_point(|start| *start < code)
}

/// Makes the numbers in use consecutive; gives how many there are.
fn renumber(symbol_of: &mut [u32], count: u32) -> Option<usize> {
    let mut new = vec![u32::MAX; count as usize];
    let mut used = 0;
    for symbol in symbol_of {
        let slot = new.get_mut(*symbol as usize)?;
        if *slot == u32::MAX {
            *slot = used;
            used += 1;
        }
        *symbol = *slot;
    }
    (used as usize <= SYMBOL_LIMIT).then_some(used as usize)
}
