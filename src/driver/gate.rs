//! What must hold before a handler is asked, and before its answer goes out.

use super::{Ask, Call, Effect, Limits, Reply};
use crate::error::{Code, Error};
use crate::json::{Document, Path, Value};
use crate::mrtr::{Accepts, InputMethod, InputRequiredResult, elicitation, roots};
use crate::revision::Revision;
use crate::sampling::{self, Checks, Finding, Findings, Level};

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
        for Finding { rule, message, path, .. } in check_ask(call, accepts, ask)? {
            warnings.push(Effect::Warn { rule, message, path, key: ask.key.clone() });
        }
    }
    Ok(warnings)
}

fn check_ask(call: &Call, accepts: Accepts, ask: &Ask) -> Result<Vec<Finding>, Error> {
    if !accepts.handles(ask.method) {
        return Err(unsupported(call, ask, "no handler is registered: call setRequestHandler with one"));
    }
    if !accepts.declares(ask.method) || !declares_mode(accepts, ask) {
        return Err(unsupported(call, ask, "the client did not declare it with the request"));
    }
    let found = findings(accepts, call.limits.lenient, ask);
    if found.is_ok() {
        return Ok(found.warnings);
    }
    let code = match ask.method {
        InputMethod::CreateMessage => Code::InvalidSamplingRequest,
        _ => Code::InvalidInputRequest,
    };
    Err(broken_rules(code, "The server's request", ask, &found))
}

fn declares_mode(accepts: Accepts, ask: &Ask) -> bool {
    match (ask.method, elicitation::mode(ask.params())) {
        (InputMethod::Elicit, Some(elicitation::Mode::Form)) => accepts.declared.elicitation_form,
        (InputMethod::Elicit, Some(elicitation::Mode::Url)) => accepts.declared.elicitation_url,
        _ => true,
    }
}

fn findings(accepts: Accepts, lenient: bool, ask: &Ask) -> Findings {
    match (ask.method, ask.params()) {
        (InputMethod::CreateMessage, Some(params)) => sampling::check_request(params, &checks(accepts, lenient)),
        (InputMethod::CreateMessage, None) => {
            let mut findings = Findings::default();
            findings.push(Level::Error, "params-object", &Path::Root, "expected params to be an object");
            findings
        }
        (InputMethod::Elicit, params) => elicitation::check_request(params),
        (InputMethod::ListRoots, _) => Findings::default(),
    }
}

fn checks(accepts: Accepts, lenient: bool) -> Checks {
    let declared = accepts.declared;
    Checks { revision: Revision::LATEST, tools: declared.sampling_tools, context: declared.sampling_context, lenient }
}

/// Checks what a handler returned, and returns the text to send: the same, or with a form's defaults put in.
pub(super) fn check_answer(ask: &Ask, text: String, limits: &Limits) -> Result<String, Error> {
    let Ok(document) = Document::from_text(text) else {
        return Err(about(Error::new(Code::InvalidHandlerResult, "The handler returned no JSON value"), ask));
    };
    let result = document.root();
    let filled =
        (ask.method == InputMethod::Elicit).then(|| elicitation::fill_defaults(result, ask.params())).flatten();
    let filled = filled.and_then(|text| Document::from_text(text).ok());
    let found = answer_findings(ask, filled.as_ref().map_or(result, Document::root), limits);
    if !found.is_ok() {
        let code = match ask.method {
            InputMethod::CreateMessage => Code::InvalidSamplingResult,
            _ => Code::InvalidHandlerResult,
        };
        return Err(broken_rules(code, "The handler's result", ask, &found));
    }
    Ok(filled.as_ref().unwrap_or(&document).root().raw().to_owned())
}

fn answer_findings(ask: &Ask, result: Value<'_>, limits: &Limits) -> Findings {
    let accepts = Accepts::default();
    match (ask.method, ask.params()) {
        (InputMethod::CreateMessage, Some(params)) => {
            sampling::check_result(result, params, &checks(accepts, limits.lenient))
        }
        (InputMethod::CreateMessage, None) => Findings::default(),
        (InputMethod::Elicit, params) => elicitation::check_result(result, params),
        (InputMethod::ListRoots, _) => roots::check_result(result),
    }
}

/// Adds which request an error is about.
pub(super) fn about(error: Error, ask: &Ask) -> Error {
    error.with("key", &shown(&ask.key)).with("method", ask.method.as_str())
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

fn unsupported(call: &Call, ask: &Ask, why: &str) -> Error {
    let (key, method) = (&shown(&ask.key), ask.method.as_str());
    let mut message = call.method.clone();
    message.push_str(" asks for ");
    message.push_str(method);
    message.push_str(" (inputRequests entry '");
    message.push_str(key);
    message.push_str("'), but ");
    message.push_str(why);
    Error::new(Code::CapabilityNotSupported, message).with("key", key).with("method", method)
}

fn broken_rules(code: Code, whose: &str, ask: &Ask, found: &Findings) -> Error {
    let (key, method) = (&shown(&ask.key), ask.method);
    let mut message = String::from(whose);
    message.push_str(" for ");
    message.push_str(method.as_str());
    message.push_str(" (entry '");
    message.push_str(key);
    message.push_str("') cannot be used");
    if let Some(first) = found.errors.first() {
        message.push_str(": at '");
        message.push_str(&first.path);
        message.push_str("', ");
        message.push_str(&first.message);
        message.push_str(" (rule ");
        message.push_str(first.rule);
        message.push(')');
    }
    Error::new(code, message)
        .with("key", key)
        .with("method", method.as_str())
        .with_number("code", -32602)
        .with_raw("findings", &found.to_json())
}

/// A key for an error text: a server may send one of a megabyte.
fn shown(key: &str) -> String {
    key.chars().take(60).collect()
}
