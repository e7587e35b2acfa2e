//! Telling a finished result from one that asks for input, by `resultType` alone and before anything else is read.

use super::InputRequiredResult;
use crate::error::{Code, Error};
use crate::json::{Kind, Value};

/// What a result is. Specification: basic, "ResultType".
#[derive(Debug)]
pub enum Outcome<'d> {
    /// The ordinary result of the method. The warning, if there is one, says what the server left out.
    Complete(Option<&'static str>),
    /// More input is wanted.
    InputRequired(InputRequiredResult<'d>),
}

/// How results are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultRules {
    /// Refuse a result without `resultType`, which this revision demands, in place of reading it as complete.
    pub strict_result_type: bool,
    /// The server speaks a revision before 2026-07-28, where `resultType` says nothing.
    pub legacy: bool,
}

/// Reads `resultType` and, if input is wanted, what is wanted.
///
/// # Errors
///
/// `INVALID_RESULT` if the result breaks the rules of its type or of its method; `UNSUPPORTED_RESULT_TYPE` for a type
/// this client has not heard of. Either way nothing is to be sent again.
pub fn outcome<'d>(method: &str, result: Value<'d>, rules: ResultRules) -> Result<Outcome<'d>, Error> {
    if result.kind() != Kind::Object {
        return Err(invalid(method, "expected the result to be an object"));
    }
    if rules.legacy {
        return legacy(method, result);
    }
    let Some(kind) = result.get("resultType") else {
        return without_type(method, result, rules);
    };
    let Some(kind) = kind.as_str() else {
        return Err(invalid(method, "expected resultType to be a string"));
    };
    if kind == "complete" {
        Ok(Outcome::Complete(None))
    } else if kind == "input_required" {
        input_required(method, result)
    } else {
        Err(unsupported(method, &kind.decode()))
    }
}

/// Servers of this revision must send `resultType`; some do not yet. Specification: basic, "ResultType".
fn without_type<'d>(method: &str, result: Value<'d>, rules: ResultRules) -> Result<Outcome<'d>, Error> {
    if rules.strict_result_type {
        return Err(invalid(method, "resultType is missing, which servers of revision 2026-07-28 must send"));
    }
    let asks = result.get("inputRequests").is_some() || result.get("requestState").is_some();
    Ok(Outcome::Complete(Some(if asks {
        "the result has inputRequests or requestState but no resultType; it was read as complete"
    } else {
        "the result has no resultType; it was read as complete"
    })))
}

/// What looks like a request for input is none here, and no result either.
fn legacy<'d>(method: &str, result: Value<'d>) -> Result<Outcome<'d>, Error> {
    let asks = result.get("resultType").and_then(Value::as_str).is_some_and(|kind| kind == "input_required");
    if asks {
        return Err(invalid(method, "the server asks for input in a way that the negotiated revision does not have"));
    }
    Ok(Outcome::Complete(None))
}

fn input_required<'d>(method: &str, result: Value<'d>) -> Result<Outcome<'d>, Error> {
    if !matches!(method, "tools/call" | "prompts/get" | "resources/read") {
        return Err(invalid(method, "only tools/call, prompts/get and resources/read may ask for input"));
    }
    InputRequiredResult::read(method, result).map(Outcome::InputRequired)
}

fn unsupported(method: &str, kind: &str) -> Error {
    let shown: String = kind.chars().take(60).collect();
    let mut message = String::from("Unsupported result type '");
    message.push_str(&shown);
    message.push_str("' for ");
    message.push_str(method);
    message.push_str(": expected 'complete' or 'input_required'");
    Error::new(Code::UnsupportedResultType, message).with("resultType", &shown).with("method", method)
}

/// An `INVALID_RESULT` that names its method.
pub(super) fn invalid(method: &str, what: &str) -> Error {
    let mut message = String::from("Invalid result for ");
    message.push_str(method);
    message.push_str(": ");
    message.push_str(what);
    Error::new(Code::InvalidResult, message).with("method", method)
}
