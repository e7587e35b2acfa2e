//! Telling a finished result from one that asks for input, by `resultType` alone and before anything else is read.

use super::{InputRequiredResult, shown};
use crate::error::{Code, Error};
use crate::json::{Kind, Value};
use crate::lines;

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
    let kind = result.at("resultType");
    let asks = kind.is_text("input_required");
    let why = if !result.is(Kind::Object) {
        "expected the result to be an object"
    } else if rules.legacy {
        if !asks {
            return Ok(Outcome::Complete(None));
        }
        // What looks like a request for input is none here, and no result either.
        "the server asks for input in a way that the negotiated revision does not have"
    } else if kind.is_missing() {
        if !rules.strict_result_type {
            return Ok(without_type(result));
        }
        "resultType is missing, which servers of revision 2026-07-28 must send"
    } else if !asks {
        if kind.is_text("complete") {
            return Ok(Outcome::Complete(None));
        }
        match kind.as_str() {
            Some(kind) => return Err(unsupported(method, &shown(kind))),
            None => "expected resultType to be a string",
        }
    } else if lines::place_of("tools/call\nprompts/get\nresources/read\n", method) != lines::NOWHERE {
        return InputRequiredResult::read(method, result).map(Outcome::InputRequired);
    } else {
        "only tools/call, prompts/get and resources/read may ask for input"
    };
    Err(invalid(method, why))
}

/// Servers of this revision must send `resultType`; some do not yet. Specification: basic, "ResultType".
fn without_type(result: Value<'_>) -> Outcome<'_> {
    let asks = !result.at("inputRequests").is_missing() || !result.at("requestState").is_missing();
    Outcome::Complete(Some(if asks {
        "the result has inputRequests or requestState but no resultType; it was read as complete"
    } else {
        "the result has no resultType; it was read as complete"
    }))
}

fn unsupported(method: &str, kind: &str) -> Error {
    let sentence = "Unsupported result type '%' for %: expected 'complete' or 'input_required'";
    let error = Error::told(Code::UnsupportedResultType, sentence, &[kind, method]);
    error.with("resultType", kind).with("method", method)
}

/// An `INVALID_RESULT` that names its method.
pub(super) fn invalid(method: &str, what: &str) -> Error {
    Error::told(Code::InvalidResult, "Invalid result for %: %", &[method, what]).with("method", method)
}
