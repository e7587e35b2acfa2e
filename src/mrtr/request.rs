//! `InputRequiredResult` and the requests inside it.

use super::outcome::invalid;
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
        let input_requests = match result.get("inputRequests") {
            None => Vec::new(),
            Some(requests) if requests.kind() == Kind::Object => entries(method, requests)?,
            Some(_) => return Err(invalid(method, "expected inputRequests to be an object")),
        };
        let request_state = result.get("requestState");
        if request_state.is_some_and(|state| state.kind() != Kind::String) {
            return Err(invalid(method, "expected requestState to be a string"));
        }
        if input_requests.is_empty() && request_state.is_none() {
            return Err(invalid(method, "input_required carries neither inputRequests nor requestState"));
        }
        Ok(Self { input_requests, request_state })
    }
}

fn entries<'d>(method: &str, requests: Value<'d>) -> Result<Vec<InputRequest<'d>>, Error> {
    let entries =
        requests.members().map(|(key, request)| entry(method, key, request)).collect::<Result<Vec<_>, _>>()?;
    let mut keys: Vec<_> = entries.iter().map(|entry| entry.key.meaning()).collect();
    keys.sort_unstable();
    if keys.windows(2).any(|pair| pair.first() == pair.last()) {
        return Err(invalid(method, "two entries of inputRequests have the same key"));
    }
    Ok(entries)
}

fn entry<'d>(method: &str, key: JsonStr<'d>, request: Value<'d>) -> Result<InputRequest<'d>, Error> {
    let Some(name) = request.get("method").and_then(Value::as_str) else {
        return Err(bad_entry(method, key, "expected an object with a method"));
    };
    let Some(input_method) = InputMethod::from_name(&name.decode()) else {
        let error = bad_entry(
            method,
            key,
            "expected its method to be elicitation/create, sampling/createMessage or roots/list",
        );
        return Err(error.with("inputMethod", &shown(name)));
    };
    if request.get("params").is_some_and(|params| params.kind() != Kind::Object) {
        return Err(bad_entry(method, key, "expected its params to be an object"));
    }
    Ok(InputRequest { key, method: input_method, request })
}

fn bad_entry(method: &str, key: JsonStr<'_>, what: &str) -> Error {
    let mut sentence = String::from("in inputRequests, entry '");
    sentence.push_str(&shown(key));
    sentence.push_str("': ");
    sentence.push_str(what);
    invalid(method, &sentence).with("key", &shown(key))
}

/// A key for an error text: a server may send one of a megabyte.
fn shown(key: JsonStr<'_>) -> String {
    key.decode().chars().take(60).collect()
}
