//! What must hold before a round is opened.

use super::round::Round;
use super::{Call, Effect, Reply};
use crate::error::{Code, Error};
use crate::mrtr::{Accepts, InputRequiredResult, Manner};
use crate::sampling::Finding;

/// Whether one more round may be asked at all.
pub(super) fn admit(call: &Call, reply: &Reply, input: InputRequiredResult<'_>) -> Result<(), Error> {
    let (method, limits) = (call.method.as_str(), &call.limits);
    let requests = input.count;
    if !limits.auto_fulfill {
        let why = ": fulfilling is switched off; pass allowInputRequired: true to get the request as it came";
        let message = ["Unsupported result type 'input_required' for ", method, why].concat();
        let error = Error::new(Code::UnsupportedResultType, message);
        Err(error.with("resultType", "input_required").with("method", method))
    } else if call.rounds >= limits.max_rounds {
        let rounds = i64::from(call.rounds).to_string();
        let why = " rounds: raise inputRequired.maxRounds if that is expected";
        let message = [method, " asks for input again after ", &rounds, why].concat();
        let error = Error::new(Code::InputRequiredRoundsExceeded, message).with("method", method);
        Err(error.with_raw("rounds", &rounds).with_raw("lastResult", reply.result().raw()))
    } else if requests > limits.max_requests_per_round {
        let requests = (requests as i64).to_string();
        let why = " inputs in one round: raise inputRequired.maxRequestsPerRound if that is expected";
        let message = [method, " asks for ", &requests, why].concat();
        let error = Error::new(Code::InputRequiredRequestsExceeded, message).with("method", method);
        let most = limits.max_requests_per_round as i64;
        Err(error.with_raw("requests", &requests).with_number("maxRequestsPerRound", most))
    } else {
        Ok(())
    }
}

/// Checks a whole round, and returns what the rules let pass with a warning.
pub(super) fn check(round: &Round, accepts: Accepts, manner: Manner) -> Result<Vec<Option<Effect>>, Error> {
    let mut warnings = Vec::new();
    for asked in &round.asked {
        for Finding { rule, message, path, .. } in asked.ask.check(accepts, manner)? {
            warnings.push(Some(Effect::Warn { rule, message, path, key: asked.ask.key.clone() }));
        }
    }
    Ok(warnings)
}
