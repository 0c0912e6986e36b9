//! Options as JavaScript writes them.

use std::sync::Arc;

use super::fault::Fault;
use super::host_patterns::HostPatterns;
use crate::members::{self, Read, Reader, Value};
use crate::schema::options::{Formats, Options, Trust};
use crate::validate::issue::Issue;

pub(super) fn parse_options<T: Read>(text: &str) -> Result<T, Fault> {
    members::read(text).map_err(|error| Fault::new("invalid_options", error.0))
}

/// How a schema is compiled, as JavaScript says it.
pub(super) struct CompileOptions {
    pub dialect: Option<String>,
    pub options: Options,
    pub engine: EngineName,
}

#[derive(Clone, Copy, Default)]
pub(super) enum EngineName {
    #[default]
    Own,
    #[cfg(feature = "reference")]
    Reference,
}

impl EngineName {
    const NAMES: &[(&str, EngineName)] = &[
        ("own", EngineName::Own),
        #[cfg(feature = "reference")]
        ("reference", EngineName::Reference),
    ];
}

impl Read for EngineName {
    fn read(from: &mut Reader<'_>) -> Self {
        from.name(Self::NAMES)
    }
}

impl Read for Formats {
    fn read(from: &mut Reader<'_>) -> Self {
        from.name(&[("assert", Formats::Assert), ("annotate", Formats::Annotate)])
    }
}

impl Read for Trust {
    fn read(from: &mut Reader<'_>) -> Self {
        from.name(&[("author", Trust::Author), ("model", Trust::Model)])
    }
}

impl Read for CompileOptions {
    fn read(from: &mut Reader<'_>) -> Self {
        from.only(&["dialect", "formats", "schemas", "trust", "engine"]);
        let formats = from.or_default("formats");
        let trust = from.or_default("trust");
        let given = from.value().and_then(|value| value.member("schemas")).map(Value::pairs).unwrap_or_default();
        let mut schemas = Vec::new();
        for (uri, text) in given {
            schemas.push((uri.to_owned(), from.at(text)));
        }
        let options = Options { formats, trust, schemas, host: Some(Arc::new(HostPatterns)), ..Options::default() };
        Self { dialect: from.may("dialect"), options, engine: from.or_default("engine") }
    }
}

/// As it came over the wire: enough of it to write feedback from.
impl Read for Issue {
    fn read(from: &mut Reader<'_>) -> Self {
        let instance_path: String = from.need("instancePath");
        let keyword: String = from.need("keyword");
        Issue::other(instance_path, keyword, from.need::<String>("message"))
    }
}
