//! Where JavaScript tells what happened. Calls are named by number, so news about a call that is over finds nobody.

use std::panic::RefUnwindSafe;
use std::rc::Weak;

use wasm_bindgen::prelude::*;

use super::client::ClientState;
use crate::driver::Event;
use crate::error::{Code, Error};
use crate::wire::http::Body;

/// What `src/js/host.js` reports to. Internal to the package.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Port {
    client: Weak<ClientState>,
}

// A panic is a bug, and after one the promise it hit is rejected; cells are written whole, so what others see is sound.
impl RefUnwindSafe for Port {}

impl Port {
    pub(super) fn new(client: Weak<ClientState>) -> Self {
        Self { client }
    }
}

#[wasm_bindgen]
impl Port {
    /// The head of a reply. Answers how to read the body: 0 not at all, 1 whole, 2 as it comes.
    pub fn head(&self, call: u32, leg: u32, status: u16, content_type: &str) -> u8 {
        let Some(call) = self.client.upgrade().and_then(|client| client.call(call)) else { return 0 };
        let body = call.exchange(leg, |exchange| exchange.head(status, content_type));
        call.take_incoming(leg);
        match body {
            Some(Body::Whole) => 1,
            Some(Body::Stream) => 2,
            Some(Body::None) | None => 0,
        }
    }

    /// The whole body of a reply.
    pub fn body(&self, call: u32, leg: u32, bytes: Vec<u8>) {
        let Some(call) = self.client.upgrade().and_then(|client| client.call(call)) else { return };
        call.exchange(leg, |exchange| exchange.body(bytes));
        call.take_incoming(leg);
    }

    /// A piece of a stream. Answers whether the rest is of no interest.
    pub fn chunk(&self, call: u32, leg: u32, bytes: &[u8]) -> bool {
        let Some(call) = self.client.upgrade().and_then(|client| client.call(call)) else { return true };
        let settled = call.exchange(leg, |exchange| {
            exchange.chunk(bytes);
            exchange.is_settled()
        });
        call.take_incoming(leg);
        settled.unwrap_or(true)
    }

    /// The end of a stream.
    pub fn end(&self, call: u32, leg: u32) {
        let Some(call) = self.client.upgrade().and_then(|client| client.call(call)) else { return };
        call.exchange(leg, |exchange| exchange.end());
        call.take_incoming(leg);
    }

    /// Sending or reading failed.
    pub fn lost(&self, call: u32, leg: u32, error: JsValue) {
        if let Some(call) = self.client.upgrade().and_then(|client| client.call(call)) {
            call.lost(leg, error);
        }
    }

    /// A handler returned; the text is `undefined` if that is not JSON.
    pub fn answered(&self, call: u32, round: u32, index: usize, result: Option<String>) {
        let Some(call) = self.client.upgrade().and_then(|client| client.call(call)) else { return };
        let error =
            || Error::new(Code::InvalidHandlerResult, "The handler returned no JSON value; expected its result");
        call.handle(match result {
            Some(result) => Event::Answered { round, index, result },
            None => Event::NotAnswered { round, index, error: error() },
        });
    }

    /// A handler threw.
    pub fn threw(&self, call: u32, round: u32, index: usize, error: JsValue) {
        if let Some(call) = self.client.upgrade().and_then(|client| client.call(call)) {
            call.threw(round, index, error);
        }
    }

    /// A checkpoint was stored, or storing it failed.
    pub fn saved(&self, call: u32, error: JsValue) {
        let Some(call) = self.client.upgrade().and_then(|client| client.call(call)) else { return };
        if error.is_undefined() { call.handle(Event::Saved) } else { call.reject_with(error) }
    }

    /// A timer fired.
    pub fn tick(&self, call: u32) {
        if let Some(call) = self.client.upgrade().and_then(|client| client.call(call)) {
            call.tick();
        }
    }

    /// The caller's signal was aborted.
    pub fn abort(&self, call: u32) {
        if let Some(call) = self.client.upgrade().and_then(|client| client.call(call)) {
            call.abort();
        }
    }

    /// A watcher of the host threw.
    #[wasm_bindgen(js_name = hostThrew)]
    pub fn host_threw(&self, error: &JsValue) {
        if let Some(client) = self.client.upgrade() {
            client.on_error(error);
        }
    }
}
