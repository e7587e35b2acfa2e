//! The host's options, read by name and checked: a wrong type is an error that names the option.

use js_sys::{Function, JSON, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

use crate::driver::Limits;
use crate::error::{Code, Error};
use crate::json::Document;
use crate::revision::Revision;
use crate::wire::era::Mode;
use crate::wire::mirror::Mirrors;

/// A plain object of options, and its name for messages.
pub(super) struct Options<'a> {
    object: &'a JsValue,
    name: &'static str,
}

impl<'a> Options<'a> {
    pub(super) fn new(object: &'a JsValue, name: &'static str) -> Self {
        Self { object, name }
    }

    /// The value, if it is given.
    pub(super) fn get(&self, option: &str) -> Option<JsValue> {
        let value = Reflect::get(self.object, &option.into()).unwrap_or_default();
        (!value.is_undefined() && !value.is_null()).then_some(value)
    }

    pub(super) fn bool(&self, option: &str) -> Result<Option<bool>, Error> {
        self.get(option).map(|value| value.as_bool().ok_or_else(|| self.expected(option, "true or false"))).transpose()
    }

    /// A number of milliseconds or things: zero or more, infinity allowed.
    pub(super) fn number(&self, option: &str) -> Result<Option<f64>, Error> {
        let read = |value: JsValue| value.as_f64().filter(|number| *number >= 0.0);
        self.get(option)
            .map(|value| read(value).ok_or_else(|| self.expected(option, "a number, 0 or more")))
            .transpose()
    }

    pub(super) fn function(&self, option: &str) -> Result<Option<Function>, Error> {
        self.get(option).map(|value| value.dyn_into().map_err(|_| self.expected(option, "a function"))).transpose()
    }

    pub(super) fn signal(&self, option: &str) -> Result<Option<AbortSignal>, Error> {
        // Not by `instanceof`: the signal may come from another realm.
        let part = |value: &JsValue, name: &str| Reflect::get(value, &name.into()).unwrap_or_default();
        let is_signal = |value: &JsValue| {
            part(value, "aborted").as_bool().is_some() && part(value, "addEventListener").is_function()
        };
        let read = |value: JsValue| is_signal(&value).then(|| value.unchecked_into());
        self.get(option).map(|value| read(value).ok_or_else(|| self.expected(option, "an AbortSignal"))).transpose()
    }

    fn expected(&self, option: &str, what: &str) -> Error {
        let mut message = String::from("expected ");
        message.push_str(self.name);
        message.push('.');
        message.push_str(option);
        message.push_str(" to be ");
        message.push_str(what);
        Error::new(Code::InvalidArgument, message).with("option", option)
    }
}

/// What `new Client(info, options)` sets for all calls.
pub(super) fn client_limits(options: &JsValue) -> Result<Limits, Error> {
    let mut limits = Limits::default();
    let input = Options::new(options, "options").get("inputRequired").unwrap_or_default();
    if input.is_object() {
        let input = Options::new(&input, "inputRequired");
        limits.auto_fulfill = input.bool("autoFulfill")?.unwrap_or(limits.auto_fulfill);
        // A count past what fits means no limit; the conversion saturates.
        limits.max_rounds = input.number("maxRounds")?.map_or(limits.max_rounds, |number| number as u32);
        limits.max_requests_per_round =
            input.number("maxRequestsPerRound")?.map_or(limits.max_requests_per_round, |number| number as usize);
        limits.handler_timeout_ms = input.number("handlerTimeoutMs")?.unwrap_or(limits.handler_timeout_ms);
    }
    let options = Options::new(options, "options");
    limits.lenient = options.bool("lenient")?.unwrap_or(limits.lenient);
    limits.result_rules.strict_result_type = options.bool("strictResultType")?.unwrap_or_default();
    Ok(limits)
}

/// How a revision is to be agreed on, and what depends on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConnectionOptions {
    pub(super) mode: Mode,
    /// How long to wait for the answer to the first question.
    pub(super) probe_timeout_ms: Option<f64>,
    /// How often to ask again when there is none.
    pub(super) probe_retries: u32,
    /// Whether arguments of tools go out as headers too.
    pub(super) mirror_tool_headers: Option<bool>,
}

pub(super) fn connection(options: &JsValue) -> Result<ConnectionOptions, Error> {
    let options = Options::new(options, "options");
    let mirror_tool_headers = options.bool("mirrorToolHeaders")?;
    let mut read =
        ConnectionOptions { mode: Mode::Auto, probe_timeout_ms: None, probe_retries: 0, mirror_tool_headers };
    let Some(negotiation) = options.get("versionNegotiation") else { return Ok(read) };
    let negotiation = Options::new(&negotiation, "versionNegotiation");
    if let Some(mode) = negotiation.get("mode") {
        let wanted = "'auto', 'legacy' or { pin: 'a revision' }";
        read.mode = mode_of(&mode).ok_or_else(|| negotiation.expected("mode", wanted))?;
    }
    if let Some(probe) = negotiation.get("probe") {
        let probe = Options::new(&probe, "probe");
        read.probe_timeout_ms = probe.number("timeoutMs")?;
        read.probe_retries = probe.number("maxRetries")?.unwrap_or_default() as u32;
    }
    Ok(read)
}

fn mode_of(mode: &JsValue) -> Option<Mode> {
    if let Some(name) = mode.as_string() {
        return match name.as_str() {
            "auto" => Some(Mode::Auto),
            "legacy" => Some(Mode::Legacy),
            _ => None,
        };
    }
    let pin = Reflect::get(mode, &"pin".into()).ok()?.as_string()?;
    Revision::from_date(&pin).map(Mode::Pin)
}

/// What one call sets for itself.
pub(super) struct CallOptions {
    pub(super) limits: Limits,
    pub(super) signal: Option<AbortSignal>,
    pub(super) onround: Option<Function>,
    pub(super) onprogress: Option<Function>,
    pub(super) oncheckpoint: Option<Function>,
    pub(super) headers: JsValue,
    /// What the tool wants mirrored, if the host says what tool it is.
    pub(super) mirrors: Option<Mirrors>,
}

pub(super) fn call_options(object: &JsValue, client: &Limits) -> Result<CallOptions, Error> {
    let options = Options::new(object, "options");
    let oncheckpoint = options.function("oncheckpoint")?;
    let limits = Limits {
        timeout_ms: options.number("timeout")?.unwrap_or(client.timeout_ms),
        max_total_timeout_ms: options.number("maxTotalTimeout")?.unwrap_or(client.max_total_timeout_ms),
        reset_timeout_on_progress: options.bool("resetTimeoutOnProgress")?.unwrap_or_default(),
        allow_input_required: options.bool("allowInputRequired")?.unwrap_or_default(),
        saves: oncheckpoint.is_some(),
        ..client.clone()
    };
    Ok(CallOptions {
        limits,
        signal: options.signal("signal")?,
        onround: options.function("onround")?,
        onprogress: options.function("onprogress")?,
        oncheckpoint,
        headers: options.get("headers").filter(JsValue::is_object).unwrap_or_default(),
        mirrors: options.get("toolDefinition").map(|tool| mirrors(&tool)).transpose()?,
    })
}

fn mirrors(tool: &JsValue) -> Result<Mirrors, Error> {
    let text = JSON::stringify(tool).map(String::from).unwrap_or_default();
    let tool = Document::from_text(text).unwrap_or_default();
    Mirrors::read(tool.root()).map_err(|fault| {
        let message = ["expected options.toolDefinition to be a tool that can be called: ", &fault].concat();
        Error::new(Code::InvalidArgument, message).with("option", "toolDefinition")
    })
}
