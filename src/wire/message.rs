//! JSON-RPC messages as they come in. Specification: basic, "Messages".

use crate::error::{Code, Error};
use crate::json::{Kind, Value, decimal};

/// One message from the server.
#[derive(Debug)]
pub enum Message<'d> {
    /// The answer to a request.
    Response(Response<'d>),
    /// A notification.
    Notification {
        /// Its method.
        method: String,
        /// Its parameters.
        params: Option<Value<'d>>,
    },
    /// A request of the server, which needs an answer.
    Request {
        /// Its id, as the token it came as.
        id: Value<'d>,
        /// Its method.
        method: String,
        /// Its parameters.
        params: Option<Value<'d>>,
    },
}

/// An answer.
#[derive(Debug)]
pub struct Response<'d> {
    /// The id as it came; nothing if it is `null` or absent, as in errors about a request that could not be read.
    pub id: Option<Value<'d>>,
    /// The result, or the error that the server sent.
    pub outcome: Result<Value<'d>, Error>,
}

impl Response<'_> {
    /// Whether this answers the request with the number `id`. Some servers turn the number into a string.
    /// An error without id is about the only request there is, where there is only one.
    pub fn answers(&self, id: u32) -> bool {
        let id = i64::from(id);
        match self.id {
            None => self.outcome.is_err(),
            Some(value) => value.integer_or(-1) == id || value.is_text(&decimal(id)),
        }
    }
}

/// Reads a message.
///
/// # Errors
///
/// `PARSE_ERROR` if it is not a JSON-RPC 2.0 message.
pub fn read(value: Value<'_>) -> Result<Message<'_>, Error> {
    let (id, name, params) = (value.get("id"), value.at("method"), value.get("params"));
    let (result, error) = (value.at("result"), value.at("error"));
    let what = if !value.is(Kind::Object) {
        "expected an object"
    } else if !value.at("jsonrpc").is_text("2.0") {
        "expected jsonrpc to be \"2.0\""
    } else if name.is(Kind::String) {
        let method = name.text();
        return Ok(match id {
            Some(id) => Message::Request { id, method, params },
            None => Message::Notification { method, params },
        });
    } else if !name.is_missing() {
        "expected method to be a string"
    } else if result.is_missing() && error.is_missing() {
        "expected a method, a result or an error"
    } else if !result.is_missing() && !error.is_missing() {
        "it has both result and error"
    } else if let Some(outcome) = if error.is_missing() { Some(Ok(result)) } else { peer_error(error).map(Err) } {
        return Ok(Message::Response(Response { id: id.filter(|id| !id.is_null()), outcome }));
    } else {
        "expected error to have an integer code and a message"
    };
    Err(malformed(what))
}

fn peer_error(error: Value<'_>) -> Option<Error> {
    let (code, message) = (error.at("code").integer_or(i64::MIN), error.at("message"));
    let is_good = code != i64::MIN && message.is(Kind::String);
    is_good.then(|| Error::protocol(code, message.text(), error.get("data").map(Value::raw)))
}

/// A `PARSE_ERROR` about a message.
pub(super) fn malformed(what: &str) -> Error {
    Error::told(Code::ParseError, "The reply is not a JSON-RPC message: %", &[what])
}
