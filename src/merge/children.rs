//! The children of a merge: read in every form they come in, brought into one, each id once, in call order.

use super::fold::{self, Normalize};
use super::{Refusal, SCHEMA_VERSION};
use crate::contract::{Contract, Verdict, issues_json};
use crate::envelope::{self, Status};
use crate::json::canonical;
use crate::json::tape::Tag;
use crate::json::write::concat;
use crate::members::{Members, Read, Reader, Unreadable, Value, push_item, push_member, push_string, quote};

/// What a merged record keeps of a child, in the order in which it is written.
pub(super) const FIELDS: [&str; 13] = [
    "id",
    "subagent",
    "status",
    "task_summary",
    "result",
    "returned",
    "error",
    "degraded",
    "amendments",
    "flags",
    "effort",
    "input",
    "transcript_ref",
];

/// The children read so far.
pub(super) struct Children<'c> {
    contract: &'c Contract,
    entries: Vec<Entry>,
    settled: Vec<Settled>,
}

struct Entry {
    id: String,
    suspended: bool,
    /// As it goes into the merged record.
    text: String,
}

/// A question that a child answered.
#[derive(Clone)]
pub(super) struct Settled {
    pub question: String,
    /// The child's id.
    pub by: String,
    /// Whether that child returned, and does not ask the question itself.
    pub holds: bool,
}

impl Settled {
    pub fn to_json(&self) -> String {
        let mut out = String::from("{");
        push_string(&mut out, "question", Some(&self.question));
        push_string(&mut out, "by", Some(&self.by));
        push_member(&mut out, "holds", if self.holds { "true" } else { "false" });
        out.push('}');
        out
    }
}

impl Read for Settled {
    fn read(from: &mut Reader<'_>) -> Self {
        // Whether it holds is found again: another child may have come.
        from.only(&["question", "by", "holds"]);
        Self { question: from.need("question"), by: from.need("by"), holds: false }
    }
}

impl<'c> Children<'c> {
    pub fn new(contract: &'c Contract) -> Self {
        Self { contract, entries: Vec::new(), settled: Vec::new() }
    }

    /// Reads one child, or a merged record's children.
    pub fn read(&mut self, text: &str) -> Result<(), Refusal> {
        let members = Members::parse(text).map_err(unreadable)?;
        let value = members.value();
        if value.member("merged").is_some() && value.member("children").is_some() {
            return self.merged(value);
        }
        if value.member("run_id").is_some() {
            envelope::parse(text).map_err(|refusal| Refusal::new("merge_unreadable", refusal.message()))?;
            return self.entry(value, true).map_err(unreadable);
        }
        if value.member("settled").is_some() && value.member("id").is_none() {
            value.only(&["settled"]).map_err(unreadable)?;
            return self.marks(value).map_err(unreadable);
        }
        value.only(&FIELDS).and_then(|()| self.entry(value, false)).map_err(unreadable)
    }

    fn merged(&mut self, value: Value<'_>) -> Result<(), Refusal> {
        if value.need::<u32>("schema_version") != Ok(SCHEMA_VERSION) {
            return Err(Refusal::new(
                "merge_unknown_version",
                "this merged record's schema_version is unknown".to_owned(),
            ));
        }
        if value.text_of("contract") != Some(self.contract.digest()) {
            return Err(Refusal::new(
                "merge_other_contract",
                "this merged record was merged under another contract".to_owned(),
            ));
        }
        self.marks(value).map_err(unreadable)?;
        for child in value.list_of("children") {
            child.only(&FIELDS).and_then(|()| self.entry(child, false)).map_err(unreadable)?;
        }
        Ok(())
    }

    fn marks(&mut self, value: Value<'_>) -> Result<(), Unreadable> {
        for mark in value.list_of("settled") {
            self.settled.push(mark.read()?);
        }
        Ok(())
    }

    /// Takes an envelope, or a child in the form of [`FIELDS`], in as the latter.
    fn entry(&mut self, given: Value<'_>, is_envelope: bool) -> Result<(), Unreadable> {
        let id: String = given.need(if is_envelope { "run_id" } else { "id" })?;
        let error = given.member("error").filter(|error| error.text() != "null");
        let status: Option<Status> = given.may("status")?;
        let mut status = status.unwrap_or(if error.is_some() { Status::Failed } else { Status::Completed });
        let mut result = given.member(if is_envelope { "final_result" } else { "result" });
        if is_envelope {
            // A result that is null is one only under a contract that takes it.
            let typed = given.member("contract").and_then(|contract| contract.text_of("source"));
            let typed = status == Status::Completed && typed != Some("none");
            result = result.filter(|result| result.text() != "null" || typed);
        }
        let mut out = String::from("{");
        push_string(&mut out, "id", Some(&id));
        if let Some(name) = given.may::<String>("subagent")? {
            push_string(&mut out, "subagent", Some(&name));
        }
        for name in ["task_summary", "transcript_ref"] {
            given.may::<String>(name)?;
        }
        for name in ["degraded", "amendments", "flags"] {
            if given.member(name).is_some_and(|list| !matches!(list.tag(), Tag::Array | Tag::Null)) {
                return Err(Unreadable(concat(&[name, ": expected a list"])));
            }
        }
        let (mut result_text, mut error_text) = (None, error.map(error_json).transpose()?);
        let mut returned = given.member("returned").filter(|_| !is_envelope).map(|text| text.text().to_owned());
        if let Some(result) = result.filter(|_| status != Status::Suspended) {
            match self.contract.check(result.text().as_bytes()) {
                Verdict::Accepted(accepted) if status == Status::Completed => result_text = Some(accepted.text),
                Verdict::Accepted(_) => return Err(Unreadable("a result, but its child did not complete".to_owned())),
                Verdict::Rejected(rejected) => {
                    let mut error = String::from("{");
                    push_string(&mut error, "code", Some(rejected.code));
                    let why = "the result does not satisfy the contract that it is merged under";
                    push_string(&mut error, "message", Some(why));
                    push_member(&mut error, "issues", &issues_json(&rejected.issues));
                    error.push('}');
                    status = Status::Failed;
                    error_text = Some(error);
                    returned = Some(result.text().to_owned());
                }
            }
        }
        push_string(&mut out, "status", Some(status.as_str()));
        let suspended = status == Status::Suspended;
        if !suspended {
            for name in FIELDS.into_iter().skip(3) {
                let text = match name {
                    "result" => result_text.as_deref(),
                    "returned" => returned.as_deref(),
                    "error" => error_text.as_deref(),
                    _ => given.member(name).map(Value::text).filter(|text| *text != "null"),
                };
                if let Some(text) = text {
                    push_member(&mut out, name, text);
                }
            }
        }
        out.push('}');
        let empty = status == Status::Completed && result_text.is_none() && given.member("task_summary").is_none();
        if empty || (status == Status::Failed && error_text.is_none()) {
            return Err(Unreadable(concat(&[&quote(&id), " has neither a result nor an error"])));
        }
        self.entries.push(Entry { id, suspended, text: out });
        Ok(())
    }

    /// The entries as `{"children":[…]}`, each id once.
    pub fn in_call_order(&mut self, order: &[&str]) -> Result<String, Refusal> {
        let entries = &self.entries;
        if entries.is_empty() {
            return Err(Refusal::new("merge_no_children", "there are no children to merge".to_owned()));
        }
        let mut ids = Vec::new();
        for id in order {
            ids.push((*id).to_owned());
        }
        for entry in entries {
            ids.push(entry.id.clone());
        }
        // By the first place where the id stands, in `order` or else among the entries.
        let places = fold::groups(&ids);
        let mut out = String::from("{\"children\":[");
        let mut last: Option<(u32, &Entry)> = None;
        for (place, at) in places {
            let Some(entry) = (at as usize).checked_sub(order.len()).and_then(|at| entries.get(at)) else { continue };
            last = match last {
                Some((before, kept)) if before == place => Some((place, same_child(kept, entry)?)),
                other => {
                    push_entry(&mut out, other);
                    Some((place, entry))
                }
            };
        }
        push_entry(&mut out, last);
        out.push_str("]}");
        Ok(out)
    }

    /// What was settled, each once.
    pub fn settled(&self, host: &dyn Normalize) -> Vec<Settled> {
        let mut keys = Vec::new();
        for mark in &self.settled {
            keys.push(concat(&[&quote(&fold::folded(&mark.question, host)), &mark.by]));
        }
        let mut out = Vec::new();
        for (first, at) in fold::groups(&keys) {
            out.extend(self.settled.get(at as usize).filter(|_| first == at).cloned());
        }
        out
    }
}

fn push_entry(out: &mut String, entry: Option<(u32, &Entry)>) {
    if let Some((_, entry)) = entry {
        push_item(out, &entry.text);
    }
}

/// Of two entries under one id the one that holds.
fn same_child<'e>(a: &'e Entry, b: &'e Entry) -> Result<&'e Entry, Refusal> {
    match (a.suspended, b.suspended) {
        (true, false) => return Ok(b),
        (false, true) => return Ok(a),
        _ => {}
    }
    // Past the limits of a text neither has a canonical form, which does not make them one.
    let canonical = |entry: &Entry| canonical::canonical(entry.text.as_bytes()).ok();
    let same = a.text == b.text || canonical(a).is_some_and(|text| canonical(b) == Some(text));
    if same { Ok(a) } else { Err(conflict(&a.id)) }
}

#[cold]
fn conflict(id: &str) -> Refusal {
    Refusal::new("merge_conflict", concat(&["two different children share the id ", &quote(id)]))
}

#[cold]
fn unreadable(error: Unreadable) -> Refusal {
    Refusal::new("merge_unreadable", concat(&["a child cannot be read: ", &error.0]))
}

/// An error as an object; a host may give its message alone.
fn error_json(error: Value<'_>) -> Result<String, Unreadable> {
    Ok(match error.as_str() {
        None if error.member("code").is_some() && error.member("message").is_some() => error.text().to_owned(),
        None => return Err(Unreadable("error: expected a text or { code, message }".to_owned())),
        Some(message) => {
            let mut out = String::from("{");
            push_string(&mut out, "code", Some("failed"));
            push_string(&mut out, "message", Some(message));
            out.push('}');
            out
        }
    })
}
