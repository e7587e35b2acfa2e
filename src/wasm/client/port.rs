//! Where JavaScript tells what happened. Clients and calls go by number, so news about one that is over finds nobody.
//! Internal to the package.

use std::rc::Rc;

use super::call::RunningCall;
use super::enter::Fields;
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

/// The head of a reply. Answers how to read the body: 0 not at all, 1 whole, 2 as it comes. The fields are the media type,
/// the session, the header that explains the status, and the words after the status.
pub(super) fn head(client: u32, call: u32, leg: u32, status: u32, fields: &mut Fields<'_>) -> u32 {
    let status = http_status(status);
    let (content_type, session_id) = (fields.line(), fields.given());
    // Before the body is looked at: with the answer the call goes on in the session.
    if let (Some(session_id), Some(call)) = (session_id, running(client, call)) {
        call.begin_session(leg, status, session_id);
    }
    let mut details = Some(Details { header: fields.given(), status_text: fields.rest().to_owned() });
    let how = feed(client, call, leg, &mut |exchange| {
        exchange.set_details(details.take().unwrap_or_default());
        match exchange.head(status, content_type) {
            Body::Whole => 1,
            Body::Stream => 2,
            Body::None => 0,
        }
    });
    u32::from(how.unwrap_or_default())
}

fn http_status(number: u32) -> u16 {
    u16::try_from(number).unwrap_or_default()
}

/// The whole body of a reply.
pub(super) fn body(client: u32, call: u32, leg: u32, bytes: Vec<u8>) {
    let mut bytes = Some(bytes);
    feed(client, call, leg, &mut |exchange| {
        exchange.body(bytes.take().unwrap_or_default());
        0
    });
}

/// A piece of a stream. Answers whether the rest is of no interest.
pub(super) fn chunk(client: u32, call: u32, leg: u32, bytes: &[u8]) -> bool {
    let settled = feed(client, call, leg, &mut |exchange| {
        exchange.chunk(bytes);
        u8::from(exchange.is_settled())
    });
    settled != Some(0)
}

/// The end of a stream.
pub(super) fn end(client: u32, call: u32, leg: u32) {
    feed(client, call, leg, &mut |exchange| {
        exchange.end();
        0
    });
}

/// Sending or reading failed. The fields are the names of the headers that were sent, separated by blanks, and the text
/// of a reply that a transport of the host reports by throwing; `status` is its status, 0 if there was none.
pub(super) fn lost(client: u32, call: u32, leg: u32, status: u32, fields: &mut Fields<'_>) {
    // An interrupted stream may be taken up again; then nothing is lost yet.
    if feed(client, call, leg, &mut |exchange| u8::from(exchange.interrupt())) == Some(1) {
        return;
    }
    match running(client, call) {
        Some(call) => call.lost(leg, http_status(status), fields.line(), fields.rest()),
        None if call == 0 => state::client(client).iter().for_each(|client| client.stop_listening()),
        None => {}
    }
}

/// The host's own code threw while something was sent.
pub(super) fn refused(client: u32, call: u32, leg: u32) {
    if let Some(call) = running(client, call) {
        call.refused(leg);
    }
}

/// A channel took a message. That is all there is to wait for, if it has no answer.
pub(super) fn sent(client: u32, call: u32, leg: u32) {
    feed(client, call, leg, &mut |exchange| {
        exchange.delivered();
        0
    });
}

/// The server did not take a message that has no answer.
pub(super) fn undelivered(client: u32, status: u32) {
    if let Some(client) = state::client(client) {
        client.undelivered(http_status(status));
    }
}

/// Whether a redirect is followed. The fields are the method and the origins it leads from and to.
pub(super) fn follows(status: u32, hops: u32, fields: &mut Fields<'_>) -> bool {
    fault::follows_redirect(fields.line(), http_status(status), fields.line(), fields.rest(), hops)
}

/// A message on a shared channel.
pub(super) fn message(client: u32, bytes: Vec<u8>) {
    if let Some(client) = state::client(client) {
        client.receive(bytes);
    }
}

/// A shared channel ended.
pub(super) fn transport_closed(client: u32) {
    if let Some(client) = state::client(client) {
        client.transport_closed();
    }
}

/// A handler returned; there are no bytes if that is no JSON. Without a call, the request was a pushed one.
pub(super) fn answered(client: u32, call: u32, round: u32, index: u32, result: Vec<u8>) {
    let index = index as usize;
    let result = String::from_utf8(result).ok().filter(|text| !text.is_empty());
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

/// A handler threw. The fields are the code of an error of ours, or nothing, and its message.
pub(super) fn threw(client: u32, call: u32, round: u32, index: u32, fields: &mut Fields<'_>) {
    let (index, code) = (index as usize, fields.line());
    let Some(client) = state::client(client) else { return };
    if call == 0 {
        return client.pushed_answered(index, Err(pushed::thrown(code, fields.rest())));
    }
    if let Some(call) = client.call(call) {
        call.threw(round, index, code);
    }
}

/// A checkpoint was stored, or storing it failed.
pub(super) fn saved(client: u32, call: u32, stored: bool) {
    let Some(call) = running(client, call) else { return };
    if stored { call.handle(Event::Saved) } else { call.reject_thrown() }
}

/// A timer fired.
pub(super) fn tick(client: u32, call: u32) {
    if let Some(call) = running(client, call) {
        call.tick();
    }
}

/// The caller's signal was aborted.
pub(super) fn abort(client: u32, call: u32) {
    if let Some(call) = running(client, call) {
        call.abort();
    }
}
