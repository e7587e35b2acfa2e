//! The sampling rules and the choice of a model, for hosts that use them by themselves.

use js_sys::{Array, Reflect};
use wasm_bindgen::prelude::*;

use super::options::Options;
use crate::error::{Code, Error};
use crate::json::{Document, Path, Value};
use crate::revision::Revision;
use crate::sampling::{self, Checks, CreateMessageRequestParams, Findings, Level, ModelEntry, Needs};

/// Checks `CreateMessageRequestParams`, given as the bytes of its JSON text. Returns the findings as JSON text.
#[wasm_bindgen(js_name = validateRequest)]
pub fn validate_request(params: Vec<u8>, options: &JsValue) -> Result<String, JsValue> {
    let checks = checks(options).map_err(|error| super::plain(&error))?;
    Ok(found(params, |params| sampling::check_request(params, &checks)))
}

/// Checks a `CreateMessageResult` against the request it answers, both given as bytes of JSON text.
#[wasm_bindgen(js_name = validateResult)]
pub fn validate_result(result: Vec<u8>, params: Vec<u8>, options: &JsValue) -> Result<String, JsValue> {
    let checks = checks(options).map_err(|error| super::plain(&error))?;
    let Ok(params) = Document::parse(params) else { return Ok(not_json().to_json()) };
    Ok(found(result, |result| sampling::check_result(result, params.root(), &checks)))
}

/// Chooses from `names`, whose scores stand in `scores` (cost, speed and intelligence of each, from 0 to 1) and whose
/// abilities in `abilities` (the bits 1 tools, 2 image, 4 audio). `params` is the request as JSON text, or `null`.
/// Returns the place and the reason, or nothing if no model will do.
#[wasm_bindgen(js_name = selectModel)]
pub fn select_model(
    preferences: String,
    params: String,
    names: Vec<String>,
    scores: &[f64],
    abilities: &[u8],
) -> Option<Array> {
    let preferences = Document::from_text(preferences).ok()?;
    let params = Document::from_text(params).ok()?;
    let needs = match params.root().is_null() {
        true => Needs::default(),
        false => sampling::needs_of(CreateMessageRequestParams::new(params.root())),
    };
    let rows = names.iter().zip(scores.chunks(3)).zip(abilities);
    let catalogue: Vec<_> = rows.map(|((name, scores), abilities)| entry(name, scores, *abilities)).collect();
    let preferences = (!preferences.root().is_null()).then(|| preferences.root());
    let choice = sampling::select_model(preferences, needs, &catalogue)?;
    Some(Array::of2(&choice.index.into(), &choice.reason.into()))
}

fn entry<'m>(name: &'m str, scores: &[f64], abilities: u8) -> ModelEntry<'m> {
    // The conversion saturates, and takes what is not a number for 0.
    let score = |at: usize| scores.get(at).map_or(0, |score| (score.clamp(0.0, 1.0) * 1000.0) as u32);
    let abilities = Needs { tools: abilities & 1 != 0, image: abilities & 2 != 0, audio: abilities & 4 != 0 };
    ModelEntry { name, cost: score(0), speed: score(1), intelligence: score(2), abilities }
}

fn found(bytes: Vec<u8>, check: impl FnOnce(Value<'_>) -> Findings) -> String {
    match Document::parse(bytes) {
        Ok(document) => check(document.root()).to_json(),
        Err(_) => not_json().to_json(),
    }
}

fn not_json() -> Findings {
    let mut findings = Findings::default();
    findings.push(Level::Error, "json", &Path::Root, "expected a JSON value");
    findings
}

fn checks(object: &JsValue) -> Result<Checks, Error> {
    let options = Options::new(object, "options");
    let sampling = options.get("capabilities").and_then(|capabilities| member(&capabilities, "sampling"));
    let declares = |name: &str| sampling.as_ref().is_some_and(|sampling| member(sampling, name).is_some());
    let revision = match options.get("protocolVersion") {
        None => Revision::LATEST,
        Some(date) => date.as_string().and_then(|date| Revision::from_date(&date)).ok_or_else(unknown_revision)?,
    };
    let lenient = options.bool("lenient")?.unwrap_or_default();
    Ok(Checks { revision, tools: declares("tools"), context: declares("context"), lenient })
}

/// A member that is an object. Asking anything but an object throws, which is slow.
fn member(object: &JsValue, name: &str) -> Option<JsValue> {
    let found = object.is_object().then(|| Reflect::get(object, &name.into()).ok()).flatten();
    found.filter(JsValue::is_object)
}

fn unknown_revision() -> Error {
    let message = "expected options.protocolVersion to be 2025-03-26, 2025-06-18, 2025-11-25 or 2026-07-28";
    Error::new(Code::InvalidArgument, message).with("option", "protocolVersion")
}
