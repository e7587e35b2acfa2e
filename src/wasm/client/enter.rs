//! The one way in from JavaScript. One, because each export costs some hundred bytes for its arguments.

use std::mem;
use std::rc::Rc;

use wasm_bindgen::prelude::*;

use super::super::given;
use super::state::{ClientState, shell};
use super::{core, host, port, rules};
use crate::json::{Document, integer};
use crate::lines;

/// What JavaScript tells or asks, by the numbers that `src/js/what.js` has too.
pub(super) mod what {
    pub(in crate::wasm::client) const OPEN: u32 = 0;
    pub(in crate::wasm::client) const DROP: u32 = 1;
    pub(in crate::wasm::client) const HANDLERS: u32 = 2;
    pub(in crate::wasm::client) const IS_CONNECTED: u32 = 3;
    pub(in crate::wasm::client) const CONNECT: u32 = 4;
    pub(in crate::wasm::client) const CLOSE: u32 = 5;
    pub(in crate::wasm::client) const REQUEST: u32 = 6;
    pub(in crate::wasm::client) const RESUME: u32 = 7;
    pub(in crate::wasm::client) const FACT: u32 = 8;
    pub(in crate::wasm::client) const HEAD: u32 = 9;
    pub(in crate::wasm::client) const BODY: u32 = 10;
    pub(in crate::wasm::client) const CHUNK: u32 = 11;
    pub(in crate::wasm::client) const END: u32 = 12;
    pub(in crate::wasm::client) const LOST: u32 = 13;
    pub(in crate::wasm::client) const REFUSED: u32 = 14;
    pub(in crate::wasm::client) const SENT: u32 = 15;
    pub(in crate::wasm::client) const UNDELIVERED: u32 = 16;
    pub(in crate::wasm::client) const FOLLOWS: u32 = 17;
    pub(in crate::wasm::client) const MESSAGE: u32 = 18;
    pub(in crate::wasm::client) const CLOSED: u32 = 19;
    pub(in crate::wasm::client) const ANSWERED: u32 = 20;
    pub(in crate::wasm::client) const THREW: u32 = 21;
    pub(in crate::wasm::client) const SAVED: u32 = 22;
    pub(in crate::wasm::client) const TICK: u32 = 23;
    pub(in crate::wasm::client) const ABORT: u32 = 24;
    pub(in crate::wasm::client) const CHECK_REQUEST: u32 = 25;
    pub(in crate::wasm::client) const CHECK_RESULT: u32 = 26;
    pub(in crate::wasm::client) const SELECT: u32 = 27;
}

/// Tells or asks something. The rest JavaScript has ready until the next time: `given::number` for the client, the call,
/// the leg and a number whose meaning depends on what it is, `given::time` for milliseconds, `given::text` for fields in lines
/// of their own, and `given::bytes`. Answers a number, and texts by `host::told`.
#[wasm_bindgen]
pub fn enter(what: u32) -> u32 {
    let (client, call) = (given::number(0) as u32, given::number(1) as u32);
    let (leg, number) = (given::number(2) as u32, given::number(3) as u32);
    let mut text = given::text();
    let mut fields = Fields(&text);
    let answer = match what {
        what::OPEN => return u32::from(core::open(client, number, &mut fields)),
        what::DROP => {
            shell().clients.remove(client);
            None
        }
        what::FOLLOWS => return u32::from(port::follows(number, leg, &mut fields)),
        what::CHECK_REQUEST | what::CHECK_RESULT => rules::check(what == what::CHECK_RESULT, leg, &text, number),
        what::SELECT => rules::select_model(&mut fields),
        _ => match shell().clients.get(client) {
            Some(client) => return of_client(what, &client, [call, leg, number], &mut text),
            None => return no_client(what, client, call),
        },
    };
    if let Some(answer) = answer {
        host::told(&answer);
    }
    0
}

/// What concerns a client that nobody has any more.
fn no_client(what: u32, client: u32, call: u32) -> u32 {
    if matches!(what, what::REQUEST | what::RESUME) {
        super::reject(client, call, &core::not_connected(), "");
    }
    u32::from(what == what::CHUNK)
}

fn of_client(what: u32, client: &Rc<ClientState>, numbers: [u32; 3], text: &mut String) -> u32 {
    let [call, leg, number] = numbers;
    let mut fields = Fields(text);
    match what {
        what::HANDLERS => client.set_handlers(number, mem::take(text)),
        what::FACT => core::fact(client, text),
        what::IS_CONNECTED => return u32::from(client.is_connected()),
        what::CONNECT | what::REQUEST | what::RESUME => core::begin(what, client, call, number, &mut fields),
        what::CLOSE => client.close(),
        what::UNDELIVERED => client.undelivered(number),
        what::MESSAGE => client.receive(given::bytes()),
        what::CLOSED => client.transport_closed(),
        what::ANSWERED | what::THREW => port::answered(what, client, numbers, text),
        what::REFUSED | what::SAVED | what::TICK | what::ABORT => {
            if let Some(call) = client.calls.get(call) {
                call.told(what, leg, number);
            }
        }
        _ => return port::feed(what, client, numbers, &mut fields),
    }
    0
}

/// Texts in lines of their own. Only the last one may have line breaks in it.
pub(super) struct Fields<'a>(pub(super) &'a str);

impl<'a> Fields<'a> {
    /// The next one.
    pub(super) fn line(&mut self) -> &'a str {
        lines::next(&mut self.0)
    }

    /// The next one, as a whole number; another if it is none.
    #[inline(never)]
    pub(super) fn number(&mut self, otherwise: u32) -> u32 {
        integer(self.line()).and_then(|number| u32::try_from(number).ok()).unwrap_or(otherwise)
    }

    /// The next one, as JSON text; `null` if it is none.
    pub(super) fn document(&mut self) -> Document {
        Document::or_null(self.line())
    }

    /// All that is left.
    pub(super) fn rest(&self) -> &'a str {
        self.0
    }
}
