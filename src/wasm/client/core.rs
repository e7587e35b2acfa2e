//! What JavaScript asks for: the functions behind `Client`. Internal to the package.

use std::rc::Rc;

use super::super::given;
use super::call::{Opening, Purpose};
use super::connection::Connection;
use super::enter::{Fields, what};
use super::host;
use super::options::{self, ConnectionOptions};
use super::reject;
use super::state::{ClientState, shell};
use crate::driver::{Call, Limits};
use crate::error::{Code, Error};
use crate::json::Document;
use crate::wire::era::{Mode, Prior};
use crate::wire::fault::Crossing;
use crate::wire::method;

/// Makes a client. `flags` are the bits 1 `autoFulfill`, 2 `lenient`, 4 `strictResultType`, 8 and 16
/// `mirrorToolHeaders` given and true, and from 256 on how often to ask a silent server again. The times are those of handlers
/// and of the first question, the fields
/// `maxRounds`, `maxRequestsPerRound`, the JSON texts of capabilities and information, and the mode. Times that are no
/// numbers stay as they are. Answers whether the mode is known.
pub(super) fn open(client: u32, flags: u32, fields: &mut Fields<'_>) -> bool {
    let mut limits = Limits { flags: flags & 7, ..Limits::default() };
    options::set(&mut limits.handler_timeout_ms, given::time(4));
    limits.max_rounds = fields.number(limits.max_rounds);
    limits.max_requests_per_round = fields.number(limits.max_requests_per_round as u32) as usize;
    let explicit = fields.document();
    let info = fields.line().to_owned();
    let known = options::mode(fields.rest());
    let options = ConnectionOptions { mode: known.unwrap_or(Mode::Auto), probe_timeout_ms: given::time(5), flags };
    shell().clients.insert(client, Rc::new(ClientState::new(client, info, explicit, limits, options)));
    known.is_some()
}

/// Begins a call: `CONNECT`, `REQUEST` or `RESUME`. `flags` are those of calls.
pub(super) fn begin(what: u32, client: &Rc<ClientState>, call: u32, flags: u32, fields: &mut Fields<'_>) {
    let limits = options::of_call(&client.limits, given::time(4), given::time(5), flags);
    let begun = match what {
        what::CONNECT => connect(client, call, &limits, flags, fields),
        _ => match client.connection() {
            None => Err(not_connected()),
            Some(connection) if what == what::REQUEST => request(client, &connection, call, &limits, fields),
            Some(connection) => {
                let resumed = Call::resume(fields.rest(), limits);
                resumed.map(|driver| {
                    client.run(&connection, driver, call, &limits, &mut Opening::of(Purpose::Caller, ""));
                })
            }
        },
    };
    if let Err(error) = begun {
        reject(client.number, call, &error, "");
    }
}

/// Agrees with the server on a revision. The promise of the call is fulfilled when calls can be made. `flags` say what
/// the endpoint is, too: the bits 32 a transport, 64 a function, 128 a pipe to a process, 256 a transport with a stream
/// for each request. The fields are a session to go on with and its revision, the URL that names the server for later
/// verdicts, the origins of the page and of the server, and the JSON text of an earlier verdict.
fn connect(
    client: &Rc<ClientState>,
    call: u32,
    limits: &Limits,
    flags: u32,
    fields: &mut Fields<'_>,
) -> Result<(), Error> {
    let (session, revision, url) = (fields.line(), fields.line(), fields.line());
    let crossing = Crossing { page: fields.line().to_owned(), server: fields.line().to_owned() };
    let prior = match fields.line() {
        "" => None,
        text => Some(Prior::read(text)?),
    };
    let connection = Rc::new(Connection::new(client, crossing, flags, url));
    client.connect(&connection, call, limits, session, revision, prior);
    Ok(())
}

/// Calls a method. The fields are the name of the list whose pages are all wanted, the definition of the tool as JSON
/// text, and the method. The bytes are `params`, the JSON text
/// of an object: strings cross slowly; there are none if there is none.
fn request(
    client: &Rc<ClientState>,
    connection: &Rc<Connection>,
    call: u32,
    limits: &Limits,
    fields: &mut Fields<'_>,
) -> Result<(), Error> {
    let (list, tool, method) = (fields.line(), fields.line(), fields.rest());
    method::check(method, connection.revision.get())?;
    let params = given::bytes();
    let params = match params.is_empty() {
        true => None,
        false => Some(Document::parse(params).map_err(|error| Error::new(Code::InvalidArgument, error.message()))?),
    };
    let mirrors = if tool.is_empty() { None } else { Some(options::mirrors(tool)?) };
    let mut opening = Opening { purpose: Purpose::Caller, params, list, mirrors };
    client.start(connection, method, call, limits, &mut opening);
    Ok(())
}

/// What is known of the server: `prior`, all of it, for a later `connect`; `protocolVersion`; `era`, which is `modern` or
/// `legacy`; or a member of what it said of itself, as JSON text.
pub(super) fn fact(client: &ClientState, name: &str) {
    let Some(connection) = client.connection() else { return };
    let revision = connection.revision.get();
    let fact = match name {
        "protocolVersion" => revision.as_str().to_owned(),
        "era" => String::from(if revision.is_modern() { "modern" } else { "legacy" }),
        "prior" => connection.prior(),
        _ => connection.fact(name),
    };
    if !fact.is_empty() {
        host::told(&fact);
    }
}

pub(super) fn not_connected() -> Error {
    Error::new(Code::NotConnected, "The client is not connected: await connect() first")
}
