//! A pattern as a nondeterministic automaton over an alphabet as small as its classes allow.

use super::PatternError;
use super::alphabet::{Alphabet, Symbol};
use super::ast::{Assertion, Ast, Node, NodeId};
use super::classes::{self, CodePoints};

/// More instructions than this go to the host; a repetition `x{n,m}` takes the place of `m` copies of `x`.
const PROGRAM_LIMIT: usize = 10_000;

/// Deeper nesting of groups and repetitions goes to the host.
const DEPTH_LIMIT: u32 = 200;

/// Position of an instruction.
pub(super) type Pc = u16;

#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    /// Consumes one code point of a class.
    Class(u16),
    Split(Pc, Pc),
    Jump(Pc),
    Assert(Assertion),
    Match,
}

#[derive(Debug)]
pub(super) struct Program {
    pub(super) instructions: Vec<Instruction>,
    pub(super) alphabet: Alphabet,
    /// The class of word characters, if the pattern asks for word boundaries.
    pub(super) word: Option<u16>,
}

impl Program {
    pub(super) fn instruction(&self, pc: Pc) -> Instruction {
        self.instructions.get(usize::from(pc)).copied().unwrap_or(Instruction::Match)
    }

    /// Whether the symbol is a word character; the end of the text is none.
    pub(super) fn is_word(&self, symbol: Symbol) -> bool {
        self.word.is_some_and(|class| self.alphabet.class_contains(class, symbol))
    }

    /// # Errors
    ///
    /// [`PatternError::Unsupported`] when a limit is exceeded.
    pub(super) fn compile(ast: &Ast) -> Result<Self, PatternError> {
        Compiler::new(ast, false).run()
    }

    /// The automaton that [`lint`](super::lint) looks at: long repetitions stand as endless ones, and lookarounds as
    /// detours that lead nowhere.
    pub(super) fn approximate(ast: &Ast) -> Result<Self, PatternError> {
        Compiler::new(ast, true).run()
    }
}

struct Compiler<'a> {
    ast: &'a Ast,
    instructions: Vec<Instruction>,
    classes: Vec<CodePoints>,
    /// The class of each literal character, sorted by character.
    literals: Vec<(char, u16)>,
    approximate: bool,
}

type Emitted = Result<(), PatternError>;

impl<'a> Compiler<'a> {
    fn new(ast: &'a Ast, approximate: bool) -> Self {
        Self { ast, instructions: Vec::new(), classes: Vec::new(), literals: Vec::new(), approximate }
    }

    fn run(mut self) -> Result<Program, PatternError> {
        self.node(self.ast.root, 0)?;
        self.emit(Instruction::Match)?;
        let boundary =
            |i: &Instruction| matches!(i, Instruction::Assert(Assertion::WordBoundary | Assertion::NotWordBoundary));
        let word = if self.instructions.iter().any(boundary) {
            Some(self.class(&CodePoints::of(classes::WORD)))
        } else {
            None
        };
        let alphabet =
            Alphabet::new(&self.classes).ok_or(PatternError::Unsupported("too many different characters"))?;
        Ok(Program { instructions: self.instructions, alphabet, word })
    }

    fn emit(&mut self, instruction: Instruction) -> Result<Pc, PatternError> {
        if self.instructions.len() >= PROGRAM_LIMIT {
            return Err(PatternError::Unsupported("too long with its repetitions written out"));
        }
        self.instructions.push(instruction);
        Ok((self.instructions.len() - 1) as Pc)
    }

    fn next(&self) -> Pc {
        self.instructions.len() as Pc
    }

    fn patch(&mut self, pc: Pc, instruction: Instruction) {
        if let Some(slot) = self.instructions.get_mut(usize::from(pc)) {
            *slot = instruction;
        }
    }

    fn class(&mut self, set: &CodePoints) -> u16 {
        let index = self.classes.iter().position(|known| known == set).unwrap_or_else(|| {
            self.classes.push(set.clone());
            self.classes.len() - 1
        });
        index as u16
    }

    fn literal(&mut self, c: char) -> u16 {
        match self.literals.binary_search_by_key(&c, |literal| literal.0) {
            Ok(found) => self.literals.get(found).map_or(0, |literal| literal.1),
            Err(place) => {
                self.classes.push(CodePoints::of(&[(c as u32, c as u32)]));
                let class = (self.classes.len() - 1) as u16;
                self.literals.insert(place, (c, class));
                class
            }
        }
    }

    fn node(&mut self, id: NodeId, depth: u32) -> Emitted {
        if depth > DEPTH_LIMIT {
            return Err(PatternError::Unsupported("too deeply nested"));
        }
        let ast = self.ast;
        let Some(node) = ast.nodes.get(id as usize) else { return Ok(()) };
        match node {
            Node::Empty | Node::BackReference => {}
            Node::Char(c) => {
                let class = self.literal(*c);
                self.emit(Instruction::Class(class))?;
            }
            Node::Set(set) => {
                let class = ast.sets.get(*set as usize).map_or(0, |set| self.class(set));
                self.emit(Instruction::Class(class))?;
            }
            Node::Sequence(range) => {
                for child in ast.members(range) {
                    self.node(*child, depth + 1)?;
                }
            }
            Node::Alternation(range) => self.alternation(ast.members(range), depth)?,
            Node::Repeat { node, min, max } => self.repeat(*node, *min, *max, depth)?,
            Node::Assert(assertion) => {
                self.emit(Instruction::Assert(*assertion))?;
            }
            Node::Look(body) => {
                let split = self.emit(Instruction::Match)?;
                self.node(*body, depth + 1)?;
                let nothing = self.class(&CodePoints::default());
                self.emit(Instruction::Class(nothing))?;
                self.patch(split, Instruction::Split(split + 1, self.next()));
            }
        }
        Ok(())
    }

    fn alternation(&mut self, members: &[NodeId], depth: u32) -> Emitted {
        let mut exits = Vec::with_capacity(members.len());
        for (index, member) in members.iter().enumerate() {
            if index + 1 == members.len() {
                self.node(*member, depth + 1)?;
                break;
            }
            let split = self.emit(Instruction::Match)?;
            self.node(*member, depth + 1)?;
            exits.push(self.emit(Instruction::Match)?);
            self.patch(split, Instruction::Split(split + 1, self.next()));
        }
        for exit in exits {
            self.patch(exit, Instruction::Jump(self.next()));
        }
        Ok(())
    }

    fn repeat(&mut self, node: NodeId, mut min: u32, mut max: Option<u32>, depth: u32) -> Emitted {
        if self.approximate {
            // From about here on, repeating as often as the text allows is as bad as repeating endlessly.
            max = max.filter(|max| *max < 8);
            min = min.min(2);
        }
        let mut last = self.next();
        for _ in 0..min {
            last = self.next();
            self.node(node, depth + 1)?;
            if self.next() == last {
                // It matches only the empty string: once is as good as often.
                return Ok(());
            }
        }
        match max {
            None if min == 0 => {
                let split = self.emit(Instruction::Match)?;
                self.node(node, depth + 1)?;
                self.emit(Instruction::Jump(split))?;
                self.patch(split, Instruction::Split(split + 1, self.next()));
            }
            None => {
                let split = self.emit(Instruction::Match)?;
                self.patch(split, Instruction::Split(last, self.next()));
            }
            Some(max) => {
                let mut splits = Vec::new();
                for _ in min..max {
                    let split = self.emit(Instruction::Match)?;
                    splits.push(split);
                    self.node(node, depth + 1)?;
                    if self.next() == split + 1 {
                        break;
                    }
                }
                for split in splits {
                    self.patch(split, Instruction::Split(split + 1, self.next()));
                }
            }
        }
        Ok(())
    }
}
