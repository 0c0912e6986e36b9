//! The envelope's fields in one table, held against what the core writes, the TypeScript types and `docs/envelope.md`.

use serde_json::{Value, json};
use subcontract::envelope::{self, EnvelopeParts};
use subcontract::members::{self, Members};

/// Who may see a field.
#[derive(Clone, Copy, PartialEq)]
enum Seen {
    /// The parent's model, and everybody below.
    Model,
    /// The parent's model when the child did not complete; else everybody below.
    ModelOnFailure,
    /// Whoever reads the run's events: cards, other clients.
    Events,
    /// The host, and what it stores or seals.
    Host,
}

struct Field {
    name: &'static str,
    ts: &'static str,
    required: bool,
    set_by: &'static str,
    seen: Seen,
    meaning: &'static str,
}

const fn field(
    name: &'static str,
    ts: &'static str,
    required: bool,
    set_by: &'static str,
    seen: Seen,
    meaning: &'static str,
) -> Field {
    Field { name, ts, required, set_by, seen, meaning }
}

const FIELDS: &[Field] = &[
    field(
        "run_id",
        "string",
        true,
        "host",
        Seen::Model,
        "the child's `subagentRunId`, the same over retries and resumes",
    ),
    field("subagent", "string", true, "host", Seen::Model, "the agent's name"),
    field(
        "task_summary",
        "string | null",
        true,
        "child",
        Seen::Model,
        "beside a typed result the child's last text before it, at most 600 characters with a visible cut; in prose mode the answer",
    ),
    field(
        "final_result",
        "Result | null",
        true,
        "child",
        Seen::Model,
        "the accepted return to the letter, `amendments` apart; null when there is none, in prose mode, and when null is the return: `status` tells them apart",
    ),
    field(
        "status",
        "EnvelopeStatus",
        true,
        "host",
        Seen::ModelOnFailure,
        "`completed`, `failed`, `suspended` or `cancelled`",
    ),
    field(
        "attempts",
        "AttemptRecord[]",
        true,
        "host",
        Seen::Events,
        "each judged return, and each end of the child without one, with its issues",
    ),
    field(
        "degraded",
        "Degradation[]",
        false,
        "guards, host",
        Seen::Model,
        "what guards, and the host of a transcript's handle, say against a result that was accepted all the same",
    ),
    field(
        "amendments",
        "Amendment[]",
        false,
        "guards, host",
        Seen::Events,
        "what was changed in the result after the child returned it: the pointer, and by which guard, `transform` or `host`",
    ),
    field("returned", "unknown", false, "child", Seen::Events, "the child's own return, where the result is not that"),
    field(
        "partial",
        "unknown",
        false,
        "child",
        Seen::Events,
        "the closed and valid parts of the last return, when none was accepted",
    ),
    field(
        "flags",
        "Flag[]",
        false,
        "host",
        Seen::Events,
        "where the result's text and its JavaScript value differ, and what intake did",
    ),
    field(
        "input",
        "unknown",
        false,
        "parent",
        Seen::Host,
        "the brief to the letter, for an agent with an `inputSchema`",
    ),
    field("tool_call_id", "string", false, "parent's provider", Seen::Events, "the delegating tool call"),
    field(
        "contract",
        "ContractRef",
        true,
        "host",
        Seen::Events,
        "where the contract came from, and the digest of its schema",
    ),
    field(
        "effort",
        "{ measured: MeasuredEffort; claimed?: unknown }",
        true,
        "host; `claimed` by the child",
        Seen::Events,
        "what the host measured, and beside it what the return itself claims",
    ),
    field("usage", "TokenUsage[]", false, "host", Seen::Events, "the child's token usage in this run"),
    field(
        "transcript_ref",
        "string",
        false,
        "host",
        Seen::Model,
        "the handle under which the host keeps the child's transcript, with `transcripts`",
    ),
    field(
        "error",
        "{ code: string; message: string; issues?: Issue[] }",
        false,
        "host",
        Seen::ModelOnFailure,
        "why it did not complete; the model reads `code: message` as one line",
    ),
    field(
        "resume",
        "{ interrupts: Interrupt[]; state?: string }",
        false,
        "host",
        Seen::Host,
        "of a suspended child: what it waits for, and with `seal: 'none'` its state",
    ),
    field(
        "resume_sealed",
        "string",
        false,
        "host",
        Seen::Host,
        "of a suspended child: its state as a token that only this host opens",
    ),
    field("schema_version", "number", true, "host", Seen::Events, "1; readers refuse versions they do not know"),
];

fn file(path: &str) -> String {
    std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn built(parts: &Value) -> String {
    let parts: EnvelopeParts = members::read(&parts.to_string()).unwrap();
    envelope::build(&parts).unwrap()
}

/// Envelopes that have between them every field.
fn fullest() -> Vec<String> {
    let common = json!({
        "run_id": "s1", "subagent": "a", "task_summary": null, "attempts": [], "flags": ["unsafe_integer"],
        "input_text": "{}", "tool_call_id": "c1", "contract": { "source": "output_schema", "digest": "sha256-x" },
        "effort": { "tool_calls": 1 }, "usage": [], "transcript_ref": "s1"
    });
    let with = |more: Value| {
        let mut parts = common.clone();
        parts.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        built(&parts)
    };
    let amended = json!({
        "status": "completed", "result_text": "{\"effort\":{}}", "returned_text": "{}",
        "degraded": [{ "by": "g", "message": "m" }], "amendments": [{ "pointer": "", "by": "g" }]
    });
    let failed = json!({ "status": "failed", "partial_text": "{}", "error": { "code": "c", "message": "m" } });
    let waits = json!({ "status": "suspended", "resume": { "interrupts": [] }, "resume_sealed": "t" });
    vec![with(amended), with(failed), with(waits)]
}

fn names(text: &str) -> Vec<String> {
    Members::parse(text).unwrap().value().members().map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn the_core_writes_these_fields_in_this_order() {
    let written: Vec<Vec<String>> = fullest().iter().map(|text| names(text)).collect();
    let least = names(&built(&json!({
        "run_id": "s1", "subagent": "a", "status": "completed", "contract": { "source": "none" },
        "effort": { "tool_calls": 0 }
    })));
    for fields in &written {
        let in_order: Vec<&str> =
            FIELDS.iter().map(|field| field.name).filter(|name| fields.iter().any(|field| field == name)).collect();
        assert_eq!(fields, &in_order);
    }
    let never: Vec<&str> = FIELDS
        .iter()
        .map(|field| field.name)
        .filter(|name| !written.iter().any(|fields| fields.iter().any(|field| field == name)))
        .collect();
    assert_eq!(never, Vec::<&str>::new());
    let required: Vec<&str> = FIELDS.iter().filter(|field| field.required).map(|field| field.name).collect();
    assert_eq!(least, required);
}

#[test]
fn each_field_goes_to_whom_it_is_for() {
    for text in fullest() {
        let all = names(&text);
        let completed = text.contains("\"status\":\"completed\"");
        let those = |seen: &dyn Fn(Seen) -> bool| -> Vec<String> {
            let named = |name: &String| FIELDS.iter().any(|field| field.name == name && seen(field.seen));
            all.iter().filter(|name| named(name)).cloned().collect()
        };
        let model = those(&|seen| seen == Seen::Model || (seen == Seen::ModelOnFailure && !completed));
        let mut shown = names(&envelope::for_model(&text).unwrap());
        shown.sort();
        let mut expected = model;
        expected.sort();
        assert_eq!(shown, expected);
        assert_eq!(names(&envelope::for_event(&text).unwrap()), those(&|seen| seen != Seen::Host));
    }
}

#[test]
fn the_typescript_type_has_the_same_fields() {
    let source = file("js/envelope.ts");
    let start = source.find("export interface ResultEnvelope").unwrap();
    let body = &source[start..];
    let body = &body[body.find("{\n").unwrap() + 2..body.find("\n}").unwrap()];
    let mut declared: Vec<String> = body
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with("/**") && !line.starts_with('*') && !line.is_empty())
        .map(|line| line.trim_end_matches(';').to_owned())
        .collect();
    let mut expected: Vec<String> = FIELDS
        .iter()
        .map(|field| format!("{}{}: {}", field.name, if field.required { "" } else { "?" }, field.ts))
        .collect();
    declared.sort();
    expected.sort();
    assert_eq!(declared, expected);
}

#[test]
fn the_documentation_has_this_table() {
    const START: &str = "<!-- fields -->\n";
    const END: &str = "<!-- end of fields -->\n";
    let mut table = String::from(
        "| field | type | always there | set by | seen by | meaning |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for Field { name, ts, required, set_by, seen, meaning } in FIELDS {
        let seen = match seen {
            Seen::Model => "model, events, host",
            Seen::ModelOnFailure => "model unless completed, events, host",
            Seen::Events => "events, host",
            Seen::Host => "host",
        };
        let always = if *required { "yes" } else { "" };
        let ts = ts.replace('|', "\\|");
        table.push_str(&format!("| `{name}` | `{ts}` | {always} | {set_by} | {seen} | {meaning} |\n"));
    }
    let page = file("docs/envelope.md");
    let (before, rest) = page.split_once(START).unwrap();
    let (found, after) = rest.split_once(END).unwrap();
    if std::env::var_os("ACCEPT_FIXTURES").is_some() {
        let path = format!("{}/docs/envelope.md", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(path, format!("{before}{START}{table}{END}{after}")).unwrap();
    } else {
        assert_eq!(found, table);
    }
}
