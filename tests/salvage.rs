//! What is salvaged of a return, wherever it was cut and whatever is wrong in it, is JSON and valid but for what its root lacks.

use subcontract::attempt::Via;
use subcontract::salvage::salvage;
use subcontract::{Contract, Options};

const MEMBERS: &str = r#""type":"object","additionalProperties":false,"properties":{
    "findings":{"type":"array","items":{"type":"object","required":["claim","provenance"],"properties":{
        "claim":{"type":"string","minLength":2},"provenance":{"type":"array","minItems":1,"items":{"type":"string"}},
        "n":{"type":"number"}}}},
    "note":{"anyOf":[{"type":"string"},{"type":"null"}]},
    "deep":{"type":"array","items":{"type":"array","uniqueItems":true,"items":{"type":["integer","array","boolean"]}}}}"#;

const RETURN: &str = r#" {"note": "a \"quoted\\\" { [ é\u00e9 😀", "findings": [{"claim": "one", "provenance": ["a:1", "b"], "n": -1.5e3},
    {"claim": "x", "provenance": ["c"]}, {"claim": "two", "provenance": [], "n": 9007199254740993123}, 7,
    {"claim": "three", "provenance": ["d", 4], "more": {"a": [true, false, null]}}],
    "extra": {"k": 1}, "deep": [[1, [2, [3]]], [true, true], [], [false, "no"]]} "#;

#[test]
fn every_cut_of_a_return_leaves_what_is_valid() {
    let contract =
        Contract::compile(&format!(r#"{{"required":["note","findings","none"],{MEMBERS}}}"#), &Options::default());
    let forgiving = Contract::compile(&format!("{{{MEMBERS}}}"), &Options::default()).unwrap();
    let contract = contract.unwrap();
    let mut first = None;
    for cut in 0..=RETURN.len() {
        // Cut inside a character as well as between two.
        let raw = RETURN.as_bytes().get(..cut).unwrap();
        let Some(left) = salvage(&contract, raw, Via::Text) else {
            assert_eq!(first, None, "nothing is left at {cut}");
            continue;
        };
        first = first.or(Some(cut));
        assert!(forgiving.is_valid(left.as_bytes()), "cut at {cut}: {left}");
    }
    // Behind the first member's value.
    assert_eq!(first, RETURN.find(", \"findings\""));
    let whole = salvage(&contract, RETURN.as_bytes(), Via::Text).unwrap();
    assert_eq!(
        whole,
        r#"{"note":"a \"quoted\\\" { [ é\u00e9 😀","findings":[{"claim": "one", "provenance": ["a:1", "b"], "n": -1.5e3},{"claim":"three","provenance":["d"],"more":{"a": [true, false, null]}}],"deep":[[1, [2, [3]]],[],[false]]}"#
    );
}

#[test]
fn every_damage_to_a_return_leaves_what_is_valid_or_nothing() {
    let contract = Contract::compile(&format!("{{{MEMBERS}}}"), &Options::default()).unwrap();
    let mut left_something = 0;
    for at in 0..RETURN.len() {
        for byte in *b"\"\\,:{}[]x0 \xff" {
            let mut raw = RETURN.as_bytes().to_vec();
            raw[at] = byte;
            if let Some(left) = salvage(&contract, &raw, Via::Text) {
                left_something += 1;
                assert!(contract.is_valid(left.as_bytes()), "{} at {at}: {left}", byte as char);
            }
        }
    }
    assert!(left_something > RETURN.len());
}
