//! What must hold before a round is opened.

use super::{Call, Reply};
use crate::error::{Code, Error};
use crate::json::quote;
use crate::mrtr::InputRequiredResult;

/// Whether one more round may be asked at all.
pub(super) fn admit(call: &Call, reply: &Reply, input: InputRequiredResult<'_>) -> Result<(), Error> {
    let (method, limits) = (call.method.as_str(), &call.limits);
    let (quoted, most) = (quote(method), (limits.max_requests_per_round as i64).to_string());
    let (code, sentence, facts);
    let (rounds, requests) = (i64::from(call.rounds).to_string(), (input.count as i64).to_string());
    if !limits.auto_fulfill {
        let why = ": fulfilling is switched off; pass allowInputRequired: true to get the request as it came";
        code = Code::UnsupportedResultType;
        sentence = ["Unsupported result type 'input_required' for ", method, "", "", why];
        facts = [("resultType", "\"input_required\""), ("method", &quoted), ("", "")];
    } else if call.rounds >= limits.max_rounds {
        let why = " rounds: raise inputRequired.maxRounds if that is expected";
        code = Code::InputRequiredRoundsExceeded;
        sentence = ["", method, " asks for input again after ", &rounds, why];
        facts = [("method", quoted.as_str()), ("rounds", &rounds), ("lastResult", reply.result().raw())];
    } else if input.count > limits.max_requests_per_round {
        let why = " inputs in one round: raise inputRequired.maxRequestsPerRound if that is expected";
        code = Code::InputRequiredRequestsExceeded;
        sentence = ["", method, " asks for ", &requests, why];
        facts = [("method", quoted.as_str()), ("requests", &requests), ("maxRequestsPerRound", &most)];
    } else {
        return Ok(());
    }
    let mut error = Error::new(code, sentence.concat());
    for (name, json) in facts.iter().filter(|(name, _)| !name.is_empty()) {
        error = error.with_raw(name, json);
    }
    Err(error)
}
