//! Schemas checked against their metaschema.

use std::sync::OnceLock;

use super::{Check, Compiler, SchemaError, SchemaErrorCode};
use crate::json::tape::Tape;
use crate::schema::dialect::Draft;
use crate::schema::error::{located, of_issues, problem};
use crate::schema::metaschema;
use crate::schema::options::{Formats, Options};
use crate::schema::resolve::{Metaschema, Place};
use crate::validate::{TooComplex, Validator};

/// The compiled metaschema of a draft, made when it is first needed.
fn standard(draft: Draft) -> Option<&'static Validator> {
    static COMPILED: [OnceLock<Option<Validator>>; 5] = [const { OnceLock::new() }; 5];
    let slot = COMPILED.get(draft as usize)?;
    slot.get_or_init(|| {
        let text = metaschema::text(draft.metaschema_uri())?;
        let options = Options { formats: Formats::Annotate, ..Options::default() };
        Validator::compile_boxed(text.as_bytes(), &options, Check::Trusted).ok()
    })
    .as_ref()
}

impl Compiler<'_> {
    /// Checks the documents that have not been checked yet.
    pub(super) fn check_documents(&mut self) -> Result<(), Box<SchemaError>> {
        while self.checked < self.registry.documents.len() {
            let document = self.checked as u32;
            self.checked += 1;
            self.check_place(Place { document, node: 0 })?;
            for place in self.registry.foreign_resources(document) {
                self.check_place(place)?;
            }
        }
        Ok(())
    }

    /// Checks one schema against the metaschema of its resource.
    pub(super) fn check_place(&mut self, place: Place) -> Result<(), Box<SchemaError>> {
        let Some(document) = self.registry.documents.get(place.document as usize) else { return Ok(()) };
        if self.check == Check::Trusted || metaschema::text(&document.name).is_some() {
            return Ok(());
        }
        let owner = self.registry.owner(place);
        let Some(resource) = self.registry.resources.get(owner as usize) else { return Ok(()) };
        let given;
        let validator = match &resource.metaschema {
            Metaschema::Standard(draft) => standard(*draft),
            Metaschema::Given(uri) => {
                let Some(text) = self.registry.given(uri.strip_suffix('#').unwrap_or(uri)) else { return Ok(()) };
                let options = Options {
                    formats: Formats::Annotate,
                    schemas: self.options.schemas.clone(),
                    host: self.options.host.clone(),
                    dialect: self.options.dialect,
                    ..Options::default()
                };
                // The metaschema is trusted as the options are: its own metaschema is not asked.
                given = Validator::compile_boxed(text.as_bytes(), &options, Check::Trusted).map_err(|mut error| {
                    for issue in &mut error.issues {
                        issue.instance_path = located(uri, &issue.instance_path);
                    }
                    error
                })?;
                Some(&given)
            }
        };
        let Some(validator) = validator else { return Ok(()) };
        let tape: &Tape = &document.tape;
        match validator.is_valid_at(tape, place.node) {
            Ok(true) => return Ok(()),
            Ok(false) => {}
            Err(TooComplex) => {
                let path = located(&document.name, "");
                return Err(problem(SchemaErrorCode::TooComplex, path, "", "its metaschema takes too many steps"));
            }
        }
        // What stands in a resource of another dialect is for that one's metaschema to judge.
        let foreign = self.registry.foreign_resources(place.document);
        let judged = |node| {
            !foreign.iter().any(|inner| inner.node > place.node && inner.node <= node && node < tape.next(inner.node))
        };
        let mut issues = validator.issues_at(tape, place.node, 50, &judged).issues;
        if issues.is_empty() {
            return Ok(());
        }
        // Each vocabulary has its own schema, and they all say that a schema is an object or a boolean.
        issues.dedup_by(|next, issue| {
            next.instance_path == issue.instance_path && next.kind.message() == issue.kind.message()
        });
        for issue in &mut issues {
            issue.instance_path = located(&document.name, &issue.instance_path);
        }
        Err(of_issues(SchemaErrorCode::InvalidSchema, issues))
    }
}
