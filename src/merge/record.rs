//! The merged value of several children's results.

use super::children::Settled;
use super::fold::{self, Normalize};
use super::rule::{Field, Rule};
use crate::json::number::{Decimal, sum};
use crate::json::pointer::{push_index, push_name};
use crate::json::tape::Tag;
use crate::members::{Members, Value, push_member, push_string, quote};

/// A value, and the position of the child it is from.
type Given<'v> = (u32, Value<'v>);

/// A merge under way.
pub(super) struct Record<'v> {
    host: &'v dyn Normalize,
    /// The children's ids as JSON strings.
    ids: Vec<&'v str>,
    results: Vec<Given<'v>>,
    /// Keys of the questions that were answered, sorted.
    settled: Vec<String>,
    /// Pointer to the place that is being merged.
    at: String,
    disagreements: String,
}

impl<'v> Record<'v> {
    /// `list` is `{"children":[…]}`.
    pub fn new(list: &'v Members, settled: &[Settled], host: &'v dyn Normalize) -> Self {
        let (mut ids, mut results) = (Vec::new(), Vec::new());
        for child in list.value().member("children").into_iter().flat_map(Value::items) {
            if let Some(result) = child.member("result") {
                results.push((ids.len() as u32, result));
            }
            ids.push(child.member("id").map_or("\"\"", Value::text));
        }
        let mut record =
            Self { host, ids, results, settled: Vec::new(), at: String::new(), disagreements: String::new() };
        let mut keys: Vec<String> = settled.iter().filter_map(|mark| record.answered(mark)).collect();
        keys.sort_unstable();
        record.settled = keys;
        record
    }

    /// The question's key, if the child that is said to have answered it returned, and does not ask it itself.
    fn answered(&self, mark: &Settled) -> Option<String> {
        let by = quote(&mark.by);
        let (_, result) = self.results.iter().find(|(child, _)| self.id(*child) == by)?;
        let wanted = quote(&fold::folded(&mark.question, self.host));
        let asks = result.member("unresolved").into_iter().flat_map(Value::items);
        let mut asks = asks.filter_map(|item| self.question(item));
        if asks.any(|question| question == wanted) { None } else { Some(wanted) }
    }

    /// The key of an open question, which is an object or the question itself.
    fn question(&self, item: Value<'_>) -> Option<String> {
        let text = item.as_str().or_else(|| item.member("question").and_then(Value::as_str))?;
        Some(quote(&fold::folded(text, self.host)))
    }

    fn id(&self, child: u32) -> &'v str {
        self.ids.get(child as usize).copied().unwrap_or("\"\"")
    }

    /// The merged value, and the disagreements as items of a JSON array.
    pub fn merge(mut self, rule: Option<&Rule>) -> (String, String) {
        let given = std::mem::take(&mut self.results);
        if given.is_empty() {
            return ("null".to_owned(), String::new());
        }
        let taken = rule.filter(|rule| given.iter().all(|(_, value)| rule.takes(value.tag())));
        let merged = taken.and_then(|rule| self.apply(rule, &given, &[], &mut String::new()));
        let merged = merged.unwrap_or_else(|| {
            let mut out = String::from("[");
            for (child, value) in &given {
                self.push_kept(&mut out, *child, value.text());
            }
            out.push(']');
            out
        });
        (merged, self.disagreements)
    }

    /// Merges values that the rule takes, of which there is at least one. `None` when they are to be kept by child.
    fn apply(
        &mut self,
        rule: &Rule,
        given: &[Given<'v>],
        siblings: &[Given<'v>],
        partly: &mut String,
    ) -> Option<String> {
        match rule {
            Rule::Sum => {
                let numbers: Vec<Decimal<'_>> =
                    given.iter().map(|(_, value)| Decimal::parse(value.text().as_bytes())).collect();
                sum(&numbers)
            }
            Rule::Any | Rule::All => {
                let wanted = matches!(rule, Rule::Any);
                let found = given.iter().any(|(_, value)| (value.tag() == Tag::True) == wanted);
                Some(if found == wanted { "true" } else { "false" }.to_owned())
            }
            Rule::Strongest { words, .. } => Some(self.strongest(words, given)),
            Rule::Fields(fields) => Some(self.object(fields, given, None, false)),
            Rule::Concat { .. } => Some(list(&items_of(given))),
            Rule::Union { .. } => Some(self.union(&items_of(given))),
            Rule::Dedupe { key, fields, .. } => Some(self.dedupe(&key.name, fields, &items_of(given))),
            Rule::Intersect { against, .. } => Some(self.intersect(against.as_deref(), given, siblings, partly)),
        }
    }

    /// Objects: the fields by their rules, and by child what no rule took. `key` is a member that they have in common.
    fn object(
        &mut self,
        fields: &[Field],
        given: &[Given<'v>],
        key: Option<(&str, &str)>,
        every_child: bool,
    ) -> String {
        let mut out = String::from("{");
        if let Some((name, text)) = key {
            push_member(&mut out, name, text);
        }
        let mut partly = String::new();
        let mut merged = Vec::with_capacity(fields.len());
        for Field { name, rule, .. } in fields {
            let values = given.iter().filter_map(|(child, object)| Some((*child, object.member(name)?)));
            let values: Vec<Given<'v>> = values.filter(|(_, value)| rule.takes(value.tag())).collect();
            let length = self.at.len();
            push_name(&mut self.at, name);
            let text = if values.is_empty() { None } else { self.apply(rule, &values, given, &mut partly) };
            self.at.truncate(length);
            // Of the strongest, who said what is kept too.
            merged.push(text.is_some() && !matches!(rule, Rule::Strongest { .. }));
            if let Some(text) = text {
                push_member(&mut out, name, &text);
            }
        }
        if !partly.is_empty() {
            push_member(&mut out, "partly_declared", &["[", &partly, "]"].concat());
        }
        let mut kept = String::from("[");
        for (child, object) in given {
            let mut rest = String::from("{");
            for (name, value) in object.members() {
                let field = fields.iter().zip(&merged).find(|(field, _)| field.name == name);
                let shown = field.is_some_and(|(field, merged)| *merged && field.rule.takes(value.tag()));
                if !shown && key != Some((name, value.text())) {
                    push_member(&mut rest, name, value.text());
                }
            }
            rest.push('}');
            if every_child || rest.len() > 2 {
                self.push_kept(&mut kept, *child, &rest);
            }
        }
        if kept.len() > 1 {
            kept.push(']');
            push_member(&mut out, "by_child", &kept);
        }
        out.push('}');
        out
    }

    /// Appends `{"id":…,"value":…}` to a list.
    fn push_kept(&self, out: &mut String, child: u32, value: &str) {
        comma(out);
        out.push('{');
        push_member(out, "id", self.id(child));
        push_member(out, "value", value);
        out.push('}');
    }

    /// The word that comes first among `words`; that the children differ is noted.
    fn strongest(&mut self, words: &[String], given: &[Given<'v>]) -> String {
        let rank = |value: Value<'_>| {
            words.iter().position(|word| Some(word.as_str()) == value.as_str()).unwrap_or(words.len())
        };
        let shown = given.iter().map(|(_, value)| *value).min_by_key(|value| rank(*value));
        let differ = given.iter().any(|(_, value)| value.as_str() != shown.and_then(Value::as_str));
        if differ {
            let mut values = String::from("[");
            for (child, value) in given {
                self.push_kept(&mut values, *child, value.text());
            }
            values.push(']');
            comma_after(&mut self.disagreements);
            self.disagreements.push('{');
            push_string(&mut self.disagreements, "at", Some(&self.at));
            push_member(&mut self.disagreements, "values", &values);
            self.disagreements.push('}');
        }
        shown.map_or_else(|| "null".to_owned(), |value| value.text().to_owned())
    }

    fn keys(&self, items: &[Given<'v>]) -> Vec<String> {
        items.iter().map(|(_, item)| fold::key(*item, self.host)).collect()
    }

    fn union(&self, items: &[Given<'v>]) -> String {
        let groups = fold::groups(&self.keys(items));
        // Only research records have this slot; a question that was answered is no longer open.
        let hides = self.at == "/unresolved" && !self.settled.is_empty();
        let mut out = String::from("[");
        for (_, item) in groups.iter().filter(|(first, at)| first == at).filter_map(|(at, _)| items.get(*at as usize)) {
            let question = if hides { self.question(*item) } else { None };
            if question.is_none_or(|question| self.settled.binary_search(&question).is_err()) {
                comma(&mut out);
                out.push_str(item.text());
            }
        }
        out.push(']');
        out
    }

    fn dedupe(&mut self, key: &str, fields: &[Field], items: &[Given<'v>]) -> String {
        let keys = items.iter().zip(0u64..).map(|((_, item), at)| match item.member(key) {
            Some(value) => fold::key(value, self.host),
            // Unlike every other: no JSON text starts like a pointer.
            None => {
                let mut own = String::new();
                push_index(&mut own, at);
                own
            }
        });
        let groups = fold::groups(&keys.collect::<Vec<String>>());
        let mut out = String::from("[");
        for (at, group) in groups.chunk_by(|a, b| a.0 == b.0).enumerate() {
            let group: Vec<Given<'v>> = group.iter().filter_map(|(_, at)| items.get(*at as usize).copied()).collect();
            let Some((_, first)) = group.first() else { continue };
            comma(&mut out);
            if first.tag() != Tag::Object {
                out.push_str(first.text());
                continue;
            }
            let shared = first.member(key).map(|value| (key, value.text()));
            let length = self.at.len();
            push_index(&mut self.at, at as u64);
            out.push_str(&self.object(fields, &group, shared, true));
            self.at.truncate(length);
        }
        out.push(']');
        out
    }

    /// What every child with a list has; the rest goes to `partly`, with who has it and whose `against` list has it too.
    fn intersect(
        &self,
        against: Option<&str>,
        given: &[Given<'v>],
        siblings: &[Given<'v>],
        partly: &mut String,
    ) -> String {
        let declared = items_of(given);
        let lists = siblings.iter().filter_map(|(child, object)| Some((*child, object.member(against?)?)));
        let contrary = items_of(&lists.collect::<Vec<Given<'v>>>());
        // A child may have several lists, in items of its own that were deduplicated.
        let mut declarers: Vec<u32> = given.iter().map(|(child, _)| *child).collect();
        declarers.dedup();
        let mut keys = self.keys(&declared);
        keys.extend(self.keys(&contrary));
        let mut out = String::from("[");
        for group in fold::groups(&keys).chunk_by(|a, b| a.0 == b.0) {
            let who = |items: &[Given<'v>], offset: usize| {
                let places = group.iter().filter_map(|(_, at)| items.get((*at as usize).checked_sub(offset)?));
                let mut children: Vec<u32> = places.map(|(child, _)| *child).collect();
                children.dedup();
                children
            };
            let declaring = who(&declared, 0);
            let Some((_, value)) = group.first().and_then(|(first, _)| declared.get(*first as usize)) else { continue };
            if declaring.len() == declarers.len() {
                comma(&mut out);
                out.push_str(value.text());
                continue;
            }
            let slot = self.at.rsplit('/').next().unwrap_or_default();
            comma_after(partly);
            partly.push('{');
            push_string(partly, "slot", Some(slot));
            push_member(partly, "value", value.text());
            push_member(partly, "declared_by", &self.id_list(&declaring));
            if against.is_some() {
                push_member(partly, "searched_by", &self.id_list(&who(&contrary, declared.len())));
            }
            partly.push('}');
        }
        out.push(']');
        out
    }

    fn id_list(&self, children: &[u32]) -> String {
        let mut out = String::from("[");
        for child in children {
            comma(&mut out);
            out.push_str(self.id(*child));
        }
        out.push(']');
        out
    }
}

fn items_of<'v>(given: &[Given<'v>]) -> Vec<Given<'v>> {
    let mut items = Vec::new();
    for (child, list) in given {
        items.extend(list.items().map(|item| (*child, item)));
    }
    items
}

fn list(items: &[Given<'_>]) -> String {
    let mut out = String::from("[");
    for (_, item) in items {
        comma(&mut out);
        out.push_str(item.text());
    }
    out.push(']');
    out
}

/// Appends a comma where one is due in a list.
fn comma(out: &mut String) {
    if !out.ends_with('[') {
        out.push(',');
    }
}

fn comma_after(out: &mut String) {
    if !out.is_empty() {
        out.push(',');
    }
}
