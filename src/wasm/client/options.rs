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
    /// How often to ask again when there is none.
    pub(super) probe_retries: u32,
    /// Whether arguments of tools go out as headers too.
    pub(super) mirror_tool_headers: Option<bool>,
}

/// The mode by its name, or by the date of the one revision that will do.
pub(super) fn mode(name: &str) -> Option<Mode> {
    match name {
        "auto" => Some(Mode::Auto),
        "legacy" => Some(Mode::Legacy),
        date => Revision::from_date(date).map(Mode::Pin),
    }
}

/// What one call sets for itself.
pub(super) struct CallOptions {
    pub(super) limits: Limits,
    pub(super) onround: bool,
    pub(super) onprogress: bool,
    /// What the tool wants mirrored, if the host says what tool it is.
    pub(super) mirrors: Option<Mirrors>,
}

impl CallOptions {
    /// Those of the client alone.
    pub(super) fn of(limits: &Limits) -> Self {
        Self { limits: limits.clone(), onround: false, onprogress: false, mirrors: None }
    }

    /// Times that are no numbers stay as they are. `flags` are the bits 1 `resetTimeoutOnProgress`,
    /// 2 `allowInputRequired`, 4 `onround`, 8 `onprogress`, 16 `oncheckpoint`.
    pub(super) fn set(mut self, timeout_ms: f64, max_total_timeout_ms: f64, flags: u32) -> Self {
        set(&mut self.limits.timeout_ms, timeout_ms);
        set(&mut self.limits.max_total_timeout_ms, max_total_timeout_ms);
        self.limits.reset_timeout_on_progress = flags & 1 != 0;
        self.limits.allow_input_required = flags & 2 != 0;
        self.onround = flags & 4 != 0;
        self.onprogress = flags & 8 != 0;
        self.limits.saves = flags & 16 != 0;
        self
    }

    /// `tool` is the definition of the tool that is called, as JSON text.
    pub(super) fn mirror(mut self, tool: String) -> Result<Self, Error> {
        let tool = Document::from_text(tool).unwrap_or_default();
        let mirrors = Mirrors::read(tool.root()).map_err(|fault| {
            let message = ["expected options.toolDefinition to be a tool that can be called: ", &fault].concat();
            Error::new(Code::InvalidArgument, message).with("option", "toolDefinition")
        })?;
        self.mirrors = Some(mirrors);
        Ok(self)
    }
}

pub(super) fn set(limit: &mut f64, given: f64) {
    if !given.is_nan() {
        *limit = given;
    }
}
