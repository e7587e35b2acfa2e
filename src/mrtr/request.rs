//! `InputRequiredResult` and the requests inside it.

use super::names::Names;
use super::outcome::invalid;
use super::shown;
use crate::error::{Code, Error};
use crate::json::{JsonStr, Kind, Value};
use crate::lines;

const METHODS: &str = "sampling/createMessage\nelicitation/create\nroots/list\n";

/// A result that asks for input. Specification: basic/patterns/mrtr, "InputRequiredResult".
#[derive(Clone, Copy, Debug)]
pub struct InputRequiredResult<'d> {
    /// What is asked: an object, or nothing.
    pub input_requests: Value<'d>,
    /// How many requests there are. None when the server only wants to be asked again.
    pub count: usize,
    /// The opaque state, or nothing: the token it came as, quotes included. Nobody looks inside.
    pub request_state: Value<'d>,
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
        lines::at(METHODS, self as usize)
    }

    /// The method with this name, if it is one of the three.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.get(lines::place_of(METHODS, name)).copied()
    }

    /// The method of an embedded request, if it is one of the three.
    pub(crate) fn of(request: Value<'_>) -> Option<Self> {
        Self::ALL.get(lines::place_in(METHODS, request.at("method"))).copied()
    }
}

impl<'d> InputRequiredResult<'d> {
    /// Reads a result whose `resultType` is `input_required`. A wrong type is an error, never "absent".
    pub(super) fn read(method: &str, result: Value<'d>) -> Result<Self, Error> {
        let (input_requests, request_state) = (result.at("inputRequests"), result.at("requestState"));
        let mut count = 0;
        for (key, request) in input_requests.members() {
            check_entry(method, key, request)?;
            count += 1;
        }
        let why = if !input_requests.is_missing_or(Kind::Object) {
            "expected inputRequests to be an object"
        } else if Names::of(input_requests).has_twins() {
            "two entries of inputRequests have the same key"
        } else if !request_state.is_missing_or(Kind::String) {
            "expected requestState to be a string"
        } else if count == 0 && request_state.is_missing() {
            "input_required carries neither inputRequests nor requestState"
        } else {
            return Ok(Self { input_requests, count, request_state });
        };
        Err(invalid(method, why))
    }
}

fn check_entry(method: &str, key: JsonStr<'_>, request: Value<'_>) -> Result<(), Error> {
    let (name, params) = (request.at("method"), request.at("params"));
    let unknown = InputMethod::of(request).is_none();
    let why = if !name.is(Kind::String) {
        "expected an object with a method"
    } else if unknown {
        "expected its method to be elicitation/create, sampling/createMessage or roots/list"
    } else if !params.is_missing_or(Kind::Object) {
        "expected its params to be an object"
    } else {
        return Ok(());
    };
    let (key, sentence) = (shown(key), "Invalid result for %: in inputRequests, entry '%': %");
    let error = Error::told(Code::InvalidResult, sentence, &[method, &key, why]).with("method", method);
    let error = error.with("key", &key);
    Err(match name.as_str() {
        Some(name) if unknown => error.with("inputMethod", &shown(name)),
        _ => error,
    })
}
