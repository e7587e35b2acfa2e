//! Where JavaScript tells what happened. Clients and calls go by number, so news about one that is over finds nobody.
//! Internal to the package.

use std::rc::Rc;

use wasm_bindgen::prelude::*;

use super::call::RunningCall;
use super::{pushed, state};
use crate::driver::Event;
use crate::error::{Code, Error};
use crate::wire::fault::{self, Details};
use crate::wire::http::{Body, Exchange};

// Every function needs this; a copy in each would be a tenth of the module.
#[inline(never)]
fn running(client: u32, call: u32) -> Option<Rc<RunningCall>> {
    state::client(client)?.call(call)
}

/// Feeds the reply to a leg, or, without a call, the stream that is only listened to.
#[inline(never)]
fn feed(client: u32, call: u32, leg: u32, act: &mut dyn FnMut(&mut Exchange) -> u8) -> Option<u8> {
    let client = state::client(client)?;
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

/// The head of a reply. Answers how to read the body: 0 not at all, 1 whole, 2 as it comes. `header` is the one that
/// explains the status.
#[wasm_bindgen]
#[allow(clippy::too_many_arguments)]
pub fn head(
    client: u32,
    call: u32,
    leg: u32,
    status: u16,
    status_text: String,
    header: Option<String>,
    content_type: &str,
    session_id: Option<String>,
) -> u8 {
    // Before the body is looked at: with the answer the call goes on in the session.
    if let (Some(session_id), Some(call)) = (session_id, running(client, call)) {
        call.begin_session(leg, status, session_id);
    }
    let mut details = Some(Details { status_text, header });
    let how = feed(client, call, leg, &mut |exchange| {
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
#[wasm_bindgen]
pub fn body(client: u32, call: u32, leg: u32, bytes: Vec<u8>) {
    let mut bytes = Some(bytes);
    feed(client, call, leg, &mut |exchange| {
        exchange.body(bytes.take().unwrap_or_default());
        0
    });
}

/// A piece of a stream. Answers whether the rest is of no interest.
#[wasm_bindgen]
pub fn chunk(client: u32, call: u32, leg: u32, bytes: &[u8]) -> bool {
    let settled = feed(client, call, leg, &mut |exchange| {
        exchange.chunk(bytes);
        u8::from(exchange.is_settled())
    });
    settled != Some(0)
}

/// The end of a stream.
#[wasm_bindgen]
pub fn end(client: u32, call: u32, leg: u32) {
    feed(client, call, leg, &mut |exchange| {
        exchange.end();
        0
    });
}

/// Sending or reading failed. `headers` are the names of those that were sent, separated by blanks. `status` and `text`
/// are those of a reply that a transport of the host reports by throwing; 0 if there was none.
#[wasm_bindgen]
pub fn lost(client: u32, call: u32, leg: u32, status: u16, text: String, headers: &str) {
    // An interrupted stream may be taken up again; then nothing is lost yet.
    if feed(client, call, leg, &mut |exchange| u8::from(exchange.interrupt())) == Some(1) {
        return;
    }
    match running(client, call) {
        Some(call) => call.lost(leg, status, text, headers),
        None if call == 0 => state::client(client).iter().for_each(|client| client.stop_listening()),
        None => {}
    }
}

/// The host's own code threw while something was sent.
#[wasm_bindgen]
pub fn refused(client: u32, call: u32, leg: u32) {
    if let Some(call) = running(client, call) {
        call.refused(leg);
    }
}

/// A channel took a message. That is all there is to wait for, if it has no answer.
#[wasm_bindgen]
pub fn sent(client: u32, call: u32, leg: u32) {
    feed(client, call, leg, &mut |exchange| {
        exchange.delivered();
        0
    });
}

/// The server did not take a message that has no answer.
#[wasm_bindgen]
pub fn undelivered(client: u32, status: u16) {
    if let Some(client) = state::client(client) {
        client.undelivered(status);
    }
}

/// Whether a redirect is followed. `from` and `to` are origins.
#[wasm_bindgen]
pub fn follows(method: &str, status: u16, from: &str, to: &str, hops: u32) -> bool {
    fault::follows_redirect(method, status, from, to, hops)
}

/// A message on a shared channel.
#[wasm_bindgen]
pub fn message(client: u32, bytes: Vec<u8>) {
    if let Some(client) = state::client(client) {
        client.receive(bytes);
    }
}

/// A shared channel ended.
#[wasm_bindgen(js_name = transportClosed)]
pub fn transport_closed(client: u32) {
    if let Some(client) = state::client(client) {
        client.transport_closed();
    }
}

/// A handler returned; there are no bytes if that is not JSON. Without a call, the request was a pushed one.
#[wasm_bindgen]
pub fn answered(client: u32, call: u32, round: u32, index: usize, result: Option<Vec<u8>>) {
    let result = result.and_then(|bytes| String::from_utf8(bytes).ok());
    let Some(client) = state::client(client) else { return };
    if call == 0 {
        return client.pushed_answered(index, Ok(result));
    }
    let error = || Error::new(Code::InvalidHandlerResult, "The handler returned no JSON value; expected its result");
    let event = match result {
        Some(result) => Event::Answered { round, index, result },
        None => Event::NotAnswered { round, index, error: error() },
    };
    if let Some(call) = client.call(call) {
        call.handle(event);
    }
}

/// A handler threw. `code` is that of an error of ours, or empty.
#[wasm_bindgen]
pub fn threw(client: u32, call: u32, round: u32, index: usize, code: &str, message: String) {
    let Some(client) = state::client(client) else { return };
    if call == 0 {
        return client.pushed_answered(index, Err(pushed::thrown(code, message)));
    }
    if let Some(call) = client.call(call) {
        call.threw(round, index, code);
    }
}

/// A checkpoint was stored, or storing it failed.
#[wasm_bindgen]
pub fn saved(client: u32, call: u32, stored: bool) {
    let Some(call) = running(client, call) else { return };
    if stored { call.handle(Event::Saved) } else { call.reject_thrown() }
}

/// A timer fired.
#[wasm_bindgen]
pub fn tick(client: u32, call: u32) {
    if let Some(call) = running(client, call) {
        call.tick();
    }
}

/// The caller's signal was aborted.
#[wasm_bindgen]
pub fn abort(client: u32, call: u32) {
    if let Some(call) = running(client, call) {
        call.abort();
    }
}
