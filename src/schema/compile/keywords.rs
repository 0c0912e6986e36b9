//! The keywords of a schema object, and lints for those that have no effect.

use super::{Compiler, SchemaError, SchemaErrorCode};
use crate::json::tape::{NodeId, Tag};
use crate::schema::dialect::{Dialect, Draft};
use crate::schema::keyword::Keyword;
use crate::schema::lint::LintCode;
use crate::schema::options::Trust;
use crate::schema::resolve::Place;

/// The keywords of one schema object.
pub(super) struct Found {
    pub(super) place: Place,
    pub(super) resource: u32,
    pub(super) dialect: Dialect,
    nodes: [NodeId; Keyword::COUNT],
}

impl Found {
    pub(super) fn get(&self, keyword: Keyword) -> Option<NodeId> {
        self.nodes.get(keyword as usize).copied().filter(|node| *node != NodeId::MAX)
    }

    /// Whether a `$ref` hides what stands beside it, as it does up to draft 7.
    pub(super) fn hides_siblings(&self) -> bool {
        self.dialect.draft <= Draft::Draft7 && self.get(Keyword::Ref).is_some()
    }

    pub(super) fn at(&self, node: NodeId) -> Place {
        Place { node, ..self.place }
    }
}

impl Compiler<'_> {
    /// Sorts the members of a schema object by keyword, with lints for those that have no effect.
    #[inline(never)]
    pub(super) fn keywords(&mut self, place: Place) -> Result<Found, Box<SchemaError>> {
        let resource = self.registry.owner(place);
        let fallback = Dialect::standard(Draft::Draft202012);
        let dialect = self.registry.resources.get(resource as usize).map_or(fallback, |resource| resource.dialect);
        let mut found = Found { place, resource, dialect, nodes: [NodeId::MAX; Keyword::COUNT] };
        let mut unknown = Vec::new();
        if let Some(tape) = self.registry.tape(place) {
            for (name, value) in tape.members(place.node) {
                match Keyword::find(tape.string(name), dialect) {
                    Some((keyword, _)) => {
                        if let Some(slot) = found.nodes.get_mut(keyword as usize) {
                            *slot = value;
                        }
                    }
                    None => unknown.push(name),
                }
            }
        }
        for name in unknown {
            if self.options.trust == Trust::Model {
                self.problem(
                    SchemaErrorCode::UnknownKeyword,
                    found.at(name),
                    "",
                    "this keyword is unknown and not allowed here",
                );
            } else {
                self.lint(found.at(name), LintCode::UnknownKeyword);
            }
        }
        if found.hides_siblings() {
            let asserting: Vec<NodeId> = Keyword::all()
                .filter(|keyword| *keyword != Keyword::Ref && !keyword.asserts_nothing())
                .filter_map(|keyword| found.get(keyword))
                .collect();
            for node in asserting {
                self.lint(found.at(node), LintCode::IgnoredSibling);
            }
            return Ok(found);
        }
        use Keyword::{AdditionalItems, Contains, Else, If, Items, MaxContains, MinContains, Then};
        for (keyword, partner) in [(Then, If), (Else, If), (MinContains, Contains), (MaxContains, Contains)] {
            if let (Some(node), None) = (found.get(keyword), found.get(partner)) {
                self.lint(found.at(node), LintCode::IgnoredKeyword);
            }
        }
        if let Some(node) = found.get(AdditionalItems)
            && found.get(Items).is_none_or(|items| self.tag(found.at(items)) != Some(Tag::Array))
        {
            self.lint(found.at(node), LintCode::IgnoredKeyword);
        }
        Ok(found)
    }
}
