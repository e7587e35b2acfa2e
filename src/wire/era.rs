//! Finding out which revision a server speaks: the verdicts on its first answers.
//! Specification: basic/versioning, basic/transports/streamable-http.

use crate::error::{Code, Error};
use crate::json::{Document, Value};
use crate::revision::Revision;

/// What the host wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Ask for the newest, fall back to the handshake of 2025.
    #[default]
    Auto,
    /// Only the handshake of 2025.
    Legacy,
    /// This revision and no other.
    Pin(Revision),
}

/// What the way to the server is like, which decides what silence means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// HTTP: a server that is there answers, so silence is an outage.
    Http,
    /// A pipe: old servers do not answer what they do not know.
    Shared,
}

/// What to do next.
#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    /// Send `server/discover`.
    Discover,
    /// Send `initialize`, offering this revision.
    Initialize(Revision),
    /// This revision is spoken.
    Speak(Revision),
    /// Give up.
    Fail(Error),
}

/// The course of one negotiation.
#[derive(Debug)]
pub struct Negotiation {
    mode: Mode,
    channel: Channel,
    asked_again: bool,
    retries: u32,
}

impl Negotiation {
    /// A negotiation that has not begun.
    /// A question without answer is asked again `retries` times.
    pub fn new(mode: Mode, channel: Channel, retries: u32) -> Self {
        Self { mode, channel, asked_again: false, retries }
    }

    /// What to send first.
    pub fn begin(&self) -> Step {
        match self.mode {
            Mode::Legacy => Step::Initialize(Revision::V2025_11_25),
            Mode::Pin(revision) if !revision.is_modern() => Step::Initialize(revision),
            _ => Step::Discover,
        }
    }

    /// The verdict on a result of `server/discover`.
    pub fn on_discovered(&mut self, result: Value<'_>) -> Step {
        match result.get("supportedVersions") {
            None => self.fall_back(&Error::new(Code::InvalidResult, "the server's discover result names no versions")),
            Some(versions) => self.by_versions(versions, false),
        }
    }

    /// The verdict on a failure of `server/discover`.
    pub fn on_discover_failed(&mut self, error: Error) -> Step {
        match error.kind() {
            Code::Protocol(-32022) => self.on_unsupported_version(&error),
            // Only servers of the new era know these codes, and a wall is a wall in either.
            Code::Protocol(-32001 | -32020 | -32021) => Step::Fail(error),
            Code::ClientHttpAuthentication | Code::ClientHttpForbidden => Step::Fail(error),
            Code::RequestTimeout if self.retries > 0 => {
                self.retries -= 1;
                Step::Discover
            }
            Code::RequestTimeout if self.channel == Channel::Http => Step::Fail(error),
            Code::ClientHttpNotImplemented if !refuses_the_request(&error) => Step::Fail(failed(&error)),
            Code::SendFailed | Code::ConnectionClosed => Step::Fail(failed(&error)),
            _ => self.fall_back(&error),
        }
    }

    /// The verdict on a result of `initialize`.
    pub fn on_initialized(&self, result: Value<'_>) -> Step {
        let version = result.get("protocolVersion").and_then(Value::as_str);
        let revision = version.and_then(|version| Revision::from_date(&version.decode()));
        match (revision, self.mode) {
            (Some(revision), Mode::Pin(pinned)) if revision != pinned => Step::Fail(other_revision(pinned)),
            // A server that offers a session in the new revision is neither.
            (Some(revision), _) if !revision.is_modern() => Step::Speak(revision),
            _ => {
                let message = "The server answered initialize with a revision that this client does not speak";
                let shown: String =
                    version.map(|version| version.decode().chars().take(40).collect()).unwrap_or_default();
                Step::Fail(Error::new(Code::EraNegotiationFailed, message).with("protocolVersion", &shown))
            }
        }
    }

    fn on_unsupported_version(&mut self, error: &Error) -> Step {
        let data = Document::from_text(error.data().to_owned()).ok();
        match data.as_ref().and_then(|data| data.root().get("supported")) {
            Some(versions) => self.by_versions(versions, true),
            None => self.fall_back(error),
        }
    }

    /// A list with the newest revision settles it, or, in a refusal, asks for one more try with the very same version.
    fn by_versions(&mut self, versions: Value<'_>, refused: bool) -> Step {
        let lists =
            |revision: Revision| versions.items().filter_map(Value::as_str).any(|version| version == revision.as_str());
        if lists(Revision::LATEST) && !refused {
            return Step::Speak(Revision::LATEST);
        }
        if lists(Revision::LATEST) && !self.asked_again {
            self.asked_again = true;
            return Step::Discover;
        }
        let older = Revision::ALL.into_iter().rev().find(|revision| !revision.is_modern() && lists(*revision));
        match (older, self.mode) {
            (Some(revision), Mode::Auto) => Step::Initialize(revision),
            _ => {
                let message = "The server speaks no protocol revision that this client speaks";
                Step::Fail(Error::new(Code::EraNegotiationFailed, message).with_raw("supported", versions.raw()))
            }
        }
    }

    /// Whatever is not an answer of the new era is one of the old.
    fn fall_back(&self, error: &Error) -> Step {
        match self.mode {
            Mode::Pin(pinned) => Step::Fail(other_revision(pinned).with("reason", error.message())),
            _ => Step::Initialize(Revision::V2025_11_25),
        }
    }
}

/// A status that speaks of the request, not of the server's state.
fn refuses_the_request(error: &Error) -> bool {
    let data = Document::from_text(error.data().to_owned()).ok();
    let status = data.as_ref().and_then(|data| data.root().get("status")?.as_number()?.as_safe_integer());
    status.is_some_and(|status| (400..500).contains(&status) && !matches!(status, 408 | 429))
}

fn failed(error: &Error) -> Error {
    let mut message = String::from("No protocol revision could be agreed on: ");
    message.push_str(error.message());
    let failed = Error::new(Code::EraNegotiationFailed, message).with("reason", error.code());
    let status = Document::from_text(error.data().to_owned()).ok();
    match status.as_ref().and_then(|data| data.root().get("status")) {
        Some(status) => failed.with_raw("status", status.raw()),
        None => failed,
    }
}

fn other_revision(pinned: Revision) -> Error {
    let mut message = String::from("The server does not speak revision ");
    message.push_str(pinned.as_str());
    message.push_str(", which versionNegotiation pins");
    Error::new(Code::EraNegotiationFailed, message).with("pinned", pinned.as_str())
}
