//! The pure functions of the provider layer. Requests, bodies and replies cross as bytes, the small rest as JSON text.

use std::cell::RefCell;
use std::panic::RefUnwindSafe;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;

use super::errors;
use crate::error::{Code, Error};
use crate::json::Document;
use crate::provider::{self, Accumulator, BuildOptions, Delta, Provider, warnings_to_json};

/// Builds the HTTP request for a sampling request: `[path, headers, body, warnings, state]`, where headers are a flat
/// list of names and values, and warnings and state JSON text.
#[wasm_bindgen(js_name = buildRequest)]
pub fn build_request(provider: &str, params: Vec<u8>, options: String) -> Result<Array, JsValue> {
    built(provider, params, options).map_err(|error| thrown(&error))
}

fn built(provider: &str, params: Vec<u8>, options: String) -> Result<Array, Error> {
    let unknown = || Error::new(Code::InvalidArgument, "there is no provider of this name").with("provider", provider);
    let provider = Provider::from_name(provider).ok_or_else(unknown)?;
    let not_json = |_| Error::new(Code::InvalidArgument, "expected JSON text");
    let params = Document::parse(params).map_err(not_json)?;
    let options = Document::from_text(options).map_err(not_json)?;
    let built = provider::build(provider, params.root(), &BuildOptions::from_json(options.root())?)?;
    let headers = Array::new();
    for (name, value) in &built.headers {
        headers.push(&(*name).into());
        headers.push(&value.into());
    }
    let body = Uint8Array::from(built.body.as_slice());
    let warnings = warnings_to_json(&built.warnings);
    Ok(Array::of5(&built.path.into(), &headers, &body, &warnings.into(), &built.state.into()))
}

/// Reads a reply that came in one piece. Returns a `CreateMessageResult` as JSON text.
#[wasm_bindgen(js_name = parseReply)]
pub fn parse_reply(bytes: Vec<u8>, status: Option<u16>, state: &str) -> Result<String, JsValue> {
    provider::parse(bytes, status, state).map_err(|error| thrown(&error))
}

/// Reads a streamed reply. Internal to the package.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ProviderStream {
    accumulator: RefCell<Option<Accumulator>>,
}

// A panic is a bug; after one the stream it hit is not used again.
impl RefUnwindSafe for ProviderStream {}

#[wasm_bindgen]
impl ProviderStream {
    /// Begins with the state that was built with the request.
    #[wasm_bindgen(constructor)]
    pub fn new(state: &str) -> Result<Self, JsValue> {
        let accumulator = Accumulator::new(state).map_err(|error| thrown(&error))?;
        Ok(Self { accumulator: RefCell::new(Some(accumulator)) })
    }

    /// Takes the next bytes. Returns what is new, as the JSON text of a list.
    pub fn push(&self, chunk: &[u8]) -> Result<String, JsValue> {
        let mut accumulator = self.accumulator.borrow_mut();
        let accumulator = accumulator.as_mut().ok_or_else(|| thrown(&ended()))?;
        let deltas = accumulator.push(chunk).map_err(|error| thrown(&error))?;
        let texts: Vec<String> = deltas.iter().map(Delta::to_json).collect();
        Ok(["[", &texts.join(","), "]"].concat())
    }

    /// Whether all is known, so that the rest of the stream need not be read.
    #[wasm_bindgen(getter, js_name = isDone)]
    pub fn is_done(&self) -> bool {
        self.accumulator.borrow().as_ref().is_none_or(Accumulator::is_done)
    }

    /// The whole as a `CreateMessageResult`, as JSON text.
    pub fn finish(&self) -> Result<String, JsValue> {
        let accumulator = self.accumulator.take().ok_or_else(|| thrown(&ended()))?;
        accumulator.finish().map_err(|error| thrown(&error))
    }
}

fn ended() -> Error {
    Error::new(Code::InvalidArgument, "the stream was finished already")
}

fn thrown(error: &Error) -> JsValue {
    errors::object(error, &JsValue::UNDEFINED)
}
