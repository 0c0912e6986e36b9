//! The names of capturing groups: which may be defined twice, and whether each reference has its group.

use super::PatternError;
use super::classes::{UnicodeSet, is_in};
use super::parse::syntax;

/// More named groups than this are refused, so that comparing them stays cheap.
const NAME_LIMIT: usize = 250;

/// The named groups seen so far.
///
/// A name may recur only in another alternative of the same disjunction, so names of finished alternatives are set aside
/// until their group closes.
#[derive(Default)]
pub(super) struct Names {
    defined: Vec<Name>,
    references: Vec<(String, usize)>,
}

struct Name {
    text: String,
    set_aside: bool,
}

/// Where a group and its current alternative begin among the names.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    group: usize,
    alternative: usize,
}

impl Names {
    pub(super) fn open(&self) -> Scope {
        Scope { group: self.defined.len(), alternative: self.defined.len() }
    }

    pub(super) fn next_alternative(&mut self, scope: Option<&mut Scope>) {
        let Some(scope) = scope else { return };
        self.defined.iter_mut().skip(scope.alternative).for_each(|name| name.set_aside = true);
        scope.alternative = self.defined.len();
    }

    pub(super) fn close(&mut self, scope: Scope) {
        self.defined.iter_mut().skip(scope.group).for_each(|name| name.set_aside = false);
    }

    pub(super) fn define(&mut self, text: String, offset: usize) -> Result<(), PatternError> {
        if self.defined.iter().any(|name| !name.set_aside && name.text == text) {
            return syntax(offset, "duplicate group name");
        }
        if self.defined.len() >= NAME_LIMIT {
            return syntax(offset, "too many named groups");
        }
        self.defined.push(Name { text, set_aside: false });
        Ok(())
    }

    pub(super) fn refer(&mut self, text: String, offset: usize) {
        self.references.push((text, offset));
    }

    /// Whether every reference has its group, which may come later.
    pub(super) fn check_references(&self) -> Result<(), PatternError> {
        match self.references.iter().find(|(text, _)| self.defined.iter().all(|name| name.text != *text)) {
            Some((_, offset)) => syntax(*offset, "reference to a group that does not exist"),
            None => Ok(()),
        }
    }
}

/// Whether `c` may stand in an identifier. Beyond ASCII by general category, without the few code points that Unicode adds by hand.
pub(super) fn is_identifier(c: char, first: bool) -> bool {
    match c {
        'a'..='z' | 'A'..='Z' | '$' | '_' => true,
        '0'..='9' | '\u{200c}' | '\u{200d}' => !first,
        '\0'..='\x7f' => false,
        c => is_in(UnicodeSet::Letter, c) || !first && (is_in(UnicodeSet::Mark, c) || is_in(UnicodeSet::Digit, c)),
    }
}
