//! Open questions as briefs that can be sent: what is asked, what would settle it, and where nobody need look again.

use crate::json::tape::Tag;
use crate::members::{Unreadable, Value, push_item, push_member, push_string, quote};
use crate::merge::{Normalize, folded, groups};
use crate::render::{Kind, kind_of, with_value};

/// The open questions of a result, an envelope or a merged record, each once, as JSON:
/// `{ questions: [{ question, would_settle_it, asked_by }], already_searched }`: lists of texts but for the question, `asked_by` the
/// ids of the children of a merge. A question that was [settled](crate::merge::merge) is none. What was searched holds for each,
/// and stands once: a child that lists much of both could else make the answer as large as it likes.
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
        // A merge under `union` has them out of its slot already; one that keeps questions otherwise has not. Here they stand behind
        // the questions, so that a group which reaches there is settled.
        for mark in if kind_of(value) == Kind::Merged { value.list_of("settled") } else { Vec::new() } {
            if mark.member("holds").is_some_and(|holds| holds.tag() == Tag::True) {
                keys.push(folded(mark.text_of("question").unwrap_or_default(), host));
            }
        }
        let mut out = String::from("{");
        push_member(&mut out, "questions", "[");
        for group in groups(&keys).chunk_by(|a, b| a.0 == b.0) {
            let (Some((first, _)), Some((_, last))) = (group.first(), group.last()) else { continue };
            if (*first as usize) < open && (*last as usize) < asked.len() {
                push_item(&mut out, &brief(&asked, group));
            }
        }
        out.push(']');
        push_member(&mut out, "already_searched", searched);
        out.push('}');
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

fn brief(asked: &[Asked<'_>], group: &[(u32, u32)]) -> String {
    let (mut remedies, mut ids) = (Vec::new(), Vec::new());
    let mut question = "";
    for (first, at) in group {
        let Some(asked) = asked.get(*at as usize) else { continue };
        if first == at {
            question = asked.question;
        }
        remedies.extend(asked.remedy.map(quote));
        ids.extend(asked.by.map(str::to_owned));
    }
    let mut out = String::from("{");
    push_string(&mut out, "question", Some(question));
    for (name, texts) in [("would_settle_it", &remedies), ("asked_by", &ids)] {
        push_member(&mut out, name, "[");
        for (first, at) in groups(texts) {
            if let Some(text) = texts.get(at as usize).filter(|_| first == at) {
                push_item(&mut out, text);
            }
        }
        out.push(']');
    }
    out.push('}');
    out
}
