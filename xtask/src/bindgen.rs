//! Runs wasm-bindgen on the compiled core and writes what the shim imports.

use crate::glue;
use anyhow::{Context as _, Result, ensure};
use std::fs;
use std::path::Path;
use wasm_bindgen_cli_support::Bindgen;

/// The module name under which the bundler target's wasm imports its glue.
const GLUE_MODULE: &str = "./core_bg.js";

/// Writes `core.wasm`, its `core.d.ts`, `instantiate.js` and `instantiate.d.ts` into `out`.
pub fn run(input: &Path, out: &Path) -> Result<()> {
    let mut output = Bindgen::new()
        .input_path(input)
        .out_name("core")
        .bundler(true)?
        .typescript(true)
        .remove_producers_section(true)
        .generate_output()?;
    ensure!(
        output.snippets().values().all(Vec::is_empty)
            && output.local_modules().is_empty()
            && output.npm_dependencies().is_empty(),
        "the core imports JavaScript files of its own, which the glue factory cannot carry"
    );
    let mut imports = Vec::new();
    for import in output.wasm().imports.iter() {
        ensure!(
            import.module == GLUE_MODULE,
            "the core imports `{}` from `{}`, but only the glue may be imported",
            import.name,
            import.module
        );
        imports.push(import.name.clone());
    }

    let scratch = out.join("wasm-bindgen");
    output.emit(&scratch)?;
    let read = |name: &str| fs::read_to_string(scratch.join(name)).with_context(|| format!("reading {name}"));
    let write = |name: &str, text: String| fs::write(out.join(name), text).with_context(|| format!("writing {name}"));
    write("instantiate.js", glue::factory(&read("core_bg.js")?, &imports, GLUE_MODULE)?)?;
    write("instantiate.d.ts", glue::FACTORY_TYPES.to_owned())?;
    write("core.d.ts", read("core.d.ts")?)?;
    fs::rename(scratch.join("core_bg.wasm"), out.join("core.wasm")).context("moving core_bg.wasm")?;
    fs::remove_dir_all(&scratch).context("removing the scratch folder")
}
