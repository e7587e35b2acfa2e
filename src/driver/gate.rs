//! What must hold before a round is opened.

use super::{Call, Effect, Reply};
use crate::error::{Code, Error};
use crate::mrtr::{Accepts, Ask, InputRequiredResult};
use crate::sampling::Finding;

/// Whether one more round may be asked at all.
pub(super) fn admit(call: &Call, reply: &Reply, input: &InputRequiredResult<'_>) -> Result<(), Error> {
    if !call.limits.auto_fulfill {
        return Err(manual(call));
    }
    if call.rounds >= call.limits.max_rounds {
        return Err(too_many_rounds(call, reply));
    }
    if input.input_requests.len() > call.limits.max_requests_per_round {
        return Err(too_many_requests(call, input.input_requests.len()));
    }
    Ok(())
}

/// Checks a whole round, and returns what the rules let pass with a warning. No handler is asked before all of it is
/// known to be good.
pub(super) fn check(call: &Call, accepts: Accepts, asks: &[Ask]) -> Result<Vec<Effect>, Error> {
    let mut warnings = Vec::new();
    for ask in asks {
        for Finding { rule, message, path, .. } in ask.check(accepts, call.limits.manner())? {
            warnings.push(Effect::Warn { rule, message, path, key: ask.key.clone() });
        }
    }
    Ok(warnings)
}

fn manual(call: &Call) -> Error {
    let mut message = String::from("Unsupported result type 'input_required' for ");
    message.push_str(&call.method);
    message.push_str(": fulfilling is switched off; pass allowInputRequired: true to get the request as it came");
    Error::new(Code::UnsupportedResultType, message).with("resultType", "input_required").with("method", &call.method)
}

fn too_many_rounds(call: &Call, reply: &Reply) -> Error {
    let mut message = call.method.clone();
    message.push_str(" asks for input again after ");
    message.push_str(&call.rounds.to_string());
    message.push_str(" rounds: raise inputRequired.maxRounds if that is expected");
    Error::new(Code::InputRequiredRoundsExceeded, message)
        .with("method", &call.method)
        .with_number("rounds", i64::from(call.rounds))
        .with_raw("lastResult", reply.result().raw())
}

fn too_many_requests(call: &Call, count: usize) -> Error {
    let mut message = call.method.clone();
    message.push_str(" asks for ");
    message.push_str(&count.to_string());
    message.push_str(" inputs in one round: raise inputRequired.maxRequestsPerRound if that is expected");
    Error::new(Code::InputRequiredRequestsExceeded, message)
        .with("method", &call.method)
        .with_number("requests", count as i64)
        .with_number("maxRequestsPerRound", call.limits.max_requests_per_round as i64)
}
