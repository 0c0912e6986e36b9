//! Finding the resources and anchors in a schema and its subschemas.

use super::{Anchor, Place, Registry, Resource, declared, unknown_dialect};
use crate::error::SchemaError;
use crate::json::locate;
use crate::json::tape::{NodeId, Tag, Tape};
use crate::schema::dialect::Draft;
use crate::schema::error::located;
use crate::schema::keyword::{Keyword, Schemas};
use crate::schema::uri::{resolve, split_fragment};

impl Registry<'_> {
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
