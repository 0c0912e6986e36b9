//! Tokens and envelopes of version 1 as they were given out. The files never change; every later reader reads them so.

use serde_json::Value;
use subcontract::envelope;
use subcontract::json::canonical;
use subcontract::members;
use subcontract::resume::{self, Expected};
use subcontract::seal::{self, Key, Token};

fn file(name: &str) -> String {
    let path = format!("{}/tests/fixtures/resume/v1/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

fn fixtures(name: &str) -> Value {
    serde_json::from_str(&file(name)).unwrap()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("{name} in {value}"))
}

fn keys(fixtures: &Value) -> Vec<(String, Vec<u8>)> {
    let byte = |hex: &[u8]| u8::from_str_radix(std::str::from_utf8(hex).unwrap(), 16).unwrap();
    let key = |key: &Value| (text(key, "id").to_owned(), text(key, "secret").as_bytes().chunks(2).map(byte).collect());
    fixtures["keys"].as_array().unwrap().iter().map(key).collect()
}

fn borrowed(keys: &[(String, Vec<u8>)]) -> Vec<Key<'_>> {
    keys.iter().map(|(id, secret)| Key { id, secret }).collect()
}

fn expected(case: &Value) -> Expected {
    members::read(&case["expect"].to_string()).unwrap()
}

#[test]
fn the_files_are_as_they_were() {
    for (name, digest) in [
        ("tokens.json", "sha256-4d279e4b743f17be9e6630060275bc70795532d158d4970185e47600dd0d6376"),
        ("envelopes.json", "sha256-7db4745e68b77d098ee84ceb510eb340a284dd634d1119df6e8fbecc1a8d4b84"),
    ] {
        assert_eq!(canonical::digest(file(name).as_bytes()).unwrap(), digest, "{name}");
    }
}

#[test]
fn tokens_open_to_the_letter() {
    let fixtures = fixtures("tokens.json");
    let keys = keys(&fixtures);
    for case in fixtures["opened"].as_array().unwrap() {
        let token = text(case, "token");
        if case["encrypted"] == true {
            let refusal = seal::open(token, &borrowed(&keys), &expected(case)).unwrap_err();
            assert_eq!(refusal.code(), "resume_encrypted", "{}", case["name"]);
            continue;
        }
        let state = seal::open(token, &borrowed(&keys), &expected(case)).unwrap();
        let id = Token::parse(token).unwrap().key_id().to_owned();
        let secret = &keys.iter().find(|(key, _)| *key == id).unwrap().1;
        let body = Token::parse(token).unwrap().open(secret).unwrap();
        assert_eq!(String::from_utf8(body.clone()).unwrap(), text(case, "text"), "{}", case["name"]);
        // What was read is what would be written again.
        assert_eq!(resume::write(state).unwrap(), text(case, "text"), "{}", case["name"]);
        let again = seal::seal_body(seal::Form::Plain, &body, Key { id: &id, secret }).unwrap();
        assert_eq!(again, token, "{}", case["name"]);
    }
}

#[test]
fn what_must_be_refused_is_refused_for_its_reason() {
    let fixtures = fixtures("tokens.json");
    let keys = keys(&fixtures);
    for case in fixtures["refused"].as_array().unwrap() {
        let refusal = seal::open(text(case, "token"), &borrowed(&keys), &expected(case)).unwrap_err();
        let found = (refusal.code(), refusal.to_string());
        assert_eq!(found, (text(case, "refusal"), text(case, "message").to_owned()), "{}", case["name"]);
    }
}

#[test]
fn any_flipped_bit_is_refused() {
    let fixtures = fixtures("tokens.json");
    let keys = keys(&fixtures);
    let case = &fixtures["opened"][0];
    let token = text(case, "token").as_bytes();
    for at in 0..token.len() {
        for bit in 0..8 {
            let mut changed = token.to_vec();
            changed[at] ^= 1 << bit;
            // A string is UTF-8 before it is a token.
            let Ok(changed) = String::from_utf8(changed) else { continue };
            assert!(seal::open(&changed, &borrowed(&keys), &expected(case)).is_err(), "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn envelopes_are_read_or_refused_as_ever() {
    let fixtures = fixtures("envelopes.json");
    for case in fixtures["read"].as_array().unwrap() {
        let given = text(case, "text");
        assert_eq!(envelope::for_model(given).unwrap(), text(case, "forModel"), "{}", case["name"]);
        assert_eq!(envelope::for_event(given).unwrap(), text(case, "forEvent"), "{}", case["name"]);
    }
    for case in fixtures["refused"].as_array().unwrap() {
        assert!(envelope::parse(text(case, "text")).is_err(), "{}", case["name"]);
    }
}
