//! What must hold before a round is opened.

use super::{Call, Reply};
use crate::error::{Code, Error};
use crate::json::decimal;
use crate::mrtr::InputRequiredResult;

/// Whether one more round may be asked at all.
pub(super) fn admit(call: &Call, reply: &Reply, input: InputRequiredResult<'_>) -> Result<(), Error> {
    let (method, limits) = (call.method.as_str(), &call.limits);
    if !limits.auto_fulfill {
        let sentence = "Unsupported result type 'input_required' for %: fulfilling is switched off; pass \
                        allowInputRequired: true to get the request as it came";
        let error = Error::told(Code::UnsupportedResultType, sentence, &[method]);
        Err(error.with("resultType", "input_required").with("method", method))
    } else if call.rounds >= limits.max_rounds {
        let rounds = decimal(i64::from(call.rounds));
        let sentence = "% asks for input again after % rounds: raise inputRequired.maxRounds if that is expected";
        let error = Error::told(Code::InputRequiredRoundsExceeded, sentence, &[method, &rounds]).with("method", method);
        Err(error.with_raw("rounds", &rounds).with_raw("lastResult", reply.result().raw()))
    } else if input.count > limits.max_requests_per_round {
        let requests = decimal(input.count as i64);
        let sentence = "% asks for % inputs in one round: raise inputRequired.maxRequestsPerRound if that is expected";
        let error = Error::told(Code::InputRequiredRequestsExceeded, sentence, &[method, &requests]);
        let error = error.with("method", method).with_raw("requests", &requests);
        Err(error.with_number("maxRequestsPerRound", limits.max_requests_per_round as i64))
    } else {
        Ok(())
    }
}
