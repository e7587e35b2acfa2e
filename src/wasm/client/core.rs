//! What JavaScript asks for: the functions behind `Client`. Internal to the package.

use std::rc::Rc;

use super::call::Completion;
use super::connection::{self, Connection, Kind};
use super::enter::Fields;
use super::options::{self, CallOptions, ConnectionOptions};
use super::reject;
use super::state::{self, ClientState, Start};
use crate::driver::Limits;
use crate::error::{Code, Error};
use crate::json::{Document, integer};
use crate::wire::era::{Mode, Prior};
use crate::wire::pages::Pages;
use crate::wire::{Handlers, method};

/// Makes a client. `flags` are the bits 1 `autoFulfill`, 2 `lenient`, 4 `strictResultType`, 8 and 16
/// `mirrorToolHeaders` given and true, and from 256 on how often to ask a silent server again. The fields are
/// `maxRounds`, `maxRequestsPerRound`, the JSON texts of capabilities and information, and the mode. Times that are no
/// numbers stay as they are. Answers whether the mode is known.
pub(super) fn open(
    client: u32,
    flags: u32,
    handler_timeout_ms: f64,
    probe_timeout_ms: f64,
    fields: &mut Fields<'_>,
) -> bool {
    let mut limits = Limits::default();
    limits.auto_fulfill = flags & 1 != 0;
    limits.lenient = flags & 2 != 0;
    limits.result_rules.strict_result_type = flags & 4 != 0;
    options::set(&mut limits.handler_timeout_ms, handler_timeout_ms);
    limits.max_rounds = count(fields.line()).unwrap_or(limits.max_rounds);
    limits.max_requests_per_round = count(fields.line()).map_or(limits.max_requests_per_round, |count| count as usize);
    let explicit = fields.given().and_then(|text| Document::from_text(text).ok());
    let info = fields.line().to_owned();
    let known = options::mode(fields.rest());
    let options = ConnectionOptions {
        mode: known.unwrap_or(Mode::Auto),
        probe_timeout_ms,
        probe_retries: flags >> 8,
        mirror_tool_headers: (flags & 8 != 0).then_some(flags & 16 != 0),
    };
    state::keep(ClientState::new(client, info, explicit, limits, options));
    known.is_some()
}

fn count(digits: &str) -> Option<u32> {
    integer(digits).and_then(|count| count.try_into().ok())
}

/// Nobody has the client any more.
pub(super) fn drop_client(client: u32) {
    state::forget(client);
}

/// Says which requests have handlers: the bits 1 sampling, 2 elicitation, 4 roots.
pub(super) fn set_handlers(client: u32, bits: u32) {
    if let Some(client) = state::client(client) {
        client.set_handlers(Handlers { samples: bits & 1 != 0, elicits: bits & 2 != 0, lists_roots: bits & 4 != 0 });
    }
}

/// Says whether notifications of this method have a handler.
pub(super) fn watch_notification(client: u32, method: &str, watched: bool) {
    if let Some(client) = state::client(client) {
        let mut notifications = client.notifications.borrow_mut();
        notifications.retain(|known| *known != method);
        if watched {
            notifications.push(method.to_owned());
        }
    }
}

/// Whether the client is connected, or about to be.
pub(super) fn is_connected(client: u32) -> bool {
    state::client(client).is_some_and(|client| client.is_connected())
}

/// Agrees with the server on a revision. The promise of the call is fulfilled when calls can be made. `flags` are those
/// of calls, and say what the endpoint is: the bits 32 a transport, 64 a function, 128 a pipe to a process, 256 a
/// transport with a stream for each request. The fields are a session to go on with and its revision, the URL that names
/// the server for later verdicts, the origins of the page and of the server, and the JSON text of an earlier verdict.
pub(super) fn connect(client: u32, call: u32, timeout_ms: f64, total_ms: f64, flags: u32, fields: &mut Fields<'_>) {
    let Some(state) = state::client(client) else { return };
    let kind = match flags & 96 {
        32 => Kind::Shared,
        64 => Kind::Function,
        _ => Kind::Http,
    };
    let session = fields.given().map(|id| (id, connection::earlier_revision(fields.line())));
    if session.is_none() {
        fields.line();
    }
    let url = fields.given();
    let crossing = connection::crossing(fields.given(), fields.given());
    let is_pipe = flags & 128 != 0;
    let streams = kind == Kind::Http || flags & 256 != 0;
    let connection = Rc::new(Connection::new(client, kind, state.options, crossing, is_pipe, streams, url));
    let options = CallOptions::of(&state.limits).set(timeout_ms, total_ms, flags);
    let connected = fields.given().map(Prior::read).transpose();
    if let Err(error) = connected.and_then(|prior| state.connect(connection, call, options, session, prior)) {
        reject(client, call, &error, None);
    }
}

/// Ends the connection. Calls in flight are rejected.
pub(super) fn close(client: u32) {
    if let Some(client) = state::client(client) {
        client.close();
    }
}

/// Calls a method. The fields are the name of the list whose pages are all wanted, the definition of the tool as JSON
/// text, and the method. `params` is the JSON text of an object, as bytes: strings cross slowly; empty if there are none.
pub(super) fn request(
    client: u32,
    call: u32,
    timeout_ms: f64,
    total_ms: f64,
    flags: u32,
    fields: &mut Fields<'_>,
    params: Vec<u8>,
) {
    let (pages, tool, method) = (fields.line(), fields.given(), fields.rest());
    begin(client, call, timeout_ms, total_ms, flags, |state, connection, mut options| {
        method::check(method, connection.revision.get())?;
        let params = if params.is_empty() { None } else { Some(Rc::new(Document::parse(params).map_err(not_json)?)) };
        if let Some(tool) = tool {
            options = options.mirror(tool)?;
        }
        let completion =
            if pages.is_empty() { Completion::Plain } else { Completion::Pages(Pages::new(method, pages)) };
        state.start(connection, Start::Call(method, params), call, options, completion)
    });
}

/// Goes on with a call from its checkpoint, given as JSON text.
pub(super) fn resume(client: u32, call: u32, checkpoint: &str, timeout_ms: f64, total_ms: f64, flags: u32) {
    begin(client, call, timeout_ms, total_ms, flags, |state, connection, options| {
        state.start(connection, Start::Resume(checkpoint), call, options, Completion::Plain)
    });
}

fn begin(
    client: u32,
    call: u32,
    timeout_ms: f64,
    total_ms: f64,
    flags: u32,
    start: impl FnOnce(&Rc<ClientState>, Rc<Connection>, CallOptions) -> Result<(), Error>,
) {
    let begun = connected(client).and_then(|(state, connection)| {
        let options = CallOptions::of(&state.limits).set(timeout_ms, total_ms, flags);
        start(&state, connection, options)
    });
    if let Err(error) = begun {
        reject(client, call, &error, None);
    }
}

/// What is known of the server: `prior`, all of it, for a later `connect`; `protocolVersion`; `era`, which is `modern` or
/// `legacy`; or a member of what it said of itself, as JSON text.
pub(super) fn fact(client: u32, name: &str) -> Option<String> {
    let client = state::client(client)?;
    let connection = client.connection.borrow();
    let connection = connection.as_ref()?;
    match name {
        "prior" => Some(connection.prior()),
        "protocolVersion" => Some(connection.revision.get().as_str().to_owned()),
        "era" => Some(String::from(if connection.is_modern() { "modern" } else { "legacy" })),
        _ => connection.fact(name),
    }
}

fn connected(client: u32) -> Result<(Rc<ClientState>, Rc<Connection>), Error> {
    let state = state::client(client);
    let connection = state.as_ref().and_then(|state| state.connection.borrow().clone());
    let missing = || Error::new(Code::NotConnected, "The client is not connected: await connect() first");
    state.zip(connection).ok_or_else(missing)
}

fn not_json(error: crate::json::SyntaxError) -> Error {
    Error::new(Code::InvalidArgument, error.message())
}
