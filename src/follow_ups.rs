//! Open questions as briefs that can be sent: what is asked, what would settle it, and where nobody need look again.

use crate::json::tape::Tag;
use crate::members::{Unreadable, Value, push_item, push_member, push_string, quote};
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
        let mut asked = Vec::new();
        questions(&mut asked, record, None);
        let mut open = asked.len();
        if kind_of(value) == Kind::Merged {
            for child in value.list_of("children") {
                questions(&mut asked, child.member("result"), child.member("id").map(Value::text));
            }
            // A contract may keep its questions by child: then they are the open ones.
            if record.and_then(|record| record.member("unresolved")).is_none() {
                open = asked.len();
            }
        }
        let searched = record.and_then(|record| record.member("coverage")?.member("searched"));
        let searched = searched.filter(|list| list.tag() == Tag::Array).map_or("[]", Value::text);

        let mut keys = Vec::new();
        for asked in &asked {
            keys.push(folded(asked.question, host));
        }
        // A merge under `union` has them out of its slot already; one that keeps questions otherwise has not.
        let mut settled = Vec::new();
        for mark in if kind_of(value) == Kind::Merged { value.list_of("settled") } else { Vec::new() } {
            if mark.member("holds").is_some_and(|holds| holds.tag() == Tag::True) {
                settled.push(folded(mark.text_of("question").unwrap_or_default(), host));
            }
        }
        let mut out = String::from("[");
        for group in groups(&keys).chunk_by(|a, b| a.0 == b.0) {
            let Some((first, _)) = group.first() else { continue };
            let is_settled = keys.get(*first as usize).is_some_and(|key| settled.contains(key));
            if (*first as usize) < open && !is_settled {
                push_item(&mut out, &brief(&asked, group, searched));
            }
        }
        out.push(']');
        Ok(out)
    })
}

/// An open question, and the JSON text of its child's id in a merge.
struct Asked<'v> {
    question: &'v str,
    remedy: Option<&'v str>,
    by: Option<&'v str>,
}

fn questions<'v>(asked: &mut Vec<Asked<'v>>, record: Option<Value<'v>>, by: Option<&'v str>) {
    let Some(record) = record else { return };
    for item in record.list_of("unresolved") {
        if let Some(question) = item.as_str().or_else(|| item.text_of("question")) {
            asked.push(Asked { question, remedy: item.text_of("would_settle_it"), by });
        }
    }
}

fn brief(asked: &[Asked<'_>], group: &[(u32, u32)], searched: &str) -> String {
    let (mut remedies, mut ids) = (Vec::new(), Vec::new());
    let mut question = "";
    for (first, at) in group {
        let Some(asked) = asked.get(*at as usize) else { continue };
        if first == at {
            question = asked.question;
        }
        for (list, text) in [(&mut remedies, asked.remedy.map(quote)), (&mut ids, asked.by.map(str::to_owned))] {
            if let Some(text) = text.filter(|text| !list.contains(text)) {
                list.push(text);
            }
        }
    }
    let mut out = String::from("{");
    push_string(&mut out, "question", Some(question));
    push_member(&mut out, "would_settle_it", "[");
    for remedy in &remedies {
        push_item(&mut out, remedy);
    }
    out.push(']');
    push_member(&mut out, "already_searched", searched);
    push_member(&mut out, "asked_by", "[");
    for id in &ids {
        push_item(&mut out, id);
    }
    out.push_str("]}");
    out
}
