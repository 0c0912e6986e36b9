//! Build steps of subcontract that need Rust.
//!
//! `cargo xtask bindgen <compiled.wasm> <out-folder>` turns the compiled core into `core.wasm`, `core.d.ts`,
//! `instantiate.js` and `instantiate.d.ts`.

mod bindgen;
mod glue;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let [command @ "bindgen", input, out] = arguments[..] else {
        eprintln!("usage: cargo xtask bindgen <compiled.wasm> <out-folder>");
        return ExitCode::from(2);
    };
    match bindgen::run(Path::new(input), Path::new(out)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {command}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
