//! What must hold before a round is opened.

use super::{Call, Limits, Reply};
use crate::error::{Code, Error};
use crate::json::decimal;
use crate::mrtr::InputRequiredResult;

/// Whether one more round may be asked at all.
pub(super) fn admit(call: &Call, reply: &Reply, input: InputRequiredResult<'_>) -> Result<(), Error> {
    let (limits, most) = (&call.limits, call.limits.max_requests_per_round);
    let (code, sentence, facts, count) = if !limits.has(Limits::AUTO_FULFILL) {
        let sentence = "Unsupported result type 'input_required' for %: fulfilling is switched off; pass \
                        allowInputRequired: true to get the request as it came";
        (Code::UnsupportedResultType, sentence, "{\"resultType\":\"input_required\",\"method\":$}", 0)
    } else if call.rounds >= limits.max_rounds {
        let sentence = "% asks for input again after % rounds: raise inputRequired.maxRounds if that is expected";
        let facts = "{\"method\":$,\"rounds\":%,\"lastResult\":%}";
        (Code::InputRequiredRoundsExceeded, sentence, facts, call.rounds as usize)
    } else if input.count > most {
        let sentence = "% asks for % inputs in one round: raise inputRequired.maxRequestsPerRound if that is expected";
        let facts = "{\"method\":$,\"requests\":%,\"maxRequestsPerRound\":%}";
        (Code::InputRequiredRequestsExceeded, sentence, facts, input.count)
    } else {
        return Ok(());
    };
    let (count, most) = (decimal(count as i64), decimal(most as i64));
    let last = if code == Code::InputRequiredRoundsExceeded { reply.result().raw() } else { &most };
    Err(Error::told(code, sentence, &[&call.method, &count]).facts(facts, &[&call.method, &count, last]))
}
