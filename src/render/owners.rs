//! Whose something is in a merge: the children, by the numbers under which they are named.

use super::lines::Lines;
use super::text::{push_count, push_visible};
use crate::json::hash_name;
use crate::json::sort::sort_pairs;
use crate::members::Value;

/// The numbers under which the children of a merge are named.
#[derive(Default)]
pub(super) struct Ids {
    /// Hash of an id, and position.
    pairs: Vec<(u32, u32)>,
    ids: Vec<String>,
}

impl Ids {
    pub(super) fn add(&mut self, id: String) {
        self.pairs.push((hash_name(id.as_bytes()), self.ids.len() as u32));
        self.ids.push(id);
    }

    pub(super) fn sort(&mut self) {
        sort_pairs(&mut self.pairs, &mut |a, b| a.cmp(b));
    }

    /// Appends `#1` for the first child; an id that is none of them as a string.
    pub fn push_label(&self, out: &mut String, id: &str) {
        let hash = hash_name(id.as_bytes());
        let mut at = self.pairs.partition_point(|pair| pair.0 < hash);
        while let Some((_, position)) = self.pairs.get(at).filter(|pair| pair.0 == hash) {
            if self.ids.get(*position as usize).is_some_and(|known| known == id) {
                out.push('#');
                return push_count(out, *position as usize + 1);
            }
            at += 1;
        }
        push_visible(out, id);
    }

    /// Whether a child of the merge has this id.
    pub fn knows(&self, id: &str) -> bool {
        let mut label = String::new();
        self.push_label(&mut label, id);
        label.starts_with('#')
    }
}

impl Lines {
    /// Goes on with the line: several children after words of ours; nothing for none.
    pub(super) fn put_children(&mut self, words: &str, ids: Vec<Value<'_>>) {
        let mut before = words;
        for id in ids {
            self.put(before);
            self.put_child(id.as_str().unwrap_or_default());
            before = ", ";
        }
    }

    /// Goes on with the line: several children; nothing for none.
    pub(super) fn put_whom(&mut self, whose: &[&str]) {
        let mut before = " (";
        for id in whose {
            self.put(before);
            self.put_child(id);
            before = ", ";
        }
        if !whose.is_empty() {
            self.put(")");
        }
    }

    /// Goes on with the line: whose it is, if it is one child's.
    pub fn put_owner(&mut self, whose: Option<&str>) {
        self.put_whom(whose.as_slice());
    }

    /// Goes on with the line: whose a merged item is, each with a confidence that is not the one shown.
    pub(super) fn put_owners(&mut self, by_child: &[Value<'_>], confidence: Option<&str>) {
        let mut before = " (";
        for kept in by_child {
            self.put(before);
            self.put_child(kept.text_of("id").unwrap_or_default());
            let own = kept.member("value").and_then(|value| value.text_of("confidence"));
            if let Some(own) = own.filter(|own| Some(*own) != confidence) {
                self.put(" ");
                self.put_name(own);
            }
            before = ", ";
        }
        if !by_child.is_empty() {
            self.put(")");
        }
    }

    /// Goes on with the line: what the children of a merged item have of their own.
    pub(super) fn put_own(&mut self, by_child: &[Value<'_>]) {
        for kept in by_child {
            if let Some(value) = kept.member("value") {
                self.put_rest(kept.text_of("id"), value, &["claim", "confidence"]);
            }
        }
    }
}
