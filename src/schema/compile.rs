//! From schema text to a plan: what is common to all keywords. What each group compiles to stands in its own file.

mod applicators;
mod assertions;
mod check;
mod keywords;
mod notes;
mod places;
mod references;

use super::dialect::{Dialect, Draft};
use super::error::{of_issues, problem};
use super::lint::{Lint, LintCode};
use super::options::{Options, SchemaLimits};
use super::plan::{EVERYTHING, NO_SCHEMA, Op, Plan, PlanDocument, Schema, SchemaId, Span};
use super::resolve::{Metaschema, Place, Registry};
use crate::error::{SchemaError, SchemaErrorCode};
use crate::json::tape::{Tag, Tape};
use crate::validate::issue::{Issue, Types};
use keywords::Found;

/// Whether schemas are checked against their metaschema. They are not while the metaschemas themselves are compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Check {
    Metaschema,
    Trusted,
}

/// A plan and what there is to say about its schema.
pub(crate) struct Compiled {
    pub plan: Plan,
    pub lints: Vec<Lint>,
}

/// Compiles a schema text.
pub(crate) fn compile(text: &[u8], options: &Options, check: Check) -> Result<Compiled, Box<SchemaError>> {
    let mut registry = Registry::new(options);
    let draft = options.dialect.unwrap_or(Draft::Draft202012);
    let place = Place { document: 0, node: 0 };
    registry.add(text, "", (Dialect::standard(draft), Metaschema::Standard(draft)))?;
    let mut compiler = Compiler {
        options,
        limits: options.schema_limits(),
        check,
        registry,
        plan: Plan::default(),
        ids: Vec::new(),
        shortcuts: Vec::new(),
        waiting: Vec::new(),
        checked: 0,
        references: 0,
        sources: Vec::new(),
        dynamic_names: Vec::new(),
        problems: None,
        lints: Vec::new(),
    };
    compiler.run(place)?;
    Ok(compiler.finish())
}

struct Compiler<'o> {
    options: &'o Options,
    limits: SchemaLimits,
    check: Check,
    registry: Registry<'o>,
    plan: Plan,
    /// The schema of each node of each document, where it has one.
    ids: Vec<Vec<SchemaId>>,
    /// Where a bare reference that its own resource leads to ends, likewise.
    shortcuts: Vec<Vec<SchemaId>>,
    waiting: Vec<(SchemaId, Place)>,
    /// How many documents have been checked against their metaschema.
    checked: usize,
    references: usize,
    /// The source of each of the plan's patterns.
    sources: Vec<String>,
    dynamic_names: Vec<String>,
    problems: Option<(SchemaErrorCode, Vec<Issue>)>,
    lints: Vec<Lint>,
}

impl Compiler<'_> {
    fn run(&mut self, root: Place) -> Result<(), Box<SchemaError>> {
        self.reserve(Types::ANY, 0, root);
        self.check_documents()?;
        self.plan.root = self.schema(root, None)?;
        loop {
            while let Some((id, place)) = self.waiting.pop() {
                self.compile_schema(id, place)?;
            }
            self.add_dynamic_anchors()?;
            if self.waiting.is_empty() {
                break;
            }
        }
        match self.problems.take() {
            Some((code, issues)) => Err(of_issues(code, issues)),
            None => Ok(()),
        }
    }

    #[inline(never)]
    fn finish(mut self) -> Compiled {
        let unconstrained = match self.plan.schemas.get(self.plan.root as usize) {
            Some(root) => root.types == Types::ANY && root.ops.length == 0,
            None => true,
        };
        if unconstrained {
            self.lints.push(Lint { path: String::new(), code: LintCode::AcceptsEverything });
        }
        let documents = self.registry.documents.into_iter();
        self.plan.documents =
            documents.map(|document| PlanDocument { name: document.name, tape: document.tape }).collect();
        Compiled { plan: self.plan, lints: self.lints }
    }

    /// The schema at a place, to be compiled if it is new. A bare reference in the resource `from` that asks for it is
    /// skipped: that resource has been entered already, which is all that the reference would do.
    fn schema(&mut self, place: Place, from: Option<u32>) -> Result<SchemaId, Box<SchemaError>> {
        match self.tag(place) {
            Some(Tag::True) => return Ok(EVERYTHING),
            Some(Tag::Object | Tag::False) => {}
            _ => {
                self.problem(
                    SchemaErrorCode::InvalidSchema,
                    place,
                    "type",
                    "expected a schema: an object or a boolean",
                );
                return Ok(EVERYTHING);
            }
        }
        if !self.registry.is_scanned(place) {
            self.registry.scan(place)?;
            self.check_place(place)?;
        }
        let resource = self.registry.owner(place);
        if from == Some(resource)
            && let Some(target) = self.shortcut(place, resource)?
        {
            return Ok(target);
        }
        if let Some(known) = known(&self.ids, place) {
            return Ok(known);
        }
        let id = self.plan.schemas.len() as SchemaId;
        if id as usize > self.limits.subschemas {
            let code = SchemaErrorCode::TooComplex;
            return Err(problem(code, self.path(place), "", "too many subschemas"));
        }
        let types = if self.tag(place) == Some(Tag::False) { Types(0) } else { Types::ANY };
        self.reserve(types, resource, place);
        self.waiting.push((id, place));
        remember(&mut self.ids, &self.registry, place, id);
        Ok(id)
    }

    /// Gives a schema its place in the plan, before it is compiled.
    fn reserve(&mut self, types: Types, resource: u32, place: Place) {
        let ops = Span::default();
        self.plan.schemas.push(Schema { types, strict_integer: false, tracks: false, ops, resource, place });
    }

    fn compile_schema(&mut self, id: SchemaId, place: Place) -> Result<(), Box<SchemaError>> {
        if self.tag(place) != Some(Tag::Object) {
            return Ok(());
        }
        let start = self.plan.ops.len() as u32;
        let found = self.keywords(place)?;
        let hidden = found.hides_siblings();
        let mut types = Types::ANY;
        if !hidden {
            types = self.types(&found);
            self.values(&found);
            self.numbers(&found);
            self.strings(&found)?;
            self.arrays(&found)?;
            self.objects(&found)?;
            self.logic(&found)?;
        }
        self.references(&found)?;
        let tracks = !hidden && self.unevaluated(&found)?;
        let strict_integer = found.dialect.draft == Draft::Draft4;
        let length = self.plan.ops.len() as u32 - start;
        if let Some(schema) = self.plan.schemas.get_mut(id as usize) {
            *schema = Schema { types, strict_integer, tracks, ops: Span { start, length }, ..*schema };
        }
        Ok(())
    }

    fn push(&mut self, op: Op) {
        self.plan.ops.push(op);
    }
}

fn known(ids: &[Vec<SchemaId>], place: Place) -> Option<SchemaId> {
    let id = ids.get(place.document as usize)?.get(place.node as usize)?;
    (*id != NO_SCHEMA).then_some(*id)
}

fn remember(ids: &mut Vec<Vec<SchemaId>>, registry: &Registry, place: Place, id: SchemaId) {
    while ids.len() <= place.document as usize {
        let document = Place { document: ids.len() as u32, node: 0 };
        let nodes = registry.tape(document).map_or(0, Tape::node_count);
        ids.push(vec![NO_SCHEMA; nodes as usize]);
    }
    if let Some(slot) = ids.get_mut(place.document as usize).and_then(|ids| ids.get_mut(place.node as usize)) {
        *slot = id;
    }
}
