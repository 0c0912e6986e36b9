//! libFuzzer's way into the target `check`.
#![no_main]

#[allow(dead_code, reason = "one target of four")]
#[path = "../targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    targets::check(bytes);
});
