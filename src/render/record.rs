//! A record's slots as lines: those of research records by their meaning, all others as fields.

use super::lines::{Lines, Marker};
use super::text::{members_but, name, push_count, push_value, push_visible, visible};
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
    fn add(&mut self, id: &str) {
        self.pairs.push((hash_name(id.as_bytes()), self.ids.len() as u32));
        self.ids.push(id.to_owned());
    }

    fn sort(&mut self) {
        sort_pairs(&mut self.pairs, &mut |a, b| a.cmp(b));
    }

    /// `#1` for the first child; an id that is none of them as it is.
    fn label(&self, id: &str) -> String {
        let hash = hash_name(id.as_bytes());
        let from = self.pairs.partition_point(|pair| pair.0 < hash);
        let mut same = self.pairs.iter().skip(from).take_while(|pair| pair.0 == hash);
        match same.find(|pair| self.ids.get(pair.1 as usize).is_some_and(|known| known == id)) {
            Some((_, position)) => {
                let mut out = String::from("#");
                push_count(&mut out, *position as usize + 1);
                out
            }
            None => visible(id),
        }
    }

    /// Several ids, as the strings of a list.
    fn labels(&self, list: Option<Value<'_>>) -> String {
        let labels = list.into_iter().flat_map(Value::items).filter_map(Value::as_str).map(|id| self.label(id));
        labels.collect::<Vec<String>>().join(", ")
    }
}

impl Lines {
    /// The lines of a result. `handle` is the host's transcript handle, which stands for the child's own.
    pub fn record(&mut self, value: Value<'_>, handle: Option<Value<'_>>, contract: Option<&Contract>) {
        let handle = handle.or_else(|| value.member("transcript_ref"));
        self.slots(value, false, contract);
        if let Some(handle) = handle {
            self.handle("", handle);
        }
    }

    /// The lines of a merged record: its children, and what they came to.
    pub fn merged(&mut self, value: Value<'_>, contract: Option<&Contract>) -> Result<(), Unreadable> {
        let children = || value.member("children").into_iter().flat_map(Value::items);
        for child in children() {
            self.ids.add(&child.need::<String>("id")?);
        }
        self.ids.sort();
        for child in children() {
            let id: String = child.need("id")?;
            let label = [&self.ids.label(&id), " "].concat();
            self.child(&label, child.member("subagent").and_then(Value::as_str).unwrap_or(&id), child)?;
            match (child.member("result"), child.member("task_summary").and_then(Value::as_str)) {
                (Some(_), Some(summary)) => self.note([&label, "last words: ", &visible(summary)].concat()),
                (None, Some(answer)) => self.keep([&label, "answer: ", &visible(answer)].concat()),
                _ => {}
            }
            let own = child.member("result").and_then(|result| result.member("transcript_ref"));
            if let Some(handle) = child.member("transcript_ref").or(own) {
                self.handle(&label, handle);
            }
        }
        if let Some(merged) = value.member("merged").filter(|merged| merged.text() != "null") {
            self.slots(merged, true, contract);
        }
        for mark in value.member("settled").into_iter().flat_map(Value::items) {
            let part = |name| mark.member(name).and_then(Value::as_str).unwrap_or_default();
            let text = ["settled by ", &self.ids.label(part("by")), ": ", &visible(part("question"))].concat();
            self.field(text, false);
        }
        Ok(())
    }

    /// A result's slots. Only in a merge are `by_child` and `partly_declared` ours.
    fn slots(&mut self, value: Value<'_>, merge: bool, contract: Option<&Contract>) {
        if value.tag() != Tag::Object {
            return self.plain(value, merge, contract);
        }
        let slot = |name: &str| value.member(name).into_iter().flat_map(items_or_itself);
        if value.member("effort").and_then(|effort| effort.member("budget_exhausted")).is_some_and(is_true) {
            self.keep("budget exhausted: the work stopped for lack of budget".to_owned());
        }
        for item in slot("unresolved") {
            let mut out = ["unresolved", &self.marker(Marker::Unresolved), ": "].concat();
            match item.member("question").and_then(Value::as_str) {
                Some(question) => {
                    push_visible(&mut out, question);
                    let remedy = item.member("would_settle_it").and_then(Value::as_str);
                    if let Some(remedy) = remedy {
                        out.push_str(" | would settle it: ");
                        push_visible(&mut out, remedy);
                    }
                    let shown: &[&str] =
                        if remedy.is_some() { &["question", "would_settle_it"] } else { &["question"] };
                    push_rest(&mut out, "", item, shown);
                }
                None => push_value(&mut out, item),
            }
            self.keep(out);
        }
        for item in slot("assumptions") {
            let mut out = ["assumption", &self.marker(Marker::Assumption), ": "].concat();
            push_value(&mut out, item);
            self.keep(out);
        }
        let coverage = value.member("coverage").filter(|coverage| coverage.tag() == Tag::Object);
        if let Some(coverage) = coverage {
            self.gaps(coverage, merge);
        }
        if value.member("findings").is_some_and(|findings| findings.items().next().is_none()) {
            self.keep("findings: none".to_owned());
        }
        for item in slot("findings") {
            self.claim(item, merge);
        }
        if let Some(coverage) = coverage {
            self.rest_of_coverage(coverage, merge);
        }
        self.fields(value, merge, contract);
        if let Some(effort) = value.member("effort") {
            let mut out = String::from("effort: ");
            push_value(&mut out, effort);
            self.note(out);
        }
    }

    fn gaps(&mut self, coverage: Value<'_>, merge: bool) {
        for gap in coverage.member("not_searched").into_iter().flat_map(items_or_itself) {
            let mut out = String::from("not searched: ");
            push_value(&mut out, gap);
            self.keep(out);
        }
        for entry in coverage.member("partly_declared").into_iter().filter(|_| merge).flat_map(Value::items) {
            let mut out = ["not searched by ", &self.ids.labels(entry.member("declared_by"))].concat();
            let searched = self.ids.labels(entry.member("searched_by"));
            if !searched.is_empty() {
                out.push_str(", searched by ");
                out.push_str(&searched);
            }
            out.push_str(": ");
            entry.member("value").into_iter().for_each(|gap| push_value(&mut out, gap));
            self.keep(out);
        }
    }

    fn rest_of_coverage(&mut self, coverage: Value<'_>, merge: bool) {
        for (own, value) in coverage.members() {
            match own {
                "not_searched" => {}
                "partly_declared" if merge => {}
                "by_child" if merge => self.kept(value, " coverage", None),
                "searched" => {
                    let mut out = String::from("searched: ");
                    push_value(&mut out, value);
                    self.note(out);
                }
                _ => {
                    let mut out = ["field coverage.", &name(own), ": "].concat();
                    push_value(&mut out, value);
                    self.field(out, false);
                }
            }
        }
    }

    /// A finding: never without its confidence.
    fn claim(&mut self, item: Value<'_>, merge: bool) {
        let confidence = item.member("confidence").and_then(Value::as_str);
        let word = confidence.map_or_else(|| "confidence not given".to_owned(), name);
        let by_child = item.member("by_child").filter(|_| merge);
        let mut out = ["finding", &self.marker(Marker::Finding), ", ", &word].concat();
        let mut rest = String::new();
        let mut separator = " (";
        for kept in by_child.into_iter().flat_map(Value::items) {
            let label = self.ids.label(kept.member("id").and_then(Value::as_str).unwrap_or_default());
            out.push_str(separator);
            out.push_str(&label);
            if let Some(value) = kept.member("value") {
                let own = value.member("confidence").and_then(Value::as_str);
                if let Some(own) = own.filter(|own| Some(*own) != confidence) {
                    out.push(' ');
                    out.push_str(&name(own));
                }
                push_rest(&mut rest, &[&label, " "].concat(), value, &["confidence"]);
            }
            separator = ", ";
        }
        out.push_str(if separator == ", " { "): " } else { ": " });
        let mut tail = String::new();
        match item.member("claim") {
            Some(claim) => {
                push_value(&mut out, claim);
                let by_child: &[&str] = if merge { &["by_child"] } else { &[] };
                push_rest(&mut rest, "", item, &[&["claim", "provenance", "confidence"], by_child].concat());
                let sources = item.member("provenance").into_iter().flat_map(items_or_itself);
                for (at, source) in sources.enumerate() {
                    tail.push_str(if at == 0 { " | provenance: " } else { ", " });
                    push_value(&mut tail, source);
                }
            }
            None => push_value(&mut out, item),
        }
        out.push_str(&rest);
        self.finding(confidence, out, tail);
    }

    /// The fields that have no meaning here, in the order of the contract's properties.
    fn fields(&mut self, value: Value<'_>, merge: bool, contract: Option<&Contract>) {
        let root = contract.map(|contract| Value::root(contract.schema()));
        let properties = root.and_then(|root| root.member("properties"));
        let known =
            properties.into_iter().flat_map(Value::members).filter_map(|(own, _)| Some((own, value.member(own)?)));
        let others = value.members().filter(|(own, _)| properties.is_none_or(|known| known.member(own).is_none()));
        for (own, field) in known.chain(others) {
            let slot = SLOTS.contains(&own) && (own != "coverage" || field.tag() == Tag::Object);
            if slot {
                continue;
            }
            let keep = is_kept(properties, own);
            if own == "by_child" && merge {
                self.kept(field, "", properties);
                continue;
            }
            self.one_field(&["field ", &name(own)].concat(), field, keep);
        }
    }

    /// A field: a list of objects as a line for each, anything else as one.
    fn one_field(&mut self, label: &str, field: Value<'_>, keep: bool) {
        let listed = field.items().any(|item| matches!(item.tag(), Tag::Object | Tag::Array));
        if !listed {
            let mut out = [label, ": "].concat();
            push_value(&mut out, field);
            return self.field(out, keep);
        }
        for (at, item) in field.items().enumerate() {
            let mut out = [label, "["].concat();
            push_count(&mut out, at);
            out.push_str("]: ");
            push_value(&mut out, item);
            self.field(out, keep);
        }
    }

    /// What a merge kept by child, a line for each member.
    fn kept(&mut self, list: Value<'_>, of: &str, properties: Option<Value<'_>>) {
        for entry in list.items() {
            let id = entry.member("id").and_then(Value::as_str).unwrap_or_default();
            let label = ["field (", &self.ids.label(id), ")", of].concat();
            let members = entry.member("value").into_iter().flat_map(Value::members);
            for (own, field) in members.filter(|(own, _)| *own != "transcript_ref" || !of.is_empty()) {
                let keep = CAVEATS.contains(&own) || is_kept(properties, own);
                self.one_field(&[&label, " ", &name(own)].concat(), field, keep);
            }
        }
    }

    /// A result that is no object, or in a merge the list of what each child has.
    fn plain(&mut self, value: Value<'_>, merge: bool, contract: Option<&Contract>) {
        if !merge {
            let mut out = String::from("result: ");
            push_value(&mut out, value);
            return self.keep(out);
        }
        for entry in value.items() {
            let id = entry.member("id").and_then(Value::as_str).unwrap_or_default();
            let mut out = ["result of ", &self.ids.label(id), ":"].concat();
            match entry.member("value") {
                Some(value) if value.tag() == Tag::Object => {
                    // The lines that follow are this child's.
                    self.keep(out);
                    self.slots(value, false, contract);
                }
                Some(value) => {
                    out.push(' ');
                    push_value(&mut out, value);
                    self.keep(out);
                }
                None => {}
            }
        }
    }
}

/// The items of a list; any other value is its own only item.
fn items_or_itself<'v>(value: Value<'v>) -> impl Iterator<Item = Value<'v>> {
    let itself = if value.tag() == Tag::Array { None } else { Some(value) };
    value.items().chain(itself)
}

/// Whether the contract says that the field is never dropped.
fn is_kept(properties: Option<Value<'_>>, own: &str) -> bool {
    properties.and_then(|known| known.member(own)?.member("x-render")?.as_str()) == Some("keep")
}

fn is_true(value: Value<'_>) -> bool {
    value.tag() == Tag::True
}

/// Appends the members that have no place of their own.
fn push_rest(out: &mut String, whose: &str, value: Value<'_>, shown: &[&str]) {
    let rest = members_but(value, shown);
    if rest.len() > 2 {
        out.push_str(" | ");
        out.push_str(whose);
        out.push_str(&rest);
    }
}
