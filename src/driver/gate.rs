//! What must hold before a handler is asked, and before its answer goes out.

use super::{Ask, Call, Effect, Limits, Reply};
use crate::error::{Code, Error};
use crate::json::{Document, Value};
use crate::mrtr::{Accepts, InputMethod, InputRequest, InputRequiredResult, elicitation, roots};
use crate::revision::Revision;
use crate::sampling::{self, Checks, Findings};

/// Checks a whole round. No handler is asked before all of it is known to be good.
pub(super) fn check(call: &Call, reply: &Reply, input: &InputRequiredResult<'_>) -> Result<(), Error> {
    if !call.limits.auto_fulfill {
        return Err(manual(call));
    }
    if call.rounds >= call.limits.max_rounds {
        return Err(too_many_rounds(call, reply));
    }
    if input.input_requests.len() > call.limits.max_requests_per_round {
        return Err(too_many_requests(call, input.input_requests.len()));
    }
    input.input_requests.iter().try_for_each(|request| check_request(call, reply.accepts, request))
}

/// What the rules let pass with a warning.
pub(super) fn warnings(reply: &Reply, input: &InputRequiredResult<'_>) -> Vec<Effect> {
    let mut effects = Vec::new();
    for request in input.input_requests.iter().filter(|request| request.method == InputMethod::CreateMessage) {
        for finding in findings(reply.accepts, false, request).warnings {
            let key = request.key.decode().into_owned();
            effects.push(Effect::Warn { rule: finding.rule, message: finding.message, path: finding.path, key });
        }
    }
    effects
}

fn check_request(call: &Call, accepts: Accepts, request: &InputRequest<'_>) -> Result<(), Error> {
    let key = shown(&request.key.decode());
    if !accepts.handles(request.method) {
        let how = "no handler is registered: call setRequestHandler with one";
        return Err(unsupported(call, &key, request.method.as_str(), how));
    }
    if !accepts.declares(request.method) || !declares_mode(accepts, request) {
        return Err(unsupported(call, &key, request.method.as_str(), "the client did not declare it with the request"));
    }
    let found = findings(accepts, call.limits.lenient, request);
    if found.is_ok() {
        return Ok(());
    }
    let code = match request.method {
        InputMethod::CreateMessage => Code::InvalidSamplingRequest,
        _ => Code::InvalidInputRequest,
    };
    Err(broken_rules(code, "The server's request", &key, request.method, &found))
}

fn declares_mode(accepts: Accepts, request: &InputRequest<'_>) -> bool {
    match (request.method, elicitation::mode(request.params())) {
        (InputMethod::Elicit, Some(elicitation::Mode::Form)) => accepts.declared.elicitation_form,
        (InputMethod::Elicit, Some(elicitation::Mode::Url)) => accepts.declared.elicitation_url,
        _ => true,
    }
}

fn findings(accepts: Accepts, lenient: bool, request: &InputRequest<'_>) -> Findings {
    match request.method {
        InputMethod::CreateMessage => match request.params() {
            Some(params) => sampling::check_request(params, &checks(accepts, lenient)),
            None => sampling::check_request(request.request, &checks(accepts, lenient)),
        },
        InputMethod::Elicit => elicitation::check_request(request.params()),
        InputMethod::ListRoots => Findings::default(),
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
        return Err(broken_rules(code, "The handler's result", &shown(&ask.key), ask.method, &found));
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

fn unsupported(call: &Call, key: &str, method: &str, why: &str) -> Error {
    let mut message = call.method.clone();
    message.push_str(" asks for ");
    message.push_str(method);
    message.push_str(" (inputRequests entry '");
    message.push_str(key);
    message.push_str("'), but ");
    message.push_str(why);
    Error::new(Code::CapabilityNotSupported, message).with("key", key).with("method", method)
}

fn broken_rules(code: Code, whose: &str, key: &str, method: InputMethod, found: &Findings) -> Error {
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
