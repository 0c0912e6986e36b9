//! A record's slots as lines: those of research records by their meaning, all others as fields.

use super::fields::{Source, sources};
use super::lines::{Class, Lines, Marker};
use crate::contract::Contract;
use crate::json::tape::Tag;
use crate::members::{Unreadable, Value};

/// The slots of a result that are rendered by their meaning. Of a merge the children's own handles stand beside them.
const SLOTS: [&str; 6] = ["unresolved", "assumptions", "coverage", "findings", "effort", "transcript_ref"];

impl Lines {
    /// The lines of a result. `handle` is the host's transcript handle, which stands for the child's own.
    pub fn record(&mut self, value: Value<'_>, handle: Option<Value<'_>>, contract: Option<&Contract>) {
        self.slots(value, false, contract);
        if let Some(handle) = handle.or_else(|| value.member("transcript_ref")) {
            self.handle(None, handle);
        }
    }

    /// The lines of a merged record: its children, and what they came to.
    pub fn merged(&mut self, value: Value<'_>, contract: Option<&Contract>) -> Result<(), Unreadable> {
        let children = value.list_of("children");
        for child in &children {
            self.ids.add(child.need("id")?);
        }
        self.ids.sort();
        for child in children {
            let id = child.text_of("id");
            self.child(id, child.text_of("subagent").or(id).unwrap_or_default(), child)?;
            let result = child.member("result");
            self.words(id, child, result.is_some());
            let own = result.and_then(|result| result.member("transcript_ref"));
            if let Some(handle) = child.member("transcript_ref").or(own) {
                self.handle(id, handle);
            }
        }
        if let Some(merged) = value.member("merged").filter(|merged| merged.text() != "null") {
            self.slots(merged, true, contract);
        }
        for mark in value.list_of("settled") {
            if mark.member("holds").is_some_and(is_true) {
                self.put("settled by ");
                self.put_child(mark.text_of("by").unwrap_or_default());
                self.put(": ");
                self.put_string(mark.text_of("question").unwrap_or_default());
                self.end(Class::Field);
            }
        }
        Ok(())
    }

    /// A result's slots. Only in a merge are `by_child` and `partly_declared` ours: what it keeps by child stands in the same slots.
    fn slots(&mut self, value: Value<'_>, merge: bool, contract: Option<&Contract>) {
        if value.tag() != Tag::Object {
            self.put("result: ");
            self.put_value(value);
            return self.end(Class::Never);
        }
        if let (true, Some(list), 1) = (merge, value.member("by_child"), value.pairs().len()) {
            return self.each_child(list, contract);
        }
        let root = contract.map(|contract| Value::root(contract.schema()));
        let properties = root.and_then(|root| root.member("properties"));
        let all = sources(value, None, merge);
        let (mut coverage, mut effort) = (Vec::new(), Vec::new());
        for Source { whose, value, merge } in &all {
            for (slot, name) in [(&mut coverage, "coverage"), (&mut effort, "effort")] {
                if let Some(own) = value.member(name).filter(|own| own.tag() == Tag::Object) {
                    slot.extend(sources(own, *whose, *merge));
                }
            }
        }
        for Source { whose, value, .. } in &effort {
            if value.member("budget_exhausted").is_some_and(is_true) {
                self.put("budget exhausted");
                self.put_owner(*whose);
                self.put(": the work stopped for lack of budget");
                self.end(Class::Never);
            }
        }
        for Source { whose, value, .. } in &all {
            for item in items_or_itself(value.member("unresolved")) {
                self.put("unresolved");
                self.put_marker(Marker::Unresolved);
                self.put_owner(*whose);
                self.put(": ");
                self.question(item);
                self.end(Class::Never);
            }
        }
        for Source { whose, value, .. } in &all {
            for item in items_or_itself(value.member("assumptions")) {
                self.put("assumption");
                self.put_marker(Marker::Assumption);
                self.put_owner(*whose);
                self.put(": ");
                self.put_value(item);
                self.end(Class::Never);
            }
        }
        self.gaps(&coverage);
        let (mut count, mut slots) = (0, 0);
        for source in &all {
            let slot = source.value.member("findings");
            let findings = items_or_itself(slot);
            slots += usize::from(slot.is_some());
            count += findings.len();
            let ours = source.merge && self.are_deduplicated(&findings, properties, "findings");
            for item in findings {
                self.finding(item, source.whose, ours);
            }
        }
        if slots > 0 && count == 0 {
            self.put("findings: none");
            self.end(Class::Never);
        }
        for Source { whose, value, .. } in &coverage {
            if let Some(searched) = value.member("searched") {
                self.put("searched");
                self.put_owner(*whose);
                self.put(": ");
                self.put_value(searched);
                self.end(Class::Note);
            }
        }
        self.fields(&coverage, "coverage.", &["not_searched", "searched"], None);
        self.fields(&all, "", &SLOTS, properties);
        for Source { whose, value, merge } in effort {
            let shown = if merge { &["by_child", "partly_declared"][..] } else { &[] };
            self.put("effort");
            self.put_owner(whose);
            self.put(": ");
            if !self.put_members(value, shown) {
                self.forget();
                continue;
            }
            self.end(Class::Note);
        }
    }

    fn question(&mut self, item: Value<'_>) {
        let Some(question) = item.text_of("question") else { return self.put_value(item) };
        self.put_string(question);
        match item.text_of("would_settle_it") {
            Some(remedy) => {
                self.put(" | would settle it: ");
                self.put_string(remedy);
                self.put_rest(None, item, &["question", "would_settle_it"]);
            }
            None => self.put_rest(None, item, &["question"]),
        }
    }

    fn gaps(&mut self, coverage: &[Source<'_>]) {
        for Source { whose, value, merge } in coverage {
            for gap in items_or_itself(value.member("not_searched")) {
                self.put("not searched");
                self.put_owner(*whose);
                self.put(": ");
                self.put_value(gap);
                self.end(Class::Never);
            }
            for entry in if *merge { value.list_of("partly_declared") } else { Vec::new() } {
                self.put_children("not searched by ", entry.list_of("declared_by"));
                self.put_children(", searched by ", entry.list_of("searched_by"));
                self.put(": ");
                if let Some(gap) = entry.member("value") {
                    self.put_value(gap);
                }
                self.end(Class::Never);
            }
        }
    }

    /// A merge of which everything is kept by child: each child's result, the lines of one after those of another.
    fn each_child(&mut self, list: Value<'_>, contract: Option<&Contract>) {
        for entry in list.list() {
            let Some(value) = entry.member("value") else { continue };
            self.put("result of ");
            self.put_child(entry.text_of("id").unwrap_or_default());
            self.put(":");
            if value.tag() == Tag::Object {
                // The lines that follow are this child's.
                self.end(Class::Never);
                self.slots(value, false, contract);
            } else {
                self.put(" ");
                self.put_value(value);
                self.end(Class::Never);
            }
        }
    }
}

/// The items of a list; any other value is its own only item.
#[inline(never)]
pub(super) fn items_or_itself(value: Option<Value<'_>>) -> Vec<Value<'_>> {
    match value {
        Some(value) if value.tag() != Tag::Array => vec![value],
        Some(value) => value.list(),
        None => Vec::new(),
    }
}

fn is_true(value: Value<'_>) -> bool {
    value.tag() == Tag::True
}
