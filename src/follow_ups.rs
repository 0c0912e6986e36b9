//! Open questions as briefs that can be sent: what is asked, what would settle it, and where nobody need look again.

use crate::json::tape::Tag;
use crate::members::{Unreadable, Value, list, push_member, quote};
use crate::merge::{Normalize, folded, groups};
use crate::render::{Kind, kind_of, with_value};

/// The open questions of a result, an envelope or a merged record, each once, as a JSON array of
/// `{ question, would_settle_it, already_searched, asked_by }`: lists of texts but for the question, `asked_by` the ids of the
/// children of a merge. A question that was [settled](crate::merge::merge) is none.
///
/// # Errors
/// When the text is no JSON.
pub fn follow_ups(text: &str, host: &dyn Normalize) -> Result<String, Unreadable> {
    with_value(text, |value| {
        let record = match kind_of(value) {
            Kind::Record => Some(value),
            Kind::Envelope => value.member("final_result"),
            Kind::Merged => value.member("merged"),
        };
        let mut asked: Vec<Asked<'_>> = questions(record, None);
        let open = asked.len();
        for child in
            value.member("children").into_iter().filter(|_| kind_of(value) == Kind::Merged).flat_map(Value::items)
        {
            asked.extend(questions(child.member("result"), child.member("id").map(Value::text)));
        }
        // A contract may keep its questions by child: then they are the open ones.
        let open = if record.and_then(|record| record.member("unresolved")).is_some() { open } else { asked.len() };
        let coverage = record.and_then(|record| record.member("coverage"));
        let searched = coverage.and_then(|coverage| coverage.member("searched"));
        let searched = searched.filter(|list| list.tag() == Tag::Array).map_or("[]", Value::text);

        let keys: Vec<String> = asked.iter().map(|asked| folded(asked.question, host)).collect();
        let grouped = groups(&keys);
        let groups = grouped
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|group| group.first().is_some_and(|(at, _)| (*at as usize) < open));
        Ok(list(groups.map(|group| {
            let group: Vec<&Asked<'_>> = group.iter().filter_map(|(_, at)| asked.get(*at as usize)).collect();
            brief(&group, searched)
        })))
    })
}

/// An open question, and the JSON text of its child's id in a merge.
struct Asked<'v> {
    question: &'v str,
    remedy: Option<&'v str>,
    by: Option<&'v str>,
}

fn questions<'v>(record: Option<Value<'v>>, by: Option<&'v str>) -> Vec<Asked<'v>> {
    let items = record.and_then(|record| record.member("unresolved")).into_iter().flat_map(Value::items);
    let asked = items.filter_map(|item| {
        let question = item.as_str().or_else(|| item.member("question").and_then(Value::as_str))?;
        Some(Asked { question, remedy: item.member("would_settle_it").and_then(Value::as_str), by })
    });
    asked.collect()
}

fn brief(group: &[&Asked<'_>], searched: &str) -> String {
    let mut remedies: Vec<String> = Vec::new();
    let mut ids: Vec<String> = Vec::new();
    for asked in group {
        for (list, text) in [(&mut remedies, asked.remedy.map(quote)), (&mut ids, asked.by.map(str::to_owned))] {
            if let Some(text) = text.filter(|text| !list.contains(text)) {
                list.push(text);
            }
        }
    }
    let mut out = String::from("{");
    push_member(&mut out, "question", &quote(group.first().map_or("", |asked| asked.question)));
    push_member(&mut out, "would_settle_it", &list(remedies.into_iter()));
    push_member(&mut out, "already_searched", searched);
    push_member(&mut out, "asked_by", &list(ids.into_iter()));
    out.push('}');
    out
}
