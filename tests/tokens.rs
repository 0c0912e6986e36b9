//! The estimate of tokens against true counts of `o200k_base`, which `tests/js/tokens.test.ts` compares with the tokenizer.

use serde_json::Value;
use subcontract::tokens::estimate;

#[test]
fn the_estimate_is_never_below_the_truth_by_more_than_a_twentieth() {
    let text = include_str!("fixtures/tokens.json");
    let fixtures: Value = serde_json::from_str(text).unwrap();
    let texts = fixtures["texts"].as_array().unwrap();
    assert!(texts.len() > 50);
    let (mut estimated, mut counted) = (0, 0);
    for case in texts {
        let tokens = case["tokens"].as_u64().unwrap() as usize;
        let found = estimate(case["text"].as_str().unwrap());
        assert!(found * 20 >= tokens * 19, "{}: estimated {found}, {tokens} by the tokenizer", case["name"]);
        // Nor is it of no use: a budget is filled to more than a half.
        assert!(found <= tokens * 2 + 2, "{}: estimated {found}, {tokens} by the tokenizer", case["name"]);
        estimated += found;
        counted += tokens;
    }
    assert!(estimated * 10 <= counted * 13, "{estimated} for {counted} in all");
}

#[test]
fn a_text_costs_what_its_parts_cost_or_less() {
    let parts = ["one", " two", "\n\n", "{\"a\":[1,", "Слово", "12345", "👩‍💻"];
    let whole: usize = estimate(&parts.concat());
    assert!(whole <= parts.iter().map(|part| estimate(part)).sum());
}
