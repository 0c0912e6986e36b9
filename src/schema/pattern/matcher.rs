//! Matching by a deterministic automaton that is built while texts go through it.

use std::sync::Arc;

use super::alphabet::Symbol;
use super::ast::Assertion;
use super::program::{Instruction, Pc, Program};

/// Rows of the transition table for "no match any more" and "matched".
const DEAD: u32 = 0;
const MATCH: u32 = 1;
/// Marks the row of a state with so many instructions that its steps are charged one by one.
const HEAVY: u32 = 1 << 31;
/// A transition that is not built yet; it has the mark of heavy ones, so that one comparison finds both.
const UNKNOWN: u32 = u32::MAX;

/// A state of more instructions than this is heavy.
const LIGHT_ITEMS: usize = 16;

/// When a scratch holds more bytes than this it starts anew.
const SCRATCH_LIMIT: usize = 256 * 1024;

/// What matching learns about one pattern, kept between calls so that later calls are fast.
///
/// Keep one `Scratch` *per pattern* (a `Vec<Scratch>` beside the plan's patterns). One used with another pattern gives the same
/// answers but starts anew. It holds at most about 256 KiB, and typically under 2.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    program: Option<Arc<Program>>,
    /// One row for each state: the next row's offset for each symbol, and for the end of the text.
    transitions: Vec<u32>,
    states: Vec<State>,
    /// The instructions of all states.
    items: Vec<Pc>,
    /// Open addressing: state index plus one.
    buckets: Vec<u32>,
    start: u32,
    walk: Walk,
}

/// A set of instructions to go on from, all of them classes or assertions.
#[derive(Clone, Copy, Debug)]
struct State {
    first: u32,
    len: u32,
    hash: u32,
    at_start: bool,
    after_word: bool,
}

/// Working memory for building one state.
#[derive(Clone, Debug, Default)]
struct Walk {
    /// The generation that last reached each instruction.
    reached: Vec<u32>,
    generation: u32,
    stack: Vec<Pc>,
    /// The assertions and classes of the old state, growing as assertions hold.
    current: Vec<Pc>,
    next: Vec<Pc>,
}

impl Walk {
    fn begin(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.reached.fill(0);
            self.generation = 1;
        }
    }

    /// Adds to `to` whatever `pc` leads to without a character; true if that is a match.
    fn follow(&mut self, program: &Program, pc: Pc, at_start: bool, to: fn(&mut Self) -> &mut Vec<Pc>) -> bool {
        self.stack.push(pc);
        while let Some(pc) = self.stack.pop() {
            let Some(reached) = self.reached.get_mut(usize::from(pc)) else { continue };
            if *reached == self.generation {
                continue;
            }
            *reached = self.generation;
            match program.instruction(pc) {
                Instruction::Match => {
                    self.stack.clear();
                    return true;
                }
                Instruction::Jump(target) => self.stack.push(target),
                Instruction::Split(first, second) => self.stack.extend([second, first]),
                Instruction::Assert(Assertion::Start) if !at_start => {}
                Instruction::Assert(Assertion::Start) => self.stack.push(pc + 1),
                Instruction::Assert(_) | Instruction::Class(_) => to(self).push(pc),
            }
        }
        false
    }
}

impl Scratch {
    fn reset(&mut self, program: &Arc<Program>) {
        if !self.program.as_ref().is_some_and(|known| Arc::ptr_eq(known, program)) {
            self.program = Some(Arc::clone(program));
            self.walk.reached.clear();
            self.walk.reached.resize(program.instructions.len(), 0);
            self.walk.generation = 0;
        }
        self.transitions.clear();
        self.states.clear();
        self.items.clear();
        self.buckets.clear();
        let stride = program.alphabet.len() as u32 + 1;
        // The rows of DEAD and MATCH are never read: reaching them ends the match.
        self.transitions.resize(2 * stride as usize, DEAD);
        self.walk.begin();
        self.walk.next.clear();
        let matched = self.walk.follow(program, 0, true, |walk| &mut walk.next);
        self.start = if matched { MATCH } else { self.state(stride, true, false) & !HEAVY };
    }

    /// The row of the state that holds `walk.next`, marked if that is heavy.
    fn state(&mut self, stride: u32, at_start: bool, after_word: bool) -> u32 {
        if self.walk.next.is_empty() {
            return DEAD;
        }
        let seed = 0x811c_9dc5 ^ u32::from(at_start) ^ u32::from(after_word) << 1;
        let hash = self
            .walk
            .next
            .iter()
            .fold(seed, |hash, pc| (hash ^ u32::from(*pc)).wrapping_mul(0x0100_0193).rotate_left(13));
        if (self.states.len() + 1) * 2 > self.buckets.len() {
            self.grow();
        }
        let mask = self.buckets.len() - 1;
        let mut place = hash as usize & mask;
        while let Some(index) = self.buckets.get(place).and_then(|bucket| bucket.checked_sub(1)) {
            if let Some(state) = self.states.get(index as usize)
                && state.hash == hash
                && (state.at_start, state.after_word) == (at_start, after_word)
                && self.items_of(*state) == self.walk.next.as_slice()
            {
                return self.row(index, stride);
            }
            place = (place + 1) & mask;
        }
        let index = self.states.len() as u32;
        if let Some(bucket) = self.buckets.get_mut(place) {
            *bucket = index + 1;
        }
        self.states.push(State {
            first: self.items.len() as u32,
            len: self.walk.next.len() as u32,
            hash,
            at_start,
            after_word,
        });
        self.items.extend_from_slice(&self.walk.next);
        self.transitions.resize(self.transitions.len() + stride as usize, UNKNOWN);
        self.row(index, stride)
    }

    fn row(&self, index: u32, stride: u32) -> u32 {
        let heavy = self.walk.next.len() > LIGHT_ITEMS;
        ((index + 2) * stride) | if heavy { HEAVY } else { 0 }
    }

    /// The row that follows, as far as it is known.
    #[inline]
    fn next(&self, row: u32, symbol: Symbol) -> u32 {
        self.transitions.get(row as usize + usize::from(symbol)).copied().unwrap_or(UNKNOWN)
    }

    /// The row that follows, built if need be and charged if heavy.
    fn slow_next(&mut self, program: &Arc<Program>, row: u32, symbol: Symbol, steps: &mut u64) -> Option<u32> {
        let next = match self.next(row, symbol) {
            UNKNOWN => self.step(program, row, symbol),
            known => known,
        };
        if next < HEAVY {
            return Some(next);
        }
        let next = next & !HEAVY;
        let stride = program.alphabet.len() as u32 + 1;
        let items = self.states.get((next / stride).wrapping_sub(2) as usize).map_or(0, |state| state.len);
        *steps = steps.checked_sub(u64::from(items))?;
        Some(next)
    }

    fn items_of(&self, state: State) -> &[Pc] {
        self.items.get(state.first as usize..(state.first + state.len) as usize).unwrap_or_default()
    }

    fn grow(&mut self) {
        let size = (self.buckets.len() * 2).max(16);
        self.buckets.clear();
        self.buckets.resize(size, 0);
        for (index, state) in self.states.iter().enumerate() {
            let mut place = state.hash as usize & (size - 1);
            while self.buckets.get(place).is_some_and(|bucket| *bucket != 0) {
                place = (place + 1) & (size - 1);
            }
            if let Some(bucket) = self.buckets.get_mut(place) {
                *bucket = index as u32 + 1;
            }
        }
    }

    /// Builds the transition from the state at `row` by `symbol`.
    #[cold]
    fn step(&mut self, program: &Arc<Program>, row: u32, symbol: Symbol) -> u32 {
        let stride = program.alphabet.len() as u32 + 1;
        let Some(&state) = self.states.get((row / stride).wrapping_sub(2) as usize) else { return DEAD };
        let target = if self.advance(program, state, symbol) {
            MATCH
        } else if symbol == program.alphabet.end() {
            DEAD
        } else {
            let held = self.transitions.len() * 4 + self.items.len() * 2;
            if held > SCRATCH_LIMIT {
                let next = core::mem::take(&mut self.walk.next);
                self.reset(program);
                self.walk.next = next;
                return self.state(stride, false, program.is_word(symbol));
            }
            self.state(stride, false, program.is_word(symbol))
        };
        if let Some(slot) = self.transitions.get_mut(row as usize + usize::from(symbol)) {
            *slot = target;
        }
        target
    }

    /// Puts what follows `state` by `symbol` into `walk.next`; true if the pattern has matched.
    fn advance(&mut self, program: &Program, state: State, symbol: Symbol) -> bool {
        let items = self.items.get(state.first as usize..(state.first + state.len) as usize).unwrap_or_default();
        let walk = &mut self.walk;
        walk.current.clear();
        walk.current.extend_from_slice(items);
        // First let the assertions that hold here add what stands behind them, now that the next character is known.
        walk.begin();
        let at_end = symbol == program.alphabet.end();
        let at_boundary = state.after_word != program.is_word(symbol);
        let mut index = 0;
        while let Some(&pc) = walk.current.get(index) {
            index += 1;
            let holds = match program.instruction(pc) {
                Instruction::Assert(Assertion::End) => at_end,
                Instruction::Assert(Assertion::WordBoundary) => at_boundary,
                Instruction::Assert(Assertion::NotWordBoundary) => !at_boundary,
                _ => false,
            };
            if holds && walk.follow(program, pc + 1, state.at_start, |walk| &mut walk.current) {
                return true;
            }
        }
        walk.next.clear();
        if at_end {
            return false;
        }
        walk.begin();
        for index in 0..walk.current.len() {
            let Some(&pc) = walk.current.get(index) else { break };
            if let Instruction::Class(class) = program.instruction(pc)
                && program.alphabet.class_contains(class, symbol)
                && walk.follow(program, pc + 1, false, |walk| &mut walk.next)
            {
                return true;
            }
        }
        // A search: the match may also begin after this character.
        walk.follow(program, 0, false, |walk| &mut walk.next)
    }
}

/// Whether the program matches anywhere in `text`; `None` if that takes more than `steps`, which goes down by those taken.
///
/// What is charged depends on the states that the text leads through, not on whether they were known before.
pub(super) fn is_match(program: &Arc<Program>, text: &[u8], scratch: &mut Scratch, steps: &mut u64) -> Option<bool> {
    *steps = steps.checked_sub(4 + text.len() as u64 / 4)?;
    if !scratch.program.as_ref().is_some_and(|known| Arc::ptr_eq(known, program)) {
        scratch.reset(program);
    }
    let alphabet = &program.alphabet;
    let mut row = scratch.start;
    let mut bytes = text.iter();
    loop {
        if row <= MATCH {
            return Some(row == MATCH);
        }
        let symbol = match bytes.next() {
            None => break,
            Some(&byte) => match alphabet.ascii(byte) {
                Some(symbol) => symbol,
                None => alphabet.symbol(decode(byte, &mut bytes)),
            },
        };
        let next = scratch.next(row, symbol);
        row = if next >= HEAVY { scratch.slow_next(program, row, symbol, steps)? } else { next };
    }
    Some(scratch.slow_next(program, row, alphabet.end(), steps)? == MATCH)
}

/// The code point that begins with `lead`, in text that is known to be UTF-8.
#[inline]
fn decode(lead: u8, bytes: &mut core::slice::Iter<'_, u8>) -> u32 {
    let mut continued = || bytes.next().map_or(0, |byte| u32::from(byte & 0x3f));
    let lead = u32::from(lead);
    match lead {
        0xf0.. => (lead & 0x07) << 18 | continued() << 12 | continued() << 6 | continued(),
        0xe0.. => (lead & 0x0f) << 12 | continued() << 6 | continued(),
        _ => (lead & 0x1f) << 6 | continued(),
    }
}
