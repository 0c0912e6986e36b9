//! Following references, to a resource, a place in it or an anchor.

use super::{Anchor, Place, Registry};
use crate::error::SchemaError;
use crate::json::pointer;
use crate::schema::metaschema;
use crate::schema::uri::{percent_decoded, resolve, split_fragment};

/// Where a reference leads.
pub(crate) struct Target {
    pub place: Place,
    /// The name of the `$dynamicAnchor` that led there.
    pub dynamic: Option<String>,
}

impl Registry<'_> {
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
                        let root = self.resources.first().unwrap_or(base);
                        let inherited = (root.dialect, root.metaschema.clone());
                        self.add(text.as_bytes(), &uri, inherited)?
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
}
