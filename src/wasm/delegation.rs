//! What a delegation asks of the core beside the gate: the members of a model's tool call.

use super::Fault;
use crate::members::{Members, push_member, quote};

pub(super) fn members_of(text: &str) -> Result<String, Fault> {
    let members = Members::parse(text).map_err(|error| Fault::new("invalid_json", error.0))?;
    let mut out = String::from("{");
    for (name, value) in members.value().members() {
        push_member(&mut out, name, &quote(value.text()));
    }
    out.push('}');
    Ok(out)
}
