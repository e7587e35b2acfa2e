//! JSON-RPC messages as they come in. Specification: basic, "Messages".

use super::{is_text, text};
use crate::error::{Code, Error, fill};
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
            Some(value) => {
                let number = value.as_number().and_then(|number| number.as_safe_integer());
                number == Some(id) || is_text(Some(value), &decimal(id))
            }
        }
    }
}

/// Reads a message.
///
/// # Errors
///
/// `PARSE_ERROR` if it is not a JSON-RPC 2.0 message.
pub fn read(value: Value<'_>) -> Result<Message<'_>, Error> {
    let id = value.get("id");
    let what = if value.kind() != Kind::Object {
        "expected an object"
    } else if !is_text(value.get("jsonrpc"), "2.0") {
        "expected jsonrpc to be \"2.0\""
    } else if let Some(method) = value.get("method") {
        let params = value.get("params");
        match (method.as_str().map(|method| method.decode().into_owned()), id) {
            (Some(method), Some(id)) => return Ok(Message::Request { id, method, params }),
            (Some(method), None) => return Ok(Message::Notification { method, params }),
            (None, _) => "expected method to be a string",
        }
    } else {
        let outcome = match (value.get("result"), value.get("error")) {
            (Some(result), None) => Ok(Ok(result)),
            (None, Some(error)) => peer_error(error).map(Err),
            (Some(_), Some(_)) => Err("it has both result and error"),
            (None, None) => Err("expected a method, a result or an error"),
        };
        match outcome {
            Ok(outcome) => return Ok(Message::Response(Response { id: id.filter(|id| !id.is_null()), outcome })),
            Err(what) => what,
        }
    };
    Err(malformed(what))
}

fn peer_error(error: Value<'_>) -> Result<Error, &'static str> {
    let code = error.get("code").and_then(Value::as_number).and_then(|code| code.as_safe_integer());
    match (code, text(Some(error), "message")) {
        (Some(code), Some(message)) => Ok(Error::protocol(code, message, error.get("data").map(Value::raw))),
        _ => Err("expected error to have an integer code and a message"),
    }
}

/// A `PARSE_ERROR` about a message.
pub(super) fn malformed(what: &str) -> Error {
    Error::new(Code::ParseError, fill("The reply is not a JSON-RPC message: %", &[what]))
}
