//! JSON-RPC messages as they come in. Specification: basic, "Messages".

use crate::error::{Code, Error};
use crate::json::{Kind, Value, decimal};

/// One message from the server. What it lacks reads as an empty `null`.
#[derive(Debug)]
pub struct Message<'d> {
    /// Its id, as the token it came as. A notification has none, nor have errors about a request that could not be read.
    pub id: Value<'d>,
    /// The method of a request or of a notification. Answers have none.
    pub method: Value<'d>,
    /// The parameters or, of an answer, the result.
    pub body: Value<'d>,
    /// The error that an answer brings.
    pub error: Option<Error>,
}

impl<'d> Message<'d> {
    /// Whether it is the answer to a request.
    pub fn is_answer(&self) -> bool {
        self.method.is_missing()
    }

    /// Whether it is a request of the server, which needs an answer.
    pub fn is_request(&self) -> bool {
        !self.is_answer() && !self.id.is_missing()
    }

    /// Whether it is a notification that tells how far a request is.
    pub fn is_progress(&self) -> bool {
        self.id.is_missing() && !self.body.is_missing() && self.method.is_text("notifications/progress")
    }

    /// The parameters of a request or of a notification.
    pub fn params(&self) -> Option<Value<'d>> {
        if self.body.is_missing() { None } else { Some(self.body) }
    }

    /// Whether this answers the request with the number `id`. Some servers turn the number into a string.
    /// An error without id is about the only request there is, where there is only one.
    #[inline(never)]
    pub fn answers(&self, id: u32) -> bool {
        let number = i64::from(id);
        (self.id.is_null() && self.error.is_some())
            || self.id.integer_or(-1) == number
            || self.id.is_text(&decimal(number))
    }
}

/// Reads a message.
///
/// # Errors
///
/// `PARSE_ERROR` if it is not a JSON-RPC 2.0 message.
pub fn read(value: Value<'_>) -> Result<Message<'_>, Error> {
    let (id, method) = (value.at("id"), value.at("method"));
    let is_answer = method.is_missing();
    let (body, failure) =
        if is_answer { (value.at("result"), value.at("error")) } else { (value.at("params"), value.nothing()) };
    let error = peer_error(failure);
    let what = if !value.is(Kind::Object) {
        "expected an object"
    } else if !value.at("jsonrpc").is_text("2.0") {
        "expected jsonrpc to be \"2.0\""
    } else if method.is(Kind::String) {
        ""
    } else if !is_answer {
        "expected method to be a string"
    } else if body.is_missing() && failure.is_missing() {
        "expected a method, a result or an error"
    } else if !body.is_missing() && !failure.is_missing() {
        "it has both result and error"
    } else if body.is_missing() && error.is_none() {
        "expected error to have an integer code and a message"
    } else {
        ""
    };
    if what.is_empty() { Ok(Message { id, method, body, error }) } else { Err(malformed(what)) }
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
