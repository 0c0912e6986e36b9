//! Guards of research records: named checks beyond the schema, of a return that satisfies it.
//!
//! A guard reads the return and what the host saw the child do, and gives findings. It says nothing about a return that does not
//! have the fields it is about. Its messages quote nothing of the return: the parent's model reads them.

mod evidence;
mod placeholder;

use crate::amend;
use crate::contract::{Contract, Verdict};
use crate::json::tape::{NodeId, Tag, Tape};
use crate::json::{pointer, write};
use crate::members::{list, push_member, push_string};
pub use evidence::Evidence;

/// The most places that one guard names.
const PLACES: usize = 10;

/// What a guard says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// The return goes out with `value`, which is JSON text, at `pointer`.
    Amend {
        /// Where.
        pointer: String,
        /// The new value.
        value: &'static str,
    },
    /// The return is accepted, with this said against it.
    Degrade {
        /// Where; empty for the whole.
        pointer: String,
        /// What, without any value of the return.
        message: String,
    },
}

/// The guards by name.
pub const NAMES: [&str; 5] = [
    "empty-means-exhausted",
    "verified-needs-provenance",
    "placeholder-return",
    "unseen-provenance",
    "declared-exhausted",
];

/// What the guard of this name says of a return that satisfies the contract; nothing when there is no such guard.
pub fn find(name: &str, contract: &Contract, tape: &Tape, evidence: &Evidence) -> Option<Vec<Finding>> {
    Some(match name {
        "empty-means-exhausted" => empty_means_exhausted(contract, tape),
        "verified-needs-provenance" => verified_needs_provenance(tape),
        "placeholder-return" => placeholder::find(contract.schema(), tape),
        "unseen-provenance" => unseen_provenance(tape, evidence),
        "declared-exhausted" => declared_exhausted(tape),
        _ => return None,
    })
}

/// Findings as a JSON array.
pub fn to_json(findings: &[Finding]) -> String {
    list(findings.iter().map(|finding| {
        let mut out = String::from("{");
        let (action, pointer) = match finding {
            Finding::Amend { pointer, .. } => ("amend", pointer),
            Finding::Degrade { pointer, .. } => ("degrade", pointer),
        };
        push_string(&mut out, "action", Some(action));
        match finding {
            Finding::Amend { value, .. } => {
                push_string(&mut out, "pointer", Some(pointer));
                push_member(&mut out, "value", value);
            }
            Finding::Degrade { message, .. } => {
                if !pointer.is_empty() {
                    push_string(&mut out, "pointer", Some(pointer));
                }
                push_string(&mut out, "message", Some(message));
            }
        }
        out.push('}');
        out
    }))
}

fn degrade(pointer: &str, message: &str) -> Finding {
    Finding::Degrade { pointer: pointer.to_owned(), message: message.to_owned() }
}

/// One message at several places; of many only some are named.
fn degrade_at(places: &[String], message: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for place in places.iter().take(PLACES) {
        findings.push(degrade(place, message));
    }
    let more = places.len().saturating_sub(PLACES);
    if more > 0 {
        let mut rest = String::new();
        write::integer(&mut rest, more as u64);
        rest.push_str(" more places: ");
        rest.push_str(message);
        findings.push(degrade("", &rest));
    }
    findings
}

/// A child that found nothing and wonders about nothing has most likely stopped early, whatever it says of its budget.
fn empty_means_exhausted(contract: &Contract, tape: &Tape) -> Vec<Finding> {
    let is_empty =
        |name: &str| tape.get(0, name).is_some_and(|node| tape.tag(node) == Tag::Array && tape.count(node) == 0);
    if !is_empty("findings") || !is_empty("unresolved") {
        return Vec::new();
    }
    const PLACE: &str = "/effort/budget_exhausted";
    let mut findings = vec![degrade("", "no findings and nothing unresolved: it probably stopped early")];
    let declared = tape.pointer(PLACE).is_some_and(|node| tape.tag(node) == Tag::True);
    let is_object = tape.get(0, "effort").is_some_and(|node| tape.tag(node) == Tag::Object);
    if !declared && is_object {
        // A contract may have an `effort` of its own, with no place for this.
        let amended = amend::set(tape, PLACE, "true").map(|text| contract.check(text.as_bytes()));
        if matches!(amended, Ok(Verdict::Accepted(_))) {
            findings.push(Finding::Amend { pointer: PLACE.to_owned(), value: "true" });
        }
    }
    findings
}

/// What was read from the source itself has a source.
fn verified_needs_provenance(tape: &Tape) -> Vec<Finding> {
    where_finding(tape, "verified, but no provenance says where", &mut |finding| {
        let is_verified = tape.get(finding, "confidence").and_then(|node| tape.as_string(node)) == Some("verified");
        is_verified && !provenance(tape, finding).into_iter().any(placeholder::says_something)
    })
}

/// A finding that cites nothing of what the child's tool calls asked for or brought back. What cannot be looked for in them,
/// such as a person's name, counts for nothing on either side.
fn unseen_provenance(tape: &Tape, evidence: &Evidence) -> Vec<Finding> {
    let mut budget = evidence::BUDGET;
    where_finding(tape, "cites nothing that a tool call of this run touched", &mut |finding| {
        let mut looked_for = false;
        for entry in provenance(tape, finding) {
            for reference in evidence::references(entry) {
                looked_for = true;
                if evidence.touches(&reference, &mut budget) {
                    return false;
                }
            }
        }
        looked_for
    })
}

fn declared_exhausted(tape: &Tape) -> Vec<Finding> {
    const PLACE: &str = "/effort/budget_exhausted";
    let declared = tape.pointer(PLACE).is_some_and(|node| tape.tag(node) == Tag::True);
    if declared { vec![degrade(PLACE, "the work stopped for lack of budget, before it was done")] } else { Vec::new() }
}

/// A message at the findings of the record for which a test holds.
fn where_finding(tape: &Tape, message: &str, test: &mut dyn FnMut(NodeId) -> bool) -> Vec<Finding> {
    let mut places = Vec::new();
    if let Some(list) = tape.get(0, "findings") {
        for (index, finding) in tape.items(list).enumerate() {
            if test(finding) {
                let mut place = String::from("/findings");
                pointer::push_index(&mut place, index as u64);
                places.push(place);
            }
        }
    }
    degrade_at(&places, message)
}

/// The provenance of a finding: a list of strings, or one.
fn provenance(tape: &Tape, finding: NodeId) -> Vec<&str> {
    let mut entries = Vec::new();
    if let Some(node) = tape.get(finding, "provenance") {
        each_string(tape, node, &mut |entry| entries.push(entry));
    }
    entries
}

/// A node that is a string, or the strings among its items.
fn each_string<'a>(tape: &'a Tape, node: NodeId, with: &mut dyn FnMut(&'a str)) {
    if let Some(text) = tape.as_string(node) {
        with(text);
    }
    for item in tape.items(node) {
        if let Some(text) = tape.as_string(item) {
            with(text);
        }
    }
}
