//! The merged value of several children's results.

use super::children::Settled;
use super::fold::{self, Normalize};
use super::rule::{Field, Rule};
use crate::json::number::{Decimal, sum};
use crate::json::pointer::{push_index, push_name};
use crate::json::tape::Tag;
use crate::json::write::concat;
use crate::members::{Members, Value, push_item, push_member, push_string, quote};

/// A value, and the position of the child it is from.
type Given<'v> = (u32, Value<'v>);

/// A merge under way.
pub(super) struct Record<'v> {
    host: &'v dyn Normalize,
    /// The children's ids as JSON strings.
    ids: Vec<&'v str>,
    results: Vec<Given<'v>>,
    /// Keys of the questions that were answered.
    settled: Vec<String>,
    /// Pointer to the place that is being merged.
    at: String,
    /// Items of a JSON array, after its bracket.
    disagreements: String,
}

/// Objects that are merged into one.
struct Objects<'g, 'v> {
    given: &'g [Given<'v>],
    /// What only some declare: items of a JSON array, after its bracket.
    partly: String,
}

impl<'v> Record<'v> {
    /// `list` is `{"children":[…]}`. Says of each mark whether it holds.
    pub fn new(list: &'v Members, settled: &mut [Settled], host: &'v dyn Normalize) -> Self {
        let (mut ids, mut results) = (Vec::new(), Vec::new());
        for child in list.value().list_of("children") {
            if let Some(result) = child.member("result") {
                results.push((ids.len() as u32, result));
            }
            ids.push(child.member("id").map_or("\"\"", Value::text));
        }
        let mut record =
            Self { host, ids, results, settled: Vec::new(), at: String::new(), disagreements: "[".to_owned() };
        let mut keys = Vec::new();
        for mark in settled {
            if let Some(key) = record.answered(mark) {
                mark.holds = true;
                keys.push(key);
            }
        }
        record.settled = keys;
        record
    }

    /// The question's key, if the child that is said to have answered it returned, and does not ask it itself.
    fn answered(&self, mark: &Settled) -> Option<String> {
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

    fn id(&self, child: u32) -> &'v str {
        self.ids.get(child as usize).copied().unwrap_or("\"\"")
    }

    /// The merged value, and the disagreements as a JSON array.
    pub fn merge(mut self, rule: Option<&Rule>) -> (String, String) {
        let given = std::mem::take(&mut self.results);
        let mut merged = if given.is_empty() { Some("null".to_owned()) } else { None };
        if let (None, Some(rule)) = (&merged, rule)
            && given.iter().all(|(_, value)| rule.takes(value.tag()))
        {
            merged = self.apply(rule, &given, &mut Objects { given: &[], partly: String::new() });
        }
        self.disagreements.push(']');
        let merged = merged.unwrap_or_else(|| concat(&["{\"by_child\":", &self.kept(&given), "}"]));
        (merged, self.disagreements)
    }

    /// Merges values that the rule takes, of which there is at least one, from `objects`. `None` when they are to be kept by child.
    fn apply(&mut self, rule: &Rule, given: &[Given<'v>], objects: &mut Objects<'_, 'v>) -> Option<String> {
        match rule {
            Rule::Sum => {
                let mut numbers = Vec::new();
                for (_, value) in given {
                    numbers.push(Decimal::parse(value.text().as_bytes()));
                }
                sum(&numbers)
            }
            Rule::Any | Rule::All => {
                let wanted = matches!(rule, Rule::Any);
                let found = given.iter().any(|(_, value)| (value.tag() == Tag::True) == wanted);
                Some(if found == wanted { "true" } else { "false" }.to_owned())
            }
            Rule::Strongest { words, .. } => Some(self.strongest(words, given)),
            Rule::Fields(fields) => Some(self.object(fields, given, None, false)),
            Rule::Concat { .. } => Some(list(&self.items_of(given))),
            Rule::Union { .. } => Some(self.union(&self.items_of(given))),
            Rule::Dedupe { key, fields, .. } => Some(self.dedupe(&key.name, fields, &self.items_of(given))),
            Rule::Intersect { against, .. } => Some(self.intersect(against.as_deref(), given, objects)),
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
        let mut objects = Objects { given, partly: "[".to_owned() };
        let mut merged = Vec::new();
        for Field { name, rule, .. } in fields {
            let mut values = Vec::new();
            for (child, object) in given {
                if let Some(value) = object.member(name)
                    && rule.takes(value.tag())
                {
                    values.push((*child, value));
                }
            }
            let length = self.at.len();
            push_name(&mut self.at, name);
            let text = if values.is_empty() { None } else { self.apply(rule, &values, &mut objects) };
            self.at.truncate(length);
            // Of the strongest, who said what is kept too.
            merged.push(text.is_some() && !matches!(rule, Rule::Strongest { .. }));
            if let Some(text) = text {
                push_member(&mut out, name, &text);
            }
        }
        if objects.partly.len() > 1 {
            objects.partly.push(']');
            push_member(&mut out, "partly_declared", &objects.partly);
        }
        let mut kept = String::from("[");
        for (child, object) in given {
            let mut rest = String::from("{");
            for (name, value) in object.pairs() {
                let field = fields.iter().position(|field| field.name == name && field.rule.takes(value.tag()));
                let shown = field.is_some_and(|at| merged.get(at) == Some(&true));
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
    #[inline(never)]
    fn push_kept(&self, out: &mut String, child: u32, value: &str) {
        push_item(out, "{");
        push_member(out, "id", self.id(child));
        push_member(out, "value", value);
        out.push('}');
    }

    /// What each child has, as a JSON array.
    fn kept(&self, given: &[Given<'v>]) -> String {
        let mut out = String::from("[");
        for (child, value) in given {
            self.push_kept(&mut out, *child, value.text());
        }
        out.push(']');
        out
    }

    /// The word that comes first among `words`; that the children differ is noted.
    fn strongest(&mut self, words: &[String], given: &[Given<'v>]) -> String {
        let mut shown: Option<(usize, Value<'v>)> = None;
        let mut differ = false;
        for (_, value) in given {
            let word = value.as_str().unwrap_or_default();
            let rank = words.iter().position(|known| known == word).unwrap_or(words.len());
            differ |= shown.is_some_and(|(_, shown)| shown.as_str() != Some(word));
            if shown.is_none_or(|(strongest, _)| rank < strongest) {
                shown = Some((rank, *value));
            }
        }
        if differ {
            let values = self.kept(given);
            push_item(&mut self.disagreements, "{");
            push_string(&mut self.disagreements, "at", Some(&self.at));
            push_member(&mut self.disagreements, "values", &values);
            self.disagreements.push('}');
        }
        shown.map_or("null", |(_, value)| value.text()).to_owned()
    }

    /// Appends the keys of items.
    #[inline(never)]
    fn push_keys(&self, keys: &mut Vec<String>, items: &[Given<'v>]) {
        for (_, item) in items {
            keys.push(fold::key(*item, self.host));
        }
    }

    fn union(&self, items: &[Given<'v>]) -> String {
        let mut keys = Vec::new();
        self.push_keys(&mut keys, items);
        let mut firsts = Vec::new();
        for (first, at) in fold::groups(&keys) {
            firsts.extend(items.get(at as usize).filter(|_| first == at));
        }
        list(&firsts)
    }

    /// All items. Of a research record's questions those that were not answered: they are no longer open.
    fn items_of(&self, given: &[Given<'v>]) -> Vec<Given<'v>> {
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

    fn dedupe(&mut self, key: &str, fields: &[Field], items: &[Given<'v>]) -> String {
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
    fn intersect(&self, against: Option<&str>, given: &[Given<'v>], objects: &mut Objects<'_, 'v>) -> String {
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
fn items_of<'v>(given: &[Given<'v>]) -> Vec<Given<'v>> {
    let mut items = Vec::new();
    for (child, list) in given {
        for item in list.list() {
            items.push((*child, item));
        }
    }
    items
}

#[inline(never)]
fn list(items: &[Given<'_>]) -> String {
    let mut out = String::from("[");
    for (_, item) in items {
        push_item(&mut out, item.text());
    }
    out.push(']');
    out
}
