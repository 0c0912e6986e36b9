//! What a schema lets expect of a value before it has ended: which kinds of value can meet it, and how long a string.

use crate::json::tape::{Tag, Tape};
use crate::schema::plan::{EnumPlan, Op, Plan, Schema, SchemaId};
use crate::validate::issue::Types;

/// A number whose first digit is read may turn out to be an integer or not.
const NUMERIC: Types = Types::INTEGER.with(Types::NUMBER);

/// References are followed this often; beyond that more is expected than can be.
const ROUNDS: usize = 16;

/// The expectations of one schema. Both err on the side of what can be met.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outlook {
    /// The kinds of value that can meet it.
    pub kinds: Types,
    /// The most characters that a string can have which meets it.
    pub longest: u32,
}

const ANYTHING: Outlook = Outlook { kinds: Types::ANY, longest: u32::MAX };

/// The kind of a value as its first byte shows it.
#[inline]
pub(super) fn kind(tag: Tag) -> Types {
    match tag {
        Tag::Null => Types::NULL,
        Tag::False | Tag::True => Types::BOOLEAN,
        Tag::Number => NUMERIC,
        Tag::String => Types::STRING,
        Tag::Array => Types::ARRAY,
        Tag::Object => Types::OBJECT,
    }
}

/// The outlook of every schema of a plan.
pub(crate) fn outlooks(plan: &Plan) -> Vec<Outlook> {
    let mut all = vec![ANYTHING; plan.schemas.len()];
    for _ in 0..ROUNDS {
        let mut changed = false;
        for (id, schema) in plan.schemas.iter().enumerate() {
            let narrowed = narrow(plan, schema, &all);
            if let Some(known) = all.get_mut(id) {
                changed |= known.kinds != narrowed.kinds || known.longest != narrowed.longest;
                *known = narrowed;
            }
        }
        if !changed {
            break;
        }
    }
    all
}

#[inline]
pub(super) fn of(all: &[Outlook], schema: SchemaId) -> Outlook {
    all.get(schema as usize).copied().unwrap_or(ANYTHING)
}

/// The one schema of a list that values of a kind can meet; none when several can.
pub(super) fn only(all: &[Outlook], list: &[SchemaId], kind: Types) -> Option<SchemaId> {
    let mut able = list.iter().filter(|schema| of(all, **schema).kinds.meets(kind));
    able.next().copied().filter(|_| able.next().is_none())
}

fn narrow(plan: &Plan, schema: &Schema, all: &[Outlook]) -> Outlook {
    let numeric = if schema.types.meets(NUMERIC) { NUMERIC } else { Types(0) };
    let mut outlook = Outlook { kinds: schema.types.with(numeric), ..ANYTHING };
    let mut meet = |other: Outlook| {
        outlook.kinds = Types(outlook.kinds.0 & other.kinds.0);
        outlook.longest = outlook.longest.min(other.longest);
    };
    for op in schema.ops.of(&plan.ops) {
        match *op {
            Op::MaxLength(limit) => meet(Outlook { longest: limit, ..ANYTHING }),
            Op::Const(value) => {
                if let Some(tape) = plan.tape(schema.place) {
                    meet(Outlook { kinds: kind(tape.tag(value)), ..ANYTHING });
                }
            }
            Op::Enum(index) => {
                if let (Some(values), Some(tape)) = (plan.enums.get(index as usize), plan.tape(schema.place)) {
                    meet(Outlook { kinds: kinds_of(values, tape), ..ANYTHING });
                }
            }
            Op::Ref(inner) => meet(of(all, inner)),
            Op::AllOf(list) => list.of(&plan.lists).iter().for_each(|inner| meet(of(all, *inner))),
            Op::AnyOf(list) | Op::OneOf(list) => {
                let list = list.of(&plan.lists);
                let kinds = list.iter().fold(Types(0), |kinds, inner| kinds.with(of(all, *inner).kinds));
                let strings = list.iter().map(|inner| of(all, *inner)).filter(|inner| inner.kinds.meets(Types::STRING));
                meet(Outlook { kinds, longest: strings.map(|inner| inner.longest).max().unwrap_or(u32::MAX) });
            }
            _ => {}
        }
    }
    outlook
}

fn kinds_of(values: &EnumPlan, tape: &Tape) -> Types {
    let strings = if values.strings.is_empty() { Types(0) } else { Types::STRING };
    values.others.iter().fold(strings, |kinds, value| kinds.with(kind(tape.tag(*value))))
}
