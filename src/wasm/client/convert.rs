//! Values on their way to JavaScript: results, events, warnings.

use js_sys::{JSON, Object, Reflect};
use serde::Serialize;
use wasm_bindgen::{JsCast, JsValue};

use super::host;
use crate::driver::Report;
use crate::json::Value;

/// JSON text as an object. The engine's own parser is the fastest way there is.
pub(super) fn parsed(text: &str) -> JsValue {
    JSON::parse(text).unwrap_or_default()
}

/// A result for the caller, without `resultType`, which is the wire's affair; a raw request for input keeps it.
pub(super) fn result(result: Value<'_>) -> JsValue {
    let object = parsed(result.raw());
    let complete = result.get("resultType").and_then(Value::as_str).is_some_and(|kind| kind == "complete");
    if complete {
        // Deleting a property of a fresh object cannot fail.
        let _ = Reflect::delete_property(object.unchecked_ref::<Object>(), &"resultType".into());
    }
    object
}

/// What `onround` is given.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RoundEvent<'a> {
    r#type: &'static str,
    round: u32,
    leg: u32,
    time_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u32>,
}

/// A report as a plain object.
pub(super) fn round_event(report: &Report) -> JsValue {
    let request = report.request.as_ref();
    object(&RoundEvent {
        r#type: report.kind.as_str(),
        round: report.round,
        leg: report.leg,
        time_ms: report.time_ms,
        key: request.map(|ask| ask.key.as_str()),
        method: request.map(|ask| ask.method.as_str()),
        bytes: (report.bytes > 0).then_some(report.bytes as u32),
    })
}

/// What `onWarning` is given.
#[derive(Serialize)]
pub(super) struct Warning<'a> {
    pub(super) code: &'a str,
    pub(super) message: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) path: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) key: &'a str,
}

/// A small structure as a plain object.
pub(super) fn object(value: &impl Serialize) -> JsValue {
    serde_wasm_bindgen::to_value(value).unwrap_or_default()
}

/// The status and the text in an error that a transport of the host threw for an HTTP reply.
pub(super) fn http_failure(thrown: &JsValue) -> Option<(u16, String)> {
    host::code_of(thrown).filter(|code| code.starts_with("CLIENT_HTTP_"))?;
    let data = Reflect::get(thrown, &"data".into()).ok()?;
    let status = Reflect::get(&data, &"status".into()).ok()?.as_f64()?;
    let text = Reflect::get(&data, &"text".into()).ok().and_then(|text| text.as_string());
    Some((status as u16, text.unwrap_or_default()))
}

/// What the official client's OAuth functions throw when a person has to do something, wherever they are plugged in.
pub(super) fn is_unauthorized(thrown: &JsValue) -> bool {
    let name = Reflect::get(thrown, &"name".into()).ok().and_then(|name| name.as_string());
    name.is_some_and(|name| name == "UnauthorizedError")
}
