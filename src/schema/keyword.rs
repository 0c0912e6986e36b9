//! The keywords of JSON Schema: since when, until when, of which vocabulary, and where schemas stand in them.

use super::dialect::{Dialect, Draft, Vocabularies};
use Draft::{Draft4, Draft6, Draft7, Draft201909, Draft202012};

/// Where a keyword's value holds schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Schemas {
    Nowhere,
    Itself,
    Members,
    Items,
    ItselfOrItems,
    /// `dependencies`: members that are no arrays.
    Dependencies,
}

macro_rules! keywords {
    ($($variant:ident $name:literal $from:ident $to:ident $vocabulary:ident $schemas:ident;)*) => {
        /// A keyword with a meaning in some draft.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Keyword { $($variant),* }

        const TABLE: &[(&str, Keyword, Draft, Draft, Vocabularies, Schemas)] =
            &[$(($name, Keyword::$variant, $from, $to, Vocabularies::$vocabulary, Schemas::$schemas)),*];
    };
}

// In ascending order of the names, which the look-up relies on.
keywords! {
    Anchor "$anchor" Draft201909 Draft202012 CORE Nowhere;
    Comment "$comment" Draft7 Draft202012 CORE Nowhere;
    Defs "$defs" Draft201909 Draft202012 CORE Members;
    DynamicAnchor "$dynamicAnchor" Draft202012 Draft202012 CORE Nowhere;
    DynamicRef "$dynamicRef" Draft202012 Draft202012 CORE Nowhere;
    Id "$id" Draft6 Draft202012 CORE Nowhere;
    RecursiveAnchor "$recursiveAnchor" Draft201909 Draft201909 CORE Nowhere;
    RecursiveRef "$recursiveRef" Draft201909 Draft201909 CORE Nowhere;
    Ref "$ref" Draft4 Draft202012 CORE Nowhere;
    Schema "$schema" Draft4 Draft202012 CORE Nowhere;
    Vocabulary "$vocabulary" Draft201909 Draft202012 CORE Nowhere;
    AdditionalItems "additionalItems" Draft4 Draft201909 APPLICATOR Itself;
    AdditionalProperties "additionalProperties" Draft4 Draft202012 APPLICATOR Itself;
    AllOf "allOf" Draft4 Draft202012 APPLICATOR Items;
    AnyOf "anyOf" Draft4 Draft202012 APPLICATOR Items;
    Const "const" Draft6 Draft202012 VALIDATION Nowhere;
    Contains "contains" Draft6 Draft202012 APPLICATOR Itself;
    ContentEncoding "contentEncoding" Draft7 Draft202012 ANNOTATION Nowhere;
    ContentMediaType "contentMediaType" Draft7 Draft202012 ANNOTATION Nowhere;
    ContentSchema "contentSchema" Draft201909 Draft202012 ANNOTATION Itself;
    Default "default" Draft4 Draft202012 ANNOTATION Nowhere;
    Definitions "definitions" Draft4 Draft202012 CORE Members;
    Dependencies "dependencies" Draft4 Draft202012 APPLICATOR Dependencies;
    DependentRequired "dependentRequired" Draft201909 Draft202012 VALIDATION Nowhere;
    DependentSchemas "dependentSchemas" Draft201909 Draft202012 APPLICATOR Members;
    Deprecated "deprecated" Draft201909 Draft202012 ANNOTATION Nowhere;
    Description "description" Draft4 Draft202012 ANNOTATION Nowhere;
    Else "else" Draft7 Draft202012 APPLICATOR Itself;
    Enum "enum" Draft4 Draft202012 VALIDATION Nowhere;
    Examples "examples" Draft6 Draft202012 ANNOTATION Nowhere;
    ExclusiveMaximum "exclusiveMaximum" Draft4 Draft202012 VALIDATION Nowhere;
    ExclusiveMinimum "exclusiveMinimum" Draft4 Draft202012 VALIDATION Nowhere;
    Format "format" Draft4 Draft202012 FORMAT Nowhere;
    OldId "id" Draft4 Draft4 CORE Nowhere;
    If "if" Draft7 Draft202012 APPLICATOR Itself;
    Items "items" Draft4 Draft202012 APPLICATOR ItselfOrItems;
    MaxContains "maxContains" Draft201909 Draft202012 VALIDATION Nowhere;
    MaxItems "maxItems" Draft4 Draft202012 VALIDATION Nowhere;
    MaxLength "maxLength" Draft4 Draft202012 VALIDATION Nowhere;
    MaxProperties "maxProperties" Draft4 Draft202012 VALIDATION Nowhere;
    Maximum "maximum" Draft4 Draft202012 VALIDATION Nowhere;
    MinContains "minContains" Draft201909 Draft202012 VALIDATION Nowhere;
    MinItems "minItems" Draft4 Draft202012 VALIDATION Nowhere;
    MinLength "minLength" Draft4 Draft202012 VALIDATION Nowhere;
    MinProperties "minProperties" Draft4 Draft202012 VALIDATION Nowhere;
    Minimum "minimum" Draft4 Draft202012 VALIDATION Nowhere;
    MultipleOf "multipleOf" Draft4 Draft202012 VALIDATION Nowhere;
    Not "not" Draft4 Draft202012 APPLICATOR Itself;
    OneOf "oneOf" Draft4 Draft202012 APPLICATOR Items;
    Pattern "pattern" Draft4 Draft202012 VALIDATION Nowhere;
    PatternProperties "patternProperties" Draft4 Draft202012 APPLICATOR Members;
    PrefixItems "prefixItems" Draft202012 Draft202012 APPLICATOR Items;
    Properties "properties" Draft4 Draft202012 APPLICATOR Members;
    PropertyNames "propertyNames" Draft6 Draft202012 APPLICATOR Itself;
    ReadOnly "readOnly" Draft7 Draft202012 ANNOTATION Nowhere;
    Required "required" Draft4 Draft202012 VALIDATION Nowhere;
    Then "then" Draft7 Draft202012 APPLICATOR Itself;
    Title "title" Draft4 Draft202012 ANNOTATION Nowhere;
    Type "type" Draft4 Draft202012 VALIDATION Nowhere;
    UnevaluatedItems "unevaluatedItems" Draft201909 Draft202012 UNEVALUATED Itself;
    UnevaluatedProperties "unevaluatedProperties" Draft201909 Draft202012 UNEVALUATED Itself;
    UniqueItems "uniqueItems" Draft4 Draft202012 VALIDATION Nowhere;
    WriteOnly "writeOnly" Draft7 Draft202012 ANNOTATION Nowhere;
    // This package's own: how returns merge, and what a rendering keeps.
    Merge "x-merge" Draft4 Draft202012 ANNOTATION Nowhere;
    Render "x-render" Draft4 Draft202012 ANNOTATION Nowhere;
}

impl Keyword {
    /// How many there are.
    pub const COUNT: usize = TABLE.len();

    pub fn all() -> impl Iterator<Item = Keyword> {
        TABLE.iter().map(|entry| entry.1)
    }

    /// The keyword of this name in a dialect.
    pub fn find(name: &str, dialect: Dialect) -> Option<(Keyword, Schemas)> {
        let at = TABLE.binary_search_by(|entry| entry.0.cmp(name)).ok()?;
        let &(_, keyword, from, to, vocabulary, schemas) = TABLE.get(at)?;
        let known = from <= dialect.draft && dialect.draft <= to && dialect.vocabularies.contains(vocabulary);
        known.then_some((keyword, schemas))
    }

    /// Whether the keyword only identifies, defines or annotates.
    pub fn asserts_nothing(self) -> bool {
        use Keyword::*;
        matches!(
            self,
            Anchor
                | Comment
                | Defs
                | DynamicAnchor
                | Id
                | RecursiveAnchor
                | Schema
                | Vocabulary
                | ContentEncoding
                | ContentMediaType
                | ContentSchema
                | Default
                | Definitions
                | Deprecated
                | Description
                | Examples
                | OldId
                | ReadOnly
                | Title
                | WriteOnly
                | Merge
                | Render
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_finds_each_keyword_in_its_drafts() {
        assert!(TABLE.is_sorted_by(|a, b| a.0 < b.0));
        for &(name, keyword, from, to, _, schemas) in TABLE {
            for draft in Draft::ALL {
                let found = Keyword::find(name, Dialect::standard(draft));
                assert_eq!(found, (from <= draft && draft <= to).then_some((keyword, schemas)), "{name} in {draft:?}");
            }
        }
        assert_eq!(Keyword::find("nullable", Dialect::standard(Draft202012)), None);
    }
}
