//! The host's options, which JavaScript has checked and taken apart.

use crate::driver::Limits;
use crate::error::{Code, Error};
use crate::json::Document;
use crate::revision::Revision;
use crate::wire::era::Mode;
use crate::wire::mirror::Mirrors;

/// How a revision is to be agreed on, and what depends on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConnectionOptions {
    pub(super) mode: Mode,
    /// How long to wait for the answer to the first question. No number means as for any call.
    pub(super) probe_timeout_ms: f64,
    /// The bits 8 and 16 `mirrorToolHeaders` given and true, and from 256 on how often to ask again when there is none.
    pub(super) flags: u32,
}

impl ConnectionOptions {
    pub(super) fn probe_retries(self) -> u32 {
        self.flags >> 8
    }

    /// Whether arguments of tools go out as headers too; without a word, only where that is `usual`.
    pub(super) fn mirrors_tools(self, usual: bool) -> bool {
        if self.flags & 8 == 0 { usual } else { self.flags & 16 != 0 }
    }
}

/// The mode by its name, or by the date of the one revision that will do.
pub(super) fn mode(name: &str) -> Option<Mode> {
    match name {
        "auto" => Some(Mode::Auto),
        "legacy" => Some(Mode::Legacy),
        date => Revision::from_date(date).map(Mode::Pin),
    }
}

/// In [`Limits::flags`]: the call has `onround`.
pub(super) const ONROUND: u32 = 32;
/// In [`Limits::flags`]: the call has `onprogress`.
pub(super) const ONPROGRESS: u32 = 64;

/// Those of the client, with the timeout and the total one of one call, and with its `flags`, which are the bits
/// 1 `resetTimeoutOnProgress`, 2 `allowInputRequired`, 4 `onround`, 8 `onprogress`, 16 `oncheckpoint`. Times that are
/// no numbers stay as they are.
pub(super) fn of_call(limits: &Limits, timeout_ms: f64, total_ms: f64, flags: u32) -> Limits {
    let mut limits = *limits;
    set(&mut limits.timeout_ms, timeout_ms);
    set(&mut limits.max_total_timeout_ms, total_ms);
    limits.flags |= flags << 3;
    limits
}

/// What a tool wants mirrored. `tool` is its definition as JSON text.
pub(super) fn mirrors(tool: &str) -> Result<Mirrors, Error> {
    Mirrors::read(Document::or_null(tool).root()).map_err(|fault| {
        let sentence = "expected options.toolDefinition to be a tool that can be called: %";
        Error::told(Code::InvalidArgument, sentence, &[&fault]).with("option", "toolDefinition")
    })
}

pub(super) fn set(limit: &mut f64, given: f64) {
    if !given.is_nan() {
        *limit = given;
    }
}
