//! Where JavaScript tells what happened. Clients and calls go by number, so news about one that is over finds nobody.
//! Internal to the package.

use std::mem;
use std::rc::Rc;

use super::super::given;
use super::enter::{Fields, what};
use super::state::ClientState;
use crate::driver::Event;
use crate::error::{Code, Error};
use crate::json::integer;
use crate::wire::fault;
use crate::wire::http::{Body, Exchange};

/// Feeds the reply to a leg, or, without a call, the stream that is only listened to. `numbers` are those of the call and
/// of the leg, and the status.
///
/// - `HEAD`, the head of a reply. Answers how to read the body: 0 not at all, 1 whole, 2 as it comes. The fields are the
///   media type, the session, the header that explains the status, and the words after the status.
/// - `BODY`, the whole body of a reply.
/// - `CHUNK`, a piece of a stream. Answers whether the rest is of no interest.
/// - `END`, the end of a stream.
/// - `SENT`: a channel took a message. That is all there is to wait for, if it has no answer.
/// - `LOST`: sending or reading failed. The fields are the names of the headers that were sent, separated by blanks, and
///   the text of a reply that a transport of the host reports by throwing; the status is its status, 0 if there was none.
pub(super) fn feed(what: u32, client: &Rc<ClientState>, numbers: [u32; 3], fields: &mut Fields<'_>) -> u32 {
    let [call, leg, status] = numbers;
    let (running, status) = (client.calls.get(call), status as u16);
    let exchange = match &running {
        Some(running) if running.is_on(leg) => &running.exchange,
        None if call == 0 && client.listens.get() => &client.listening,
        _ => return u32::from(what == what::CHUNK),
    };
    let content_type = if what == what::HEAD { fields.line() } else { "" };
    if what == what::HEAD {
        let session_id = fields.line();
        // Before the body is looked at: with the answer the call goes on in the session.
        if let Some(running) = running.as_ref().filter(|_| !session_id.is_empty()) {
            running.begin_session(leg, status, session_id);
        }
    }
    let answer = fed(what, &mut exchange.borrow_mut(), status, content_type, fields);
    client.take_incoming(running.as_deref(), leg);
    // An interrupted stream may be taken up again; then nothing is lost yet.
    if what == what::LOST && answer == 0 {
        match running {
            Some(running) => running.lost(leg, status, fields.line(), fields.rest()),
            None => client.stop_listening(),
        }
    }
    answer
}

fn fed(what: u32, exchange: &mut Exchange, status: u16, content_type: &str, fields: &mut Fields<'_>) -> u32 {
    match what {
        what::HEAD => {
            exchange.set_details(fields.rest());
            return match exchange.head(status, content_type) {
                Body::Whole => 1,
                Body::Stream => 2,
                Body::None => 0,
            };
        }
        what::BODY => exchange.body(given::bytes()),
        what::CHUNK => {
            exchange.chunk(&given::bytes());
            return u32::from(exchange.is_settled());
        }
        what::END => exchange.end(),
        what::SENT => exchange.delivered(),
        what::LOST => return u32::from(exchange.interrupt()),
        _ => {}
    }
    0
}

/// Whether a redirect is followed. The fields are the method and the origins it leads from and to.
pub(super) fn follows(status: u32, hops: u32, fields: &mut Fields<'_>) -> bool {
    fault::follows_redirect(fields.line(), status as u16, fields.line(), fields.rest(), hops)
}

/// A handler returned its JSON text; nothing if that is no JSON. Or it threw: then the fields are the code of an error of
/// ours, or nothing, and its message. A server that pushed the request is told: a decline is one, an error with a JSON-RPC
/// code keeps it. `numbers` are those of the call, of the round and of the request in it. Without a
/// call, the request was a pushed one.
pub(super) fn answered(what: u32, client: &Rc<ClientState>, numbers: [u32; 3], text: &mut String) {
    let [call, round, index] = numbers;
    let thrown = what == what::THREW;
    let mut fields = Fields(text);
    let code = match thrown {
        false => Code::InvalidHandlerResult,
        true => match fields.line() {
            "SAMPLING_DECLINED" => Code::SamplingDeclined,
            given => match integer(given) {
                Some(number) if call == 0 => Code::Protocol(number),
                _ => Code::HandlerFailed,
            },
        },
    };
    let message = match (call, thrown) {
        (0, true) => fields.rest(),
        (0, false) => "The handler returned no JSON value",
        // Our own errors pass through; anything else becomes the cause of this one.
        (_, true) => "The handler failed; see cause",
        (_, false) => "The handler returned no JSON value; expected its result",
    };
    let error = if thrown || text.is_empty() { Some(Error::new(code, message)) } else { None };
    if call == 0 {
        client.pushed_answered(index, text, error, thrown);
    } else if let Some(call) = client.calls.get(call) {
        let result = match error {
            Some(error) => Err(error),
            None => Ok(mem::take(text)),
        };
        call.handle(Event::Answered { round, index: index as usize, result });
    }
}
