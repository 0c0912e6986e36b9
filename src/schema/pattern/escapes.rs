//! Escapes, character classes and group names.

use super::classes::{self, CodePoints, Property};
use super::names::is_identifier;
use super::parse::{Parsed, Parser, syntax};

/// A class atom, or an escape that may be one.
pub(super) enum Atom {
    Char(char),
    /// A lone surrogate: it occurs in no text.
    Surrogate(u32),
    Set(CodePoints),
}

impl Parser<'_> {
    /// The escapes that mean one character or a set of them, after the backslash.
    pub(super) fn character_escape(&mut self, offset: usize, in_class: bool) -> Parsed<Atom> {
        let Some(c) = self.cursor.next() else {
            return syntax(offset, "lone backslash");
        };
        let set = |ranges, negative: bool| {
            let mut set = CodePoints::of(ranges);
            if negative {
                set.negate();
            }
            Ok(Atom::Set(set))
        };
        match c {
            'd' | 'D' => set(classes::DIGIT, c == 'D'),
            's' | 'S' => set(classes::SPACE, c == 'S'),
            'w' | 'W' => set(classes::WORD, c == 'W'),
            'p' | 'P' => self.property(offset, c == 'P'),
            't' => Ok(Atom::Char('\t')),
            'n' => Ok(Atom::Char('\n')),
            'v' => Ok(Atom::Char('\u{b}')),
            'f' => Ok(Atom::Char('\u{c}')),
            'r' => Ok(Atom::Char('\r')),
            'b' if in_class => Ok(Atom::Char('\u{8}')),
            '-' if in_class => Ok(Atom::Char('-')),
            '0' if !self.cursor.peek().is_some_and(|next| next.is_ascii_digit()) => Ok(Atom::Char('\0')),
            'c' => match self.cursor.next() {
                Some(letter) if letter.is_ascii_alphabetic() => Ok(code_point(letter as u32 % 32)),
                _ => syntax(offset, "invalid control escape"),
            },
            'x' => {
                self.hex(2).map_or_else(|| syntax(offset, "invalid hexadecimal escape"), |code| Ok(code_point(code)))
            }
            'u' => self
                .unicode_escape()
                .map_or_else(|| syntax(offset, "invalid unicode escape"), |code| Ok(code_point(code))),
            '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '/' => {
                Ok(Atom::Char(c))
            }
            _ => syntax(offset, "invalid escape"),
        }
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let mut value = 0;
        for _ in 0..digits {
            value = value * 16 + self.cursor.digit(16)?;
        }
        Some(value)
    }

    /// After `\u`: four digits, a surrogate pair of two such escapes, or `{...}`.
    fn unicode_escape(&mut self) -> Option<u32> {
        if self.cursor.eat(b'{') {
            let mut value = self.hex(1)?;
            while !self.cursor.eat(b'}') {
                value = value * 16 + self.hex(1)?;
                if value > 0x10_ffff {
                    return None;
                }
            }
            return Some(value);
        }
        let lead = self.hex(4)?;
        if (0xd800..0xdc00).contains(&lead) {
            let before = self.cursor;
            if self.cursor.eat(b'\\')
                && self.cursor.eat(b'u')
                && let Some(trail @ 0xdc00..=0xdfff) = self.hex(4)
            {
                return Some(0x1_0000 + ((lead - 0xd800) << 10) + (trail - 0xdc00));
            }
            self.cursor = before;
        }
        Some(lead)
    }

    #[inline(never)]
    fn property(&mut self, offset: usize, negative: bool) -> Parsed<Atom> {
        let text = if self.cursor.eat(b'{') { self.cursor.until(b'}') } else { None };
        let Some(text) = text else {
            return syntax(offset, "invalid property escape");
        };
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        match classes::property(name, value) {
            Property::Known(mut set) => {
                if negative {
                    set.negate();
                }
                Ok(Atom::Set(set))
            }
            Property::Unknown => {
                self.unsupported("unicode property");
                Ok(Atom::Set(CodePoints::default()))
            }
            Property::Invalid => syntax(offset, "unknown unicode property"),
        }
    }

    /// A class, after its opening bracket.
    #[inline(never)]
    pub(super) fn class(&mut self, offset: usize) -> Parsed<CodePoints> {
        let negative = self.cursor.eat(b'^');
        let mut set = CodePoints::default();
        while let Some(first) = self.class_atom(offset)? {
            let mut ahead = self.cursor;
            let is_range = ahead.eat(b'-') && ahead.peek() != Some(b']');
            if !is_range {
                match first {
                    Atom::Set(other) => set.extend(&other),
                    first => set.push(code_of(&first), code_of(&first)),
                }
                continue;
            }
            self.cursor = ahead;
            let last = self.class_atom(offset)?;
            let (first, last) = match (first, last) {
                (Atom::Set(_), _) | (_, Some(Atom::Set(_)) | None) => return syntax(offset, "invalid character class"),
                (first, Some(last)) => (code_of(&first), code_of(&last)),
            };
            if first > last {
                return syntax(offset, "range out of order in character class");
            }
            set.push(first, last);
        }
        set.normalize();
        if negative {
            set.negate();
        }
        Ok(set)
    }

    /// The next member of a class; `None` at its closing bracket.
    fn class_atom(&mut self, class: usize) -> Parsed<Option<Atom>> {
        let offset = self.cursor.offset();
        match self.cursor.next() {
            None => syntax(class, "unterminated character class"),
            Some(']') => Ok(None),
            Some('\\') => self.character_escape(offset, true).map(Some),
            Some(c) => Ok(Some(Atom::Char(c))),
        }
    }

    /// A group's name, after `<` and up to and with `>`.
    pub(super) fn group_name(&mut self, offset: usize) -> Parsed<String> {
        let mut name = String::new();
        loop {
            let c = match self.cursor.next() {
                Some('>') if !name.is_empty() => return Ok(name),
                Some('\\') if self.cursor.eat(b'u') => self.unicode_escape().and_then(char::from_u32),
                c => c,
            };
            match c {
                Some(c) if is_identifier(c, name.is_empty()) => name.push(c),
                _ => return syntax(offset, "invalid group name"),
            }
        }
    }
}

fn code_point(code: u32) -> Atom {
    char::from_u32(code).map_or(Atom::Surrogate(code), Atom::Char)
}

fn code_of(atom: &Atom) -> u32 {
    match atom {
        Atom::Char(c) => *c as u32,
        Atom::Surrogate(code) => *code,
        Atom::Set(_) => 0,
    }
}
