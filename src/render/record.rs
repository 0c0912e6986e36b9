//! A record's slots as lines: those of research records by their meaning, all others as fields.

use super::lines::{Class, Lines, Marker};
use super::text::{push_count, push_visible};
use crate::contract::Contract;
use crate::json::hash_name;
use crate::json::sort::sort_pairs;
use crate::json::tape::Tag;
use crate::members::{Unreadable, Value};

/// The slots of a result that are rendered by their meaning.
const SLOTS: [&str; 6] = ["unresolved", "assumptions", "coverage", "findings", "effort", "transcript_ref"];

/// What is never dropped wherever a contract keeps it by child.
const CAVEATS: [&str; 4] = ["unresolved", "assumptions", "coverage", "not_searched"];

/// The numbers under which the children of a merge are named.
#[derive(Default)]
pub(super) struct Ids {
    /// Hash of an id, and position.
    pairs: Vec<(u32, u32)>,
    ids: Vec<String>,
}

impl Ids {
    fn add(&mut self, id: String) {
        self.pairs.push((hash_name(id.as_bytes()), self.ids.len() as u32));
        self.ids.push(id);
    }

    fn sort(&mut self) {
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
}

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

    /// A result's slots. Only in a merge are `by_child` and `partly_declared` ours.
    fn slots(&mut self, value: Value<'_>, merge: bool, contract: Option<&Contract>) {
        if value.tag() != Tag::Object {
            self.put("result: ");
            self.put_value(value);
            return self.end(Class::Never);
        }
        if let (true, Some(list), 1) = (merge, value.member("by_child"), value.pairs().len()) {
            return self.each_child(list, contract);
        }
        let effort = value.member("effort");
        if effort.and_then(|effort| effort.member("budget_exhausted")).is_some_and(is_true) {
            self.put("budget exhausted: the work stopped for lack of budget");
            self.end(Class::Never);
        }
        for item in items_or_itself(value.member("unresolved")) {
            self.put("unresolved");
            self.put_marker(Marker::Unresolved);
            self.put(": ");
            self.question(item);
            self.end(Class::Never);
        }
        for item in items_or_itself(value.member("assumptions")) {
            self.put("assumption");
            self.put_marker(Marker::Assumption);
            self.put(": ");
            self.put_value(item);
            self.end(Class::Never);
        }
        let coverage = value.member("coverage").filter(|coverage| coverage.tag() == Tag::Object);
        if let Some(coverage) = coverage {
            self.gaps(coverage, merge);
        }
        let findings = items_or_itself(value.member("findings"));
        if findings.is_empty() && value.member("findings").is_some() {
            self.put("findings: none");
            self.end(Class::Never);
        }
        for item in findings {
            self.finding(item, merge);
        }
        if let Some(coverage) = coverage {
            self.rest_of_coverage(coverage, merge);
        }
        self.fields(value, merge, contract);
        if let Some(effort) = effort.filter(|effort| effort.text() != "{}") {
            self.put("effort: ");
            self.put_value(effort);
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

    fn gaps(&mut self, coverage: Value<'_>, merge: bool) {
        for gap in items_or_itself(coverage.member("not_searched")) {
            self.put("not searched: ");
            self.put_value(gap);
            self.end(Class::Never);
        }
        for entry in if merge { coverage.list_of("partly_declared") } else { Vec::new() } {
            self.put_children("not searched by ", entry.list_of("declared_by"));
            self.put_children(", searched by ", entry.list_of("searched_by"));
            self.put(": ");
            if let Some(gap) = entry.member("value") {
                self.put_value(gap);
            }
            self.end(Class::Never);
        }
    }

    /// Goes on with the line: several children after words of ours; nothing for none.
    fn put_children(&mut self, words: &str, ids: Vec<Value<'_>>) {
        let mut before = words;
        for id in ids {
            self.put(before);
            self.put_child(id.as_str().unwrap_or_default());
            before = ", ";
        }
    }

    fn rest_of_coverage(&mut self, coverage: Value<'_>, merge: bool) {
        for (own, value) in coverage.pairs() {
            match own {
                "not_searched" => {}
                "partly_declared" if merge => {}
                "by_child" if merge => self.kept(value, " coverage", None),
                "searched" => {
                    self.put("searched: ");
                    self.put_value(value);
                    self.end(Class::Note);
                }
                _ => {
                    self.put("field coverage.");
                    self.put_name(own);
                    self.put(": ");
                    self.put_value(value);
                    self.end(Class::Field);
                }
            }
        }
    }

    /// A finding: never without its confidence.
    fn finding(&mut self, item: Value<'_>, merge: bool) {
        let confidence = item.text_of("confidence");
        let by_child = if merge { item.list_of("by_child") } else { Vec::new() };
        self.put("finding");
        self.put_marker(Marker::Finding);
        self.put(", ");
        match confidence {
            Some(word) => self.put_name(word),
            None => self.put("confidence not given"),
        }
        self.put_owners(&by_child, confidence);
        self.put(": ");
        match item.member("claim") {
            Some(claim) => {
                self.put_value(claim);
                let shown = ["by_child", "claim", "provenance", "confidence"];
                self.put_rest(None, item, shown.get(usize::from(!merge)..).unwrap_or_default());
            }
            None => self.put_value(item),
        }
        self.put_own(&by_child);
        let tail = self.here();
        if item.member("claim").is_some() {
            let mut before = " | provenance: ";
            for source in items_or_itself(item.member("provenance")) {
                self.put(before);
                self.put_value(source);
                before = ", ";
            }
        }
        let class = match confidence {
            Some("verified") => Class::Verified,
            Some("inferred") => Class::Inferred,
            _ => Class::Reported,
        };
        self.end_with_tail(class, tail);
    }

    /// Goes on with the line: whose a merged item is, each with a confidence that is not the one shown.
    fn put_owners(&mut self, by_child: &[Value<'_>], confidence: Option<&str>) {
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
    fn put_own(&mut self, by_child: &[Value<'_>]) {
        for kept in by_child {
            if let Some(value) = kept.member("value") {
                self.put_rest(kept.text_of("id"), value, &["claim", "confidence"]);
            }
        }
    }

    /// The fields that have no meaning here, in the order of the contract's properties.
    fn fields(&mut self, value: Value<'_>, merge: bool, contract: Option<&Contract>) {
        let root = contract.map(|contract| Value::root(contract.schema()));
        let properties = root.and_then(|root| root.member("properties"));
        let mut fields = Vec::new();
        for (own, _) in properties.map(Value::pairs).unwrap_or_default() {
            fields.extend(value.member(own).map(|field| (own, field)));
        }
        for (own, field) in value.pairs() {
            if properties.is_none_or(|known| known.member(own).is_none()) {
                fields.push((own, field));
            }
        }
        for (own, field) in fields {
            if own == "by_child" && merge {
                self.kept(field, "", properties);
            } else if !SLOTS.contains(&own) || (own == "coverage" && field.tag() != Tag::Object) {
                self.field((None, ""), own, field, merge, is_kept(properties, own));
            }
        }
    }

    /// A field: a list of objects as a line for each, anything else as one. `of`: whose it is in a merge, and in which slot.
    fn field(&mut self, of: (Option<&str>, &str), own: &str, field: Value<'_>, merge: bool, keep: Class) {
        let items = field.list();
        if !items.iter().any(|item| item.tag() >= Tag::Array) {
            self.put_field(of, own);
            self.put(": ");
            self.put_value(field);
            return self.end(keep);
        }
        for (at, item) in items.into_iter().enumerate() {
            self.put_field(of, own);
            self.put("[");
            self.put_count(at);
            self.put("]");
            let by_child = if merge { item.list_of("by_child") } else { Vec::new() };
            self.put_owners(&by_child, None);
            self.put(": ");
            if by_child.is_empty() {
                self.put_value(item);
            } else {
                self.put_value_without_children(item);
            }
            self.put_own(&by_child);
            self.end(keep);
        }
    }

    fn put_field(&mut self, (child, slot): (Option<&str>, &str), own: &str) {
        self.put("field ");
        if let Some(child) = child {
            self.put("(");
            self.put_child(child);
            self.put(")");
            self.put(slot);
            self.put(" ");
        }
        self.put_name(own);
    }

    /// What a merge kept by child, a line for each member.
    fn kept(&mut self, list: Value<'_>, slot: &str, properties: Option<Value<'_>>) {
        for entry in list.list() {
            let id = Some(entry.text_of("id").unwrap_or_default());
            for (own, field) in entry.member("value").map(Value::pairs).unwrap_or_default() {
                // The child's line has its handle.
                if own != "transcript_ref" || !slot.is_empty() {
                    let keep = if CAVEATS.contains(&own) { Class::Never } else { is_kept(properties, own) };
                    self.field((id, slot), own, field, false, keep);
                }
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
fn items_or_itself(value: Option<Value<'_>>) -> Vec<Value<'_>> {
    match value {
        Some(value) if value.tag() != Tag::Array => vec![value],
        Some(value) => value.list(),
        None => Vec::new(),
    }
}

/// Whether the contract says that the field is never dropped.
fn is_kept(properties: Option<Value<'_>>, own: &str) -> Class {
    let said = properties.and_then(|known| known.member(own)?.text_of("x-render"));
    if said == Some("keep") { Class::Never } else { Class::Field }
}

fn is_true(value: Value<'_>) -> bool {
    value.tag() == Tag::True
}
