//! Which contract a delegation is under, and where that came from.

use crate::members::{Read, Reader, name_of, push_string};

/// Where the contract of a delegation came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContractSource {
    /// The `final_schema` of this call.
    FinalSchema,
    /// The agent's own `outputSchema`.
    OutputSchema,
    /// There is none: the child answers in prose.
    None,
}

impl ContractSource {
    const NAMES: [(&str, ContractSource); 3] = [
        ("final_schema", ContractSource::FinalSchema),
        ("output_schema", ContractSource::OutputSchema),
        ("none", ContractSource::None),
    ];

    /// As the wire spells it.
    pub fn as_str(self) -> &'static str {
        name_of(self, &Self::NAMES)
    }

    /// The contract that holds: an explicit `final_schema` wins over the agent's `outputSchema`.
    pub fn choose(final_schema: bool, output_schema: bool) -> Self {
        match (final_schema, output_schema) {
            (true, _) => Self::FinalSchema,
            (false, true) => Self::OutputSchema,
            (false, false) => Self::None,
        }
    }
}

/// Which contract a return was judged by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractRef {
    /// Where it came from.
    pub source: ContractSource,
    /// `sha256-…` of its schema; absent without a contract.
    pub digest: Option<String>,
}

impl Read for ContractSource {
    fn read(from: &mut Reader<'_>) -> Self {
        from.name(&Self::NAMES)
    }
}

impl ContractRef {
    pub(super) fn to_json(&self) -> String {
        let mut out = String::from("{");
        push_string(&mut out, "source", Some(self.source.as_str()));
        if let Some(digest) = &self.digest {
            push_string(&mut out, "digest", Some(digest));
        }
        out.push('}');
        out
    }
}

impl Read for ContractRef {
    fn read(from: &mut Reader<'_>) -> Self {
        from.only(&["source", "digest"]);
        Self { source: from.need("source"), digest: from.may("digest") }
    }
}
