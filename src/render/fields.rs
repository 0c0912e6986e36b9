//! The fields of a record that have no meaning of their own, those that a merge kept by child with whose they are.

use super::lines::{Class, Lines};
use super::text::push_name;
use crate::json::tape::Tag;
use crate::members::Value;
use crate::merge::groups;

/// What a merge writes beside the properties of what it merged.
const OURS: [&str; 2] = ["by_child", "partly_declared"];

/// Slots that are read as objects; anything else in them is a field.
const OBJECTS: [&str; 2] = ["coverage", "effort"];

/// An object, and whose it is in a merge: nobody's alone, if that says nothing.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub whose: Option<&'a str>,
    pub value: Value<'a>,
    /// Whether [`OURS`] are a merge's in it, and no members of a child's own.
    pub merge: bool,
}

/// An object, and behind it what a merge kept of it by child.
pub(super) fn sources<'a>(value: Value<'a>, whose: Option<&'a str>, merge: bool) -> Vec<Source<'a>> {
    let mut all = vec![Source { whose, value, merge }];
    for entry in if merge { value.list_of("by_child") } else { Vec::new() } {
        if let Some(value) = entry.member("value") {
            all.push(Source { whose: Some(entry.text_of("id").unwrap_or_default()), value, merge: false });
        }
    }
    all
}

/// One field of a source.
#[derive(Clone, Copy)]
struct Field<'a> {
    of: Source<'a>,
    name: &'a str,
    value: Value<'a>,
}

impl Lines {
    /// The fields of an object and of what was kept of it by child, in the order of the contract's properties. What several
    /// children have to the letter stands once. `before`: the way to the object, as text of ours.
    pub fn fields(&mut self, all: &[Source<'_>], before: &str, slots: &[&str], properties: Option<Value<'_>>) {
        let (mut names, mut given) = (Vec::new(), Vec::new());
        for (name, _) in properties.map(Value::pairs).unwrap_or_default() {
            names.push(name.to_owned());
        }
        let known = names.len();
        for of in all {
            for (name, value) in of.value.pairs() {
                let is_slot = slots.contains(&name) && (!OBJECTS.contains(&name) || value.tag() == Tag::Object);
                let is_ours = of.merge && OURS.contains(&name);
                if !is_slot && !is_ours {
                    names.push(name.to_owned());
                    given.push(Field { of: *of, name, value });
                }
            }
        }
        for same_name in groups(&names).chunk_by(|a, b| a.0 == b.0) {
            let (mut fields, mut texts) = (Vec::new(), Vec::new());
            for (_, at) in same_name {
                if let Some(field) = (*at as usize).checked_sub(known).and_then(|at| given.get(at)) {
                    let alone = if field.of.whose.is_none() { " " } else { "" };
                    fields.push(*field);
                    texts.push([alone, field.value.text()].concat());
                }
            }
            for alike in groups(&texts).chunk_by(|a, b| a.0 == b.0) {
                let mut whose = Vec::new();
                for (_, at) in alike {
                    whose.extend(fields.get(*at as usize).and_then(|field| field.of.whose));
                }
                if let Some(field) = alike.first().and_then(|(first, _)| fields.get(*first as usize)) {
                    self.field(*field, before, &whose, properties);
                }
            }
        }
        for of in all.iter().filter(|of| of.merge && before != "coverage.") {
            self.partly_declared(of.value, before, properties);
        }
    }

    /// A field: a list of objects as a line for each, an object that was merged by its members, anything else as one line.
    fn field(&mut self, field: Field<'_>, before: &str, whose: &[&str], properties: Option<Value<'_>>) {
        let Field { of, name, value } = field;
        let class = class_of(properties, name);
        if of.merge && value.tag() == Tag::Object && OURS.iter().any(|ours| value.member(ours).is_some()) {
            let mut inner = before.to_owned();
            push_name(&mut inner, name);
            inner.push('.');
            let nested = properties.and_then(|known| known.member(name)?.member("properties"));
            return self.fields(&sources(value, None, true), &inner, &[], nested);
        }
        let items = value.list();
        if !items.iter().any(|item| item.tag() >= Tag::Array) {
            self.put_field(before, name);
            self.put_whom(whose);
            self.put(": ");
            self.put_value(value);
            return self.end(class);
        }
        let ours = of.merge && self.are_deduplicated(&items, properties, name);
        for (at, item) in items.into_iter().enumerate() {
            self.put_field(before, name);
            self.put("[");
            self.put_count(at);
            self.put("]");
            self.put_whom(whose);
            let by_child = if ours { item.list_of("by_child") } else { Vec::new() };
            self.put_owners(&by_child, None);
            self.put(": ");
            if ours {
                self.put_members(item, &["by_child"]);
            } else {
                self.put_value(item);
            }
            self.put_own(&by_child);
            self.end(class);
        }
    }

    /// What only some children have of a list that keeps what all have.
    fn partly_declared(&mut self, value: Value<'_>, before: &str, properties: Option<Value<'_>>) {
        for entry in value.list_of("partly_declared") {
            let slot = entry.text_of("slot").unwrap_or_default();
            self.put_field(before, slot);
            self.put_children(" (", entry.list_of("declared_by"));
            self.put_children(", searched by ", entry.list_of("searched_by"));
            self.put("): ");
            if let Some(value) = entry.member("value") {
                self.put_value(value);
            }
            self.end(class_of(properties, slot));
        }
    }

    /// Whether the `by_child` of these items is a merge's own: a list that is only joined has items of the children's, which may
    /// say what they like. The contract tells, else that every item names children of this merge.
    pub fn are_deduplicated(&self, items: &[Value<'_>], properties: Option<Value<'_>>, name: &str) -> bool {
        let rule = properties.and_then(|known| known.member(name)?.text_of("x-merge"));
        if rule.is_some_and(|rule| !rule.starts_with("dedupe:")) {
            return false;
        }
        items.iter().all(|item| {
            let kept = item.list_of("by_child");
            !kept.is_empty() && kept.iter().all(|kept| kept.text_of("id").is_some_and(|id| self.ids.knows(id)))
        })
    }

    fn put_field(&mut self, before: &str, name: &str) {
        self.put("field ");
        self.put(before);
        self.put_name(name);
    }
}

/// When a field goes: what was not searched never does, nor what the contract says is kept.
fn class_of(properties: Option<Value<'_>>, name: &str) -> Class {
    let said = properties.and_then(|known| known.member(name)?.text_of("x-render"));
    if said == Some("keep") || name == "not_searched" { Class::Never } else { Class::Field }
}
