//! The JavaScript that this shell calls: `src/js/host.js` and `src/js/errors.js`.

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
    #[wasm_bindgen(js_name = makeError)]
    pub(super) fn make_error(code: JsValue, message: &str, data: &str, cause: &JsValue) -> JsValue;

    #[wasm_bindgen(js_name = codeOf)]
    pub(super) fn code_of(error: &JsValue) -> Option<String>;
}
