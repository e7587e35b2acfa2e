//! The JavaScript that the client calls: `host.js`, `http.js`, `channel.js` and one function of `errors.js`, in `src/js`.

use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::*;
use web_sys::{AbortController, AbortSignal};

#[wasm_bindgen(module = "/src/js/host.js")]
extern "C" {
    /// What tells handlers to stop; it makes its signal when somebody asks for it.
    #[derive(Clone)]
    pub(super) type Round;

    #[wasm_bindgen(constructor)]
    pub(super) fn new() -> Round;

    #[wasm_bindgen(method)]
    pub(super) fn abort(this: &Round, reason: &JsValue);

    /// A promise and its two ends.
    pub(super) type Deferred;

    pub(super) fn deferred() -> Deferred;

    #[wasm_bindgen(method, getter)]
    pub(super) fn promise(this: &Deferred) -> Promise;

    #[wasm_bindgen(method)]
    pub(super) fn resolve(this: &Deferred, value: &JsValue);

    #[wasm_bindgen(method)]
    pub(super) fn reject(this: &Deferred, reason: &JsValue);

    /// Nobody waits for this promise: what becomes of it is told elsewhere.
    pub(super) fn hush(promise: &Promise);

    /// Calls a handler; its answer comes through the port.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn ask(
        handler: &Function,
        method: &str,
        params: Option<&str>,
        about: JsValue,
        signal_of: &Round,
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

    /// The client with these watchers, unless it has been collected.
    pub(super) fn owner(watchers: &JsValue) -> JsValue;

    pub(super) fn notify(callback: &Function, value: &JsValue, port: &JsValue);

    pub(super) fn save(callback: &Function, checkpoint: &str, port: &JsValue, call: u32);
}

#[wasm_bindgen(module = "/src/js/http.js")]
extern "C" {
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

    /// Opens a stream, or takes an interrupted one up again, after a pause. No id means from now on.
    pub(super) fn listen(
        endpoint: &JsValue,
        headers: Array,
        last_event_id: &str,
        delay_ms: f64,
        port: &JsValue,
        call: u32,
        leg: u32,
    ) -> AbortController;

    /// Sends a message that has no answer and that nobody waits for.
    pub(super) fn post(endpoint: &JsValue, headers: Array, body: &str, port: &JsValue);

    #[wasm_bindgen(js_name = endSession)]
    pub(super) fn end_session(endpoint: &JsValue, headers: Array, limit_ms: f64) -> Promise;

    /// The origins of the page and of the endpoint, where there is a page.
    pub(super) fn origins(endpoint: &JsValue) -> Option<Array>;
}

#[wasm_bindgen(module = "/src/js/channel.js")]
extern "C" {
    /// Makes a transport report to the port, and starts it.
    pub(super) fn attach(transport: &JsValue, port: &JsValue) -> Promise;

    /// Ends a transport.
    pub(super) fn detach(transport: &JsValue) -> Promise;

    /// Lets go of a transport that ended by itself.
    pub(super) fn release(transport: &JsValue);

    /// Sends a message over a transport. Its failure is that of the leg. Returns what aborts it, where the transport can.
    pub(super) fn transmit(
        transport: &JsValue,
        message: &str,
        headers: &JsValue,
        port: &JsValue,
        call: u32,
        leg: u32,
    ) -> AbortController;

    /// Has a function turn request bytes into reply bytes. Returns what aborts it.
    pub(super) fn pass(function: &JsValue, message: &str, port: &JsValue, call: u32, leg: u32) -> AbortController;

    /// Headers of a call, with more of them.
    pub(super) fn joined(call_headers: &JsValue, more: Array) -> JsValue;
}

#[wasm_bindgen(module = "/src/js/errors.js")]
extern "C" {
    #[wasm_bindgen(js_name = codeOf)]
    pub(super) fn code_of(error: &JsValue) -> Option<String>;
}
