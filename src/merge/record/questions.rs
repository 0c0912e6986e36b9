//! The open questions of research records, and which of them were answered.

use super::lists::items_of;
use super::{Given, Record};
use crate::members::{Value, quote};
use crate::merge::children::Settled;
use crate::merge::fold;

impl<'v> Record<'v> {
    /// The question's key, if the child that is said to have answered it returned, and does not ask it itself.
    pub(super) fn answered(&self, mark: &Settled) -> Option<String> {
        let by = quote(&mark.by);
        let (_, result) = self.results.iter().find(|(child, _)| self.id(*child) == by)?;
        let wanted = fold::folded(&mark.question, self.host);
        for item in result.list_of("unresolved") {
            if self.question(item) == wanted {
                return None;
            }
        }
        Some(wanted)
    }

    /// The key of an open question, which is an object or the question itself; empty for what is none.
    fn question(&self, item: Value<'_>) -> String {
        fold::folded(item.as_str().or_else(|| item.text_of("question")).unwrap_or_default(), self.host)
    }

    /// All items. Of a research record's questions those that were not answered: they are no longer open.
    pub(super) fn open_items_of(&self, given: &[Given<'v>]) -> Vec<Given<'v>> {
        let mut items = items_of(given);
        if self.at == "/unresolved" && !self.settled.is_empty() {
            let mut questions = self.settled.clone();
            for (_, item) in &items {
                questions.push(self.question(*item));
            }
            let answered = self.settled.len();
            let mut open = vec![true; questions.len()];
            for (first, at) in fold::groups(&questions) {
                if let Some(open) = open.get_mut(at as usize) {
                    *open = first as usize >= answered;
                }
            }
            let mut open = open.into_iter().skip(answered);
            items.retain(|_| open.next() == Some(true));
        }
        items
    }
}
