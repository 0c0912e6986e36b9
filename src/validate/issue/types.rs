//! The types of JSON Schema, as a set.

/// The types of JSON Schema's `type`, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Types(pub(crate) u8);

impl Types {
    /// `null`
    pub const NULL: Types = Types(1);
    /// `true` and `false`
    pub const BOOLEAN: Types = Types(2);
    /// Numbers without a fraction.
    pub const INTEGER: Types = Types(4);
    /// Any number.
    pub const NUMBER: Types = Types(8);
    /// Strings.
    pub const STRING: Types = Types(16);
    /// Arrays.
    pub const ARRAY: Types = Types(32);
    /// Objects.
    pub const OBJECT: Types = Types(64);
    /// Every type.
    pub const ANY: Types = Types(127);

    /// The names, in the order null, boolean, integer, number, string, array, object.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        ["null", "boolean", "integer", "number", "string", "array", "object"]
            .into_iter()
            .enumerate()
            .filter_map(move |(bit, name)| (self.0 & 1 << bit != 0).then_some(name))
    }

    /// The type of this name.
    pub fn from_name(name: &str) -> Option<Types> {
        Types::ANY.names().position(|known| known == name).map(|bit| Types(1 << bit))
    }

    /// The union of two sets.
    #[must_use]
    pub const fn with(self, other: Types) -> Types {
        Types(self.0 | other.0)
    }

    /// Whether the two sets share a type.
    #[inline]
    pub const fn meets(self, other: Types) -> bool {
        self.0 & other.0 != 0
    }
}
