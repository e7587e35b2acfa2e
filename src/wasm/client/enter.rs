//! The one way in from JavaScript. One, because each export costs some hundred bytes for its arguments.

use wasm_bindgen::prelude::*;

use super::{core, host, port, rules};

/// What JavaScript tells or asks, by the numbers that `src/js/what.js` has too.
mod what {
    pub(super) const OPEN: u32 = 0;
    pub(super) const DROP: u32 = 1;
    pub(super) const HANDLERS: u32 = 2;
    pub(super) const WATCH: u32 = 3;
    pub(super) const IS_CONNECTED: u32 = 4;
    pub(super) const CONNECT: u32 = 5;
    pub(super) const CLOSE: u32 = 6;
    pub(super) const REQUEST: u32 = 7;
    pub(super) const RESUME: u32 = 8;
    pub(super) const FACT: u32 = 9;
    pub(super) const HEAD: u32 = 10;
    pub(super) const BODY: u32 = 11;
    pub(super) const CHUNK: u32 = 12;
    pub(super) const END: u32 = 13;
    pub(super) const LOST: u32 = 14;
    pub(super) const REFUSED: u32 = 15;
    pub(super) const SENT: u32 = 16;
    pub(super) const UNDELIVERED: u32 = 17;
    pub(super) const FOLLOWS: u32 = 18;
    pub(super) const MESSAGE: u32 = 19;
    pub(super) const CLOSED: u32 = 20;
    pub(super) const ANSWERED: u32 = 21;
    pub(super) const THREW: u32 = 22;
    pub(super) const SAVED: u32 = 23;
    pub(super) const TICK: u32 = 24;
    pub(super) const ABORT: u32 = 25;
    pub(super) const CHECK_REQUEST: u32 = 26;
    pub(super) const CHECK_RESULT: u32 = 27;
    pub(super) const SELECT: u32 = 28;
}

/// Tells or asks something. `call` and `leg` are numbers, and so is `number`, whose meaning depends on what it is; `x`
/// and `y` are milliseconds or counts; `text` has fields in lines of their own. Answers a number, and texts by
/// `host::told`.
#[wasm_bindgen]
#[allow(clippy::too_many_arguments)]
pub fn enter(
    what: u32,
    client: u32,
    call: u32,
    leg: u32,
    number: u32,
    x: f64,
    y: f64,
    text: &str,
    bytes: Vec<u8>,
) -> u32 {
    let mut fields = Fields(text);
    match what {
        what::OPEN => return u32::from(core::open(client, number, x, y, &mut fields)),
        what::DROP => core::drop_client(client),
        what::HANDLERS => core::set_handlers(client, number),
        what::WATCH => core::watch_notification(client, text, number != 0),
        what::IS_CONNECTED => return u32::from(core::is_connected(client)),
        what::CONNECT => core::connect(client, call, x, y, number, &mut fields),
        what::CLOSE => core::close(client),
        what::REQUEST => core::request(client, call, x, y, number, &mut fields, bytes),
        what::RESUME => core::resume(client, call, text, x, y, number),
        what::FACT => tell(core::fact(client, text)),
        what::HEAD => return port::head(client, call, leg, number, &mut fields),
        what::BODY => port::body(client, call, leg, bytes),
        what::CHUNK => return u32::from(port::chunk(client, call, leg, &bytes)),
        what::END => port::end(client, call, leg),
        what::LOST => port::lost(client, call, leg, number, &mut fields),
        what::REFUSED => port::refused(client, call, leg),
        what::SENT => port::sent(client, call, leg),
        what::UNDELIVERED => port::undelivered(client, number),
        what::FOLLOWS => return u32::from(port::follows(number, leg, &mut fields)),
        what::MESSAGE => port::message(client, bytes),
        what::CLOSED => port::transport_closed(client),
        what::ANSWERED => port::answered(client, call, leg, number, bytes),
        what::THREW => port::threw(client, call, leg, number, &mut fields),
        what::SAVED => port::saved(client, call, number != 0),
        what::TICK => port::tick(client, call),
        what::ABORT => port::abort(client, call),
        what::CHECK_REQUEST => tell(rules::check_request(bytes, text, number)),
        what::CHECK_RESULT => tell(rules::check_result(bytes, leg, text, number)),
        what::SELECT => tell(rules::select_model(&mut fields)),
        _ => {}
    }
    0
}

fn tell(text: Option<String>) {
    if let Some(text) = text {
        host::told(&text);
    }
}

/// Texts in lines of their own. Only the last one may have line breaks in it.
pub(super) struct Fields<'a>(&'a str);

impl<'a> Fields<'a> {
    /// The next one.
    pub(super) fn line(&mut self) -> &'a str {
        let (line, rest) = self.0.split_once('\n').unwrap_or((self.0, ""));
        self.0 = rest;
        line
    }

    /// The next one, unless it is empty.
    pub(super) fn given(&mut self) -> Option<String> {
        Some(self.line()).filter(|line| !line.is_empty()).map(str::to_owned)
    }

    /// All that is left.
    pub(super) fn rest(&self) -> &'a str {
        self.0
    }
}
