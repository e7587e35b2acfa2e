//! One error type for everything that can end a call, with codes that stay.

use std::fmt;

use crate::json::{decimal, push_member, quote, write_quoted};
use crate::lines;

/// Why a call ended without a result.
///
/// The message is one sentence for people: what happened, where, what to do. It never holds prompts, tokens or header
/// values. [`Error::data`] has the same facts for programs, as the text of a JSON object.
// One pointer wide, since it travels through many layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    code: Code,
    message: String,
    data: String,
}

impl Error {
    /// An error with a code and a sentence.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self::made(code, message.into(), const { String::new() })
    }

    /// An error with a code and a sentence, in which the texts stand for a `%` each.
    #[inline(never)]
    pub(crate) fn told(code: Code, sentence: &str, texts: &[&str]) -> Self {
        Self::made(code, fill(sentence, texts), const { String::new() })
    }

    #[inline(never)]
    fn made(code: Code, message: String, data: String) -> Self {
        Self(Box::new(Inner { code, message, data }))
    }

    /// Adds a fact as a string.
    #[must_use]
    #[inline(never)]
    pub fn with(self, name: &str, text: &str) -> Self {
        self.with_raw(name, &quote(text))
    }

    /// Adds a fact whose JSON text is given. The text must be JSON, and the name must need no escapes.
    #[must_use]
    #[inline(never)]
    pub fn with_raw(mut self, name: &str, json: &str) -> Self {
        let data = &mut self.0.data;
        data.truncate(data.len().saturating_sub(1));
        if data.is_empty() {
            data.push_str("{");
        }
        push_member(data, name, if json.is_empty() { "null" } else { json });
        data.push_str("}");
        self
    }

    /// In place of the facts there were, those of a JSON text, in which the texts stand for a `%` each, and as strings
    /// for a `$`.
    #[must_use]
    #[inline(never)]
    pub(crate) fn facts(mut self, json: &str, texts: &[&str]) -> Self {
        self.0.data = fill(json, texts);
        self
    }

    /// Adds a whole number.
    #[must_use]
    #[inline(never)]
    pub fn with_number(self, name: &str, number: i64) -> Self {
        self.with_raw(name, &decimal(number))
    }

    /// Adds to the sentence where it happened, between brackets.
    #[must_use]
    pub fn at(mut self, place: &str) -> Self {
        self.0.message = fill("% (%)", &[&self.0.message, place]);
        self
    }

    /// What kind of failure this is.
    pub fn kind(&self) -> Code {
        self.0.code
    }

    /// The stable code, the one JavaScript sees as `error.code`. `PROTOCOL_ERROR` stands for an error that the peer
    /// sent; [`Error::peer_code`] has its number.
    pub fn code(&self) -> &'static str {
        self.0.code.as_str()
    }

    /// The number of a JSON-RPC error that the peer sent.
    pub fn peer_code(&self) -> Option<i64> {
        match self.0.code {
            Code::Protocol(number) => Some(number),
            _ => None,
        }
    }

    /// The sentence for people.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The facts, as the text of a JSON object; for an error of the peer, the `data` it sent. Empty if there are none.
    pub fn data(&self) -> &str {
        &self.0.data
    }

    /// Who is to blame: the one who has to change something.
    pub fn initiator(&self) -> Initiator {
        self.0.code.initiator()
    }

    /// The error a peer sent: its number, its sentence and its `data` as JSON text.
    pub fn protocol(code: i64, message: String, data: Option<&str>) -> Self {
        Self::made(Code::Protocol(code), message, data.unwrap_or_default().to_owned())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {}

/// The text with a part in the place of each `%`, and a part as a JSON string in the place of each `$`.
#[inline(never)]
pub(crate) fn fill(text: &str, parts: &[&str]) -> String {
    debug_assert!(text.matches(['%', '$']).count() <= parts.len(), "{text}");
    // Room for what mostly follows: a text that grows letter by letter moves many times.
    let (mut out, mut rest) = (String::with_capacity(512), text);
    for given in parts {
        let head = before(rest, "%$");
        let Some(mark) = rest.as_bytes().get(head.len()) else { break };
        out.push_str(head);
        rest = part(rest, head.len() + 1, rest.len());
        if *mark == b'$' { write_quoted(&mut out, given) } else { out.push_str(given) }
    }
    out.push_str(rest);
    out
}

/// The text from one byte to another; empty if there is no such part.
#[inline(never)]
pub(crate) fn part(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or_default()
}

/// The text before the first of these ASCII characters; all of it, if there is none.
#[inline(never)]
pub(crate) fn before<'t>(text: &'t str, stops: &str) -> &'t str {
    for (at, byte) in text.as_bytes().iter().enumerate() {
        for stop in stops.as_bytes() {
            if stop == byte {
                return part(text, 0, at);
            }
        }
    }
    text
}

/// The first characters of a text.
#[inline(never)]
pub(crate) fn start(text: &str, characters: usize) -> &str {
    let mut left = characters;
    for (at, byte) in text.as_bytes().iter().enumerate() {
        // Not within a character.
        if byte & 0xc0 != 0x80 {
            if left == 0 {
                return part(text, 0, at);
            }
            left -= 1;
        }
    }
    text
}

/// Who has to change something for the call to succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initiator {
    /// The code that uses this library: wrong arguments, wrong moment.
    Caller,
    /// The server broke the protocol, or answered with an error.
    Peer,
    /// The way to the server: network, HTTP, a stream that ended early.
    Transport,
    /// A handler that the host registered: it threw, declined or returned something unusable.
    Handler,
    /// A limit that was set here: time, rounds, entries, tokens.
    Limit,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal by $who:ident;)*) => {
        /// The kinds of failure. Names and texts stay; new ones may come.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Code {
            /// A JSON-RPC error that the server sent, with its number.
            Protocol(i64),
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// Every code that has a text of its own, in the order of their declaration.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The text that JavaScript sees as `error.code`.
            pub fn as_str(self) -> &'static str {
                enum Place {
                    Protocol,
                    $($name,)*
                }
                let place = match self {
                    Self::Protocol(_) => Place::Protocol,
                    $(Self::$name => Place::$name,)*
                };
                lines::at(concat!("PROTOCOL_ERROR\n", $($text, "\n"),*), place as usize)
            }

            fn initiator(self) -> Initiator {
                match self {
                    Self::Protocol(_) => Initiator::Peer,
                    $(Self::$name => Initiator::$who,)*
                }
            }
        }
    };
}

codes! {
    /// A call was made before `connect` or after `close`.
    NotConnected = "NOT_CONNECTED" by Caller;
    /// `connect` was called twice.
    AlreadyConnected = "ALREADY_CONNECTED" by Caller;
    /// An argument or option of the caller cannot be used.
    InvalidArgument = "INVALID_ARGUMENT" by Caller;
    /// A checkpoint that this version cannot read, or that was changed by hand.
    InvalidCheckpoint = "INVALID_CHECKPOINT" by Caller;
    /// The server asks for something that no handler is registered for, or that was not declared.
    CapabilityNotSupported = "CAPABILITY_NOT_SUPPORTED" by Caller;
    /// Time ran out; `data` says which clock and its limit.
    RequestTimeout = "REQUEST_TIMEOUT" by Limit;
    /// The connection ended before the answer came.
    ConnectionClosed = "CONNECTION_CLOSED" by Transport;
    /// The request could not be sent.
    SendFailed = "SEND_FAILED" by Transport;
    /// The reply is not JSON, or not a JSON-RPC message.
    ParseError = "PARSE_ERROR" by Peer;
    /// The result is not one the method may have.
    InvalidResult = "INVALID_RESULT" by Peer;
    /// `resultType` is one this client cannot use.
    UnsupportedResultType = "UNSUPPORTED_RESULT_TYPE" by Peer;
    /// The server asked for input more often than allowed.
    InputRequiredRoundsExceeded = "INPUT_REQUIRED_ROUNDS_EXCEEDED" by Limit;
    /// The server asked for more in one round than allowed.
    InputRequiredRequestsExceeded = "INPUT_REQUIRED_REQUESTS_EXCEEDED" by Limit;
    /// The pages of a list did not end.
    ListPaginationExceeded = "LIST_PAGINATION_EXCEEDED" by Limit;
    /// The method does not exist in the negotiated protocol revision.
    MethodNotSupportedByProtocolVersion = "METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION" by Caller;
    /// No protocol revision could be agreed on.
    EraNegotiationFailed = "ERA_NEGOTIATION_FAILED" by Peer;
    /// A sampling request breaks a rule; `data.findings` says which and where.
    InvalidSamplingRequest = "INVALID_SAMPLING_REQUEST" by Peer;
    /// The handler's sampling result breaks a rule; `data.findings` says which and where.
    InvalidSamplingResult = "INVALID_SAMPLING_RESULT" by Handler;
    /// An elicitation or roots request is malformed; `data.findings` says where.
    InvalidInputRequest = "INVALID_INPUT_REQUEST" by Peer;
    /// The handler's elicitation or roots result is malformed; `data.findings` says where.
    InvalidHandlerResult = "INVALID_HANDLER_RESULT" by Handler;
    /// A person or a policy declined to sample.
    SamplingDeclined = "SAMPLING_DECLINED" by Handler;
    /// A budget for sampling is used up.
    SamplingLimitExceeded = "SAMPLING_LIMIT_EXCEEDED" by Limit;
    /// A handler threw; `cause` is what it threw.
    HandlerFailed = "HANDLER_FAILED" by Handler;
    /// A model provider answered with an error.
    ProviderError = "PROVIDER_ERROR" by Handler;
    /// HTTP 401.
    ClientHttpAuthentication = "CLIENT_HTTP_AUTHENTICATION" by Caller;
    /// HTTP 403.
    ClientHttpForbidden = "CLIENT_HTTP_FORBIDDEN" by Caller;
    /// The reply has a media type, or lacks a body, that no client can read.
    ClientHttpUnexpectedContent = "CLIENT_HTTP_UNEXPECTED_CONTENT" by Peer;
    /// Another HTTP status that is not a success.
    ClientHttpNotImplemented = "CLIENT_HTTP_NOT_IMPLEMENTED" by Peer;
    /// A bug in this library. The client stays usable.
    InternalError = "INTERNAL_ERROR" by Caller;
}
