//! Returns under a contract whose values are no objects: they come wrapped in one.

use super::verdict::flag_names;
use super::{Contract, Rejected, Verdict};
use crate::intake;
use crate::json::pointer;
use crate::json::tape::{Limits, Tag};
use crate::validate::issue::Issue;

impl Contract {
    /// Judges a return that stands in an object as its only member `result`, for a contract whose values are no objects.
    /// The verdict is on the member's value.
    ///
    /// # Errors
    /// When there is no such object, so that there is nothing to judge. The issues point into `raw`.
    pub fn read_wrapped(&self, raw: &[u8], finish_reason: Option<&str>) -> Result<Verdict, Rejected> {
        let tape = intake::strict(raw, finish_reason, Limits::default()).map_err(Rejected::from)?;
        let issue = |path: &str, message: &str| Issue::other(path, "wrapper", message);
        let mut issues = Vec::new();
        let mut result = None;
        if tape.tag(0) != Tag::Object {
            issues.push(issue("", "expected an object with the single property \"result\""));
        } else {
            result = tape.get(0, "result");
            if result.is_none() {
                issues.push(issue("", "missing required property \"result\""));
            }
            for (name, _) in tape.members(0).filter(|(name, _)| tape.string(*name) != "result") {
                let mut path = String::new();
                pointer::push_name(&mut path, tape.string(name));
                issues.push(issue(&path, "only the property \"result\" is allowed here, remove it"));
            }
        }
        match result {
            Some(node) if issues.is_empty() => Ok(self.check(tape.json_text(node).as_bytes())),
            _ => Err(Rejected::new("schema_violation", issues, flag_names(tape.flags()))),
        }
    }
}
