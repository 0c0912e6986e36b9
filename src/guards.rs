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

fn degrade(pointer: impl Into<String>, message: &str) -> Finding {
    Finding::Degrade { pointer: pointer.into(), message: message.to_owned() }
}

/// One message at several places; of many only some are named.
fn degrade_at(places: Vec<String>, message: &str) -> Vec<Finding> {
    let more = places.len().saturating_sub(PLACES);
    let mut findings: Vec<Finding> = places.into_iter().take(PLACES).map(|place| degrade(place, message)).collect();
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
    let places = each_finding(tape).filter(|(_, finding)| {
        let is_verified = tape.get(*finding, "confidence").and_then(|node| tape.as_string(node)) == Some("verified");
        is_verified && !provenance(tape, *finding).any(placeholder::says_something)
    });
    degrade_at(places.map(|(place, _)| place).collect(), "verified, but no provenance says where")
}

/// A finding that cites nothing of what the child's tool calls asked for or brought back. What cannot be looked for in them,
/// such as a person's name, counts for nothing on either side.
fn unseen_provenance(tape: &Tape, evidence: &Evidence) -> Vec<Finding> {
    let mut budget = evidence::BUDGET;
    let places = each_finding(tape).filter(|(_, finding)| {
        let mut looked_for = false;
        for entry in provenance(tape, *finding) {
            for reference in evidence::references(entry) {
                looked_for = true;
                if evidence.touches(&reference, &mut budget) {
                    return false;
                }
            }
        }
        looked_for
    });
    degrade_at(places.map(|(place, _)| place).collect(), "cites nothing that a tool call of this run touched")
}

fn declared_exhausted(tape: &Tape) -> Vec<Finding> {
    const PLACE: &str = "/effort/budget_exhausted";
    let declared = tape.pointer(PLACE).is_some_and(|node| tape.tag(node) == Tag::True);
    if declared { vec![degrade(PLACE, "the work stopped for lack of budget, before it was done")] } else { Vec::new() }
}

/// The record's findings with their pointers.
fn each_finding(tape: &Tape) -> impl Iterator<Item = (String, NodeId)> {
    let findings = tape.get(0, "findings").into_iter().flat_map(|list| tape.items(list));
    findings.enumerate().map(|(index, finding)| {
        let mut place = String::from("/findings");
        pointer::push_index(&mut place, index as u64);
        (place, finding)
    })
}

/// The provenance of a finding: a list of strings, or one.
fn provenance(tape: &Tape, finding: NodeId) -> impl Iterator<Item = &str> {
    let node = tape.get(finding, "provenance");
    let one = node.and_then(|node| tape.as_string(node));
    let many = node.into_iter().flat_map(|node| tape.items(node)).filter_map(|item| tape.as_string(item));
    one.into_iter().chain(many)
}
