//! What stands at a place of a schema text.

use super::{Compiler, SchemaErrorCode};
use crate::json::tape::Tag;
use crate::schema::plan::Span;
use crate::schema::resolve::Place;

impl Compiler<'_> {
    pub(super) fn tag(&self, place: Place) -> Option<Tag> {
        self.registry.tape(place).map(|tape| tape.tag(place.node))
    }

    /// The string at a place; a problem if there is none.
    pub(super) fn string(&mut self, place: Place) -> Option<String> {
        let string = self.registry.tape(place).and_then(|tape| tape.as_string(place.node)).map(str::to_owned);
        if string.is_none() {
            self.problem(SchemaErrorCode::InvalidSchema, place, "type", "expected a string");
        }
        string
    }

    pub(super) fn items(&self, place: Place) -> Vec<Place> {
        let Some(tape) = self.registry.tape(place) else { return Vec::new() };
        tape.items(place.node).map(|node| Place { node, ..place }).collect()
    }

    /// Names and values of an object's members.
    pub(super) fn members(&self, place: Place) -> Vec<(Place, Place)> {
        let Some(tape) = self.registry.tape(place) else { return Vec::new() };
        let at = |node| Place { node, ..place };
        tape.members(place.node).map(|(name, value)| (at(name), at(value))).collect()
    }

    /// The hash of a name or another string, and where it is copied to in the plan.
    pub(super) fn name(&mut self, place: Place) -> (u32, Span) {
        let bytes = self.registry.tape(place).map_or(&[][..], |tape| tape.string(place.node).as_bytes());
        let span = Span { start: self.plan.names.len() as u32, length: bytes.len() as u32 };
        self.plan.names.extend_from_slice(bytes);
        (crate::json::hash_name(bytes), span)
    }
}
