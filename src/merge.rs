//! Merging the returns of several children, mechanically: nothing is summarised, weighed or left out.
//!
//! What merges how is said by the contract, property by property, in `x-merge`: `concat`, `dedupe:<key>`, `union`,
//! `intersect` (or `intersect:<sibling>`, the list of what contradicts a value), `sum`, `any`, `all`, `strongest` (the string
//! that comes first in the `enum`) or `keep-by-child`. It is read in `properties`, in the `items` of a `dedupe`, and through
//! local `$ref`s. What is not declared is kept by child.
//!
//! A merged record is
//! `{ merged, disagreements, settled?, children, contract, schema_version }`. `merged` has the contract's shape, and wherever
//! something is kept by child a member `by_child: [{ id, value }]`. `settled` has the questions that a child was sent to answer, and
//! whether it did (`holds`). `children` has each child's whole return, so that merging
//! is a function of the children alone: merges can be merged, in any grouping, and a child that comes twice counts once.
//!
//! Texts count as equal after Unicode's NFC and white-space folding; case counts. The first spelling is shown.
//!
//! # Example: two children and a gap that one of them closed
//! ```
//! use subcontract::merge::{self, Normalize};
//! use subcontract::{Contract, Options};
//!
//! struct Ascii;
//! impl Normalize for Ascii {
//!     fn nfc(&self, text: &str) -> String {
//!         text.to_owned()
//!     }
//! }
//!
//! let contract = Contract::compile(
//!     r#"{"type":"object","properties":{
//!         "seats":{"type":"integer","x-merge":"sum"},
//!         "not_searched":{"type":"array","x-merge":"intersect"}}}"#,
//!     &Options::default(),
//! )?;
//! let children = [
//!     r#"{"id":"a","result":{"seats":3,"not_searched":["logs","tickets"]}}"#,
//!     r#"{"id":"b","result":{"seats":4,"not_searched":["logs"]}}"#,
//! ];
//! let merged = merge::merge(&contract, &children, &[], &Ascii).unwrap();
//! assert!(merged.starts_with(concat!(
//!     r#"{"merged":{"seats":7,"not_searched":["logs"],"#,
//!     r#""partly_declared":[{"slot":"not_searched","value":"tickets","declared_by":["a"]}]},"#,
//! )));
//! # Ok::<(), subcontract::SchemaError>(())
//! ```

mod children;
mod fold;
mod record;
mod rule;
mod schema;

use std::fmt;

use crate::contract::Contract;
use crate::members::{Members, push_integer, push_item, push_member, push_string};
use children::Children;
pub use fold::Normalize;
pub(crate) use fold::{folded, groups};
use record::Record;
use rule::Rule;
pub use schema::merged_schema;

/// The version of merged records that is written, and the newest that is read.
pub const SCHEMA_VERSION: u32 = 1;

/// Why children were not merged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    code: &'static str,
    message: String,
}

impl Refusal {
    #[inline(never)]
    fn new(code: &'static str, message: String) -> Self {
        Self { code, message }
    }

    /// A stable code: `merge_no_children`, `merge_unreadable`, `merge_conflict`, `merge_other_contract`,
    /// `merge_unknown_version` or `merge_rule`.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// One line: lower case, no final period.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

/// Merges children, given as JSON texts in call order, into a merged record's text.
///
/// A child is an envelope; `{ id, result }` or `{ id, error }`, with any of the fields that a merged record's `children` have;
/// a merged record, which stands for its children; or `{ settled: [{ question, by }] }`, which says of a question that the
/// child `by` answered it. A result that does not satisfy the contract makes its child a failed one, with the result as
/// `returned`. A child that was suspended and is there again counts as what it became.
///
/// `order` lists ids in call order, for children that are given in another; those that it does not name come after.
///
/// # Errors
/// Without any child, for a text that is none of these, for two different children under one id, for a merged record of another
/// contract or an unknown version, and for an `x-merge` that there is not.
pub fn merge(contract: &Contract, texts: &[&str], order: &[&str], host: &dyn Normalize) -> Result<String, Refusal> {
    let rule = Rule::of(contract.schema())?;
    let mut children = Children::new(contract);
    for text in texts {
        children.read(text)?;
    }
    let entries = children.in_call_order(order)?;
    let mut settled = children.settled(host);

    let list = Members::parse(&entries).map_err(|error| Refusal::new("merge_unreadable", error.0))?;
    let record = Record::new(&list, &mut settled, host);
    let (merged, disagreements) = record.merge(rule.as_ref());

    let mut out = String::with_capacity(entries.len() + merged.len() + 200);
    out.push('{');
    push_member(&mut out, "merged", &merged);
    push_member(&mut out, "disagreements", &disagreements);
    if !settled.is_empty() {
        push_member(&mut out, "settled", "[");
        for mark in &settled {
            push_item(&mut out, &mark.to_json());
        }
        out.push(']');
    }
    // `entries` is an object around the list, as `Members` reads it.
    push_member(&mut out, "children", list.get("children").unwrap_or("[]"));
    push_string(&mut out, "contract", Some(contract.digest()));
    push_integer(&mut out, "schema_version", SCHEMA_VERSION.into());
    out.push('}');
    Ok(out)
}
