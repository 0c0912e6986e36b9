//! The syntax of ECMA-262 regular expressions under flag `u`, into a tree.
//!
//! The parser keeps its own stack, so nesting is bounded by the pattern's length alone.

use super::PatternError;
use super::ast::{Assertion, Ast, Node, NodeId};
use super::classes::{CodePoints, LINE_TERMINATOR};
use super::cursor::Cursor;
use super::escapes::Atom;
use super::names::{Names, Scope};

/// An open group, the whole pattern being the first.
struct Frame {
    /// Where its current alternative begins in `items`.
    items: usize,
    /// Where its finished alternatives begin in `alternatives`.
    alternatives: usize,
    names: Scope,
    look: bool,
}

pub(super) type Parsed<T> = Result<T, PatternError>;

pub(super) struct Parser<'a> {
    pub(super) cursor: Cursor<'a>,
    ast: Ast,
    items: Vec<NodeId>,
    alternatives: Vec<NodeId>,
    frames: Vec<Frame>,
    names: Names,
    /// Whether a tree is wanted; without, only the syntax is judged.
    building: bool,
    groups: u32,
    greatest_reference: u32,
    reference_offset: usize,
}

/// Parses a pattern.
///
/// # Errors
///
/// Only [`PatternError::Syntax`]; what is well-formed but unsupported is noted in the tree.
pub(super) fn parse(source: &str) -> Parsed<Ast> {
    Parser::new(source, true).run()
}

/// Judges a pattern's syntax alone, without building a tree.
///
/// # Errors
///
/// As [`parse`].
pub(super) fn check(source: &str) -> Parsed<()> {
    Parser::new(source, false).run().map(|_| ())
}

impl<'a> Parser<'a> {
    fn new(source: &'a str, building: bool) -> Self {
        Self {
            cursor: Cursor::new(source),
            ast: Ast { nodes: Vec::new(), children: Vec::new(), sets: Vec::new(), root: 0, unsupported: None },
            items: Vec::new(),
            alternatives: Vec::new(),
            frames: Vec::new(),
            names: Names::default(),
            building,
            groups: 0,
            greatest_reference: 0,
            reference_offset: 0,
        }
    }

    fn run(mut self) -> Parsed<Ast> {
        self.open(false);
        loop {
            let offset = self.cursor.offset();
            let Some(c) = self.cursor.next() else { break };
            match c {
                '|' => {
                    self.finish_alternative();
                    self.names.next_alternative(self.frames.last_mut().map(|frame| &mut frame.names));
                }
                '(' => self.group(offset)?,
                ')' if self.frames.len() > 1 => self.close()?,
                ')' => return syntax(offset, "unmatched closing parenthesis"),
                '^' => self.item(Node::Assert(Assertion::Start)),
                '$' => self.item(Node::Assert(Assertion::End)),
                '*' | '+' | '?' | '{' => return syntax(offset, "nothing to repeat"),
                ']' | '}' => return syntax(offset, "unmatched closing bracket"),
                '.' => {
                    let mut set = CodePoints::of(LINE_TERMINATOR);
                    set.negate();
                    self.atom(Atom::Set(set))?;
                }
                '[' => {
                    let set = self.class(offset)?;
                    self.atom(Atom::Set(set))?;
                }
                '\\' => self.escape(offset)?,
                c => self.atom(Atom::Char(c))?,
            }
        }
        if self.frames.len() > 1 {
            return syntax(self.cursor.offset(), "unterminated group");
        }
        self.ast.root = self.finish_group();
        if self.greatest_reference > self.groups {
            return syntax(self.reference_offset, "reference to a group that does not exist");
        }
        self.names.check_references()?;
        Ok(self.ast)
    }

    pub(super) fn unsupported(&mut self, what: &'static str) {
        self.ast.unsupported.get_or_insert(what);
    }

    fn node(&mut self, node: Node) -> NodeId {
        if !self.building {
            return 0;
        }
        self.ast.nodes.push(node);
        (self.ast.nodes.len() - 1) as NodeId
    }

    fn item(&mut self, node: Node) {
        let id = self.node(node);
        self.push_item(id);
    }

    fn push_item(&mut self, id: NodeId) {
        if self.building {
            self.items.push(id);
        }
    }

    fn set(&mut self, set: CodePoints) -> Node {
        if !self.building {
            return Node::Empty;
        }
        self.ast.sets.push(set);
        Node::Set((self.ast.sets.len() - 1) as u32)
    }

    /// An item that may be repeated, with its quantifier.
    fn atom(&mut self, atom: Atom) -> Parsed<()> {
        let node = match atom {
            Atom::Char(c) => Node::Char(c),
            Atom::Surrogate(code) => self.set(CodePoints::of(&[(code, code)])),
            Atom::Set(set) => self.set(set),
        };
        let id = self.node(node);
        self.quantified(id)
    }

    fn quantified(&mut self, node: NodeId) -> Parsed<()> {
        let offset = self.cursor.offset();
        let (min, max) = match self.cursor.peek() {
            Some(b'*') => (0, None),
            Some(b'+') => (1, None),
            Some(b'?') => (0, Some(1)),
            Some(b'{') => {
                self.cursor.eat(b'{');
                let min = self.decimal(offset)?;
                let max = if !self.cursor.eat(b',') {
                    Some(min)
                } else if self.cursor.peek() == Some(b'}') {
                    None
                } else {
                    Some(self.decimal(offset)?)
                };
                if self.cursor.peek() != Some(b'}') {
                    return syntax(offset, "incomplete quantifier");
                }
                if max.is_some_and(|max| max < min) {
                    return syntax(offset, "numbers out of order in quantifier");
                }
                (min, max)
            }
            _ => {
                self.push_item(node);
                return Ok(());
            }
        };
        self.cursor.next();
        // Lazy or greedy: which match is found differs, whether one is does not.
        self.cursor.eat(b'?');
        self.item(Node::Repeat { node, min, max });
        Ok(())
    }

    fn decimal(&mut self, offset: usize) -> Parsed<u32> {
        let mut value: Option<u32> = None;
        while let Some(digit) = self.cursor.digit(10) {
            value = Some(value.unwrap_or(0).saturating_mul(10).saturating_add(digit));
        }
        value.map_or_else(|| syntax(offset, "incomplete quantifier"), Ok)
    }

    fn open(&mut self, look: bool) {
        let names = self.names.open();
        self.frames.push(Frame { items: self.items.len(), alternatives: self.alternatives.len(), names, look });
    }

    #[inline(never)]
    fn group(&mut self, offset: usize) -> Parsed<()> {
        let mut look = false;
        let mut name = None;
        if self.cursor.eat(b'?') {
            match self.cursor.next() {
                Some(':') => {}
                Some('=' | '!') => look = true,
                Some('<') if self.cursor.eat(b'=') || self.cursor.eat(b'!') => look = true,
                Some('<') => name = Some(self.group_name(offset)?),
                Some(c @ ('i' | 'm' | 's' | '-')) => self.modifiers(offset, c)?,
                _ => return syntax(offset, "invalid group"),
            }
        } else {
            self.groups += 1;
        }
        if let Some(name) = name {
            self.groups += 1;
            self.names.define(name, offset)?;
        }
        if look {
            self.unsupported("lookaround");
        }
        self.open(look);
        Ok(())
    }

    /// `(?i-ms:`, after its first character.
    fn modifiers(&mut self, offset: usize, first: char) -> Parsed<()> {
        self.unsupported("modifiers");
        let mut seen = 0u8;
        let mut next = Some(first);
        while let Some(c) = next {
            let bit = match c {
                'i' => 1,
                'm' => 2,
                's' => 4,
                '-' => 8,
                ':' if seen != 8 => return Ok(()),
                _ => break,
            };
            if seen & bit != 0 {
                break;
            }
            seen |= bit;
            next = self.cursor.next();
        }
        syntax(offset, "invalid group")
    }

    fn close(&mut self) -> Parsed<()> {
        let look = self.frames.last().is_some_and(|frame| frame.look);
        let node = self.finish_group();
        if look {
            // Under flag u no quantifier may follow; the main loop refuses it.
            self.item(Node::Look(node));
            return Ok(());
        }
        self.quantified(node)
    }

    fn finish_alternative(&mut self) {
        let start = self.frames.last().map_or(0, |frame| frame.items);
        let node = match self.items.get(start..) {
            Some([]) | None => self.node(Node::Empty),
            Some(&[only]) => only,
            Some(items) => {
                let first = self.ast.children.len() as u32;
                self.ast.children.extend_from_slice(items);
                let last = self.ast.children.len() as u32;
                self.node(Node::Sequence(first..last))
            }
        };
        self.items.truncate(start);
        if self.building {
            self.alternatives.push(node);
        }
    }

    fn finish_group(&mut self) -> NodeId {
        self.finish_alternative();
        let Some(frame) = self.frames.pop() else { return 0 };
        self.names.close(frame.names);
        let node = match self.alternatives.get(frame.alternatives..) {
            Some(&[only]) => only,
            Some(alternatives) => {
                let first = self.ast.children.len() as u32;
                self.ast.children.extend_from_slice(alternatives);
                let last = self.ast.children.len() as u32;
                self.node(Node::Alternation(first..last))
            }
            None => self.node(Node::Empty),
        };
        self.alternatives.truncate(frame.alternatives);
        node
    }

    /// An escape outside a class, after its backslash.
    #[inline(never)]
    fn escape(&mut self, offset: usize) -> Parsed<()> {
        match self.cursor.peek() {
            Some(b'b') => {
                self.cursor.next();
                self.item(Node::Assert(Assertion::WordBoundary));
                Ok(())
            }
            Some(b'B') => {
                self.cursor.next();
                self.item(Node::Assert(Assertion::NotWordBoundary));
                Ok(())
            }
            Some(b'k') => {
                self.cursor.next();
                if !self.cursor.eat(b'<') {
                    return syntax(offset, "invalid named reference");
                }
                let name = self.group_name(offset)?;
                self.names.refer(name, offset);
                self.back_reference()
            }
            Some(b'1'..=b'9') => {
                let number = self.decimal(offset)?;
                if number > self.greatest_reference {
                    self.greatest_reference = number;
                    self.reference_offset = offset;
                }
                self.back_reference()
            }
            _ => {
                let atom = self.character_escape(offset, false)?;
                self.atom(atom)
            }
        }
    }

    fn back_reference(&mut self) -> Parsed<()> {
        self.unsupported("back reference");
        let node = self.node(Node::BackReference);
        self.quantified(node)
    }
}

pub(super) fn syntax<T>(offset: usize, what: &'static str) -> Parsed<T> {
    Err(PatternError::Syntax { offset, what })
}
