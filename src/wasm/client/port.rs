//! Where JavaScript tells what happened. Calls are named by number, so news about a call that is over finds nobody.

use std::panic::RefUnwindSafe;
use std::rc::{Rc, Weak};

use wasm_bindgen::prelude::*;

use super::call::RunningCall;
use super::state::ClientState;
use crate::driver::Event;
use crate::error::{Code, Error};
use crate::wire::fault::{self, Details};
use crate::wire::http::{Body, Exchange};

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

    // Every method needs these two; a copy in each would be a tenth of the module.
    #[inline(never)]
    fn call(&self, number: u32) -> Option<Rc<RunningCall>> {
        self.client.upgrade()?.call(number)
    }

    /// Feeds the reply to a leg, or, without a call, the stream that is only listened to.
    #[inline(never)]
    fn feed(&self, call: u32, leg: u32, act: &mut dyn FnMut(&mut Exchange) -> u8) -> Option<u8> {
        let client = self.client.upgrade()?;
        if call == 0 {
            let fed = client.listening(act);
            client.take_heard();
            return fed;
        }
        let call = client.call(call)?;
        let fed = call.exchange(leg, act);
        call.take_incoming(leg);
        fed
    }
}

#[wasm_bindgen]
impl Port {
    /// The head of a reply. Answers how to read the body: 0 not at all, 1 whole, 2 as it comes. `header` is the one that
    /// explains the status.
    #[allow(clippy::too_many_arguments)]
    pub fn head(
        &self,
        call: u32,
        leg: u32,
        status: u16,
        status_text: String,
        header: Option<String>,
        content_type: &str,
        session_id: Option<String>,
    ) -> u8 {
        // Before the body is looked at: with the answer the call goes on in the session.
        if let (Some(session_id), Some(call)) = (session_id, self.call(call)) {
            call.begin_session(leg, status, session_id);
        }
        let mut details = Some(Details { status_text, header });
        let how = self.feed(call, leg, &mut |exchange| {
            exchange.set_details(details.take().unwrap_or_default());
            match exchange.head(status, content_type) {
                Body::Whole => 1,
                Body::Stream => 2,
                Body::None => 0,
            }
        });
        how.unwrap_or_default()
    }

    /// The whole body of a reply.
    pub fn body(&self, call: u32, leg: u32, bytes: Vec<u8>) {
        let mut bytes = Some(bytes);
        self.feed(call, leg, &mut |exchange| {
            exchange.body(bytes.take().unwrap_or_default());
            0
        });
    }

    /// A piece of a stream. Answers whether the rest is of no interest.
    pub fn chunk(&self, call: u32, leg: u32, bytes: &[u8]) -> bool {
        let settled = self.feed(call, leg, &mut |exchange| {
            exchange.chunk(bytes);
            u8::from(exchange.is_settled())
        });
        settled != Some(0)
    }

    /// The end of a stream.
    pub fn end(&self, call: u32, leg: u32) {
        self.feed(call, leg, &mut |exchange| {
            exchange.end();
            0
        });
    }

    /// Sending or reading failed. `headers` are the names of those that were sent, separated by blanks.
    pub fn lost(&self, call: u32, leg: u32, error: JsValue, headers: &str) {
        // An interrupted stream may be taken up again; then nothing is lost yet.
        if self.feed(call, leg, &mut |exchange| u8::from(exchange.interrupt())) == Some(1) {
            return;
        }
        match self.call(call) {
            Some(call) => call.lost(leg, error, headers),
            None if call == 0 => self.client.upgrade().iter().for_each(|client| client.stop_listening()),
            None => {}
        }
    }

    /// The host's own code threw while something was sent.
    pub fn refused(&self, call: u32, leg: u32, error: JsValue) {
        match self.call(call) {
            Some(call) => call.refused(leg, error),
            None => self.host_threw(&error),
        }
    }

    /// A channel took a message. That is all there is to wait for, if it has no answer.
    pub fn sent(&self, call: u32, leg: u32) {
        self.feed(call, leg, &mut |exchange| {
            exchange.delivered();
            0
        });
    }

    /// The server did not take a message that has no answer.
    pub fn undelivered(&self, status: u16) {
        if let Some(client) = self.client.upgrade() {
            client.undelivered(status);
        }
    }

    /// Whether a redirect is followed. `from` and `to` are origins.
    pub fn follows(&self, method: &str, status: u16, from: &str, to: &str, hops: u32) -> bool {
        fault::follows_redirect(method, status, from, to, hops)
    }

    /// A message on a shared channel.
    pub fn message(&self, bytes: Vec<u8>) {
        if let Some(client) = self.client.upgrade() {
            client.receive(bytes);
        }
    }

    /// A shared channel ended.
    pub fn closed(&self) {
        if let Some(client) = self.client.upgrade() {
            client.transport_closed();
        }
    }

    /// A handler returned; there are no bytes if that is not JSON. Without a call, the request was a pushed one.
    pub fn answered(&self, call: u32, round: u32, index: usize, result: Option<Vec<u8>>) {
        let result = result.and_then(|bytes| String::from_utf8(bytes).ok());
        let Some(client) = self.client.upgrade() else { return };
        if call == 0 {
            return client.pushed_answered(index, Ok(result));
        }
        let error =
            || Error::new(Code::InvalidHandlerResult, "The handler returned no JSON value; expected its result");
        let event = match result {
            Some(result) => Event::Answered { round, index, result },
            None => Event::NotAnswered { round, index, error: error() },
        };
        if let Some(call) = client.call(call) {
            call.handle(event);
        }
    }

    /// A handler threw.
    pub fn threw(&self, call: u32, round: u32, index: usize, error: JsValue) {
        let Some(client) = self.client.upgrade() else { return };
        if call == 0 {
            return client.pushed_answered(index, Err(error));
        }
        if let Some(call) = client.call(call) {
            call.threw(round, index, error);
        }
    }

    /// A checkpoint was stored, or storing it failed.
    pub fn saved(&self, call: u32, error: JsValue) {
        let Some(call) = self.call(call) else { return };
        if error.is_undefined() { call.handle(Event::Saved) } else { call.reject_with(error) }
    }

    /// A timer fired.
    pub fn tick(&self, call: u32) {
        if let Some(call) = self.call(call) {
            call.tick();
        }
    }

    /// The caller's signal was aborted.
    pub fn abort(&self, call: u32) {
        if let Some(call) = self.call(call) {
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
