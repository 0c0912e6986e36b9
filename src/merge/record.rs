//! The merged value of several children's results.

mod lists;
mod questions;

use super::children::Settled;
use super::fold::Normalize;
use super::rule::{Field, Rule};
use crate::json::number::{Decimal, sum};
use crate::json::pointer::push_name;
use crate::json::tape::Tag;
use crate::json::write::concat;
use crate::members::{Members, Value, push_item, push_member, push_string};
use lists::list;

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
            Rule::Concat { .. } => Some(list(&self.open_items_of(given))),
            Rule::Union { .. } => Some(self.union(&self.open_items_of(given))),
            Rule::Dedupe { key, fields, .. } => Some(self.dedupe(&key.name, fields, &self.open_items_of(given))),
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
}
