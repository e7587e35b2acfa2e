//! `InputRequiredResult` and the requests inside it.

use super::names::Names;
use super::outcome::invalid;
use super::shown;
use crate::error::Error;
use crate::json::{JsonStr, Kind, Value};

/// A result that asks for input. Specification: basic/patterns/mrtr, "InputRequiredResult".
#[derive(Clone, Debug)]
pub struct InputRequiredResult<'d> {
    /// What is asked, in the order of the document. Empty when the server only wants to be asked again.
    pub input_requests: Vec<InputRequest<'d>>,
    /// The opaque state, as the token it came as, quotes included. Nobody looks inside.
    pub request_state: Option<Value<'d>>,
}

/// One entry of `inputRequests`.
#[derive(Clone, Copy, Debug)]
pub struct InputRequest<'d> {
    /// The server's name for it.
    pub key: JsonStr<'d>,
    /// What is asked.
    pub method: InputMethod,
    /// The request object itself.
    pub request: Value<'d>,
}

impl<'d> InputRequest<'d> {
    /// The parameters, if there are any.
    pub fn params(&self) -> Option<Value<'d>> {
        self.request.get("params")
    }
}

/// The requests a server may embed. Specification: basic/patterns/mrtr, "InputRequest".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputMethod {
    /// `sampling/createMessage`
    CreateMessage,
    /// `elicitation/create`
    Elicit,
    /// `roots/list`
    ListRoots,
}

impl InputMethod {
    /// All three.
    pub const ALL: [Self; 3] = [Self::CreateMessage, Self::Elicit, Self::ListRoots];

    /// The method's name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CreateMessage => "sampling/createMessage",
            Self::Elicit => "elicitation/create",
            Self::ListRoots => "roots/list",
        }
    }

    /// The method with this name, if it is one of the three.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.as_str() == name)
    }
}

impl<'d> InputRequiredResult<'d> {
    /// Reads a result whose `resultType` is `input_required`. A wrong type is an error, never "absent".
    pub(super) fn read(method: &str, result: Value<'d>) -> Result<Self, Error> {
        let requests = result.get("inputRequests");
        let request_state = result.get("requestState");
        let mut input_requests = Vec::new();
        for (key, request) in requests.into_iter().flat_map(Value::members) {
            input_requests.push(entry(method, key, request)?);
        }
        let why = if requests.is_some_and(|requests| requests.kind() != Kind::Object) {
            "expected inputRequests to be an object"
        } else if Names::of(requests).has_twins() {
            "two entries of inputRequests have the same key"
        } else if request_state.is_some_and(|state| state.kind() != Kind::String) {
            "expected requestState to be a string"
        } else if input_requests.is_empty() && request_state.is_none() {
            "input_required carries neither inputRequests nor requestState"
        } else {
            return Ok(Self { input_requests, request_state });
        };
        Err(invalid(method, why))
    }
}

fn entry<'d>(method: &str, key: JsonStr<'d>, request: Value<'d>) -> Result<InputRequest<'d>, Error> {
    let name = request.get("method").and_then(Value::as_str).map(JsonStr::decode);
    let known = name.as_deref().and_then(InputMethod::from_name);
    let why = match (&name, known) {
        (None, _) => "expected an object with a method",
        (_, None) => "expected its method to be elicitation/create, sampling/createMessage or roots/list",
        _ if request.get("params").is_some_and(|params| params.kind() != Kind::Object) => {
            "expected its params to be an object"
        }
        (_, Some(method)) => return Ok(InputRequest { key, method, request }),
    };
    let decoded = key.decode();
    let key = shown(&decoded);
    let error = invalid(method, &["in inputRequests, entry '", key, "': ", why].concat()).with("key", key);
    Err(match name {
        Some(name) if known.is_none() => error.with("inputMethod", shown(&name)),
        _ => error,
    })
}
