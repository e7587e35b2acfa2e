//! Answers in all forms, made into one (`ChatCompletionsOutput`), and errors.

use crate::error::Error;
use crate::json::{Document, JsonStr, Kind, Number, Value, quote};

use super::super::body::Json;
use super::super::failure::{Failure, invalid_reply, string};
use super::super::openai;
use super::super::state::State;

/// Reads an answer in any form.
pub(super) fn read(reply: Value<'_>, state: &State) -> Result<String, Error> {
    let reply = unwrapped(reply);
    let has_choice = reply.get("choices").is_some_and(|choices| choices.items().next().is_some());
    let known = has_choice || ["response", "tool_calls"].iter().any(|name| reply.get(name).is_some());
    if !known && reply.as_str().is_none() {
        let message = "the reply has neither choices nor a response";
        return Err(invalid_reply(state.provider, "invalid_reply", message, false));
    }
    let usual = Document::from_text(usual(reply, "message", &forced(state))).unwrap_or_default();
    let choice = usual.root().get("choices").and_then(|choices| choices.items().next());
    if choice.and_then(|choice| string(choice, "finish_reason")).is_some_and(|reason| reason == "error") {
        return Err(invalid_reply(state.provider, "generation_failed", "the model stopped with an error", true));
    }
    openai::read(usual.root(), state)
}

/// What is inside of `{ result, success, errors }`.
fn unwrapped(reply: Value<'_>) -> Value<'_> {
    reply.get("result").filter(|result| !result.is_null() && reply.get("success").is_some()).unwrap_or(reply)
}

/// The names of the tools of which one had to be called.
fn forced(state: &State) -> Vec<String> {
    let own = state.own.as_ref().and_then(|own| Document::from_text(own.clone()).ok()).unwrap_or_default();
    let names = own.root().get("forced").into_iter().flat_map(Value::items).filter_map(Value::as_str);
    names.map(|name| name.decode().into_owned()).collect()
}

/// The answer, or a chunk of it, as Chat Completions has it: calls have a `function`, `response` is the content. `member`
/// is `message` or `delta`.
pub(super) fn usual(reply: Value<'_>, member: &str, forced: &[String]) -> String {
    let choice = reply.get("choices").and_then(|choices| choices.items().find(|choice| openai::is_first(*choice)));
    let said = choice.and_then(|choice| choice.get(member).or_else(|| choice.get("message"))).unwrap_or(reply);
    let mut json = Json::with_capacity(reply.raw().len() + 128);
    json.open('{');
    copy(&mut json, reply, &["id", "model", "usage", "service_tier"]);
    json.key("choices").open('[');
    json.open('{');
    json.key(member).open('{');
    message(&mut json, reply, said, forced);
    json.close('}');
    let reason = choice.unwrap_or(reply).get("finish_reason");
    if let Some(reason) = reason.or_else(|| reply.get("finish_reason")).filter(|reason| !reason.is_null()) {
        json.key("finish_reason").raw(reason.raw());
    }
    json.close('}');
    json.close(']');
    json.close('}');
    json.finish()
}

fn copy(json: &mut Json, from: Value<'_>, names: &[&str]) {
    for name in names {
        if let Some(value) = from.get(name).filter(|value| !value.is_null()) {
            json.key(name).raw(value.raw());
        }
    }
}

fn message(json: &mut Json, reply: Value<'_>, said: Value<'_>, forced: &[String]) {
    copy(json, said, &["refusal", "reasoning_content", "reasoning", "audio", "function_call"]);
    let content = content(reply, said);
    let calls: Vec<_> = said.get("tool_calls").into_iter().flat_map(Value::items).collect();
    let leaked = if calls.is_empty() { content.as_deref().and_then(|text| leaked(text, forced)) } else { None };
    if let Some(content) = content.filter(|_| leaked.is_none()) {
        json.key("content").raw(&content);
    }
    if calls.is_empty() && leaked.is_none() {
        return;
    }
    json.key("tool_calls").open('[');
    leaked.iter().flatten().for_each(|call| json.raw(call));
    calls.into_iter().for_each(|call| write_call(json, call));
    json.close(']');
}

/// The JSON text of the content. `response` is a number, or an object, where the host asked for JSON.
fn content(reply: Value<'_>, said: Value<'_>) -> Option<String> {
    let is_empty = |value: &Value<'_>| value.is_null() || value.as_str().is_some_and(JsonStr::is_empty);
    let content = said.get("content").filter(|content| !is_empty(content));
    if let Some(content) = content.or_else(|| Some(reply).filter(|reply| reply.kind() == Kind::String)) {
        return Some(content.raw().to_owned());
    }
    let response = reply.get("response").filter(|response| !is_empty(response))?;
    Some(response.as_str().map_or_else(|| quote(response.raw()), |_| response.raw().to_owned()))
}

/// Writes a call, which may be `{ name, arguments }` alone.
fn write_call(json: &mut Json, call: Value<'_>) {
    let function = call.get("function").filter(|function| function.kind() == Kind::Object).unwrap_or(call);
    json.open('{');
    copy(json, call, &["index", "id", "extra_content"]);
    json.key("function").open('{');
    copy(json, function, &["name", "arguments"]);
    json.close('}');
    json.close('}');
}

/// The calls that a text is, if it is nothing else: JSON that names tools of which one had to be called. gpt-oss writes
/// that when the tool does not suit it.
fn leaked(content: &str, forced: &[String]) -> Option<Vec<String>> {
    let content = Document::from_text(content.to_owned()).ok()?;
    let text =
        Document::from_text(content.root().as_str().filter(|_| !forced.is_empty())?.decode().into_owned()).ok()?;
    let calls: Vec<_> = match text.root().kind() {
        Kind::Array => text.root().items().collect(),
        _ => vec![text.root()],
    };
    let calls: Vec<_> = calls.into_iter().map(|call| leaked_call(call, forced)).collect::<Option<_>>()?;
    (!calls.is_empty()).then_some(calls)
}

fn leaked_call(call: Value<'_>, forced: &[String]) -> Option<String> {
    let name = string(call, "name").filter(|name| forced.iter().any(|known| *name == known.as_str()))?;
    let mut json = Json::with_capacity(call.raw().len() + 32);
    json.open('{');
    json.key("function").open('{');
    json.key("name").token(name);
    json.key("arguments");
    match call.get("arguments").or_else(|| call.get("parameters")) {
        Some(arguments) => json.raw(arguments.raw()),
        None => {
            json.open('{');
            let rest = call.members().filter(|(key, _)| *key != "name");
            rest.for_each(|(key, value)| json.raw_key(key.raw()).raw(value.raw()));
            json.close('}');
        }
    }
    json.close('}');
    json.close('}');
    Some(json.finish())
}

/// Reads an error: of the REST API, of the model's server, or what the binding threw.
pub(super) fn failure(reply: Value<'_>) -> Option<Failure<'_>> {
    let success = reply.get("success").and_then(Value::as_bool);
    let listed = reply.get("errors").filter(|_| success != Some(true)).and_then(|errors| errors.items().next());
    let internal = reply.get("internalCode");
    let mut failure = match (listed, internal) {
        (Some(error), _) => {
            Failure { message: string(error, "message"), code: integer(error.get("code")), ..Failure::default() }
        }
        (_, Some(code)) => {
            let status = integer(reply.get("httpCode")).and_then(|status| u16::try_from(status).ok());
            Failure { message: string(reply, "message"), code: integer(Some(code)), status, ..Failure::default() }
        }
        _ if success == Some(false) => Failure::default(),
        _ => openai::failure(reply)?,
    };
    let code = failure.code.filter(|code| status_of(*code).is_some());
    failure.code = code.or_else(|| failure.message.and_then(|message| code_in(&message.decode()))).or(failure.code);
    failure.status = failure.status.or_else(|| failure.code.and_then(status_of));
    Some(failure)
}

fn integer(value: Option<Value<'_>>) -> Option<i64> {
    value.and_then(Value::as_number).and_then(Number::as_safe_integer)
}

/// The code in `InferenceUpstreamError: 3040: Capacity temporarily exceeded`, as the binding has it.
fn code_in(message: &str) -> Option<i64> {
    let codes = message.split(':').filter_map(|part| part.rsplit(' ').next()?.parse().ok());
    codes.into_iter().find(|code| status_of(*code).is_some())
}

/// The HTTP status that a code of Workers AI stands for.
fn status_of(code: i64) -> Option<u16> {
    Some(match code {
        3003 | 3039 | 5004 | 5006 | 5007 => 400,
        3023 | 3041 | 5016 | 5018 => 403,
        3042 => 404,
        5005 | 5019 => 405,
        3007 | 3008 => 408,
        3006 => 413,
        3036 | 3040 => 429,
        _ => return None,
    })
}
