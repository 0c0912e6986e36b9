//! Records over the boundary: merging, rendering and follow-ups, with the host's `String.prototype.normalize` and its tokenizer.

use wasm_bindgen::prelude::*;

use super::{ContractHandle, Fault, parse_options};
use crate::contract::Contract;
use crate::follow_ups;
use crate::members::{Members, Read, Reader, Unreadable};
use crate::merge::{self, Normalize, Refusal};
use crate::render::{self, Kind, Options};
use crate::tokens::estimate;

// Declared here and not taken from `js-sys`, as the host's `RegExp` is.
#[wasm_bindgen]
extern "C" {
    type JsText;

    #[wasm_bindgen(method)]
    fn normalize(this: &JsText) -> String;

    /// `{ count(text): number }`: what a host counts tokens with.
    #[wasm_bindgen(typescript_type = "{ count(text: string): number }")]
    pub type TokenCounter;

    #[wasm_bindgen(method, catch)]
    fn count(this: &TokenCounter, text: &str) -> Result<f64, JsValue>;
}

/// The host's normalisation; its default form is NFC.
struct HostText;

impl Normalize for HostText {
    fn nfc(&self, text: &str) -> String {
        JsValue::from_str(text).unchecked_into::<JsText>().normalize()
    }
}

#[wasm_bindgen]
impl ContractHandle {
    /// As [`render`], with the order and the kept fields that the contract says.
    ///
    /// # Errors
    /// As [`render`].
    pub fn render(&self, text: &str, options: &str, counter: Option<TokenCounter>) -> Result<String, String> {
        rendered(text, Some(&self.0), options, counter).map_err(Fault::into_json)
    }
}

/// Renders a result, an envelope or a merged record; `{ text, tokens, dropped }` or `{ overBudget }` as JSON.
///
/// # Errors
/// When the text cannot be read, and `counter_failed` when the counter throws.
#[wasm_bindgen]
pub fn render(text: &str, options: &str, counter: Option<TokenCounter>) -> Result<String, String> {
    rendered(text, None, options, counter).map_err(Fault::into_json)
}

pub(super) fn open_questions(text: &str) -> Result<String, Fault> {
    follow_ups::follow_ups(text, &HostText).map_err(unreadable)
}

pub(super) fn merge(contract: &Contract, request: &str) -> Result<String, Fault> {
    let request = Members::parse(request).map_err(unreadable)?;
    let strings = |name| {
        let mut out = Vec::new();
        for item in request.value().list_of(name) {
            out.extend(item.as_str());
        }
        out
    };
    merge::merge(contract, &strings("children"), &strings("order"), &HostText).map_err(refused)
}

pub(super) fn merged_schema(contract: &Contract) -> Result<String, Fault> {
    merge::merged_schema(contract).map_err(refused)
}

fn rendered(
    text: &str,
    contract: Option<&Contract>,
    options: &str,
    counter: Option<TokenCounter>,
) -> Result<String, Fault> {
    let RenderOptions { max_tokens, kind, markers } = parse_options(options)?;
    let options = Options { max_tokens, kind, contract, markers };
    let mut failed = false;
    let mut count = |text: &str| match &counter {
        None => estimate(text),
        Some(counter) => counter.count(text).map_or_else(
            |_| {
                failed = true;
                0
            },
            |tokens| tokens as usize,
        ),
    };
    let rendering = render::for_parent(text, &options, &mut count).map_err(unreadable)?;
    if failed {
        return Err(Fault::new("counter_failed", "the token counter failed".to_owned()));
    }
    Ok(rendering.to_json())
}

struct RenderOptions {
    max_tokens: usize,
    kind: Option<Kind>,
    markers: bool,
}

impl Read for RenderOptions {
    fn read(from: &mut Reader<'_>) -> Self {
        let max_tokens: u64 = from.need("maxTokens");
        Self {
            max_tokens: usize::try_from(max_tokens).unwrap_or(usize::MAX),
            kind: from.may("kind"),
            markers: from.or_default("markers"),
        }
    }
}

impl Read for Kind {
    fn read(from: &mut Reader<'_>) -> Self {
        from.name(&[("result", Kind::Record), ("envelope", Kind::Envelope), ("merged", Kind::Merged)])
    }
}

fn refused(refusal: Refusal) -> Fault {
    Fault::new(refusal.code(), refusal.message().to_owned())
}

fn unreadable(error: Unreadable) -> Fault {
    Fault::new("unreadable_record", error.0)
}
