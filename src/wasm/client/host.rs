//! The JavaScript that the client calls: `host.js`, `http.js` and `channel.js`, in `src/js`. Clients, calls and legs go
//! by their numbers; call 0 stands for what belongs to no call. Where there are no texts the numbers are signed: then no
//! glue stands in between, and the module needs no name for it.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/js/host.js")]
extern "C" {
    /// Milliseconds on a clock that does not go backwards.
    pub(super) fn now() -> f64;

    /// The text that was asked for.
    pub(super) fn told(text: &str);

    /// Calls a handler; its answer comes through the port. The method is a number of `METHODS` in registry.js; `within` is
    /// the call that the request belongs to; no text stands for no parameters.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn ask(
        client: u32,
        call: u32,
        round: u32,
        index: usize,
        method: u32,
        within: u32,
        key: &str,
        params: &str,
    );

    /// Tells the handler of a pushed request that its answer is no longer wanted.
    #[wasm_bindgen(js_name = cancelAsk)]
    pub(super) fn cancel_ask(client: i32, index: i32);

    /// Sets the timer of a call, in place of the one it had.
    #[wasm_bindgen(js_name = setTimer)]
    pub(super) fn set_timer(client: i32, call: i32, milliseconds: f64);

    /// Fulfils the promise of a call with this JSON text, or with nothing if it is empty.
    pub(super) fn resolve(client: u32, call: u32, result: &str);

    /// Rejects the promise of a call. With `cause`, what was thrown on its way is told; no text stands
    /// for no checkpoint.
    pub(super) fn reject(client: u32, call: u32, code: &str, message: &str, data: &str, cause: bool, checkpoint: &str);

    /// Rejects the promise of a call with what was thrown last in it.
    #[wasm_bindgen(js_name = rejectThrown)]
    pub(super) fn reject_thrown(client: i32, call: i32);

    /// What was thrown last in a call, or in one that helps it, is why its leg fails.
    pub(super) fn blame(client: i32, call: i32, from: i32);

    /// An error that ends no call.
    pub(super) fn failed(client: u32, code: &str, message: &str, data: &str);

    /// The connection is over.
    pub(super) fn closed(client: i32);

    /// What `onround` is given. There is no method if it is about no request.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn report(
        client: u32,
        call: u32,
        kind: &str,
        round: u32,
        leg: u32,
        time_ms: f64,
        bytes: usize,
        key: &str,
        method: &str,
    );

    /// What `onprogress` is given, in turn: a list, as JSON text.
    pub(super) fn progress(client: u32, call: u32, list: &str);

    /// A notification for its handler, as JSON text.
    pub(super) fn notification(client: u32, method: &str, text: &str);

    pub(super) fn warn(client: u32, code: &str, message: &str, path: &str, key: &str);

    pub(super) fn save(client: u32, call: u32, checkpoint: &str);
}

#[wasm_bindgen(module = "/src/js/endpoint.js")]
extern "C" {
    /// Sends a leg; its reply comes through the port. Headers are lines, names and values in turn.
    pub(super) fn send(client: u32, call: u32, leg: u32, headers: &str, body: &str);

    /// Sends a message that has no answer and that nobody waits for.
    pub(super) fn post(client: u32, headers: &str, body: &str);

    /// Opens a stream, or takes an interrupted one up again, after a pause. No id means from now on.
    pub(super) fn listen(client: u32, call: u32, leg: u32, headers: &str, last_event_id: &str, delay_ms: f64);

    /// Aborts the leg of a call, or the stream that is listened to.
    #[wasm_bindgen(js_name = abortLeg)]
    pub(super) fn abort_leg(client: i32, call: i32);

    /// Tells the endpoint what was agreed on.
    pub(super) fn agreed(client: u32, revision: &str);

    /// A session has begun.
    pub(super) fn session(client: u32, id: &str);

    /// Lets go of the endpoint; ends the session if there are headers for that.
    pub(super) fn detach(client: u32, headers: &str, limit_ms: f64);

    /// Lets go of a transport that ended by itself.
    pub(super) fn release(client: i32);
}
