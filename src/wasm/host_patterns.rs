//! The host's `RegExp`, for patterns outside the engine's linear subset in schemas that a person wrote.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::schema::options::HostRegExp;

thread_local! {
    /// Compiled patterns by handle; a released one leaves its place free.
    static PATTERNS: RefCell<Vec<Option<RegExp>>> = const { RefCell::new(Vec::new()) };
}

// Declared here and not taken from `js-sys`, which would bring closures and classes that nothing else needs.
#[wasm_bindgen]
extern "C" {
    type RegExp;

    #[wasm_bindgen(catch, constructor)]
    fn new(source: &str, flags: &str) -> Result<RegExp, JsValue>;

    #[wasm_bindgen(method)]
    fn test(this: &RegExp, text: &str) -> bool;
}

/// The `RegExp` of the JavaScript realm that the core runs in.
pub struct HostPatterns;

impl HostRegExp for HostPatterns {
    fn compile(&self, source: &str) -> Result<u32, String> {
        let pattern = RegExp::new(source, "u").map_err(|_| "the host refuses this pattern".to_owned())?;
        PATTERNS.with_borrow_mut(|patterns| {
            let free = patterns.iter().position(Option::is_none);
            let handle = free.unwrap_or(patterns.len());
            match patterns.get_mut(handle) {
                Some(place) => *place = Some(pattern),
                None => patterns.push(Some(pattern)),
            }
            u32::try_from(handle).map_err(|_| "too many patterns".to_owned())
        })
    }

    fn test(&self, handle: u32, text: &str) -> bool {
        PATTERNS.with_borrow(|patterns| {
            patterns.get(handle as usize).and_then(Option::as_ref).is_some_and(|pattern| pattern.test(text))
        })
    }

    fn release(&self, handle: u32) {
        PATTERNS.with_borrow_mut(|patterns| {
            if let Some(place) = patterns.get_mut(handle as usize) {
                *place = None;
            }
        });
    }
}
