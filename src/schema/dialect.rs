//! Dialects: the drafts of JSON Schema, and the vocabularies that a metaschema puts in force.

/// A draft of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Draft {
    /// Draft 4
    Draft4,
    /// Draft 6
    Draft6,
    /// Draft 7
    Draft7,
    /// Draft 2019-09
    Draft201909,
    /// Draft 2020-12
    Draft202012,
}

impl Draft {
    /// Every draft, oldest first.
    pub const ALL: [Draft; 5] = [Draft::Draft4, Draft::Draft6, Draft::Draft7, Draft::Draft201909, Draft::Draft202012];

    /// The URI of its metaschema, without a fragment.
    pub fn metaschema_uri(self) -> &'static str {
        match self {
            Draft::Draft4 => "http://json-schema.org/draft-04/schema",
            Draft::Draft6 => "http://json-schema.org/draft-06/schema",
            Draft::Draft7 => "http://json-schema.org/draft-07/schema",
            Draft::Draft201909 => "https://json-schema.org/draft/2019-09/schema",
            Draft::Draft202012 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// The draft that a `$schema` names; an empty fragment does not matter.
    pub fn from_uri(uri: &str) -> Option<Draft> {
        let uri = uri.strip_suffix('#').unwrap_or(uri);
        Draft::ALL.into_iter().find(|draft| draft.metaschema_uri() == uri)
    }

    /// The draft of a name as the `dialect` option spells it: `draft4`, `draft6`, `draft7`, `2019-09` or `2020-12`.
    pub fn from_name(name: &str) -> Option<Draft> {
        let names = ["draft4", "draft6", "draft7", "2019-09", "2020-12"];
        names.iter().zip(Draft::ALL).find_map(|(known, draft)| (*known == name).then_some(draft))
    }
}

/// A set of vocabularies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Vocabularies(u8);

impl Vocabularies {
    pub const CORE: Vocabularies = Vocabularies(1);
    pub const APPLICATOR: Vocabularies = Vocabularies(2);
    pub const UNEVALUATED: Vocabularies = Vocabularies(4);
    pub const VALIDATION: Vocabularies = Vocabularies(8);
    pub const ANNOTATION: Vocabularies = Vocabularies(16);
    pub const FORMAT: Vocabularies = Vocabularies(32);
    pub const FORMAT_ASSERTION: Vocabularies = Vocabularies(64);
    /// Every one but the assertion of formats, which has to be asked for.
    pub const STANDARD: Vocabularies = Vocabularies(63);

    pub fn contains(self, other: Vocabularies) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn with(self, other: Vocabularies) -> Vocabularies {
        Vocabularies(self.0 | other.0)
    }

    /// The vocabulary of a URI; `None` for an unknown one.
    pub fn from_uri(uri: &str) -> Option<Vocabularies> {
        let (draft, name) = uri.strip_prefix("https://json-schema.org/draft/")?.split_once('/')?;
        if draft != "2019-09" && draft != "2020-12" {
            return None;
        }
        let name = name.strip_prefix("vocab/")?;
        Some(match name {
            "core" => Vocabularies::CORE,
            // Before 2020-12 the applicator vocabulary holds the unevaluated keywords too.
            "applicator" if draft == "2019-09" => Vocabularies::APPLICATOR.with(Vocabularies::UNEVALUATED),
            "applicator" => Vocabularies::APPLICATOR,
            "unevaluated" => Vocabularies::UNEVALUATED,
            "validation" => Vocabularies::VALIDATION,
            "meta-data" | "content" => Vocabularies::ANNOTATION,
            "format" | "format-annotation" => Vocabularies::FORMAT,
            "format-assertion" => Vocabularies::FORMAT.with(Vocabularies::FORMAT_ASSERTION),
            _ => return None,
        })
    }
}

/// A draft and the vocabularies in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub draft: Draft,
    pub vocabularies: Vocabularies,
}

impl Dialect {
    pub fn standard(draft: Draft) -> Dialect {
        Dialect { draft, vocabularies: Vocabularies::STANDARD }
    }
}
