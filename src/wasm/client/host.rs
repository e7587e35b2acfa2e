//! The JavaScript that the client calls: `src/js/host.js`, and one function of `src/js/errors.js`.

use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::*;
use web_sys::{AbortController, AbortSignal};

#[wasm_bindgen(module = "/src/js/host.js")]
extern "C" {
    /// A promise and its two ends.
    pub(super) type Deferred;

    pub(super) fn deferred() -> Deferred;

    #[wasm_bindgen(method, getter)]
    pub(super) fn promise(this: &Deferred) -> Promise;

    #[wasm_bindgen(method)]
    pub(super) fn resolve(this: &Deferred, value: &JsValue);

    #[wasm_bindgen(method)]
    pub(super) fn reject(this: &Deferred, reason: &JsValue);

    /// Sends a leg; its reply comes through the port. Returns what aborts it.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn send(
        endpoint: &JsValue,
        headers: Array,
        call_headers: &JsValue,
        body: &str,
        port: &JsValue,
        call: u32,
        leg: u32,
    ) -> AbortController;

    /// Takes an interrupted stream up again, after a pause, for the same leg.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn listen(
        endpoint: &JsValue,
        headers: Array,
        last_event_id: Option<&str>,
        delay_ms: f64,
        port: &JsValue,
        call: u32,
        leg: u32,
    ) -> AbortController;

    /// Sends a message that has no answer.
    pub(super) fn post(endpoint: &JsValue, headers: Array, body: &str, port: &JsValue);

    #[wasm_bindgen(js_name = endSession)]
    pub(super) fn end_session(endpoint: &JsValue, headers: Array) -> Promise;

    /// Makes a transport report to the port, and starts it.
    pub(super) fn attach(transport: &JsValue, port: &JsValue) -> Promise;

    pub(super) fn detach(transport: &JsValue) -> Promise;

    /// Sends a message over a transport. Its failure is that of the leg.
    pub(super) fn transmit(transport: &JsValue, message: &str, port: &JsValue, call: u32, leg: u32);

    /// Has a function turn request bytes into reply bytes.
    pub(super) fn pass(function: &JsValue, message: &str, port: &JsValue, call: u32, leg: u32);

    /// Calls a handler; its answer comes through the port.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn ask(
        handler: &Function,
        method: &str,
        params: Option<&str>,
        about: JsValue,
        signal: &AbortSignal,
        port: &JsValue,
        call: u32,
        round: u32,
        index: usize,
    );

    #[wasm_bindgen(js_name = setTimer)]
    pub(super) fn set_timer(port: &JsValue, call: u32, milliseconds: f64) -> JsValue;

    #[wasm_bindgen(js_name = clearTimer)]
    pub(super) fn clear_timer(timer: &JsValue);

    /// Milliseconds on a clock that does not go backwards.
    pub(super) fn now() -> f64;

    #[wasm_bindgen(js_name = onAbort)]
    pub(super) fn on_abort(signal: &AbortSignal, port: &JsValue, call: u32) -> Function;

    pub(super) fn notify(callback: &Function, value: &JsValue, port: &JsValue);

    pub(super) fn save(callback: &Function, checkpoint: &str, port: &JsValue, call: u32);
}

#[wasm_bindgen(module = "/src/js/errors.js")]
extern "C" {
    #[wasm_bindgen(js_name = codeOf)]
    pub(super) fn code_of(error: &JsValue) -> Option<String>;
}
