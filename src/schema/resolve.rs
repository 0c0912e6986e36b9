//! Documents, the resources and anchors in them, and where a reference leads.

mod follow;
mod scan;

use super::dialect::{Dialect, Draft, Vocabularies};
use super::error::{from_parse, located, problem};
use super::options::Options;
use super::uri::split_fragment;
use crate::error::{SchemaError, SchemaErrorCode};
use crate::json::parse::Limits;
use crate::json::tape::{NodeId, Tag, Tape};
pub(crate) use follow::Target;

/// A node of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub document: u32,
    pub node: NodeId,
}

/// A schema text.
#[derive(Debug)]
pub(crate) struct Document {
    /// What it was asked for by; the one compiled has no name.
    pub name: String,
    pub tape: Tape,
    /// The resource that each node belongs to.
    owners: Vec<u32>,
    /// Which nodes have been looked at as schemas.
    scanned: Vec<bool>,
}

/// What says which schemas of a dialect are valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Metaschema {
    Standard(Draft),
    /// One of the schemas given, by its URI.
    Given(String),
}

/// A schema resource: a document's root, or a subschema with an identifier of its own.
#[derive(Debug)]
pub(crate) struct Resource {
    pub uri: String,
    pub place: Place,
    pub dialect: Dialect,
    pub metaschema: Metaschema,
    /// `$recursiveAnchor: true`
    pub recursive: bool,
}

#[derive(Debug)]
struct Anchor {
    resource: u32,
    name: String,
    node: NodeId,
    dynamic: bool,
}

/// All that has been loaded for one compilation.
pub(crate) struct Registry<'o> {
    options: &'o Options,
    pub documents: Vec<Document>,
    pub resources: Vec<Resource>,
    /// Resources by URI, in order.
    by_uri: Vec<(String, u32)>,
    /// In order of resource and name.
    anchors: Vec<Anchor>,
}

impl<'o> Registry<'o> {
    pub fn new(options: &'o Options) -> Registry<'o> {
        Registry { options, documents: Vec::new(), resources: Vec::new(), by_uri: Vec::new(), anchors: Vec::new() }
    }

    /// Adds a document and finds the resources in it. Returns its root resource. `inherited`: for a document without `$schema`.
    pub fn add(&mut self, text: &[u8], name: &str, inherited: (Dialect, Metaschema)) -> Result<u32, Box<SchemaError>> {
        let limits = self.options.schema_limits();
        let tape = Tape::parse(text, Limits { bytes: limits.bytes, depth: limits.depth })
            .map_err(|error| from_parse(error, name))?;
        let (dialect, metaschema) = match declared(&tape, 0) {
            Some(uri) => self.dialect(uri, 0).ok_or_else(|| unknown_dialect(name, uri))?,
            None => inherited,
        };
        let nodes = tape.node_count() as usize;
        let document = self.documents.len() as u32;
        let resource = self.resources.len() as u32;
        let owners = vec![resource; nodes];
        self.documents.push(Document { name: name.to_owned(), tape, owners, scanned: vec![false; nodes] });
        let uri = split_fragment(name).0.to_owned();
        let place = Place { document, node: 0 };
        self.resources.push(Resource { uri: uri.clone(), place, dialect, metaschema, recursive: false });
        self.register(uri, resource);
        self.scan(place)?;
        Ok(resource)
    }

    /// The dialect that a `$schema` names. A metaschema among the schemas given says its vocabularies, and is of a draft itself.
    fn dialect(&self, uri: &str, depth: u32) -> Option<(Dialect, Metaschema)> {
        if let Some(draft) = Draft::from_uri(uri) {
            return Some((Dialect::standard(draft), Metaschema::Standard(draft)));
        }
        let text = self.given(uri.strip_suffix('#').unwrap_or(uri))?;
        let tape = Tape::parse(text.as_bytes(), Limits::default()).ok()?;
        let own = declared(&tape, 0).filter(|own| *own != uri && depth < 4);
        let draft = match own {
            Some(own) => self.dialect(own, depth + 1)?.0.draft,
            None => self.options.dialect.unwrap_or(Draft::Draft202012),
        };
        let mut dialect = Dialect::standard(draft);
        if let Some(vocabulary) = tape.get(0, "$vocabulary").filter(|_| draft >= Draft::Draft201909) {
            dialect.vocabularies = Vocabularies::CORE;
            for (name, required) in tape.members(vocabulary) {
                match Vocabularies::from_uri(tape.string(name)) {
                    Some(known) => dialect.vocabularies = dialect.vocabularies.with(known),
                    None if tape.tag(required) == Tag::True => return None,
                    None => {}
                }
            }
        }
        Some((dialect, Metaschema::Given(uri.to_owned())))
    }

    /// The text given for a URI.
    pub fn given(&self, uri: &str) -> Option<&'o str> {
        let same = |known: &str| known.strip_suffix('#').unwrap_or(known) == uri;
        self.options.schemas.iter().find_map(|(known, text)| same(known).then_some(text.as_str()))
    }

    pub fn owner(&self, place: Place) -> u32 {
        self.documents
            .get(place.document as usize)
            .and_then(|document| document.owners.get(place.node as usize))
            .copied()
            .unwrap_or(0)
    }

    pub fn tape(&self, place: Place) -> Option<&Tape> {
        self.documents.get(place.document as usize).map(|document| &document.tape)
    }

    pub fn is_scanned(&self, place: Place) -> bool {
        self.documents
            .get(place.document as usize)
            .is_none_or(|document| document.scanned.get(place.node as usize) != Some(&false))
    }

    /// The first resource of a URI keeps it.
    fn register(&mut self, uri: String, resource: u32) {
        if let Err(at) = self.by_uri.binary_search_by(|(known, _)| known.as_str().cmp(&uri)) {
            self.by_uri.insert(at, (uri, resource));
        }
    }

    fn resource_of(&self, uri: &str) -> Option<u32> {
        let at = self.by_uri.binary_search_by(|(known, _)| known.as_str().cmp(uri)).ok()?;
        self.by_uri.get(at).map(|(_, resource)| *resource)
    }

    /// The embedded resources of a document that are of another dialect than what surrounds them.
    pub fn foreign_resources(&self, document: u32) -> Vec<Place> {
        let roots =
            self.resources.iter().filter(|resource| resource.place.document == document && resource.place.node != 0);
        let outer = self.resources.iter().find(|resource| resource.place == Place { document, node: 0 });
        roots
            .filter(|resource| outer.is_some_and(|outer| outer.metaschema != resource.metaschema))
            .map(|resource| resource.place)
            .collect()
    }
}

fn declared(tape: &Tape, node: NodeId) -> Option<&str> {
    tape.get(node, "$schema").and_then(|value| tape.as_string(value))
}

fn unknown_dialect(document: &str, uri: &str) -> Box<SchemaError> {
    let mut message = String::from("unknown dialect ");
    crate::json::write::string(&mut message, uri);
    message.push_str(": give its metaschema among the schemas");
    problem(SchemaErrorCode::UnknownDialect, located(document, "/$schema"), "$schema", &message)
}
