//! Applicators: what applies subschemas to items, to members, or to the value itself.

use super::{Compiler, Found, SchemaError, SchemaErrorCode};
use crate::json::tape::Tag;
use crate::schema::dialect::Draft;
use crate::schema::keyword::Keyword;
use crate::schema::plan::{
    ArrayPlan, ContainsPlan, DependentPlan, EVERYTHING, IfPlan, NO_SCHEMA, ObjectPlan, Op, Property, SchemaId, Span,
};
use crate::schema::resolve::Place;

impl Compiler<'_> {
    fn optional(&mut self, found: &Found, keyword: Keyword) -> Result<SchemaId, Box<SchemaError>> {
        match found.get(keyword) {
            Some(node) => self.schema(found.at(node), Some(found.resource)),
            None => Ok(NO_SCHEMA),
        }
    }

    fn list(&mut self, found: &Found, place: Place) -> Result<Span, Box<SchemaError>> {
        if self.tag(place) != Some(Tag::Array) {
            self.problem(SchemaErrorCode::InvalidSchema, place, "type", "expected an array of schemas");
        }
        let mut schemas = Vec::new();
        for item in self.items(place) {
            schemas.push(self.schema(item, Some(found.resource))?);
        }
        let span = Span { start: self.plan.lists.len() as u32, length: schemas.len() as u32 };
        self.plan.lists.extend_from_slice(&schemas);
        Ok(span)
    }

    #[inline(never)]
    pub(super) fn arrays(&mut self, found: &Found) -> Result<(), Box<SchemaError>> {
        if let Some(limit) = self.count(found, Keyword::MinItems).filter(|limit| *limit > 0) {
            self.push(Op::MinItems(limit));
        }
        if let Some(limit) = self.count(found, Keyword::MaxItems) {
            self.push(Op::MaxItems(limit));
        }
        if found.get(Keyword::UniqueItems).is_some_and(|node| self.tag(found.at(node)) == Some(Tag::True)) {
            self.push(Op::UniqueItems);
        }
        let items = found.get(Keyword::Items).map(|node| found.at(node));
        let old_tuple =
            items.filter(|place| found.dialect.draft <= Draft::Draft201909 && self.tag(*place) == Some(Tag::Array));
        let (prefix, rest, rest_keyword) = match old_tuple {
            Some(tuple) => {
                (self.list(found, tuple)?, self.optional(found, Keyword::AdditionalItems)?, "additionalItems")
            }
            None => {
                let prefix = match found.get(Keyword::PrefixItems) {
                    Some(node) => self.list(found, found.at(node))?,
                    None => Span::default(),
                };
                (prefix, self.optional(found, Keyword::Items)?, "items")
            }
        };
        // `items: true` has nothing to check but counts as evaluating.
        if prefix.length > 0 || rest != NO_SCHEMA {
            let index = self.plan.arrays.len() as u32;
            self.plan.arrays.push(ArrayPlan { prefix, rest, rest_keyword });
            self.push(Op::Array(index));
        }
        if let Some(node) = found.get(Keyword::Contains) {
            let schema = self.schema(found.at(node), Some(found.resource))?;
            let min = self.count(found, Keyword::MinContains).unwrap_or(1);
            let max = self.count(found, Keyword::MaxContains).unwrap_or(u32::MAX);
            let evaluates = found.dialect.draft >= Draft::Draft202012;
            let index = self.plan.contains.len() as u32;
            self.plan.contains.push(ContainsPlan { schema, min, max, evaluates });
            self.push(Op::Contains(index));
        }
        Ok(())
    }

    pub(super) fn objects(&mut self, found: &Found) -> Result<(), Box<SchemaError>> {
        if let Some(limit) = self.count(found, Keyword::MinProperties).filter(|limit| *limit > 0) {
            self.push(Op::MinProperties(limit));
        }
        if let Some(limit) = self.count(found, Keyword::MaxProperties) {
            self.push(Op::MaxProperties(limit));
        }
        self.properties(found)?;
        for keyword in [Keyword::DependentRequired, Keyword::DependentSchemas, Keyword::Dependencies] {
            self.dependents(found, keyword)?;
        }
        Ok(())
    }

    #[inline(never)]
    fn properties(&mut self, found: &Found) -> Result<(), Box<SchemaError>> {
        let mut properties: Vec<Property> = Vec::new();
        for (name, value) in found.get(Keyword::Properties).map(|node| self.members(found.at(node))).unwrap_or_default()
        {
            let schema = self.schema(value, Some(found.resource))?;
            let (hash, name) = self.name(name);
            properties.push(Property { hash, required: false, schema, name });
        }
        let mut object = ObjectPlan {
            table: table(&properties),
            properties,
            required: 0,
            patterns: Vec::new(),
            additional: self.optional(found, Keyword::AdditionalProperties)?,
            names: self.optional(found, Keyword::PropertyNames)?,
        };
        if let Some(node) = found.get(Keyword::Required) {
            // Draft 3 had booleans here; the metaschemas of all later drafts refuse them.
            for item in self.items(found.at(node)) {
                if self.string(item).is_none() {
                    continue;
                }
                let (hash, span) = self.name(item);
                let known = object.find(&self.plan.names, hash, span.of(&self.plan.names), 0).map(|(index, _)| index);
                match known.and_then(|index| object.properties.get_mut(index)) {
                    Some(property) if property.required => {}
                    Some(property) => {
                        property.required = true;
                        object.required += 1;
                    }
                    None => {
                        object.properties.push(Property { hash, required: true, schema: NO_SCHEMA, name: span });
                        object.required += 1;
                        if object.properties.len() * 2 > object.table.len() {
                            object.table = table(&object.properties);
                        } else {
                            insert(&mut object.table, hash, object.properties.len());
                        }
                    }
                }
            }
        }
        for (name, value) in
            found.get(Keyword::PatternProperties).map(|node| self.members(found.at(node))).unwrap_or_default()
        {
            let schema = self.schema(value, Some(found.resource))?;
            if let Some(pattern) = self.pattern(name) {
                object.patterns.push((pattern, schema));
            }
        }
        if object.names == EVERYTHING {
            object.names = NO_SCHEMA;
        }
        let idle = object.properties.is_empty() && object.patterns.is_empty() && object.names == NO_SCHEMA;
        if !idle || object.additional != NO_SCHEMA {
            let index = self.plan.objects.len() as u32;
            self.plan.objects.push(object);
            self.push(Op::Object(index));
        }
        Ok(())
    }

    fn dependents(&mut self, found: &Found, keyword: Keyword) -> Result<(), Box<SchemaError>> {
        let Some(node) = found.get(keyword) else { return Ok(()) };
        for (name, value) in self.members(found.at(node)) {
            let (hash, name) = self.name(name);
            let keyword = if keyword == Keyword::Dependencies { "dependencies" } else { "dependentRequired" };
            let mut dependent = DependentPlan { name, hash, keyword, required: Vec::new(), schema: NO_SCHEMA };
            let index = self.plan.dependents.len() as u32;
            if self.tag(value) == Some(Tag::Array) {
                for item in self.items(value) {
                    if self.string(item).is_some() {
                        dependent.required.push(self.name(item));
                    }
                }
                self.push(Op::DependentRequired(index));
            } else {
                dependent.schema = self.schema(value, Some(found.resource))?;
                self.push(Op::DependentSchema(index));
            }
            self.plan.dependents.push(dependent);
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn logic(&mut self, found: &Found) -> Result<(), Box<SchemaError>> {
        if let Some(node) = found.get(Keyword::AllOf) {
            let list = self.list(found, found.at(node))?;
            self.push(Op::AllOf(list));
        }
        if let Some(node) = found.get(Keyword::AnyOf) {
            let list = self.list(found, found.at(node))?;
            self.push(Op::AnyOf(list));
        }
        if let Some(node) = found.get(Keyword::OneOf) {
            let list = self.list(found, found.at(node))?;
            self.push(Op::OneOf(list));
        }
        if let Some(node) = found.get(Keyword::Not) {
            let schema = self.schema(found.at(node), Some(found.resource))?;
            self.push(Op::Not(schema));
        }
        if let Some(node) = found.get(Keyword::If) {
            let condition = self.schema(found.at(node), Some(found.resource))?;
            let then = self.optional(found, Keyword::Then)?;
            let otherwise = self.optional(found, Keyword::Else)?;
            let index = self.plan.conditions.len() as u32;
            self.plan.conditions.push(IfPlan { condition, then, otherwise });
            self.push(Op::If(index));
        }
        Ok(())
    }

    /// Returns whether the schema asks what has been evaluated.
    pub(super) fn unevaluated(&mut self, found: &Found) -> Result<bool, Box<SchemaError>> {
        let items = self.optional(found, Keyword::UnevaluatedItems)?;
        if items != NO_SCHEMA {
            self.push(Op::UnevaluatedItems(items));
        }
        let properties = self.optional(found, Keyword::UnevaluatedProperties)?;
        if properties != NO_SCHEMA {
            self.push(Op::UnevaluatedProperties(properties));
        }
        Ok(items != NO_SCHEMA || properties != NO_SCHEMA)
    }
}

/// A table with room for as many properties again.
fn table(properties: &[Property]) -> Vec<u32> {
    let mut table = vec![0; (properties.len() * 4).next_power_of_two().max(4)];
    for (index, property) in properties.iter().enumerate() {
        insert(&mut table, property.hash, index + 1);
    }
    table
}

fn insert(table: &mut [u32], hash: u32, number: usize) {
    let mask = table.len().wrapping_sub(1);
    let mut slot = hash as usize & mask;
    while let Some(taken) = table.get_mut(slot) {
        if *taken == 0 {
            *taken = number as u32;
            break;
        }
        slot = (slot + 1) & mask;
    }
}
