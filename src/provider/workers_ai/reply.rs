//! Answers in all forms, read as one (`ChatCompletionsOutput`), and errors.

use crate::error::Error;
use crate::json::{Document, Kind, Value, decimal, quote};

use super::super::answer::Answer;
use super::super::body::{Json, RAW_MEMBER, next_word};
use super::super::failure::{Failure, NO_CODE, first, status_in};
use super::super::openai::{self, Said, chat_places, read_message};
use super::super::options::document;
use super::super::usage::places;

/// Where things are in an answer that looks like Chat Completions; the rest is found here.
pub(super) const PLACES: &str = chat_places!("", "", "");

/// Reads an answer in any form.
pub(super) fn read<'r>(_: Value<'r>, answer: &mut Answer<'r>) -> Result<(), Error> {
    let inner = answer.reply.at("result");
    // `{ result, success, errors }`.
    if !inner.is_null() && !answer.reply.at("success").is_missing() {
        answer.reply = inner;
    }
    let reply = answer.reply;
    let known = reply.kind() == Kind::String
        || !first(reply.at("choices")).is_missing()
        || !reply.at("response").is_missing()
        || !reply.at("tool_calls").is_missing();
    if !known {
        return Err(answer.invalid("invalid_reply", "the reply has neither choices nor a response", false));
    }
    let nothing = reply.nothing();
    let choice = reply.at("choices").items().find(|choice| openai::is_first(*choice)).unwrap_or(nothing);
    let message = choice.get("message").unwrap_or(reply);
    let reason = choice.get("finish_reason").unwrap_or_else(|| reply.at("finish_reason"));
    if reason.is_text("error") {
        return Err(answer.invalid("generation_failed", "the model stopped with an error", true));
    }
    answer.set_reason(reason);
    let leaks;
    let (mut calls, mut data) = (message.at("tool_calls"), Document::default());
    let mut content = content(reply, message, &mut data);
    let forced = answer.state.own("forced");
    if !forced.is_missing() && calls.items().next().is_none() {
        leaks = leaked(content, forced);
        if leaks.root().kind() == Kind::Array {
            (calls, content) = (leaks.root(), nothing);
        }
    }
    read_message(&Said { message, content, calls }, answer)
}

/// The content, wherever it is; a text of it, in `data`, if it is a number, or an object where the host asked for JSON.
#[inline(never)]
pub(in super::super) fn content<'r>(reply: Value<'r>, said: Value<'r>, data: &'r mut Document) -> Value<'r> {
    let is_empty = |value: Value<'_>| value.is_null() || value.is_text("");
    let (content, response) = (said.at("content"), reply.at("response"));
    if !is_empty(content) {
        return content;
    }
    if reply.kind() == Kind::String {
        return reply;
    }
    if is_empty(response) || response.kind() == Kind::String {
        return response;
    }
    *data = document(quote(response.raw()));
    data.root()
}

/// The calls that a text is, if it is nothing else: JSON that names tools of which one had to be called. gpt-oss writes
/// that when the tool does not suit it.
fn leaked(content: Value<'_>, forced: Value<'_>) -> Document {
    let text = document(content.text());
    let mut json = Json::begin("[");
    for call in text.root().one_or_items() {
        let name = call.at("name").text();
        if !forced.items().any(|known| known.is_text(&name)) {
            return Document::default();
        }
        json.value("{\"name\":%r,\"arguments\":", call.at("name"));
        match call.get("arguments").or_else(|| call.get("parameters")) {
            Some(arguments) => json.value("%r", arguments),
            None => {
                json.lit("{");
                json.members(call, RAW_MEMBER, "name");
                json.end();
            }
        }
        json.end();
    }
    json.lit(if json.text().len() > 1 { "]" } else { "" });
    document(json.finish())
}

/// Reads an error: of the REST API, of the model's server, or what the binding threw.
pub(super) fn failure<'r>(reply: Value<'r>, failure: &mut Failure<'r>) -> bool {
    let success = reply.at("success").raw();
    let listed = if success == "true" { None } else { reply.at("errors").items().next() };
    let internal = reply.at("internalCode");
    if let Some(error) = listed {
        (failure.message, failure.code) = (error.at("message"), error.at("code").integer_or(NO_CODE));
    } else if !internal.is_missing() {
        (failure.message, failure.code) = (reply.at("message"), internal.integer_or(NO_CODE));
        failure.status = status_in(reply.at("httpCode"));
    } else if success != "false" && !openai::failure(reply, failure) {
        return false;
    }
    let mut status = status_of(failure.code);
    if status == 0 {
        let code = code_in(&failure.message.text());
        status = status_of(code);
        if status != 0 {
            failure.code = code;
        }
    }
    if failure.status == 0 {
        failure.status = status;
    }
    true
}

/// The code in `InferenceUpstreamError: 3040: Capacity temporarily exceeded`, as the binding has it; else 0.
fn code_in(message: &str) -> i64 {
    // Less than nothing if it is no number.
    let mut number = 0;
    for at in 0..message.len() + 1 {
        number = match message.as_bytes().get(at).unwrap_or(&b':') {
            byte @ b'0'..=b'9' if (0..100_000).contains(&number) => number * 10 + i64::from(byte - b'0'),
            b':' if status_of(number) != 0 => return number,
            b' ' | b':' => 0,
            _ => -1,
        };
    }
    0
}

/// The codes of Workers AI, each before the HTTP status that it stands for.
const CODES: &str = "3003 3039 5004 5006 5007 400 3023 3041 5016 5018 403 3042 404 5005 5019 405 3007 3008 408 3006 413 \
                     3036 3040 429";

/// 0 for a code that is none of them.
#[inline(never)]
fn status_of(code: i64) -> u16 {
    let (code, mut words, mut found) = (decimal(code), CODES, false);
    while let Some(word) = next_word(&mut words) {
        if word.len() > 3 {
            found |= word == code;
        } else if found {
            let mut status = 0;
            for digit in word.as_bytes() {
                status = status * 10 + u16::from(digit - b'0');
            }
            return status;
        }
    }
    0
}
