//! Assertions: `type`, `enum`, `const`, and those of numbers and strings.

use super::{Compiler, Found, SchemaError, SchemaErrorCode};
use crate::json::number::Decimal;
use crate::json::sort::sort_pairs;
use crate::json::tape::{NodeId, Tag};
use crate::json::write::concat;
use crate::schema::dialect::{Draft, Vocabularies};
use crate::schema::format::Format;
use crate::schema::keyword::Keyword;
use crate::schema::lint::LintCode;
use crate::schema::options::{Formats, Trust};
use crate::schema::pattern::{self, Pattern, PatternError};
use crate::schema::plan::{Bound, EnumPlan, HostPattern, Matcher, Op};
use crate::schema::resolve::Place;
use crate::validate::issue::Types;

impl Compiler<'_> {
    pub(super) fn types(&mut self, found: &Found) -> Types {
        let Some(node) = found.get(Keyword::Type) else { return Types::ANY };
        let place = found.at(node);
        let names = if self.tag(place) == Some(Tag::Array) { self.items(place) } else { vec![place] };
        let mut types = Types(0);
        for name in names {
            let Some(text) = self.string(name) else { continue };
            match Types::from_name(&text) {
                Some(known) => types = types.with(known),
                None => self.problem(SchemaErrorCode::InvalidSchema, name, "type", "unknown type"),
            }
        }
        // The empty set is the schema `false`; an empty list is a problem already, or its metaschema allows it.
        if types == Types(0) { Types::ANY } else { types }
    }

    #[inline(never)]
    pub(super) fn values(&mut self, found: &Found) {
        if let Some(node) = found.get(Keyword::Enum) {
            let mut plan = EnumPlan::default();
            if self.tag(found.at(node)) != Some(Tag::Array) {
                self.problem(SchemaErrorCode::InvalidSchema, found.at(node), "enum", "expected an array");
            }
            let mut strings = Vec::new();
            if let Some(tape) = self.registry.tape(found.place) {
                for item in tape.items(node) {
                    match tape.as_string(item) {
                        Some(string) => strings.push((crate::json::hash_name(string.as_bytes()), item)),
                        None => plan.others.push(item),
                    }
                }
            }
            sort_pairs(&mut strings, &mut |a, b| a.cmp(b));
            plan.strings = strings.into_iter().map(|(_, item)| self.name(found.at(item))).collect();
            let index = self.plan.enums.len() as u32;
            self.plan.enums.push(plan);
            self.push(Op::Enum(index));
        }
        if let Some(node) = found.get(Keyword::Const) {
            self.push(Op::Const(node));
        }
    }

    pub(super) fn numbers(&mut self, found: &Found) {
        let pairs =
            [(Keyword::Minimum, Keyword::ExclusiveMinimum, false), (Keyword::Maximum, Keyword::ExclusiveMaximum, true)];
        for (inclusive, exclusive, upper) in pairs {
            // In draft 4 the exclusive keywords are booleans that sharpen the others.
            let draft4 = found.dialect.draft == Draft::Draft4;
            let sharpened =
                draft4 && found.get(exclusive).is_some_and(|node| self.tag(found.at(node)) == Some(Tag::True));
            self.bound(found, inclusive, upper, sharpened);
            if !draft4 {
                self.bound(found, exclusive, upper, true);
            }
        }
        if let Some(node) = self.number(found, Keyword::MultipleOf) {
            self.push(Op::MultipleOf(node));
        }
    }

    fn bound(&mut self, found: &Found, keyword: Keyword, upper: bool, exclusive: bool) {
        let Some(node) = self.number(found, keyword) else { return };
        let small = self.registry.tape(found.place).and_then(|tape| tape.small_integer(tape.node(node)));
        let bound = self.plan.bounds.len() as u32;
        self.plan.bounds.push(Bound { node, small });
        self.push(Op::Bound { bound, upper, exclusive });
    }

    fn number(&mut self, found: &Found, keyword: Keyword) -> Option<NodeId> {
        let node = found.get(keyword)?;
        if self.tag(found.at(node)) != Some(Tag::Number) {
            self.problem(SchemaErrorCode::InvalidSchema, found.at(node), "type", "expected a number");
            return None;
        }
        Some(node)
    }

    /// The value of a keyword that counts; more than can ever be counted is as much as can be.
    pub(super) fn count(&mut self, found: &Found, keyword: Keyword) -> Option<u32> {
        let node = self.number(found, keyword)?;
        let tape = self.registry.tape(found.place)?;
        let count = Decimal::parse(tape.number(node).as_bytes()).to_usize();
        if count.is_none() {
            self.problem(
                SchemaErrorCode::InvalidSchema,
                found.at(node),
                "type",
                "expected a whole number that is not negative",
            );
        }
        count.map(|count| u32::try_from(count).unwrap_or(u32::MAX))
    }

    #[inline(never)]
    pub(super) fn strings(&mut self, found: &Found) -> Result<(), Box<SchemaError>> {
        if let Some(limit) = self.count(found, Keyword::MinLength).filter(|limit| *limit > 0) {
            self.push(Op::MinLength(limit));
        }
        if let Some(limit) = self.count(found, Keyword::MaxLength) {
            self.push(Op::MaxLength(limit));
        }
        if let Some(node) = found.get(Keyword::Format)
            && let Some(name) = self.string(found.at(node))
        {
            let asked = found.dialect.vocabularies.contains(Vocabularies::FORMAT_ASSERTION);
            match Format::from_name(&name) {
                Some(format) if asked || self.options.formats == Formats::Assert => self.push(Op::Format(format)),
                Some(_) => {}
                None => self.lint(found.at(node), LintCode::UnknownFormat),
            }
        }
        if let Some(node) = found.get(Keyword::Pattern)
            && let Some(pattern) = self.pattern(found.at(node))
        {
            self.push(Op::Pattern(pattern));
        }
        Ok(())
    }

    /// Compiles the pattern that stands at a place, or finds it among those compiled.
    pub(super) fn pattern(&mut self, place: Place) -> Option<u32> {
        let source = self.string(place)?;
        if let Some(known) = self.sources.iter().position(|known| *known == source) {
            return Some(known as u32);
        }
        let matcher = match Pattern::compile(&source) {
            Ok(pattern) => Matcher::Native(pattern),
            Err(PatternError::Syntax { what, .. }) => {
                self.problem(
                    SchemaErrorCode::InvalidSchema,
                    place,
                    "pattern",
                    &concat(&["not a regular expression: ", what]),
                );
                return None;
            }
            Err(PatternError::Unsupported(what)) => {
                let Some(host) = self.options.host.clone().filter(|_| self.options.trust == Trust::Author) else {
                    let message = concat(&["pattern is outside the linear subset: ", what]);
                    self.problem(SchemaErrorCode::UnsupportedPattern, place, "pattern", &message);
                    return None;
                };
                match host.compile(&source) {
                    Ok(handle) => {
                        self.lint(place, LintCode::HostPattern);
                        if pattern::lint(&source).is_some() {
                            self.lint(place, LintCode::CatastrophicPattern);
                        }
                        Matcher::Host(HostPattern { host, handle })
                    }
                    Err(what) => {
                        let message = concat(&["the host refuses the pattern: ", &what]);
                        self.problem(SchemaErrorCode::UnsupportedPattern, place, "pattern", &message);
                        return None;
                    }
                }
            }
        };
        self.plan.patterns.push(matcher);
        self.sources.push(source);
        Some(self.plan.patterns.len() as u32 - 1)
    }
}
