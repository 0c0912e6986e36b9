//! Patterns that drive a backtracking engine into exponential time.

use super::parse;
use super::program::{Instruction, Pc, Program};

/// What [`lint`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lint {
    /// A backtracking engine may take time exponential in the text's length.
    Exponential,
}

/// Patterns with more places than this are not examined.
const PLACE_LIMIT: usize = 400;

/// Steps after which the search gives up without a finding.
const STEP_LIMIT: usize = 4_000_000;

/// Steps after which the ways out of one place are no longer counted.
const WAY_LIMIT: usize = 20_000;

/// Recognises a pattern on which a backtracking engine (the host's `RegExp`) may take exponential time.
///
/// It looks for a place in the pattern that some string leads back to itself along two different ways, as in `(a+)+`,
/// `(\w+\s?)*` or `(a|ab|b)*`: each repetition of that string then doubles the ways to try when the rest does not match.
/// Bounded repetitions from eight upwards count as endless. No finding is given for polynomial blow-up (`\s*\s*$`), for what
/// only a back reference repeats, for patterns with more than 400 places, nor for what is no pattern.
#[must_use]
pub fn lint(source: &str) -> Option<Lint> {
    let ast = parse::parse(source).ok()?;
    let program = Program::approximate(&ast).ok()?;
    let graph = Graph::new(&program)?;
    graph.is_ambiguous().then_some(Lint::Exponential)
}

/// The places (class instructions) of a program and which may follow which.
struct Graph<'a> {
    program: &'a Program,
    /// For each place: its class and its followers. A follower that can be reached in two ways stands twice.
    places: Vec<(u16, Vec<usize>)>,
}

impl<'a> Graph<'a> {
    fn new(program: &'a Program) -> Option<Self> {
        let pcs: Vec<(Pc, u16)> = (0..)
            .zip(&program.instructions)
            .filter_map(|(pc, instruction)| match instruction {
                Instruction::Class(class) => Some((pc, *class)),
                _ => None,
            })
            .collect();
        if pcs.len() > PLACE_LIMIT {
            return None;
        }
        let places = pcs
            .iter()
            .map(|(pc, class)| {
                let found = followers(program, pc + 1);
                let places = found.iter().filter_map(|pc| pcs.binary_search_by_key(pc, |place| place.0).ok());
                (*class, places.collect())
            })
            .collect();
        Some(Self { program, places })
    }

    fn followers(&self, place: usize) -> &[usize] {
        self.places.get(place).map_or(&[], |place| place.1.as_slice())
    }

    fn overlap(&self, a: usize, b: usize) -> bool {
        match (self.places.get(a), self.places.get(b)) {
            (Some(a), Some(b)) => self.program.alphabet.classes_overlap(a.0, b.0),
            _ => false,
        }
    }

    /// Whether one string leads from some place back to it in two ways: in pairs of places that read the same string, whether
    /// (p, p) reaches (p, p) by a step that the two take differently.
    fn is_ambiguous(&self) -> bool {
        let size = self.places.len();
        let mut steps = 0;
        for origin in 0..size {
            if self.followers(origin).is_empty() {
                continue;
            }
            // Bit 0: reached while both went the same way; bit 1: after they parted.
            let mut seen = vec![0u8; size * size];
            let mut stack = vec![(origin, origin, false)];
            while let Some((a, b, parted)) = stack.pop() {
                for (i, &next_a) in self.followers(a).iter().enumerate() {
                    for (j, &next_b) in self.followers(b).iter().enumerate() {
                        steps += 1;
                        if steps > STEP_LIMIT {
                            return false;
                        }
                        let parted = parted || i != j;
                        if (next_a, next_b, parted) == (origin, origin, true) {
                            return self.overlap(origin, origin);
                        }
                        let bit = 1 << u8::from(parted);
                        let Some(seen) = seen.get_mut(next_a * size + next_b) else { continue };
                        if *seen & bit == 0 && self.overlap(next_a, next_b) {
                            *seen |= bit;
                            stack.push((next_a, next_b, parted));
                        }
                    }
                }
            }
        }
        false
    }
}

/// The class instructions that `pc` leads to without a character, each as often (at most twice) as there are ways to it.
///
/// A way takes no branch twice: an engine gives up a repetition that consumes nothing.
fn followers(program: &Program, start: Pc) -> Vec<Pc> {
    enum Task {
        Visit(Pc),
        Branch {
            split: Pc,
            first: bool,
            target: Pc,
        },
        /// The last branch of the way is done with.
        Return,
    }
    let mut found: Vec<Pc> = Vec::new();
    let mut way: Vec<(Pc, bool)> = Vec::new();
    let mut tasks = vec![Task::Visit(start)];
    for _ in 0..WAY_LIMIT {
        match tasks.pop() {
            None => break,
            Some(Task::Return) => {
                way.pop();
            }
            Some(Task::Branch { split, first, target }) => {
                if !way.contains(&(split, first)) {
                    way.push((split, first));
                    tasks.extend([Task::Return, Task::Visit(target)]);
                }
            }
            Some(Task::Visit(pc)) => match program.instruction(pc) {
                Instruction::Class(_) => {
                    if found.iter().filter(|known| **known == pc).count() < 2 {
                        found.push(pc);
                    }
                }
                Instruction::Jump(target) => tasks.push(Task::Visit(target)),
                Instruction::Assert(_) => tasks.push(Task::Visit(pc + 1)),
                Instruction::Split(first, second) => tasks.extend([
                    Task::Branch { split: pc, first: false, target: second },
                    Task::Branch { split: pc, first: true, target: first },
                ]),
                Instruction::Match => {}
            },
        }
    }
    found
}
