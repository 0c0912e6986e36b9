//! Every row of the official suite, of the cases from bug reports and of the decided disagreements through both engines.

use std::fs;
use std::path::{Path, PathBuf};

use subcontract::json::tape::{Limits, Tag, Tape};
use subcontract::schema::dialect::Draft;
use subcontract::schema::options::{Formats, Options};

use crate::engines::{Engines, Outcome, agree};
use crate::suite;

fn options(draft: Draft, formats: Formats, schemas: &[(String, String)]) -> Options {
    let mut options = Options::default();
    options.dialect = Some(draft);
    options.formats = formats;
    options.schemas = schemas.to_vec();
    options
}

/// The files below a folder, with their paths from there.
fn files(root: &Path, folder: &str) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(root.join(folder)) else { return found };
    for entry in entries {
        let path = entry.expect("the folder can be read").path();
        let name = format!("{folder}/{}", path.file_name().expect("an entry has a name").to_string_lossy());
        match path.is_dir() {
            true => found.extend(files(root, &name)),
            false => found.push((name, path)),
        }
    }
    found.sort();
    found
}

/// Texts of our own tape, so that numbers reach the engines as they are written.
fn tape(text: &[u8]) -> Tape {
    Tape::parse(text, Limits::default()).expect("a row is JSON")
}

#[test]
fn on_every_suite_row_the_suite_is_on_our_side() {
    let Some(tests) = suite::folder() else { return };
    let remotes = files(&tests.join("../remotes"), ".");
    let remotes: Vec<(String, String)> = remotes
        .into_iter()
        .map(|(name, path)| {
            let uri = format!("http://localhost:1234{}", name.trim_start_matches('.'));
            (uri, fs::read_to_string(path).expect("a remote schema can be read"))
        })
        .collect();
    let (mut rows, mut apart, mut wrong) = (0, 0, Vec::new());
    for (folder, draft) in suite::DRAFTS.into_iter().zip(Draft::ALL) {
        for (name, path) in files(&tests, folder) {
            let formats = if name.contains("/format/") { Formats::Assert } else { Formats::Annotate };
            let options = options(draft, formats, if name.contains("/optional/") { &[] } else { &remotes });
            let file = tape(&fs::read(path).expect("a suite file can be read"));
            let member = |of, name| file.get(of, name).expect("a suite file has its shape");
            for group in file.items(0) {
                let engines = Engines::compile(&file.json_text(member(group, "schema")), &options);
                for test in file.items(member(group, "tests")) {
                    let (own, theirs) = engines.judge(&file.json_text(member(test, "data")));
                    rows += 1;
                    if agree(&own, &theirs) {
                        continue;
                    }
                    apart += 1;
                    // `contentMediaType` and `contentEncoding` annotate: draft 7 lets a validator assert them and 2019-09
                    // takes that back.
                    if name != "draft7/optional/content.json"
                        && own != Outcome::Judged(file.tag(member(test, "valid")) == Tag::True)
                    {
                        let [group, test] = [group, test].map(|of| file.string(member(of, "description")));
                        wrong.push(format!("{name}: {group}: {test}: ours {own:?}, the reference {theirs:?}"));
                    }
                }
            }
        }
    }
    println!("{rows} rows, the engines disagree on {apart}");
    assert!(wrong.is_empty(), "the suite decides against us:\n{}", wrong.join("\n"));
}

#[test]
fn on_every_case_from_bug_reports_the_case_is_on_our_side() {
    let mut undecided = Vec::new();
    for line in include_str!("../fixtures/cases/schema.jsonl").lines() {
        let row = tape(line.as_bytes());
        let text = |name| row.get(0, name).and_then(|node| row.as_string(node)).expect("a case has its shape");
        let draft = text("draft");
        let draft = Draft::from_name(&draft.replace("draft-0", "draft")).expect("a case names its draft");
        let schema = row.json_text(row.get(0, "schema").expect("a case has its shape"));
        let engines = Engines::compile(&schema, &options(draft, Formats::Assert, &[]));
        let (own, theirs) = engines.judge(text("instance_text"));
        let decided = row.get(0, "valid").map(|node| Outcome::Judged(row.tag(node) == Tag::True));
        if !agree(&own, &theirs) && decided != Some(own.clone()) {
            undecided.push(format!(
                "{}: ours {own:?}, the reference {theirs:?}\n    {schema} {}",
                text("id"),
                text("instance_text")
            ));
        }
    }
    assert!(undecided.is_empty(), "{}", undecided.join("\n"));
}

#[test]
fn decided_disagreements_stay_decided() {
    for line in include_str!("../fixtures/disagreements.jsonl").lines() {
        let row = tape(line.as_bytes());
        let member = |name| row.get(0, name).expect("a row has its shape");
        let text = |name| row.as_string(member(name)).expect("a row has its shape");
        let draft = Draft::from_name(text("draft")).expect("a row names its draft");
        let given = row.get(0, "schemas").map(|node| row.members(node).collect::<Vec<_>>()).unwrap_or_default();
        let schemas =
            given.into_iter().map(|(uri, schema)| (row.string(uri).to_owned(), row.json_text(schema).into_owned()));
        let schemas: Vec<(String, String)> = schemas.collect();
        let engines = Engines::compile(&row.json_text(member("schema")), &options(draft, Formats::Assert, &schemas));
        let (own, theirs) = engines.judge(text("instance_text"));
        match row.tag(member("valid")) {
            Tag::Null => assert!(matches!(own, Outcome::Refused { .. }), "{line}\nours {own:?}"),
            tag => assert_eq!(own, Outcome::Judged(tag == Tag::True), "{line}"),
        }
        assert!(!agree(&own, &theirs), "the reference engine has come round, the row can go: {line}");
        assert!(!text("why").is_empty());
    }
}
