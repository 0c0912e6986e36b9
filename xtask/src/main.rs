//! Build steps of subcontract that need Rust.
//!
//! `cargo xtask bindgen <compiled.wasm> <out-folder>` turns the compiled core into `core.wasm`, `core.d.ts`,
//! `instantiate.js` and `instantiate.d.ts`. `cargo xtask differential [--seconds N] [--seed S]` sets our engine against the
//! reference engine. `cargo xtask size [core.wasm]` prints the core's size by part.

mod bindgen;
mod differential;
mod glue;
mod size;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (command, done) = match arguments[..] {
        [command @ "bindgen", input, out] => (command, bindgen::run(Path::new(input), Path::new(out))),
        [command @ "differential", ref options @ ..] => (command, differential::run(options)),
        [command @ "size"] => (command, size::run(Path::new(".cache/bindgen/named.wasm"))),
        [command @ "size", core] => (command, size::run(Path::new(core))),
        _ => {
            eprintln!("usage: cargo xtask bindgen <compiled.wasm> <out-folder>");
            eprintln!("       cargo xtask differential [--seconds N] [--seed S]");
            eprintln!("       cargo xtask size [core.wasm]");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {command}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
