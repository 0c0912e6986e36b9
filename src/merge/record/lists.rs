//! Lists: their union, their items by key, and what all or only some of them have.

use super::{Given, Objects, Record};
use crate::json::pointer::push_index;
use crate::json::tape::Tag;
use crate::members::{push_item, push_member, push_string};
use crate::merge::fold;
use crate::merge::rule::Field;

impl<'v> Record<'v> {
    /// Appends the keys of items.
    #[inline(never)]
    fn push_keys(&self, keys: &mut Vec<String>, items: &[Given<'v>]) {
        for (_, item) in items {
            keys.push(fold::key(*item, self.host));
        }
    }

    pub(super) fn union(&self, items: &[Given<'v>]) -> String {
        let mut keys = Vec::new();
        self.push_keys(&mut keys, items);
        let mut firsts = Vec::new();
        for (first, at) in fold::groups(&keys) {
            firsts.extend(items.get(at as usize).filter(|_| first == at));
        }
        list(&firsts)
    }

    pub(super) fn dedupe(&mut self, key: &str, fields: &[Field], items: &[Given<'v>]) -> String {
        let mut keys = Vec::new();
        for (at, (_, item)) in items.iter().enumerate() {
            keys.push(match item.member(key) {
                Some(value) => fold::key(value, self.host),
                // Unlike every other: no JSON text starts like a pointer.
                None => {
                    let mut own = String::new();
                    push_index(&mut own, at as u64);
                    own
                }
            });
        }
        let mut out = String::from("[");
        for (at, group) in fold::groups(&keys).chunk_by(|a, b| a.0 == b.0).enumerate() {
            let group = pick(items, group, 0);
            let Some((_, first)) = group.first() else { continue };
            if first.tag() != Tag::Object {
                push_item(&mut out, first.text());
                continue;
            }
            let shared = first.member(key).map(|value| (key, value.text()));
            let length = self.at.len();
            push_index(&mut self.at, at as u64);
            push_item(&mut out, &self.object(fields, &group, shared, true));
            self.at.truncate(length);
        }
        out.push(']');
        out
    }

    /// What every child with a list has; the rest goes to `partly`, with who has it and whose `against` list has it too.
    pub(super) fn intersect(
        &self,
        against: Option<&str>,
        given: &[Given<'v>],
        objects: &mut Objects<'_, 'v>,
    ) -> String {
        let declared = items_of(given);
        let mut lists = Vec::new();
        if let Some(against) = against {
            for (child, object) in objects.given {
                lists.extend(object.member(against).map(|list| (*child, list)));
            }
        }
        let contrary = items_of(&lists);
        let mut keys = Vec::new();
        self.push_keys(&mut keys, &declared);
        self.push_keys(&mut keys, &contrary);
        // A child may have several lists, in items of its own that were deduplicated.
        let declarers = children_of(given).len();
        let mut out = String::from("[");
        for group in fold::groups(&keys).chunk_by(|a, b| a.0 == b.0) {
            let mine = pick(&declared, group, 0);
            let Some((_, value)) = mine.first() else { continue };
            let declaring = children_of(&mine);
            if declaring.len() == declarers {
                push_item(&mut out, value.text());
                continue;
            }
            let partly = &mut objects.partly;
            push_item(partly, "{");
            push_string(partly, "slot", Some(self.at.rsplit('/').next().unwrap_or_default()));
            push_member(partly, "value", value.text());
            push_member(partly, "declared_by", &self.id_list(&declaring));
            if against.is_some() {
                let searched = children_of(&pick(&contrary, group, declared.len()));
                push_member(partly, "searched_by", &self.id_list(&searched));
            }
            partly.push('}');
        }
        out.push(']');
        out
    }

    fn id_list(&self, children: &[u32]) -> String {
        let mut out = String::from("[");
        for child in children {
            push_item(&mut out, self.id(*child));
        }
        out.push(']');
        out
    }
}

/// The items of a group; `offset` is where they start among the keys.
#[inline(never)]
fn pick<'v>(items: &[Given<'v>], group: &[(u32, u32)], offset: usize) -> Vec<Given<'v>> {
    let mut out = Vec::new();
    for (_, at) in group {
        if let Some(at) = (*at as usize).checked_sub(offset) {
            out.extend(items.get(at));
        }
    }
    out
}

/// The children that values are from, each once. The values are in call order.
#[inline(never)]
fn children_of(given: &[Given<'_>]) -> Vec<u32> {
    let mut out: Vec<u32> = Vec::new();
    for (child, _) in given {
        if out.last() != Some(child) {
            out.push(*child);
        }
    }
    out
}

#[inline(never)]
pub(super) fn items_of<'v>(given: &[Given<'v>]) -> Vec<Given<'v>> {
    let mut items = Vec::new();
    for (child, list) in given {
        for item in list.list() {
            items.push((*child, item));
        }
    }
    items
}

#[inline(never)]
pub(super) fn list(items: &[Given<'_>]) -> String {
    let mut out = String::from("[");
    for (_, item) in items {
        push_item(&mut out, item.text());
    }
    out.push(']');
    out
}
