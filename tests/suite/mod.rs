//! The official JSON Schema test suite, where it is at hand.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The folders of the suite, oldest draft first.
pub const DRAFTS: [&str; 5] = ["draft4", "draft6", "draft7", "draft2019-09", "draft2020-12"];

/// The suite's `tests` folder: below `$JSON_SCHEMA_TEST_SUITE`, or beside the repository. Says so when there is none.
pub fn folder() -> Option<PathBuf> {
    let root = std::env::var_os("JSON_SCHEMA_TEST_SUITE")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/json-schema-test-suite"), PathBuf::from);
    let tests = root.join("tests");
    if tests.is_dir() {
        return Some(tests);
    }
    eprintln!("skipped: no JSON Schema test suite; set JSON_SCHEMA_TEST_SUITE to a checkout of it");
    None
}

/// One test of a suite file, with the schema of its group.
pub struct Case {
    pub group: String,
    pub description: String,
    pub schema: Value,
    pub data: Value,
    pub valid: bool,
}

/// The tests of one file; none if the draft has no such file.
pub fn cases(file: &Path) -> Vec<Case> {
    let Ok(text) = std::fs::read_to_string(file) else {
        return Vec::new();
    };
    let groups: Vec<Value> = serde_json::from_str(&text).expect("a suite file is JSON");
    let text = |value: &Value| value["description"].as_str().unwrap_or_default().to_owned();
    groups
        .iter()
        .flat_map(|group| {
            group["tests"].as_array().into_iter().flatten().map(|test| Case {
                group: text(group),
                description: text(test),
                schema: group["schema"].clone(),
                data: test["data"].clone(),
                valid: test["valid"].as_bool().expect("a test says whether it is valid"),
            })
        })
        .collect()
}
