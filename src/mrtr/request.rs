//! `InputRequiredResult` and the requests inside it.

use super::names::Names;
use super::outcome::invalid;
use super::shown;
use crate::error::Error;
use crate::json::{JsonStr, Kind, Value};

/// A result that asks for input. Specification: basic/patterns/mrtr, "InputRequiredResult".
#[derive(Clone, Copy, Debug)]
pub struct InputRequiredResult<'d> {
    input_requests: Value<'d>,
    /// How many requests there are. None when the server only wants to be asked again.
    pub count: usize,
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
        let (input_requests, request_state) = (result.at("inputRequests"), result.get("requestState"));
        let mut count = 0;
        for (key, request) in input_requests.members() {
            InputRequest::read(key, request).map_err(|why| bad_entry(method, key, request, why))?;
            count += 1;
        }
        let why = if input_requests.kind() != Kind::Object && result.get("inputRequests").is_some() {
            "expected inputRequests to be an object"
        } else if Names::of(input_requests).has_twins() {
            "two entries of inputRequests have the same key"
        } else if request_state.is_some_and(|state| state.kind() != Kind::String) {
            "expected requestState to be a string"
        } else if count == 0 && request_state.is_none() {
            "input_required carries neither inputRequests nor requestState"
        } else {
            return Ok(Self { input_requests, count, request_state });
        };
        Err(invalid(method, why))
    }

    /// What is asked, in the order of the document.
    pub fn input_requests(self) -> impl Iterator<Item = InputRequest<'d>> {
        self.input_requests.members().filter_map(|(key, request)| InputRequest::read(key, request).ok())
    }
}

impl<'d> InputRequest<'d> {
    /// An entry, or what was expected of it.
    fn read(key: JsonStr<'d>, request: Value<'d>) -> Result<Self, &'static str> {
        let name = request.at("method");
        match InputMethod::ALL.into_iter().find(|method| name.is_text(method.as_str())) {
            Some(method) if request.get("params").is_none_or(|params| params.kind() == Kind::Object) => {
                Ok(Self { key, method, request })
            }
            Some(_) => Err("expected its params to be an object"),
            None if name.kind() == Kind::String => Err(UNKNOWN_METHOD),
            None => Err("expected an object with a method"),
        }
    }
}

const UNKNOWN_METHOD: &str = "expected its method to be elicitation/create, sampling/createMessage or roots/list";

fn bad_entry(method: &str, key: JsonStr<'_>, request: Value<'_>, why: &'static str) -> Error {
    let key = key.decode();
    let key = shown(&key);
    let error = invalid(method, &["in inputRequests, entry '", key, "': ", why].concat()).with("key", key);
    match request.at("method").as_str().filter(|_| why == UNKNOWN_METHOD) {
        Some(name) => error.with("inputMethod", shown(&name.decode())),
        None => error,
    }
}
