//! Messages (`LanguageModelMessage`): texts, and images and sounds of the user.

use std::mem::take;

use crate::error::{Error, fill};
use crate::json::{Value, decimal};
use crate::sampling::Role;

use super::super::body::Json;
use super::super::draft::Draft;
use super::super::media::{BMP, MP4_WEBM, OGG, WAV_MPEG, WEB_IMAGES};
use super::super::results::{Kind, Part, add_text, failed, parts, write_lines};
use super::super::tools::Call;
use super::super::turns::{Style, Turns, walk};
use super::super::warnings::Fate;

static STYLE: Style = Style {
    // What browsers recognize from its bytes.
    takes: WEB_IMAGES | BMP | WAV_MPEG | OGG | MP4_WEBM,
    hears: true,
    no_blanks: false,
    assistant_shows: false,
    labels: true,
    late_text: "the text of a message stands before its calls",
};

/// One message.
#[derive(Debug)]
pub(super) struct Turn<'d> {
    pub(super) role: Role,
    pub(super) parts: Vec<Part<'d>>,
    calls: Json,
}

/// Collects the messages that have something in them. Which one is the last shows at the end.
#[derive(Debug)]
pub(super) struct Messages<'d> {
    turns: Vec<Turn<'d>>,
    role: Role,
    said: Vec<Part<'d>>,
    calls: Json,
    /// The calls of the last message of the assistant.
    called: Vec<Call<'d>>,
}

impl<'d> Messages<'d> {
    pub(super) fn collect(draft: &mut Draft<'d>) -> Result<Vec<Turn<'d>>, Error> {
        let (said, calls) = (Vec::new(), Json::default());
        let mut messages = Self { turns: Vec::new(), role: Role::User, said, calls, called: Vec::new() };
        walk(draft, &STYLE, &mut messages)?;
        Ok(messages.turns)
    }

    /// Says whose result follows: calls have no ids here, so their order tells.
    fn title(&self, id: &str, failed: bool) -> String {
        let (mut number, mut name) = (0, "");
        for (at, call) in self.called.iter().enumerate().rev() {
            if call.id == id {
                (number, name) = (at as i64 + 1, call.name.as_str());
            }
        }
        let form = if failed { "Result of tool call % (%), which failed:" } else { "Result of tool call % (%):" };
        fill(form, &[&decimal(number), name])
    }
}

impl<'d> Turns<'d> for Messages<'d> {
    fn begin(&mut self, _draft: &mut Draft<'d>, role: Role) {
        self.role = role;
        if role == Role::Assistant {
            self.called.clear();
        }
    }

    fn say(&mut self, draft: &mut Draft<'d>, part: Part<'d>, block: Value<'d>) {
        if part.is_text() && !block.is_missing() && self.said.last().is_some_and(Part::is_text) {
            let message = "the API runs texts of a message together; they are joined, each on a line";
            draft.warn(Fate::Changed, message);
        }
        self.said.push(part);
    }

    /// As the model itself writes calls.
    fn call(&mut self, draft: &mut Draft<'d>, block: Value<'d>) {
        let call = draft.call(block);
        let message = "the API knows no calls of tools in messages; it is sent as the model writes calls";
        draft.warn(Fate::Emulated, message);
        self.calls.two("{\"name\":%q,\"arguments\":%v}", &call.name, call.input);
        self.called.push(call);
    }

    fn result(&mut self, draft: &mut Draft<'d>, block: Value<'d>) -> Result<(), Error> {
        let id = draft.result_id(block);
        draft.warn(Fate::Emulated, "the API knows no results of tools; the user says it");
        let title = self.title(&id, failed(block));
        add_text(&mut self.said, title, "");
        parts(draft, block, STYLE.takes, &mut self.said)
    }

    fn end(&mut self, draft: &mut Draft<'d>) {
        let (parts, calls) = (take(&mut self.said), take(&mut self.calls));
        draft.json.replaced |= calls.replaced;
        if !parts.is_empty() || !calls.is_empty() {
            self.turns.push(Turn { role: self.role, parts, calls });
        }
    }

    fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }
}

impl Turn<'_> {
    /// Writes the message; the last of the assistant may be one to go on with.
    pub(super) fn write(&self, json: &mut Json, prefix: bool) {
        json.one("{\"role\":%q,\"content\":", self.role.as_str());
        if !self.calls.is_empty() {
            self.folded(json);
        } else if self.parts.iter().all(Part::is_text) {
            write_lines(json, &self.parts);
        } else {
            self.array(json);
        }
        if prefix {
            json.lit("\"prefix\":true");
        }
        json.end();
    }

    /// As the model was told to write its answers.
    fn folded(&self, json: &mut Json) {
        let mut inner = Json::begin("{");
        if self.parts.iter().any(Part::is_text) {
            inner.lit("\"text\":");
            write_lines(&mut inner, &self.parts);
        }
        inner.one("\"tool_calls\":[%r]}", self.calls.text());
        json.replaced |= inner.replaced;
        json.one("%q", inner.text());
    }

    /// Texts that follow each other are one, with a line for each, as the API would put nothing between them. In place of
    /// bytes the page puts a `Blob`.
    fn array(&self, json: &mut Json) {
        json.lit("[");
        let mut rest = self.parts.as_slice();
        while let [first, after @ ..] = rest {
            if !first.is_text() {
                let kind = if first.kind == Kind::Audio { "audio" } else { "image" };
                let form = "{\"type\":%q,\"value\":{\"mimeType\":%q,\"base64\":\"%r%r\"}}";
                json.put(form, &[kind, first.mime_type, &first.head, first.body]);
                rest = after;
                continue;
            }
            let texts = rest.iter().position(|part| !part.is_text()).unwrap_or(rest.len());
            let (run, after) = rest.split_at_checked(texts).unwrap_or((rest, &[]));
            json.lit("{\"type\":\"text\",\"value\":");
            write_lines(json, run);
            json.end();
            rest = after;
        }
        json.end_list();
    }
}
