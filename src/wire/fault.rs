//! What went wrong on the way to the server, in words that say who has to change what.

use crate::error::{Code, Error, before, part};
use crate::json::decimal;
use crate::lines;

/// A status that carries no reply. `text` is the start of its body; for `details` see
/// [`Exchange::set_details`](super::http::Exchange::set_details).
pub(super) fn status(status: u16, text: &str, details: &str) -> Error {
    let mut status_text = details;
    let header = lines::next(&mut status_text);
    let (mut redirected, mut challenge) = ("", "");
    let (code, what) = match status {
        401 => {
            challenge = header;
            (Code::ClientHttpAuthentication, "the server requires authorization")
        }
        403 => {
            challenge = header;
            (Code::ClientHttpForbidden, "the server denied access")
        }
        0 | 300..=399 => {
            redirected = target(header);
            let what = "a redirect that is not followed, so that no credentials leave the origin of the server";
            (Code::ClientHttpNotImplemented, what)
        }
        _ => (Code::ClientHttpNotImplemented, "expected a JSON-RPC reply"),
    };
    let lead = if redirected.is_empty() { "" } else { "; if it is the right one, connect to " };
    let texts = &[&decimal(i64::from(status)), what, lead, redirected];
    let error = Error::told(code, "The server answered HTTP %: %%%", texts);
    let mut error = error.with_number("status", i64::from(status)).with("text", text);
    if !status_text.is_empty() {
        error = error.with("statusText", status_text);
    }
    if !challenge.is_empty() {
        error = error.with("wwwAuthenticate", challenge);
    }
    error
}

/// Where a redirect leads, unless that may hold secrets, as queries may. Browsers do not say it.
fn target(location: &str) -> &str {
    let place = before(location, "?#");
    if before(place, "@") == place { place } else { "" }
}

/// A message that is not read for its size.
pub(super) fn too_large() -> Error {
    Error::new(Code::ParseError, "The server sent a message larger than 64 MiB")
}

/// A success without a reply that can be read.
pub(super) fn unexpected_content(status: u16, media_type: &str) -> Error {
    let with = if media_type.is_empty() { "out a reply" } else { " content of type " };
    let sentence = "The server answered HTTP % with%%; expected application/json or text/event-stream";
    Error::told(Code::ClientHttpUnexpectedContent, sentence, &[&decimal(i64::from(status)), with, media_type])
        .with_number("status", i64::from(status))
        .with("contentType", media_type)
}

/// A page and the server it calls, where these are of different origins: there the browser asks the server whether the
/// page may call it (CORS).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The origin of the page.
    pub page: String,
    /// The origin of the server.
    pub server: String,
}

/// Headers that pages may send without asking.
const SAFE: &str = "accept\naccept-language\ncontent-language\n";
/// What a page must be able to read of replies.
const EXPOSED: &str = "Mcp-Session-Id, WWW-Authenticate";

/// The request could not be sent. A browser does not say why, so for a page this says what the server must allow;
/// `headers` are the names of those that were sent, separated by blanks.
pub fn unsent(crossing: Option<&Crossing>, headers: &str) -> Error {
    let Some(crossing) = crossing else {
        let message = "The request could not be sent: the server cannot be reached; see cause";
        return Error::new(Code::SendFailed, message);
    };
    let mut names = const { String::new() };
    let mut rest = headers;
    while !rest.is_empty() {
        let name = lines::until(&mut rest, b' ');
        if !name.is_empty() && lines::place_of(SAFE, name) == lines::NOWHERE {
            names.push_str(if names.is_empty() { "" } else { ", " });
            names.push_str(name);
        }
    }
    let Crossing { page, server } = crossing;
    let sentence = "The request could not be sent: either % cannot be reached, or it does not allow pages of % (CORS). \
                    To allow them it must answer with Access-Control-Allow-Origin: %; to OPTIONS also with \
                    Access-Control-Allow-Headers: %; and with Access-Control-Expose-Headers: %";
    let error = Error::told(Code::SendFailed, sentence, &[server, page, page, &names, EXPOSED]).with("origin", page);
    error.with("allowHeaders", &names).with("exposeHeaders", EXPOSED)
}

/// In a page, a session id that the server did not expose cannot be told from none. If the server then refuses what
/// comes without it, that is the likely reason.
pub fn session_hidden(error: &Error) -> Error {
    let sentence = "%. If it opened a session, this page cannot read its id: the server must answer with \
                    Access-Control-Expose-Headers: Mcp-Session-Id";
    // A refusal without facts is `null`.
    Error::told(Code::ClientHttpNotImplemented, sentence, &[error.message()])
        .with_raw("refusal", error.data())
        .with("exposeHeaders", EXPOSED)
}

/// Whether a redirect is followed: only with the same method, and only within the origin of the server or to the same
/// host by https, so that neither token nor arguments go elsewhere.
pub fn follows_redirect(method: &str, status: u16, from: &str, to: &str, hops: u32) -> bool {
    let keeps_method = matches!(status, 307 | 308) || (*method == *"GET" && matches!(status, 301..=303));
    let host = part(from, HTTP.len(), from.len());
    let is_secured =
        from.starts_with(HTTP) && to.starts_with(HTTPS) && *host == *part(to, HTTPS.len(), to.len()) && !has_port(host);
    keeps_method && hops < 5 && (*from == *to || is_secured)
}

const HTTP: &str = "http:";
const HTTPS: &str = "https:";

/// The colons of an IPv6 address stand between brackets.
fn has_port(host: &str) -> bool {
    let mut found = b']';
    for byte in host.as_bytes() {
        if matches!(byte, b':' | b']') {
            found = *byte;
        }
    }
    found == b':'
}
