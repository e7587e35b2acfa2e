//! Errors, with the facts a host decides by.

use crate::error::{Code, Error, fill, start};
use crate::json::{JsonStr, Kind, Value, decimal};

use super::Provider;
use super::body::next_word;
use super::warnings::{Warning, warnings_to_json};

/// What a provider answered in place of a result.
#[derive(Debug)]
pub(super) struct Failure<'r> {
    /// The provider's own name for it, if there is a text.
    pub(super) kind: Value<'r>,
    /// The provider's sentence.
    pub(super) message: Value<'r>,
    /// The field of the body that the provider complains of: what `omit` may leave out next time.
    pub(super) param: Value<'r>,
    /// The provider's number for it, where it has no name; else [`NO_CODE`].
    pub(super) code: i64,
    /// The HTTP status, where the body has one; else 0.
    pub(super) status: u16,
    /// The kind says that trying again later can help.
    pub(super) retryable: bool,
    /// The kind says that trying again cannot help, whatever the status.
    pub(super) hopeless: bool,
}

impl<'r> Failure<'r> {
    /// One of which nothing is known.
    pub(super) fn new(reply: Value<'r>) -> Self {
        let nothing = reply.nothing();
        let (kind, message, param) = (nothing, nothing, nothing);
        Self { kind, message, param, code: NO_CODE, status: 0, retryable: false, hopeless: false }
    }

    /// Reads an error, with its message or as a bare text: its kind, which is the first text among some members, and
    /// those that pass by themselves.
    #[inline(never)]
    pub(super) fn read(&mut self, error: Value<'r>, members: &str, passing: &str) {
        let mut names = members;
        while let Some(name) = next_word(&mut names) {
            if !self.kind.is(Kind::String) {
                self.kind = error.at(name);
            }
        }
        self.message = error.at("message");
        if !self.message.is(Kind::String) {
            self.message = error;
        }
        self.retryable = is_among(self.kind, passing);
    }

    /// As [`Failure::read`], for OpenAI's errors, which name a field.
    #[inline(never)]
    pub(super) fn read_param(&mut self, error: Value<'r>, members: &str, passing: &str) {
        self.read(error, members, passing);
        self.param = error.at("param");
        self.hopeless = is_among(self.kind, "insufficient_quota");
    }

    /// The `PROVIDER_ERROR`, with `provider`, `type`, `status`, `retryable` and the provider's `message` in its data.
    #[inline(never)]
    pub(super) fn to_error(&self, provider: Provider, status: u16) -> Error {
        let status = if status >= 400 { status } else { self.status };
        let kind = match self.code {
            _ if self.kind.is(Kind::String) => self.kind.text(),
            NO_CODE => String::from(if status == 0 { "error" } else { "http_error" }),
            code => decimal(code),
        };
        let retryable = !self.hopeless && (self.retryable || may_retry(status));
        let message = self.message.text();
        let sentence = if message.is_empty() { "%: %" } else { "%: %: %" };
        let sentence = fill(sentence, &[provider.as_str(), &kind, start(&message, 300)]);
        let error = error(provider, sentence, &kind, status, retryable).with("message", &message);
        let param = self.param.text();
        if param.is_empty() { error } else { error.with("param", &param) }
    }
}

/// The code of an error that has none.
pub(super) const NO_CODE: i64 = i64::MIN;

/// True for the statuses that pass by themselves.
fn may_retry(status: u16) -> bool {
    matches!(status, 408 | 409 | 425 | 429 | 500 | 502 | 503 | 504 | 529)
}

#[inline(never)]
fn error(provider: Provider, sentence: String, kind: &str, status: u16, retryable: bool) -> Error {
    let error = Error::new(Code::ProviderError, sentence).with("provider", provider.as_str()).with("type", kind);
    let status = if status == 0 { const { String::new() } } else { decimal(status.into()) };
    error.with_raw("status", &status).with_raw("retryable", if retryable { "true" } else { "false" })
}

/// The reply is not what the provider's API promises.
#[inline(never)]
pub(super) fn invalid_reply(provider: Provider, kind: &'static str, message: &'static str, retryable: bool) -> Error {
    error(provider, fill("%: %", &[provider.as_str(), message]), kind, 0, retryable)
}

/// The request holds something that the provider cannot take and that must not be dropped.
#[inline(never)]
pub(super) fn unsupported(provider: Provider, path: &str, message: &'static str) -> Error {
    let sentence = fill("%: % (%)", &[provider.as_str(), message, path]);
    error(provider, sentence, "unsupported", 0, false).with("path", path)
}

/// `strict` was asked for, and the provider does not get the request as it was written.
pub(super) fn lossy(provider: Provider, first: &Warning, all: &[Warning]) -> Error {
    let sentence = fill("%: % (%), which strict does not allow", &[provider.as_str(), first.message, &first.path]);
    error(provider, sentence, "lossy", 0, false).with("path", &first.path).with_raw("warnings", &warnings_to_json(all))
}

/// The request breaks a rule that only shows when it is built.
#[inline(never)]
pub(super) fn invalid_request(path: String, rule: &'static str, message: &'static str) -> Error {
    let error = Error::told(Code::InvalidSamplingRequest, "% (%)", &[message, &path]);
    let mut findings = crate::sampling::Findings::default();
    findings.errors.push(crate::sampling::Finding { code: -32602, rule, path, message: message.into() });
    error.with_raw("findings", &findings.to_json())
}

/// A member that is a string.
#[inline(always)]
pub(super) fn string<'r>(object: Value<'r>, name: &str) -> Option<JsonStr<'r>> {
    object.text_at(name)
}

/// A member that is a string with something in it.
pub(super) fn filled<'r>(object: Value<'r>, name: &str) -> Option<JsonStr<'r>> {
    string(object, name).filter(|text| !text.is_empty())
}

/// True for `true`.
#[inline(never)]
pub(super) fn is_true(value: Value<'_>) -> bool {
    value.raw() == "true"
}

/// The first item of an array, or what is missing.
pub(super) fn first(list: Value<'_>) -> Value<'_> {
    list.items().next().unwrap_or_else(|| list.nothing())
}

/// What stands between the quotes of a member that is a string; nothing otherwise.
#[inline(never)]
pub(super) fn inner<'r>(object: Value<'r>, name: &str) -> &'r str {
    string(object, name).map_or("", JsonStr::raw)
}

/// The code of an error, if it is the HTTP status of one; else 0.
#[inline(never)]
pub(super) fn error_status(error: Value<'_>) -> u16 {
    match status_in(error.at("code")) {
        status @ 400..600 => status,
        _ => 0,
    }
}

/// A whole number as an HTTP status; else 0.
pub(super) fn status_in(number: Value<'_>) -> u16 {
    u16::try_from(number.integer_or(0)).unwrap_or(0)
}

/// True if the value is a text, one of these words.
#[inline(never)]
pub(super) fn is_among(text: Value<'_>, words: &str) -> bool {
    place_among(text, words).is_some()
}

/// Which of these words the value is, as a text.
#[inline(never)]
pub(super) fn place_among(text: Value<'_>, words: &str) -> Option<usize> {
    let (mut place, mut rest) = (0, words);
    while let Some(word) = next_word(&mut rest) {
        if text.is_text(word) {
            return Some(place);
        }
        place += 1;
    }
    None
}
