//! Finding out which revision a server speaks: the verdicts on its first answers, and what is kept of them.
//! Specification: basic/versioning, basic/transports/streamable-http.

use std::mem;

use crate::error::{Code, Error, fill, start};
use crate::json::{Document, Kind, Value};
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
    /// HTTP from a page of another origin: an old server may not allow the new headers, and the browser then only says
    /// that nothing was sent.
    Page,
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
    /// A verdict from earlier stands in for the question.
    assumes_legacy: bool,
    /// Why the question could not be sent, where that may have been for its headers.
    unsent: Option<Error>,
}

impl Negotiation {
    /// A negotiation that has not begun.
    /// A question without answer is asked again `retries` times.
    pub fn new(mode: Mode, channel: Channel, retries: u32) -> Self {
        Self { mode, channel, asked_again: false, retries, assumes_legacy: false, unsent: None }
    }

    /// Takes it from earlier that this is a server of 2025. If it turns out to be none, the question is asked after all.
    pub fn assume_legacy(&mut self) {
        self.assumes_legacy = self.mode == Mode::Auto;
    }

    /// Whether the verdict is worth keeping: it was not the host who said so.
    pub fn is_open(&self) -> bool {
        self.mode == Mode::Auto
    }

    /// What to send first.
    pub fn begin(&self) -> Step {
        match self.mode {
            Mode::Legacy => Step::Initialize(Revision::V2025_11_25),
            Mode::Pin(revision) if !revision.is_modern() => Step::Initialize(revision),
            _ if self.assumes_legacy => Step::Initialize(Revision::V2025_11_25),
            _ => Step::Discover,
        }
    }

    /// The verdict on a result of `server/discover`.
    pub fn on_discovered(&mut self, result: Value<'_>) -> Step {
        let list = result.at("supportedVersions");
        match versions(list) {
            0 => self.fall_back(Error::new(Code::InvalidResult, "the server's discover result names no versions")),
            found if found & NEWEST != 0 => Step::Speak(Revision::LATEST),
            found => self.by_versions(found, list),
        }
    }

    /// The verdict on a failure of `server/discover`. `status` is that of HTTP, or 0.
    pub fn on_discover_failed(&mut self, error: Error, status: u16) -> Step {
        let may_be_headers = error.kind() == Code::SendFailed && self.channel == Channel::Page;
        let is_away = matches!(error.kind(), Code::SendFailed | Code::ConnectionClosed) && !may_be_headers;
        let is_outage = status >= 500 || matches!(status, 408 | 429);
        match error.kind() {
            // A wall says nothing about what is behind it.
            Code::ClientHttpAuthentication | Code::ClientHttpForbidden | Code::InvalidArgument => Step::Fail(error),
            // An outage is one whatever it writes into the body, and so is a detour.
            _ if is_away || is_outage || is_detour(&error, status) => Step::Fail(failed(&error, status)),
            Code::Protocol(-32022) => self.on_unsupported_version(error),
            // Only servers of the new era know these codes.
            Code::Protocol(-32020 | -32021) => Step::Fail(error),
            Code::RequestTimeout if self.retries > 0 => {
                self.retries -= 1;
                Step::Discover
            }
            Code::RequestTimeout if self.channel != Channel::Shared => Step::Fail(error),
            Code::SendFailed => {
                self.unsent = Some(error.clone());
                self.fall_back(error)
            }
            _ => self.fall_back(error),
        }
    }

    /// The verdict on a result of `initialize`.
    pub fn on_initialized(&mut self, result: Value<'_>) -> Step {
        let version = result.at("protocolVersion").text();
        let revision = Revision::from_date(&version);
        match (revision, self.mode) {
            (Some(revision), Mode::Pin(pinned)) if revision != pinned => Step::Fail(other_revision(pinned)),
            // A server that offers a session in the new revision is neither.
            (Some(revision), _) if !revision.is_modern() => {
                self.assumes_legacy = false;
                Step::Speak(revision)
            }
            _ => {
                let message = "The server answered initialize with a revision that this client does not speak";
                let error = Error::new(Code::EraNegotiationFailed, message);
                self.on_initialize_failed(error.with("protocolVersion", start(&version, 40)), 0)
            }
        }
    }

    /// The verdict on a failure of `initialize`. An answer that is none refutes a verdict from earlier.
    pub fn on_initialize_failed(&mut self, error: Error, status: u16) -> Step {
        let silent = matches!(error.kind(), Code::RequestTimeout | Code::SendFailed | Code::ConnectionClosed);
        let wall = matches!(error.kind(), Code::ClientHttpAuthentication | Code::ClientHttpForbidden);
        if self.assumes_legacy && !silent && !wall && status < 500 && !is_detour(&error, status) {
            self.assumes_legacy = false;
            return Step::Discover;
        }
        match self.unsent.take() {
            // A server that refuses the old way knows the new one, and only the page was not let in.
            Some(unsent) if !wall && status < 500 => Step::Fail(unsent),
            _ => Step::Fail(error),
        }
    }

    /// A list with the newest revision asks for one more try with the very same one.
    fn on_unsupported_version(&mut self, error: Error) -> Step {
        let data = Document::or_null(error.data());
        let list = data.root().at("supported");
        match versions(list) {
            0 => self.fall_back(error),
            found if found & NEWEST == 0 => self.by_versions(found, list),
            _ if mem::replace(&mut self.asked_again, true) => Step::Fail(error),
            _ => Step::Discover,
        }
    }

    /// The list lacks the newest revision.
    fn by_versions(&self, found: u32, list: Value<'_>) -> Step {
        if self.mode == Mode::Auto && found & OLD != 0 {
            let mut older = Revision::V2025_11_25;
            for revision in &Revision::ALL {
                if found & bit(*revision) != 0 {
                    older = *revision;
                }
            }
            return Step::Initialize(older);
        }
        let message = "The server speaks no protocol revision that this client speaks";
        Step::Fail(Error::new(Code::EraNegotiationFailed, message).with_raw("supported", list.raw()))
    }

    /// Whatever is not an answer of the new era is one of the old.
    fn fall_back(&mut self, error: Error) -> Step {
        match self.mode {
            Mode::Pin(_) if self.unsent.is_some() => Step::Fail(error),
            Mode::Pin(pinned) => Step::Fail(other_revision(pinned).with("reason", error.message())),
            _ => Step::Initialize(Revision::V2025_11_25),
        }
    }
}

/// In what [`versions`] finds: the newest revision.
const NEWEST: u32 = bit(Revision::LATEST);
/// In what [`versions`] finds: anything older than that, be it known or not.
const OLD: u32 = 1 << 30;

const fn bit(revision: Revision) -> u32 {
    1 << revision as u32
}

/// What a list of versions has. Nothing, if it is not as it should be: strings, and at least one. Dates compare as texts.
#[inline(never)]
fn versions(list: Value<'_>) -> u32 {
    let mut found = 0;
    for version in list.items() {
        if !version.is(Kind::String) {
            return 0;
        }
        let date = version.text();
        found |= if date.as_str() < Revision::LATEST.as_str() { OLD } else { 1 << 31 };
        found |= Revision::from_date(&date).map_or(0, bit);
    }
    found
}

/// A redirect that is not followed; browsers do not show its status.
fn is_detour(error: &Error, status: u16) -> bool {
    matches!(status, 300..=399) || (status == 0 && error.kind() == Code::ClientHttpNotImplemented)
}

fn failed(error: &Error, status: u16) -> Error {
    let sentence = "No protocol revision could be agreed on: %";
    let failed = Error::told(Code::EraNegotiationFailed, sentence, &[error.message()]).with("reason", error.code());
    if status == 0 { failed } else { failed.with_number("status", i64::from(status)) }
}

fn other_revision(pinned: Revision) -> Error {
    let pinned = pinned.as_str();
    let sentence = "The server does not speak revision %, which versionNegotiation pins";
    Error::told(Code::EraNegotiationFailed, sentence, &[pinned]).with("pinned", pinned)
}

/// What a host kept of an earlier connection: `{ kind: 'modern', discover }` or `{ kind: 'legacy' }`.
#[derive(Debug)]
pub enum Prior {
    /// The result of `server/discover`.
    Modern(Document),
    /// A server of 2025.
    Legacy,
}

impl Prior {
    /// Reads it from JSON text.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGUMENT` if it is none; `ERA_NEGOTIATION_FAILED` if it does not list the newest revision.
    pub fn read(text: &str) -> Result<Self, Error> {
        let document = Document::or_null(text);
        let root = document.root();
        let (kind, discover) = (root.at("kind"), root.at("discover"));
        if kind.is_text("legacy") {
            return Ok(Self::Legacy);
        }
        let list = discover.at("supportedVersions");
        let found = versions(list);
        if !kind.is_text("modern") || found == 0 {
            let message = "expected options.prior to be { kind: 'modern', discover } or { kind: 'legacy' }";
            return Err(Error::new(Code::InvalidArgument, message).with("option", "prior"));
        }
        if found & NEWEST == 0 {
            let message = "The server of options.prior spoke no protocol revision that this client speaks";
            return Err(Error::new(Code::EraNegotiationFailed, message).with_raw("supported", list.raw()));
        }
        Ok(Self::Modern(Document::or_null(discover.raw())))
    }

    /// Writes what [`Prior::read`] reads, given what the server said of itself.
    pub fn write(revision: Revision, discover: &str) -> String {
        if revision.is_modern() {
            fill("{\"kind\":\"modern\",\"discover\":%}", &[discover])
        } else {
            String::from("{\"kind\":\"legacy\"}")
        }
    }
}

/// Which servers turned out to be of 2025, by URL, so that they are not asked each time.
#[derive(Debug, Default)]
pub struct Verdicts {
    /// Those that no longer hold are of minus infinity.
    known: Vec<(String, f64)>,
    /// Where the next one goes: when there is no room left, in the place of the one that has been there longest.
    next: usize,
}

/// How many of them are kept.
const MAX_VERDICTS: usize = 64;
/// For how long, in milliseconds: an hour. An upgraded server still answers the old handshake, so nothing else would
/// ever refute the verdict.
const VERDICT_MS: f64 = 3_600_000.0;

impl Verdicts {
    /// None yet.
    pub const fn new() -> Self {
        Self { known: Vec::new(), next: 0 }
    }

    /// Whether the server is known to be of 2025.
    pub fn is_legacy(&self, url: &str, now_ms: f64) -> bool {
        self.known.iter().any(|(known, at)| known == url && now_ms - at < VERDICT_MS)
    }

    /// Keeps a verdict. One that holds is not prolonged.
    pub fn note(&mut self, url: &str, revision: Revision, now_ms: f64) {
        let is_modern = revision.is_modern();
        for (known, at) in &mut self.known {
            if known == url {
                if is_modern || now_ms - *at >= VERDICT_MS {
                    *at = if is_modern { f64::NEG_INFINITY } else { now_ms };
                }
                return;
            }
        }
        if is_modern {
            return;
        }
        let verdict = (url.to_owned(), now_ms);
        match self.known.get_mut(self.next) {
            Some(oldest) => *oldest = verdict,
            None => self.known.push(verdict),
        }
        self.next = (self.next + 1) % MAX_VERDICTS;
    }
}
