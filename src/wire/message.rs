//! JSON-RPC messages as they come in. Specification: basic, "Messages".

use std::borrow::Cow;

use crate::error::{Code, Error};
use crate::json::{Kind, Value};

/// One message from the server.
#[derive(Debug)]
pub enum Message<'d> {
    /// The answer to a request.
    Response(Response<'d>),
    /// A notification.
    Notification {
        /// Its method.
        method: Cow<'d, str>,
        /// Its parameters.
        params: Option<Value<'d>>,
    },
    /// A request of the server, which needs an answer.
    Request {
        /// Its id, as the token it came as.
        id: Value<'d>,
        /// Its method.
        method: Cow<'d, str>,
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
        let expected = id.to_string();
        match self.id {
            None => self.outcome.is_err(),
            Some(value) => match value.as_str() {
                Some(text) => text == expected.as_str(),
                None => value.as_number().and_then(|number| number.as_safe_integer()) == Some(i64::from(id)),
            },
        }
    }
}

/// Reads a message.
///
/// # Errors
///
/// `PARSE_ERROR` if it is not a JSON-RPC 2.0 message.
pub fn read(value: Value<'_>) -> Result<Message<'_>, Error> {
    if value.kind() != Kind::Object {
        return Err(malformed("expected an object"));
    }
    if !value.get("jsonrpc").and_then(Value::as_str).is_some_and(|version| version == "2.0") {
        return Err(malformed("expected jsonrpc to be \"2.0\""));
    }
    match (value.get("method"), value.get("id")) {
        (Some(method), id) => with_method(method, id, value.get("params")),
        (None, id) => response(value, id).map(Message::Response),
    }
}

fn with_method<'d>(method: Value<'d>, id: Option<Value<'d>>, params: Option<Value<'d>>) -> Result<Message<'d>, Error> {
    let Some(method) = method.as_str() else { return Err(malformed("expected method to be a string")) };
    let method = method.decode();
    Ok(match id {
        Some(id) => Message::Request { id, method, params },
        None => Message::Notification { method, params },
    })
}

fn response<'d>(value: Value<'d>, id: Option<Value<'d>>) -> Result<Response<'d>, Error> {
    let outcome = match (value.get("result"), value.get("error")) {
        (Some(result), None) => Ok(result),
        (None, Some(error)) => Err(peer_error(error)?),
        (Some(_), Some(_)) => return Err(malformed("it has both result and error")),
        (None, None) => return Err(malformed("expected a method, a result or an error")),
    };
    Ok(Response { id: id.filter(|id| !id.is_null()), outcome })
}

fn peer_error(error: Value<'_>) -> Result<Error, Error> {
    let code = error.get("code").and_then(Value::as_number).and_then(|code| code.as_safe_integer());
    let message = error.get("message").and_then(Value::as_str);
    let (Some(code), Some(message)) = (code, message) else {
        return Err(malformed("expected error to have an integer code and a message"));
    };
    Ok(Error::protocol(code, message.decode(), error.get("data").map(Value::raw)))
}

/// A `PARSE_ERROR` about a message.
pub(super) fn malformed(what: &str) -> Error {
    let mut message = String::from("The reply is not a JSON-RPC message: ");
    message.push_str(what);
    Error::new(Code::ParseError, message)
}
