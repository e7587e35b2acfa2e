//! The fields of a request that most providers have in one form or another, and the end of it.

use std::mem::take;

use crate::error::{Code, Error};
use crate::json::{Number, Value, concat, decimal};

use super::Built;
use super::blank::is_blank;
use super::body::{Json, MEMBER, decoded, next_word};
use super::draft::Draft;
use super::failure::{lossy, string};
use super::opaque;
use super::options::document;
use super::warnings::{Fate, Warning};

const PARAMS: &str = "messages systemPrompt maxTokens temperature stopSequences metadata tools toolChoice \
                      modelPreferences includeContext _meta task";

impl<'d> Draft<'d> {
    /// Fields that are the request itself cannot be the host's.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGUMENT` for such a field.
    #[inline(never)]
    pub(super) fn no_reserved_fields(&self, fields: &str) -> Result<(), Error> {
        let mut fields = fields;
        while let Some(field) = next_word(&mut fields) {
            if self.adds(field) {
                let sentence = "extraBody may not replace the messages or the option stream";
                let error = Error::told(Code::InvalidArgument, sentence, &[]);
                return Err(error.with("option", "extraBody").with("field", field));
            }
        }
        Ok(())
    }

    /// Reports what of a block has no place in any provider's request.
    #[inline(never)]
    pub(super) fn report_block(&mut self, block: Value<'_>, known: &str) {
        self.report_members(block, known, "the provider has no place for this member of a block");
        if opaque::has_foreign(block) {
            self.warn_at("/_meta", Fate::Dropped, "providers have no place for metadata of blocks");
        }
    }

    /// Reports the members of the params that no provider has a place for. What the host itself acts on is not among
    /// them: the preferences, the context, and the metadata of the request.
    pub(super) fn report_params(&mut self) {
        self.report_members(self.params, PARAMS, "the provider has no place for this member");
        for (index, message) in self.params.at("messages").items().enumerate() {
            self.stand("/messages/", index);
            let unknown = "the provider has no place for this member of a message";
            self.report_members(message, "role content", unknown);
        }
        self.place.clear();
    }

    /// The system prompt between its quotes, if there is something in it.
    pub(super) fn system(&mut self) -> Option<&'d str> {
        let system = string(self.params, "systemPrompt")?.raw();
        if is_blank(system) {
            if !system.is_empty() {
                self.warn_at("/systemPrompt", Fate::Dropped, "the system prompt is blank");
            }
            return None;
        }
        Some(system)
    }

    /// Writes the system prompt; `form` has a place for what stands between its quotes.
    pub(super) fn write_system(&mut self, field: &str, form: &str) {
        if let Some(system) = self.system().filter(|_| self.wants(field, "/systemPrompt")) {
            self.json.one(form, system);
        }
    }

    /// Writes a field that stands for nothing in the params, with its value as JSON.
    #[inline(never)]
    pub(super) fn write_own(&mut self, field: &str, form: &str, value: &str) -> bool {
        let wants = self.wants_own(field);
        if wants {
            self.json.one("\"%r\":", field);
            self.json.one(form, value);
        }
        wants
    }

    /// Asks for a stream, if the host wants one.
    pub(super) fn stream(&mut self) {
        if self.options.stream {
            self.json.lit("\"stream\":true");
        }
    }

    /// Writes the limit.
    pub(super) fn max_tokens(&mut self, field: &str) -> bool {
        let number = self.params.at("maxTokens").integer_or(i64::MIN);
        let wants = number != i64::MIN && self.wants(field, "/maxTokens");
        if wants {
            self.json.two("\"%r\":%r", field, &decimal(number));
        }
        wants
    }

    /// The temperature, as the server wrote it.
    pub(super) fn temperature(&self) -> Option<Number<'d>> {
        self.params.at("temperature").as_number()
    }

    /// Writes the temperature, from 0 to `most`. The value 1 is what models use by themselves, so leaving it out loses
    /// nothing.
    pub(super) fn write_temperature(&mut self, taken: bool, most: &str, refused: &'static str, range: &'static str) {
        let Some(temperature) = self.temperature() else { return };
        if !taken {
            if temperature.as_unit_thousandths() != Some(1000) {
                self.warn_at("/temperature", Fate::Dropped, refused);
            }
        } else if self.wants("temperature", "/temperature") {
            let clamped = match (temperature.is_negative(), is_above(temperature, most)) {
                (true, _) => "0",
                (false, true) => most,
                (false, false) => temperature.raw(),
            };
            self.json.one("\"temperature\":%r", clamped);
            if clamped != temperature.raw() {
                self.warn_at("/temperature", Fate::Changed, range);
            }
        }
    }

    /// Writes the stop sequences: the first of them, and none that is empty or, with `blank`, blank. The rest is looked
    /// for in the answer, because the provider cannot.
    #[inline(never)]
    pub(super) fn stops(&mut self, field: &str, most: usize, blank: bool, message: &'static str) {
        let mut sent = Json::default();
        for (index, stop) in self.params.at("stopSequences").items().enumerate() {
            let Some(stop) = stop.as_str() else { continue };
            let is_empty = stop.is_empty();
            if index < most && !is_empty && !(blank && is_blank(stop.raw())) {
                sent.value("%v", stop.value());
                continue;
            }
            let fate = if is_empty { Fate::Dropped } else { Fate::Emulated };
            let message = if is_empty { "an empty text stops nothing" } else { message };
            self.warn_at(&concat(&["/stopSequences/", &decimal(index as i64)]), fate, message);
            if !is_empty {
                self.stops.one("%q", &decoded(stop));
            }
        }
        let free = if self.inside.is_some() { self.is_free_inside(field) } else { self.wants_own(field) };
        if !sent.is_empty() && free {
            self.json.two("\"%r\":[%r]", field, sent.text());
            self.json.replaced |= sent.replaced;
        }
    }

    /// Reports the metadata, but for what is known.
    pub(super) fn report_metadata(&mut self, known: &str, message: &'static str) {
        self.place = "/metadata".to_owned();
        self.report_members(self.params.at("metadata"), known, message);
        self.place.clear();
    }

    /// Adds the host's own fields, closes the body and returns everything.
    pub(super) fn finish(&mut self) -> Result<Built, Error> {
        self.json.members(self.extra, MEMBER, self.taken);
        self.json.end();
        if self.json.replaced {
            let message = "half of a surrogate pair, which no UTF-8 text can carry, was replaced";
            self.warn(Fate::Changed, message);
        }
        let loss = |warning: &&Warning| warning.fate != Fate::Emulated;
        if let Some(first) = self.warnings.iter().find(loss).filter(|_| self.options.strict) {
            return Err(lossy(self.provider, first, &self.warnings));
        }
        let mut headers = const { Vec::new() };
        if !self.path.is_empty() {
            headers.push(("content-type", "application/json".to_owned()));
        }
        if let Some(version) = self.version {
            headers.push(("anthropic-version", version.to_owned()));
        }
        let state = self.state();
        let (path, body) = (take(&mut self.path), take(&mut self.json).finish().into_bytes());
        Ok(Built { path, headers, body, warnings: take(&mut self.warnings), state })
    }

    /// The state, which [`State`](super::state::State) reads.
    fn state(&self) -> String {
        let mut json = Json::default();
        let turn = decimal(self.turn as i64);
        let form = "{\"v\":1,\"provider\":%q,\"model\":%q,\"turn\":%r";
        json.three(form, self.provider.as_str(), &self.options.model, &turn);
        for (name, flag) in &[
            ("tools", !self.params.at("tools").is_missing()),
            ("required", self.required),
            ("emptyText", self.options.empty_text),
        ] {
            if *flag {
                json.one("\"%r\":true", name);
            }
        }
        let lists = [self.wire_names.text(), self.call_ids.text(), self.stops.text()];
        json.put("\"names\":{%r},\"ids\":[%r],\"stops\":[%r]", &lists);
        if !self.own.is_empty() {
            json.one("\"own\":{%r}", self.own.text());
        }
        json.end();
        json.finish()
    }
}

/// True if the number is larger than the one that `limit` is.
pub(super) fn is_above(number: Number<'_>, limit: &str) -> bool {
    let limit = document(limit.to_owned());
    limit.root().as_number().is_some_and(|limit| number.compare(limit).is_gt())
}
