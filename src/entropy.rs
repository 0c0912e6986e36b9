//! Where the reference engine's hash maps get their seeds in wasm: the host's `crypto`, or failing that `Math.random`.
//!
//! Workers refuse `crypto.getRandomValues` while a module is evaluated, and a contract built there must work. `getrandom`'s
//! own browser backend reports that refusal as an error, on which `ahash` panics. The seeds only have to be unknown to
//! whoever writes the judged text, who never sees an iteration order, so the weaker source does for that one case.

use js_sys::Math;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = ["globalThis", "crypto"], js_name = getRandomValues)]
    fn get_random_values(seed: &mut [u8]) -> Result<(), JsValue>;
}

/// The symbol that `getrandom` 0.3 calls under `--cfg getrandom_backend="custom"`.
///
/// # Safety
///
/// `seed` must be valid for writes of `len` bytes, which `getrandom` guarantees.
#[allow(unsafe_code, reason = "the signature is getrandom's")]
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(seed: *mut u8, len: usize) -> Result<(), getrandom::Error> {
    // SAFETY: the caller vouches for `len` writable bytes, and writing zeros first makes them readable too.
    let seed = unsafe {
        seed.write_bytes(0, len);
        core::slice::from_raw_parts_mut(seed, len)
    };
    if get_random_values(seed).is_err() {
        seed.fill_with(|| (Math::random() * 256.0) as u8);
    }
    Ok(())
}
