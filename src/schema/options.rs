//! How a schema is to be compiled.

use std::sync::Arc;

use super::dialect::Draft;

/// Whether `format` asserts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formats {
    /// A string that does not have the format is refused. Unknown formats pass.
    #[default]
    Assert,
    /// `format` says something about a string and refuses nothing, unless the metaschema asks for assertion.
    Annotate,
}

/// Who wrote the schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// A person: patterns outside the linear subset may run on the host's `RegExp`, unknown keywords are annotations.
    #[default]
    Author,
    /// A model, at run time: tight limits, linear patterns only, unknown keywords refused.
    Model,
}

/// The host's regular expressions, for patterns outside the linear subset.
pub trait HostRegExp: Send + Sync {
    /// Compiles a pattern under ECMA-262's flag `u` and gives a handle for it.
    ///
    /// # Errors
    /// When the host refuses the pattern; the text says why.
    fn compile(&self, source: &str) -> Result<u32, String>;

    /// Whether the pattern matches anywhere in `text`.
    fn test(&self, handle: u32, text: &str) -> bool;

    /// Gives a handle back.
    fn release(&self, handle: u32) {
        let _ = handle;
    }
}

/// How large a schema may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemaLimits {
    /// Bytes of schema text, each document for itself.
    pub bytes: usize,
    /// Values inside each other in a schema text.
    pub depth: usize,
    /// References of all kinds.
    pub references: usize,
    /// Subschemas that are compiled.
    pub subschemas: usize,
}

impl SchemaLimits {
    /// What [`Trust::Author`] allows unless told otherwise.
    pub const AUTHOR: SchemaLimits =
        SchemaLimits { bytes: 16 << 20, depth: 512, references: 1 << 20, subschemas: 1 << 20 };
    /// What [`Trust::Model`] allows unless told otherwise.
    pub const MODEL: SchemaLimits = SchemaLimits { bytes: 64 << 10, depth: 64, references: 256, subschemas: 4096 };
}

/// How a schema is to be compiled.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// The dialect of schemas without `$schema`; 2020-12 when not given.
    pub dialect: Option<Draft>,
    /// Whether `format` asserts.
    pub formats: Formats,
    /// Schemas that references may lead to, as URI and text. Nothing is ever fetched.
    pub schemas: Vec<(String, String)>,
    /// Who wrote the schema.
    pub trust: Trust,
    /// How large it may be; by its trust when not given.
    pub limits: Option<SchemaLimits>,
    /// The host's regular expressions. Never used for [`Trust::Model`].
    pub host: Option<Arc<dyn HostRegExp>>,
    /// Steps that one check may take, with 64 more for each node of the instance; 10 million when not given.
    pub steps: Option<u64>,
}

impl Options {
    /// The limits in force.
    pub fn schema_limits(&self) -> SchemaLimits {
        self.limits.unwrap_or(match self.trust {
            Trust::Author => SchemaLimits::AUTHOR,
            Trust::Model => SchemaLimits::MODEL,
        })
    }
}

impl std::fmt::Debug for Options {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options")
            .field("dialect", &self.dialect)
            .field("formats", &self.formats)
            .field("schemas", &self.schemas.len())
            .field("trust", &self.trust)
            .field("limits", &self.limits)
            .field("host", &self.host.is_some())
            .field("steps", &self.steps)
            .finish()
    }
}
