//! What JavaScript asks for: the functions behind `Client`. Internal to the package.

use std::rc::Rc;

use wasm_bindgen::prelude::*;

use super::call::Completion;
use super::connection::{self, Connection, Kind};
use super::options::{self, CallOptions, ConnectionOptions};
use super::reject;
use super::state::{self, ClientState, Start};
use crate::driver::Limits;
use crate::error::{Code, Error};
use crate::json::Document;
use crate::wire::era::{Mode, Prior};
use crate::wire::pages::Pages;
use crate::wire::{Handlers, method};

/// Makes a client. `info` and `capabilities` are JSON texts of objects; numbers that are none stay as they are. `flags`
/// are the bits 1 `autoFulfill`, 2 `lenient`, 4 `strictResultType`, 8 and 16 `mirrorToolHeaders` given and true.
/// Answers whether the mode is known.
#[wasm_bindgen(js_name = openClient)]
#[allow(clippy::too_many_arguments)]
pub fn open_client(
    client: u32,
    info: String,
    capabilities: Option<String>,
    flags: u32,
    max_rounds: f64,
    max_requests_per_round: f64,
    handler_timeout_ms: f64,
    mode: &str,
    probe_timeout_ms: f64,
    probe_retries: u32,
) -> bool {
    let known = options::mode(mode);
    let mut limits = Limits::default();
    limits.auto_fulfill = flags & 1 != 0;
    limits.lenient = flags & 2 != 0;
    limits.result_rules.strict_result_type = flags & 4 != 0;
    options::set(&mut limits.handler_timeout_ms, handler_timeout_ms);
    // A count past what fits means no limit; the conversion saturates.
    if max_rounds >= 0.0 {
        limits.max_rounds = max_rounds as u32;
    }
    if max_requests_per_round >= 0.0 {
        limits.max_requests_per_round = max_requests_per_round as usize;
    }
    let mirror_tool_headers = (flags & 8 != 0).then_some(flags & 16 != 0);
    let mode = known.unwrap_or(Mode::Auto);
    let options = ConnectionOptions { mode, probe_timeout_ms, probe_retries, mirror_tool_headers };
    let explicit = capabilities.and_then(|text| Document::from_text(text).ok());
    state::keep(ClientState::new(client, info, explicit, limits, options));
    known.is_some()
}

/// Nobody has the client any more.
#[wasm_bindgen(js_name = dropClient)]
pub fn drop_client(client: u32) {
    state::forget(client);
}

/// Says which requests have handlers: the bits 1 sampling, 2 elicitation, 4 roots.
#[wasm_bindgen(js_name = setHandlers)]
pub fn set_handlers(client: u32, bits: u32) {
    if let Some(client) = state::client(client) {
        client.set_handlers(Handlers { samples: bits & 1 != 0, elicits: bits & 2 != 0, lists_roots: bits & 4 != 0 });
    }
}

/// Says whether notifications of this method have a handler.
#[wasm_bindgen(js_name = watchNotification)]
pub fn watch_notification(client: u32, method: String, watched: bool) {
    if let Some(client) = state::client(client) {
        let mut notifications = client.notifications.borrow_mut();
        notifications.retain(|known| *known != method);
        if watched {
            notifications.push(method);
        }
    }
}

/// Whether the client is connected, or about to be.
#[wasm_bindgen(js_name = isConnected)]
pub fn is_connected(client: u32) -> bool {
    state::client(client).is_some_and(|client| client.is_connected())
}

/// Agrees with the server on a revision. The promise of the call is fulfilled when calls can be made. `flags` are those
/// of calls, and say what the endpoint is: the bits 32 a transport, 64 a function, 128 a pipe to a process, 256 a
/// transport with a stream for each request. `prior` is the JSON text of an earlier verdict; `url` names the server for
/// later ones; `page` and `server` are origins, where there is a page.
#[wasm_bindgen]
#[allow(clippy::too_many_arguments)]
pub fn connect(
    client: u32,
    call: u32,
    timeout_ms: f64,
    max_total_timeout_ms: f64,
    flags: u32,
    prior: Option<String>,
    url: Option<String>,
    session_id: Option<String>,
    protocol_version: Option<String>,
    page: Option<String>,
    server: Option<String>,
) {
    let Some(state) = state::client(client) else { return };
    let kind = match flags & 96 {
        32 => Kind::Shared,
        64 => Kind::Function,
        _ => Kind::Http,
    };
    match prior.map(Prior::read).transpose() {
        Err(error) => reject(client, call, &error, None),
        Ok(prior) => {
            let crossing = connection::crossing(page, server);
            let is_pipe = flags & 128 != 0;
            let streams = kind == Kind::Http || flags & 256 != 0;
            let connection = Connection::new(client, kind, state.options, crossing, is_pipe, streams, url);
            let options = CallOptions::of(&state.limits).set(timeout_ms, max_total_timeout_ms, flags);
            state.connect(Rc::new(connection), call, options, session_id, protocol_version, prior);
        }
    }
}

/// Ends the connection. Calls in flight are rejected.
#[wasm_bindgen]
pub fn close(client: u32) {
    if let Some(client) = state::client(client) {
        client.close();
    }
}

/// Calls a method. `params` is the JSON text of an object, as bytes: strings cross slowly. `tool` is the definition of
/// the tool, as JSON text; `pages` names the list whose pages are all wanted.
#[wasm_bindgen]
#[allow(clippy::too_many_arguments)]
pub fn request(
    client: u32,
    call: u32,
    method: &str,
    params: Option<Vec<u8>>,
    timeout_ms: f64,
    max_total_timeout_ms: f64,
    flags: u32,
    tool: Option<String>,
    pages: &str,
) {
    let begun = connected(client).and_then(|(state, connection)| {
        method::check(method, connection.revision.get())?;
        let params = params.map(Document::parse).transpose().map_err(not_json)?.map(Rc::new);
        let mut options = CallOptions::of(&state.limits).set(timeout_ms, max_total_timeout_ms, flags);
        if let Some(tool) = tool {
            options = options.mirror(tool)?;
        }
        let completion =
            if pages.is_empty() { Completion::Plain } else { Completion::Pages(Pages::new(method, pages)) };
        state.start(connection, Start::Call(method, params), call, options, completion)
    });
    if let Err(error) = begun {
        reject(client, call, &error, None);
    }
}

/// Goes on with a call from its checkpoint, given as JSON text.
#[wasm_bindgen]
pub fn resume(client: u32, call: u32, checkpoint: &str, timeout_ms: f64, max_total_timeout_ms: f64, flags: u32) {
    let begun = connected(client).and_then(|(state, connection)| {
        let options = CallOptions::of(&state.limits).set(timeout_ms, max_total_timeout_ms, flags);
        state.start(connection, Start::Resume(checkpoint), call, options, Completion::Plain)
    });
    if let Err(error) = begun {
        reject(client, call, &error, None);
    }
}

/// What is known of the server: `prior`, all of it, for a later `connect`; `protocolVersion`; `era`, which is `modern` or
/// `legacy`; or a member of what it said of itself, as JSON text.
#[wasm_bindgen]
pub fn fact(client: u32, name: &str) -> Option<String> {
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
    Error::new(Code::InvalidArgument, error.to_string())
}
