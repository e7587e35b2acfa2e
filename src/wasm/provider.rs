//! The pure functions of the provider layer. Requests, bodies and replies cross as bytes, the small rest as JSON text.

use std::cell::RefCell;

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

thread_local! {
    /// The streamed replies under way, by the numbers that JavaScript gave them.
    static STREAMS: RefCell<Vec<(u32, Accumulator)>> = const { RefCell::new(Vec::new()) };
}

/// Begins to read a streamed reply, with the state that was built with the request.
#[wasm_bindgen(js_name = openStream)]
pub fn open_stream(number: u32, state: &str) -> Result<(), JsValue> {
    let accumulator = Accumulator::new(state).map_err(|error| thrown(&error))?;
    STREAMS.with_borrow_mut(|streams| streams.push((number, accumulator)));
    Ok(())
}

/// Takes the next bytes. Returns what is new, as the JSON text of a list.
#[wasm_bindgen(js_name = pushStream)]
pub fn push_stream(number: u32, chunk: &[u8]) -> Result<String, JsValue> {
    STREAMS.with_borrow_mut(|streams| {
        let (_, accumulator) = streams.iter_mut().find(|(it, _)| *it == number).ok_or_else(|| thrown(&ended()))?;
        let deltas = accumulator.push(chunk).map_err(|error| thrown(&error))?;
        let texts: Vec<String> = deltas.iter().map(Delta::to_json).collect();
        Ok(["[", &texts.join(","), "]"].concat())
    })
}

/// Whether all is known, so that the rest of the stream need not be read.
#[wasm_bindgen(js_name = isStreamDone)]
pub fn is_stream_done(number: u32) -> bool {
    STREAMS.with_borrow(|streams| streams.iter().find(|(it, _)| *it == number).is_none_or(|(_, it)| it.is_done()))
}

/// The whole as a `CreateMessageResult`, as JSON text.
#[wasm_bindgen(js_name = finishStream)]
pub fn finish_stream(number: u32) -> Result<String, JsValue> {
    take(number).ok_or_else(ended).and_then(Accumulator::finish).map_err(|error| thrown(&error))
}

/// Nobody wants the rest.
#[wasm_bindgen(js_name = dropStream)]
pub fn drop_stream(number: u32) {
    take(number);
}

fn take(number: u32) -> Option<Accumulator> {
    STREAMS.with_borrow_mut(|streams| {
        let at = streams.iter().position(|(it, _)| *it == number)?;
        Some(streams.swap_remove(at).1)
    })
}

fn ended() -> Error {
    Error::new(Code::InvalidArgument, "the stream was finished already")
}

fn thrown(error: &Error) -> JsValue {
    errors::object(error, &JsValue::UNDEFINED)
}
