//! The compiled core's size by part: which crate, and which module of ours, its code belongs to.
//!
//! Read from the core as wasm-opt leaves it, with its functions' names kept. Data is not told apart by part: the linker merges it.

use anyhow::{Context as _, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use wasmparser::{KnownCustom, Name, Parser, Payload, TypeRef};

/// Prints the parts of the core at `path`, largest first.
pub fn run(path: &Path) -> Result<()> {
    let wasm = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    let sizes = Sizes::of(&wasm)?;
    let code: usize = sizes.parts.values().map(|part| part.bytes).sum();
    let mut parts: Vec<(&String, &Part)> = sizes.parts.iter().collect();
    parts.sort_by_key(|(_, part)| std::cmp::Reverse(part.bytes));
    println!("{:>8}  {:>6}  {:>9}  part", "bytes", "share", "functions");
    for (name, part) in parts {
        let share = part.bytes as f64 * 100.0 / code as f64;
        println!("{:>8}  {share:>5.1}%  {:>9}  {name}", part.bytes, part.functions);
    }
    println!("{code:>8}  code in all");
    println!("{:>8}  data: tables, metaschemas and messages", sizes.data);
    println!("{:>8}  file, names included", wasm.len());
    Ok(())
}

#[derive(Default)]
struct Part {
    bytes: usize,
    functions: usize,
}

struct Sizes {
    parts: BTreeMap<String, Part>,
    data: usize,
}

impl Sizes {
    fn of(wasm: &[u8]) -> Result<Self> {
        let (mut imported, mut bodies, mut names, mut data) = (0, Vec::new(), BTreeMap::new(), 0);
        for payload in Parser::new(0).parse_all(wasm) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        imported += matches!(import?.ty, TypeRef::Func(_)) as u32;
                    }
                }
                Payload::CodeSectionEntry(body) => bodies.push(body.range().len()),
                Payload::DataSection(section) => data = section.range().len(),
                Payload::CustomSection(section) => {
                    let KnownCustom::Name(subsections) = section.as_known() else { continue };
                    for subsection in subsections {
                        let Name::Function(functions) = subsection? else { continue };
                        for naming in functions {
                            let naming = naming?;
                            names.insert(naming.index, naming.name);
                        }
                    }
                }
                _ => {}
            }
        }
        let mut parts: BTreeMap<String, Part> = BTreeMap::new();
        for (index, bytes) in (imported..).zip(bodies) {
            let name = names.get(&index).copied().unwrap_or("without a name");
            let part = parts.entry(part_of(name)).or_default();
            part.bytes += bytes;
            part.functions += 1;
        }
        Ok(Self { parts, data })
    }
}

/// `json::parse` for our own functions, the crate's name for others. A generic of another crate belongs to the module of ours
/// that it was instantiated for, if there is one: there it can be made smaller.
fn part_of(name: &str) -> String {
    let plain: String =
        name.split('[').enumerate().map(|(at, piece)| if at == 0 { piece } else { after_hash(piece) }).collect();
    let start = match plain.rfind("subcontract::") {
        Some(ours) => ours,
        None => plain.find(|c: char| c.is_ascii_lowercase()).unwrap_or(0),
    };
    let path = plain[start..].trim_start_matches("dyn ").trim_start_matches("mut ");
    let end = path.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':')).unwrap_or(path.len());
    let segments: Vec<&str> = path[..end].split("::").filter(|segment| !segment.is_empty()).collect();
    match segments[..] {
        ["subcontract", module @ ("json" | "schema" | "validate"), inner, ..]
            if inner.starts_with(char::is_lowercase) =>
        {
            format!("{module}::{inner}")
        }
        ["subcontract", module, ..] => module.to_owned(),
        [crate_name, _, ..] => format!("crate {crate_name}"),
        _ => "glue".to_owned(),
    }
}

/// Demangled crate names carry their hash as `core[0123456789abcdef]`, without leading zeros.
fn after_hash(piece: &str) -> &str {
    match piece.split_once(']') {
        Some((hash, rest)) if hash.len() > 8 && hash.bytes().all(|digit| digit.is_ascii_hexdigit()) => rest,
        _ => piece,
    }
}

#[cfg(test)]
mod tests {
    use super::part_of;

    #[test]
    fn functions_belong_to_the_module_that_wrote_them() {
        for (name, part) in [
            ("<subcontract[0123456789abcdef]::json::tape::Tape>::parse_buffer", "json::tape"),
            ("<subcontract::validate::Validator>::compile", "validate"),
            ("subcontract::envelope::build", "envelope"),
            ("<&mut core::fmt::Formatter as core::fmt::Write>::write_str", "crate core"),
            ("<alloc::vec::Vec<subcontract::validate::issue::Issue>>::push", "validate::issue"),
            ("compile", "glue"),
        ] {
            assert_eq!(part_of(name), part, "{name}");
        }
    }
}
