//! Problems and lints, noted with the place that they are about.

use super::{Compiler, SchemaErrorCode};
use crate::json::locate;
use crate::schema::error::located;
use crate::schema::lint::{Lint, LintCode};
use crate::schema::resolve::Place;
use crate::validate::issue::Issue;

impl Compiler<'_> {
    pub(super) fn path(&self, place: Place) -> String {
        let Some(document) = self.registry.documents.get(place.document as usize) else { return String::new() };
        located(&document.name, &locate::pointer(&document.tape, place.node))
    }

    /// Notes a problem; the schema does not compile, but the rest of it is looked at too.
    pub(super) fn problem(&mut self, code: SchemaErrorCode, place: Place, keyword: &str, message: &str) {
        let issue = Issue::other(self.path(place), keyword, message);
        let (_, issues) = self.problems.get_or_insert((code, Vec::new()));
        if issues.len() < 50 {
            issues.push(issue);
        }
    }

    pub(super) fn lint(&mut self, place: Place, code: LintCode) {
        if self.lints.len() < 200 {
            let path = self.path(place);
            self.lints.push(Lint { path, code });
        }
    }
}
