//! Answers in all forms, made into one (`ChatCompletionsOutput`), and errors.

use crate::error::Error;
use crate::json::{Document, Kind, Value};

use super::super::answer::Answer;
use super::super::body::{Json, RAW_MEMBER};
use super::super::failure::{Failure, first, invalid_reply, status_in, string};
use super::super::openai;
use super::super::state::State;

/// Makes an answer in any form a completion.
pub(super) fn whole(reply: Value<'_>, state: &State) -> Result<Option<String>, Error> {
    let inner = reply.at("result");
    // `{ result, success, errors }`.
    let is_wrapped = !inner.is_null() && !reply.at("success").is_missing();
    let reply = if is_wrapped { inner } else { reply };
    let known = reply.kind() == Kind::String
        || !first(reply.at("choices")).is_missing()
        || ["response", "tool_calls"].iter().any(|name| !reply.at(name).is_missing());
    if !known {
        let message = "the reply has neither choices nor a response";
        return Err(invalid_reply(state.provider, "invalid_reply", message, false));
    }
    Ok(Some(usual(reply, "message", state.own("forced"))))
}

/// Reads the message of the completion.
pub(super) fn read<'r>(message: Value<'r>, answer: &mut Answer<'r>) -> Result<(), Error> {
    if answer.reason.is_some_and(|reason| reason == "error") {
        return Err(answer.invalid("generation_failed", "the model stopped with an error", true));
    }
    openai::read(message, answer)
}

/// The answer, or a chunk of it, as Chat Completions has it: calls have a `function`, `response` is the content. `member`
/// is `message` or `delta`; `forced` are the names of the tools of which one had to be called.
pub(super) fn usual(reply: Value<'_>, member: &str, forced: Value<'_>) -> String {
    let choice = reply.at("choices").items().find(|choice| openai::is_first(*choice));
    let nothing = reply.nothing();
    let choice = choice.unwrap_or(nothing);
    let said = either(choice, member, either(choice, "message", reply));
    let mut json = Json::with_capacity(reply.raw().len() + 128);
    json.lit("{");
    copy(&mut json, reply, &["id", "model", "usage", "service_tier"]);
    json.one("\"choices\":[{\"%r\":{", member);
    message(&mut json, reply, said, forced);
    json.lit("}");
    let reason = either(choice, "finish_reason", reply.at("finish_reason"));
    if !reason.is_null() {
        json.one("\"finish_reason\":%r", reason.raw());
    }
    json.lit("}]}");
    json.finish()
}

/// A member, or something else if there is none.
fn either<'r>(object: Value<'r>, name: &str, other: Value<'r>) -> Value<'r> {
    object.get(name).unwrap_or(other)
}

fn copy(json: &mut Json, from: Value<'_>, names: &[&str]) {
    for name in names {
        let value = from.at(name);
        if !value.is_null() {
            json.two(RAW_MEMBER, name, value.raw());
        }
    }
}

fn message(json: &mut Json, reply: Value<'_>, said: Value<'_>, forced: Value<'_>) {
    copy(json, said, &["refusal", "reasoning_content", "reasoning", "audio", "function_call"]);
    let calls = said.at("tool_calls").items();
    let has_calls = calls.clone().next().is_some();
    let (content, is_data) = content(reply, said);
    let leaked = if has_calls { None } else { leaked(content, is_data, forced) };
    if let Some(leaked) = leaked {
        return json.one("\"tool_calls\":[%r]", leaked.text());
    }
    if !content.is_missing() {
        let form = if is_data { "\"content\":%q" } else { "\"content\":%r" };
        json.one(form, content.raw());
    }
    if has_calls {
        json.lit("\"tool_calls\":[");
        for call in calls {
            write_call(json, call);
        }
        json.lit("]");
    }
}

/// The content, wherever it is; true if it is a number, or an object where the host asked for JSON, and not its text.
fn content<'r>(reply: Value<'r>, said: Value<'r>) -> (Value<'r>, bool) {
    let is_empty = |value: Value<'_>| value.is_null() || value.raw() == "\"\"";
    let (content, response) = (said.at("content"), reply.at("response"));
    if !is_empty(content) {
        return (content, false);
    }
    if reply.kind() == Kind::String {
        return (reply, false);
    }
    (if is_empty(response) { reply.nothing() } else { response }, response.kind() != Kind::String)
}

/// Writes a call, which may be `{ name, arguments }` alone.
fn write_call(json: &mut Json, call: Value<'_>) {
    let function = Some(call.at("function")).filter(|function| function.kind() == Kind::Object);
    json.lit("{");
    copy(json, call, &["index", "id", "extra_content"]);
    json.lit("\"function\":{");
    copy(json, function.unwrap_or(call), &["name", "arguments"]);
    json.lit("}}");
}

/// The calls that a text is, if it is nothing else: JSON that names tools of which one had to be called. gpt-oss writes
/// that when the tool does not suit it.
fn leaked(content: Value<'_>, is_data: bool, forced: Value<'_>) -> Option<Json> {
    forced.items().next()?;
    let text = if is_data { content.raw().to_owned() } else { content.as_str()?.decode().into_owned() };
    let text = Document::from_text(text).ok()?;
    let root = text.root();
    let mut json = Json::default();
    for call in root.one_or_items() {
        let name = string(call, "name")?;
        forced.items().find(|known| known.is_text(&name.decode()))?;
        let arguments = either(call, "arguments", call.at("parameters"));
        json.one("{\"function\":{\"name\":\"%v\",\"arguments\":", name.raw());
        if arguments.is_missing() {
            json.lit("{");
            json.members(call, RAW_MEMBER, &["name"]);
            json.lit("}");
        } else {
            json.one("%r", arguments.raw());
        }
        json.lit("}}");
    }
    (!json.is_empty()).then_some(json)
}

/// Reads an error: of the REST API, of the model's server, or what the binding threw.
pub(super) fn failure(reply: Value<'_>) -> Option<Failure<'_>> {
    let success = reply.at("success").raw();
    let listed = if success == "true" { None } else { reply.at("errors").items().next() };
    let internal = reply.at("internalCode");
    let mut failure = Failure::default();
    if let Some(error) = listed {
        (failure.message, failure.code) = (string(error, "message"), integer(error.at("code")));
    } else if !internal.is_missing() {
        (failure.message, failure.code) = (string(reply, "message"), integer(internal));
        failure.status = status_in(reply.at("httpCode"));
    } else if success != "false" {
        failure = openai::failure(reply)?;
    }
    if failure.code.and_then(status_of).is_none() {
        failure.code = failure.message.and_then(|message| code_in(&message.decode())).or(failure.code);
    }
    failure.status = failure.status.or_else(|| failure.code.and_then(status_of));
    Some(failure)
}

fn integer(value: Value<'_>) -> Option<i64> {
    Some(value.integer_or(i64::MIN)).filter(|number| *number != i64::MIN)
}

/// The code in `InferenceUpstreamError: 3040: Capacity temporarily exceeded`, as the binding has it.
fn code_in(message: &str) -> Option<i64> {
    let mut number = Some(0);
    for byte in message.bytes().chain([b':']) {
        number = match byte {
            b'0'..=b'9' => number.and_then(|number: i64| number.checked_mul(10)?.checked_add((byte - b'0').into())),
            b' ' => Some(0),
            b':' => {
                if number.and_then(status_of).is_some() {
                    return number;
                }
                Some(0)
            }
            _ => None,
        };
    }
    None
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
