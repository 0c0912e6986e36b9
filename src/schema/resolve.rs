//! Documents, the resources and anchors in them, and where a reference leads.

use super::dialect::{Dialect, Draft, Vocabularies};
use super::error::{from_parse, located, problem};
use super::keyword::{Keyword, Schemas};
use super::metaschema;
use super::options::Options;
use super::uri::{percent_decoded, resolve, split_fragment};
use crate::error::{SchemaError, SchemaErrorCode};
use crate::json::parse::Limits;
use crate::json::tape::{NodeId, Tag, Tape};
use crate::json::{locate, pointer};

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

/// Where a reference leads.
pub(crate) struct Target {
    pub place: Place,
    /// The name of the `$dynamicAnchor` that led there.
    pub dynamic: Option<String>,
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

    /// Adds a document and finds the resources in it. Returns its root resource.
    pub fn add(&mut self, text: &[u8], name: &str, inherited: &Resource) -> Result<u32, Box<SchemaError>> {
        let limits = self.options.schema_limits();
        let tape = Tape::parse(text, Limits { bytes: limits.bytes, depth: limits.depth })
            .map_err(|error| from_parse(error, name))?;
        let (dialect, metaschema) = match declared(&tape, 0) {
            Some(uri) => self.dialect(uri, 0).ok_or_else(|| unknown_dialect(name, uri))?,
            None => (inherited.dialect, inherited.metaschema.clone()),
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

    /// Finds the resources and anchors in a schema and its subschemas.
    pub fn scan(&mut self, place: Place) -> Result<(), Box<SchemaError>> {
        let mut waiting = vec![place.node];
        while let Some(node) = waiting.pop() {
            let mut resource = self.owner(Place { node, ..place });
            let Some(document) = self.documents.get_mut(place.document as usize) else { break };
            if document.scanned.get(node as usize) != Some(&false) {
                continue;
            }
            if let Some(scanned) = document.scanned.get_mut(node as usize) {
                *scanned = true;
            }
            if document.tape.tag(node) != Tag::Object {
                continue;
            }
            resource = self.identify(Place { node, ..place }, resource)?;
            let Some(document) = self.documents.get(place.document as usize) else { break };
            let Some(dialect) = self.resources.get(resource as usize).map(|resource| resource.dialect) else { break };
            for (name, value) in document.tape.members(node) {
                if let Some((_, schemas)) = Keyword::find(document.tape.string(name), dialect) {
                    push_subschemas(&document.tape, value, schemas, &mut waiting);
                }
            }
        }
        Ok(())
    }

    /// Reads what identifies a schema object. Returns the resource that its subschemas belong to.
    #[inline(never)]
    fn identify(&mut self, place: Place, outer: u32) -> Result<u32, Box<SchemaError>> {
        let mut resource = outer;
        let Some(document) = self.documents.get(place.document as usize) else { return Ok(outer) };
        let Some(outer_resource) = self.resources.get(outer as usize) else { return Ok(outer) };
        let tape = &document.tape;
        let string = |name: &str| tape.get(place.node, name).and_then(|value| tape.as_string(value)).map(str::to_owned);
        let (dialect, metaschema) = match declared(tape, place.node) {
            Some(uri) => match self.dialect(uri, 0) {
                Some(found) => found,
                None if string("$id").or_else(|| string("id")).is_none() => {
                    (outer_resource.dialect, outer_resource.metaschema.clone())
                }
                None => {
                    let path = located(&document.name, &locate::pointer(tape, place.node));
                    return Err(unknown_dialect(&path, uri));
                }
            },
            None => (outer_resource.dialect, outer_resource.metaschema.clone()),
        };
        let old = dialect.draft <= Draft::Draft7;
        let shadowed = old && tape.get(place.node, "$ref").is_some();
        let id = string(if dialect.draft == Draft::Draft4 { "id" } else { "$id" }).filter(|_| !shadowed);
        let mut anchors: Vec<(String, bool)> = Vec::new();
        if !old {
            anchors.extend(string("$anchor").map(|name| (name, false)));
            if dialect.draft == Draft::Draft202012 {
                anchors.extend(string("$dynamicAnchor").map(|name| (name, true)));
            }
        }
        let recursive = dialect.draft == Draft::Draft201909
            && tape.get(place.node, "$recursiveAnchor").is_some_and(|value| tape.tag(value) == Tag::True);
        if let Some(id) = id {
            let (reference, fragment) = split_fragment(&id);
            if old && !fragment.is_empty() && !fragment.starts_with('/') {
                anchors.push((fragment.to_owned(), false));
            }
            if !reference.is_empty() {
                let uri = resolve(&outer_resource.uri, reference);
                if outer_resource.place == place {
                    // A document's root keeps its resource, under the identifier it gives itself too.
                    if let Some(own) = self.resources.get_mut(outer as usize) {
                        own.uri.clone_from(&uri);
                    }
                } else {
                    let end = tape.next(place.node);
                    resource = self.resources.len() as u32;
                    self.resources.push(Resource { uri: uri.clone(), place, dialect, metaschema, recursive: false });
                    if let Some(document) = self.documents.get_mut(place.document as usize)
                        && let Some(owners) = document.owners.get_mut(place.node as usize..end as usize)
                    {
                        owners.fill(resource);
                    }
                }
                self.register(uri, resource);
            }
        }
        for (name, dynamic) in anchors {
            let at =
                self.anchors.partition_point(|known| (known.resource, known.name.as_str()) < (resource, name.as_str()));
            if self.anchors.get(at).is_none_or(|known| known.resource != resource || known.name != name) {
                self.anchors.insert(at, Anchor { resource, name, node: place.node, dynamic });
            }
        }
        if let Some(own) = self.resources.get_mut(resource as usize)
            && own.place == place
        {
            own.recursive = recursive;
        }
        Ok(resource)
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

    /// Follows a reference from a resource. `Ok(None)` when it leads nowhere.
    pub fn follow(&mut self, from: u32, reference: &str) -> Result<Option<Target>, Box<SchemaError>> {
        let (relative, fragment) = split_fragment(reference);
        let mut resource = from;
        if !relative.is_empty() {
            let Some(base) = self.resources.get(from as usize) else { return Ok(None) };
            let uri = resolve(&base.uri, relative);
            resource = match self.resource_of(&uri) {
                Some(known) => known,
                None => match self.given(&uri).or_else(|| metaschema::text(&uri)) {
                    Some(text) => {
                        let inherited = Resource {
                            uri: String::new(),
                            place: Place { document: 0, node: 0 },
                            dialect: self.resources.first().map_or(base.dialect, |root| root.dialect),
                            metaschema: self
                                .resources
                                .first()
                                .map_or(base.metaschema.clone(), |root| root.metaschema.clone()),
                            recursive: false,
                        };
                        self.add(text.as_bytes(), &uri, &inherited)?
                    }
                    None => return Ok(None),
                },
            };
        }
        let Some(root) = self.resources.get(resource as usize).map(|resource| resource.place) else { return Ok(None) };
        let Some(fragment) = percent_decoded(fragment) else { return Ok(None) };
        if fragment.is_empty() {
            return Ok(Some(Target { place: root, dynamic: None }));
        }
        if fragment.starts_with('/') {
            let node = self.tape(root).and_then(|tape| pointer::resolve(tape, root.node, &fragment));
            return Ok(node.map(|node| Target { place: Place { node, ..root }, dynamic: None }));
        }
        Ok(self.anchor(resource, &fragment).map(|anchor| Target {
            place: Place { node: anchor.node, ..root },
            dynamic: anchor.dynamic.then_some(fragment),
        }))
    }

    fn anchor(&self, resource: u32, name: &str) -> Option<&Anchor> {
        let at =
            self.anchors.binary_search_by(|known| (known.resource, known.name.as_str()).cmp(&(resource, name))).ok()?;
        self.anchors.get(at)
    }

    /// The schemas that a dynamic anchor of this name can mean, each with its resource.
    pub fn dynamic_anchors(&self, name: &str) -> Vec<(u32, Place)> {
        let anchors = self.anchors.iter().filter(|anchor| anchor.dynamic && anchor.name == name);
        anchors
            .filter_map(|anchor| {
                let root = self.resources.get(anchor.resource as usize)?.place;
                Some((anchor.resource, Place { node: anchor.node, ..root }))
            })
            .collect()
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

fn push_subschemas(tape: &Tape, value: NodeId, schemas: Schemas, waiting: &mut Vec<NodeId>) {
    let array = tape.tag(value) == Tag::Array;
    match schemas {
        Schemas::Nowhere => {}
        Schemas::Items => waiting.extend(tape.items(value)),
        Schemas::ItselfOrItems if array => waiting.extend(tape.items(value)),
        Schemas::Itself | Schemas::ItselfOrItems => waiting.push(value),
        Schemas::Members | Schemas::Dependencies => waiting.extend(tape.members(value).map(|(_, schema)| schema)),
    }
}
