//! Errors, with the facts a host decides by.

use std::borrow::Cow;

use crate::error::{Code, Error};
use crate::json::{JsonStr, Path, Value};

use super::Provider;
use super::warnings::{Warning, warnings_to_json};

/// What a provider answered in place of a result.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Failure<'r> {
    /// The provider's own name for it.
    pub(super) kind: Option<JsonStr<'r>>,
    /// The provider's sentence.
    pub(super) message: Option<JsonStr<'r>>,
    /// The field of the body that the provider complains of: what `omit` may leave out next time.
    pub(super) param: Option<JsonStr<'r>>,
    /// The provider's number for it, where it has no name.
    pub(super) code: Option<i64>,
    /// The HTTP status, where the body has one.
    pub(super) status: Option<u16>,
    /// The kind says that trying again later can help.
    pub(super) retryable: bool,
    /// The kind says that trying again cannot help, whatever the status.
    pub(super) hopeless: bool,
}

impl Failure<'_> {
    /// The `PROVIDER_ERROR`, with `provider`, `type`, `status`, `retryable` and the provider's `message` in its data.
    pub(super) fn into_error(self, provider: Provider, status: Option<u16>) -> Error {
        let status = status.filter(|status| *status >= 400).or(self.status);
        let unnamed = if status.is_some() { "http_error" } else { "error" };
        let code = self.code.map(|code| Cow::Owned(code.to_string()));
        let kind = self.kind.map(JsonStr::decode).or(code).unwrap_or(Cow::Borrowed(unnamed));
        let retryable = !self.hopeless && (self.retryable || status.is_some_and(may_retry));
        let message = self.message.map(JsonStr::decode).unwrap_or_default();
        let mut sentence = String::from(provider.as_str());
        for piece in [": ", &kind, if message.is_empty() { "" } else { ": " }, shortened(&message)] {
            sentence.push_str(piece);
        }
        let error = error(provider, sentence, &kind, status, retryable).with("message", &message);
        match self.param.filter(|param| !param.is_empty()) {
            Some(param) => error.with("param", &param.decode()),
            None => error,
        }
    }
}

/// True for the statuses that pass by themselves.
fn may_retry(status: u16) -> bool {
    matches!(status, 408 | 409 | 425 | 429 | 500 | 502 | 503 | 504 | 529)
}

fn shortened(message: &str) -> &str {
    message.char_indices().nth(300).and_then(|(end, _)| message.get(..end)).unwrap_or(message)
}

fn error(provider: Provider, sentence: String, kind: &str, status: Option<u16>, retryable: bool) -> Error {
    let error = Error::new(Code::ProviderError, sentence).with("provider", provider.as_str()).with("type", kind);
    let error = match status {
        Some(status) => error.with_number("status", status.into()),
        None => error.with_raw("status", "null"),
    };
    error.with_raw("retryable", if retryable { "true" } else { "false" })
}

/// The reply is not what the provider's API promises.
pub(super) fn invalid_reply(provider: Provider, kind: &'static str, message: &'static str, retryable: bool) -> Error {
    let mut sentence = String::from(provider.as_str());
    sentence.push_str(": ");
    sentence.push_str(message);
    error(provider, sentence, kind, None, retryable)
}

/// The request holds something that the provider cannot take and that must not be dropped.
pub(super) fn unsupported(provider: Provider, path: &Path<'_>, message: &'static str) -> Error {
    let path = path.to_string();
    let mut sentence = String::from(provider.as_str());
    for piece in [": ", message, " (", &path, ")"] {
        sentence.push_str(piece);
    }
    error(provider, sentence, "unsupported", None, false).with("path", &path)
}

/// `strict` was asked for, and the provider does not get the request as it was written.
pub(super) fn lossy(provider: Provider, first: &Warning, all: &[Warning]) -> Error {
    let mut sentence = String::from(provider.as_str());
    for piece in [": ", first.message, " (", &first.path, "), which strict does not allow"] {
        sentence.push_str(piece);
    }
    error(provider, sentence, "lossy", None, false)
        .with("path", &first.path)
        .with_raw("warnings", &warnings_to_json(all))
}

/// The request breaks a rule that only shows when it is built.
pub(super) fn invalid_request(path: &Path<'_>, rule: &'static str, message: &'static str) -> Error {
    let path = path.to_string();
    let mut sentence = String::from(message);
    for piece in [" (", &path, ")"] {
        sentence.push_str(piece);
    }
    let mut findings = crate::sampling::Findings::default();
    findings.errors.push(crate::sampling::Finding { code: -32602, rule, path, message: message.into() });
    Error::new(Code::InvalidSamplingRequest, sentence).with_raw("findings", &findings.to_json())
}

/// A member that is a string.
pub(super) fn string<'r>(object: Value<'r>, name: &str) -> Option<JsonStr<'r>> {
    object.get(name)?.as_str()
}
