//! `$ref`, `$dynamicRef` and `$recursiveRef`.

use super::{Compiler, Found, SchemaError, SchemaErrorCode, known, remember};
use crate::json::tape::Tag;
use crate::schema::dialect::{Dialect, Draft};
use crate::schema::error::problem;
use crate::schema::keyword::Keyword;
use crate::schema::plan::{DynamicAnchor, DynamicPlan, EVERYTHING, Op, SchemaId};
use crate::schema::resolve::{Place, Target};

/// The name that `$recursiveAnchor` goes by among the dynamic anchors; none of those is empty.
const RECURSIVE: &str = "";

impl Compiler<'_> {
    #[inline(never)]
    pub(super) fn references(&mut self, found: &Found) -> Result<(), Box<SchemaError>> {
        if let Some(node) = found.get(Keyword::Ref)
            && let Some(target) = self.target(found.at(node), found.resource)?
        {
            let schema = self.schema(target.place, Some(found.resource))?;
            if schema != EVERYTHING {
                self.push(Op::Ref(schema));
            }
        }
        if let Some(node) = found.get(Keyword::DynamicRef)
            && let Some(target) = self.target(found.at(node), found.resource)?
        {
            self.dynamic(target.place, target.dynamic)?;
        }
        if let Some(node) = found.get(Keyword::RecursiveRef)
            && let Some(target) = self.target(found.at(node), found.resource)?
        {
            let owner = self.registry.owner(target.place);
            let root = self.registry.resources.get(owner as usize).filter(|resource| resource.place == target.place);
            let recursive = root.is_some_and(|resource| resource.recursive);
            self.dynamic(target.place, recursive.then(|| RECURSIVE.to_owned()))?;
        }
        Ok(())
    }

    fn dynamic(&mut self, place: Place, name: Option<String>) -> Result<(), Box<SchemaError>> {
        let fallback = self.schema(place, None)?;
        let Some(name) = name else {
            self.push(Op::Ref(fallback));
            return Ok(());
        };
        let name = match self.dynamic_names.iter().position(|known| *known == name) {
            Some(known) => known,
            None => {
                self.dynamic_names.push(name);
                self.dynamic_names.len() - 1
            }
        };
        let index = self.plan.dynamics.len() as u32;
        self.plan.dynamics.push(DynamicPlan { name: name as u32, fallback });
        self.push(Op::DynamicRef(index));
        Ok(())
    }

    /// Adds what the dynamic references so far can mean in the resources so far.
    #[inline(never)]
    pub(super) fn add_dynamic_anchors(&mut self) -> Result<(), Box<SchemaError>> {
        self.check_documents()?;
        for (index, name) in self.dynamic_names.clone().into_iter().enumerate() {
            let meanings = if name == RECURSIVE {
                let resources = self.registry.resources.iter().enumerate();
                resources
                    .filter(|(_, resource)| resource.recursive)
                    .map(|(id, resource)| (id as u32, resource.place))
                    .collect()
            } else {
                self.registry.dynamic_anchors(&name)
            };
            for (resource, place) in meanings {
                let name = index as u32;
                let known = |anchor: &DynamicAnchor| anchor.name == name && anchor.resource == resource;
                if !self.plan.dynamic_anchors.iter().any(known) {
                    let schema = self.schema(place, None)?;
                    self.plan.dynamic_anchors.push(DynamicAnchor { name, resource, schema });
                }
            }
        }
        Ok(())
    }

    /// Where the reference at a place leads; a problem if nowhere.
    fn target(&mut self, place: Place, resource: u32) -> Result<Option<Target>, Box<SchemaError>> {
        self.references += 1;
        if self.references > self.limits.references {
            let code = SchemaErrorCode::TooComplex;
            return Err(problem(code, self.path(place), "$ref", "too many references"));
        }
        let Some(reference) = self.string(place) else { return Ok(None) };
        let target = self.registry.follow(resource, &reference)?;
        self.check_documents()?;
        let is_schema = |target: &Target| matches!(self.tag(target.place), Some(Tag::Object | Tag::True | Tag::False));
        let target = target.filter(is_schema);
        if target.is_none() {
            let mut message = String::from("reference ");
            crate::json::write::string(&mut message, &reference);
            message.push_str(" leads to no schema");
            self.problem(SchemaErrorCode::UnresolvedRef, place, "$ref", &message);
        }
        Ok(target)
    }

    /// The `$ref` of a schema object in which nothing else asserts, identifies or redirects.
    fn only_reference(&self, place: Place) -> Option<Place> {
        let tape = self.registry.tape(place)?;
        if tape.tag(place.node) != Tag::Object {
            return None;
        }
        let resource = self.registry.resources.get(self.registry.owner(place) as usize)?;
        let dialect: Dialect = resource.dialect;
        let reference = tape.get(place.node, "$ref")?;
        let alone = resource.place != place
            && tape.members(place.node).all(|(name, _)| match Keyword::find(tape.string(name), dialect) {
                Some((Keyword::Ref, _)) => true,
                Some((keyword, _)) => {
                    keyword.asserts_nothing() && !matches!(keyword, Keyword::DynamicAnchor | Keyword::RecursiveAnchor)
                }
                // Unknown keywords and ignored siblings are for the compiler to report.
                None => false,
            });
        (alone && dialect.draft >= Draft::Draft4).then_some(Place { node: reference, ..place })
    }

    /// The schema that a chain of bare references in one resource ends at. A chain without an end is left to be found out
    /// when it runs.
    pub(super) fn shortcut(&mut self, place: Place, resource: u32) -> Result<Option<SchemaId>, Box<SchemaError>> {
        if let Some(known) = known(&self.shortcuts, place) {
            return Ok(Some(known));
        }
        let Some(mut reference) = self.only_reference(place) else { return Ok(None) };
        for _ in 0..64 {
            let Some(target) = self.target(reference, resource)? else { return Ok(Some(EVERYTHING)) };
            if target.place == place || !self.registry.is_scanned(target.place) {
                return Ok(None);
            }
            let here = self.registry.owner(target.place) == resource;
            match self.only_reference(target.place).filter(|_| here) {
                Some(next) => reference = next,
                None => {
                    let id = self.schema(target.place, None)?;
                    remember(&mut self.shortcuts, &self.registry, place, id);
                    return Ok(Some(id));
                }
            }
        }
        Ok(None)
    }
}
