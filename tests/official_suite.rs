//! The official JSON-Schema-Test-Suite: every required test of every draft, and the optional ones counted.

#[allow(dead_code, reason = "the other users of the suite read its files case by case")]
mod suite;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use subcontract::json::tape::{Limits, Tag, Tape};
use subcontract::schema::dialect::Draft;
use subcontract::schema::options::{Formats, Options};
use subcontract::validate::Validator;

const DRAFTS: [(&str, Draft); 5] = [
    ("draft4", Draft::Draft4),
    ("draft6", Draft::Draft6),
    ("draft7", Draft::Draft7),
    ("draft2019-09", Draft::Draft201909),
    ("draft2020-12", Draft::Draft202012),
];

fn json_files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(directory)
        .unwrap_or_else(|error| panic!("{}: {error}", directory.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    files
}

/// The suite's remote schemas, under the address it gives them.
fn remotes(root: &Path) -> Vec<(String, String)> {
    let (mut found, mut waiting) = (Vec::new(), vec![root.to_owned()]);
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                found.push((format!("http://localhost:1234/{name}"), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found
}

/// Runs the files; returns how many tests passed and a line for each that did not.
fn run(files: &[PathBuf], draft: Draft, formats: Formats, schemas: &[(String, String)]) -> (usize, Vec<String>) {
    let mut options = Options::default();
    options.dialect = Some(draft);
    options.formats = formats;
    options.schemas = schemas.to_vec();
    let (mut passed, mut failures) = (0, Vec::new());
    for file in files {
        // Read by our own tape, so that numbers reach the validator as they are written.
        let tape = Tape::parse(&fs::read(file).unwrap(), Limits::default()).unwrap();
        for group in tape.items(0) {
            let member = |of, name| tape.get(of, name).unwrap_or_else(|| panic!("{} lacks {name}", file.display()));
            let schema = tape.json_text(member(group, "schema"));
            let validator = Validator::compile(schema.as_bytes(), &options);
            for test in tape.items(member(group, "tests")) {
                let wanted = tape.tag(member(test, "valid")) == Tag::True;
                let verdict = match &validator {
                    Ok(validator) => verdict(validator, &tape.json_text(member(test, "data"))),
                    Err(error) => Err(format!("{}: {error}", error.code.as_str())),
                };
                if verdict == Ok(wanted) {
                    passed += 1;
                } else {
                    let file = file.file_name().unwrap().to_string_lossy();
                    let [group, test] = [group, test].map(|of| tape.string(member(of, "description")));
                    failures.push(format!("{file}: {group}: {test}: wanted {wanted}, got {verdict:?}"));
                }
            }
        }
    }
    (passed, failures)
}

fn verdict(validator: &Validator, data: &str) -> Result<bool, String> {
    let tape = Tape::parse(data.as_bytes(), Limits::default()).map_err(|error| error.to_string())?;
    let valid = validator.is_valid(&tape).map_err(|error| error.to_string())?;
    let report = validator.issues(&tape, 50);
    if report.issues.is_empty() != valid {
        return Err(format!("is_valid says {valid}, issues are {:?}", report.issues));
    }
    Ok(valid)
}

#[test]
fn every_required_test_of_every_draft_passes() {
    let Some(tests) = suite::folder() else { return };
    let schemas = remotes(&tests.join("../remotes"));
    let mut report = String::new();
    let mut counts = Vec::new();
    for (name, draft) in DRAFTS {
        let (passed, failures) = run(&json_files(&tests.join(name)), draft, Formats::Annotate, &schemas);
        counts.push(passed);
        for failure in failures {
            writeln!(report, "{name}: {failure}").unwrap();
        }
    }
    assert!(report.is_empty(), "{counts:?} passed\n{report}");
    assert_eq!(counts, [618, 839, 927, 1259, 1299]);
}

#[test]
fn optional_format_tests_pass_as_far_as_listed() {
    let Some(tests) = suite::folder() else { return };
    let mut report = String::new();
    let mut counts = Vec::new();
    for (name, draft) in DRAFTS {
        let files = json_files(&tests.join(name).join("optional/format"));
        let (passed, failures) = run(&files, draft, Formats::Assert, &[]);
        counts.push(passed);
        for failure in failures {
            writeln!(report, "{name}: {failure}").unwrap();
        }
    }
    println!("{counts:?} passed\n{report}");
    let least = [219, 325, 620, 701, 708];
    assert!(counts.iter().zip(least).all(|(count, least)| *count >= least), "{counts:?} passed\n{report}");
}

#[test]
fn optional_tests_pass_but_for_those_listed() {
    let Some(tests) = suite::folder() else { return };
    let schemas = remotes(&tests.join("../remotes"));
    let mut failed = Vec::new();
    for (name, draft) in DRAFTS {
        let (_, failures) = run(&json_files(&tests.join(name).join("optional")), draft, Formats::Annotate, &schemas);
        failed.extend(failures.into_iter().map(|failure| format!("{name}: {failure}")));
    }
    // `contentMediaType` and `contentEncoding` annotate: draft 7 lets a validator assert them and 2019-09 takes that back.
    let unlisted: Vec<&String> = failed.iter().filter(|line| !line.starts_with("draft7: content.json: ")).collect();
    assert!(unlisted.is_empty(), "{unlisted:#?}");
    assert_eq!(failed.len(), 4, "{failed:#?}");
}
