//! The history (`Content`, `Part`).

use std::mem::take;

use crate::error::Error;
use crate::json::{JsonStr, Kind as JsonKind, Value};
use crate::sampling::Role;

use super::super::Rules;
use super::super::answer::MINTED;
use super::super::body::Json;
use super::super::draft::Draft;
use super::super::failure::string;
use super::super::results::{Kind, Part};
use super::super::tools::Call;
use super::super::turns::{Late, Style, Turns, walk};
use super::super::warnings::Fate;
use super::SHOWN;

/// What stands for a signature that is not there. The API asks for nothing but this very text.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

static STYLE: Style =
    Style { takes: SHOWN, hears: true, no_blanks: true, assistant_shows: true, labels: false, late_text: "" };

/// Writes the contents. A turn is opened by its first part that is sent, so messages that end up empty vanish, and
/// neighbours of one role become one turn, as the API wants them.
#[derive(Debug)]
pub(super) struct Contents<'d> {
    role: Role,
    /// What the user says first in place of the system.
    pub(super) system: Option<&'d str>,
    /// Something of the messages was sent.
    said: bool,
    /// The calls of the last turn of the model, and the id of each in the request. The API wants results in the order of
    /// the calls, and their names.
    calls: Vec<(Call<'d>, JsonStr<'d>)>,
    /// The turn has a call: only the first of them needs a signature.
    has_call: bool,
}

impl<'d> Contents<'d> {
    pub(super) const NONE: Self =
        Self { role: Role::User, system: None, said: false, calls: Vec::new(), has_call: false };

    pub(super) fn write(&mut self, draft: &mut Draft<'d>) -> Result<(), Error> {
        if let Some(system) = self.system {
            self.enter(draft);
            draft.json.one("{\"text\":\"%v\\n\\n\"}", system);
        }
        walk(draft, &STYLE, self)?;
        // What stands for the system alone is nothing to answer.
        if !self.said {
            draft.last = None;
        }
        Ok(())
    }

    /// Gives back the parts that came before this block. Returns its signature, which ends its part, and those of empty
    /// parts after it.
    fn replay(&mut self, draft: &mut Draft<'d>, block: Value<'d>) -> Json {
        let mut end = Json::default();
        for item in draft.opaque(block) {
            let signature = item.at("thoughtSignature");
            if self.role != Role::Assistant || item.kind() != JsonKind::Object {
                continue;
            }
            if signature.is_missing() || item.members().count() > 1 {
                self.enter(draft);
                draft.json.value("%v", item);
                continue;
            }
            let next = "{\"text\":\"\",\"thoughtSignature\":%v}";
            end.value(if end.is_empty() { "\"thoughtSignature\":%v}" } else { next }, signature);
        }
        draft.json.replaced |= end.replaced;
        end
    }

    #[inline(never)]
    fn enter(&mut self, draft: &mut Draft<'d>) {
        let role = if self.role == Role::User { "user" } else { "model" };
        self.has_call &= !draft.enter_turn(self.role, "{\"role\":%q,\"parts\":[", role);
    }
}

impl<'d> Turns<'d> for Contents<'d> {
    fn begin(&mut self, _draft: &mut Draft<'d>, role: Role) {
        self.role = role;
        if role == Role::Assistant {
            self.calls.clear();
        }
    }

    /// What a model said in pictures and sounds is part of its turn.
    fn say(&mut self, draft: &mut Draft<'d>, part: Part<'d>, block: Value<'d>) {
        let end = self.replay(draft, block);
        self.enter(draft);
        self.said = true;
        write_part(&mut draft.json, &part);
        close_part(&mut draft.json, &end);
    }

    fn call(&mut self, draft: &mut Draft<'d>, block: Value<'d>) {
        let mut call = draft.call(block);
        let Some(id) = string(block, "id") else { return };
        // An id that was made here is news to the API.
        if !draft.rules.allow(Rules::CALL_IDS) || id.decode().starts_with(MINTED) {
            call.id.clear();
        }
        let end = self.replay(draft, block);
        self.enter(draft);
        self.said = true;
        let unsigned = end.is_empty() && !self.has_call && draft.rules.allow(Rules::SIGNATURES);
        self.has_call = true;
        draft.json.lit("{\"functionCall\":{");
        if !call.id.is_empty() {
            draft.json.one("\"id\":%q", &call.id);
        }
        draft.json.two("\"name\":%q,\"args\":%v}", &call.name, call.input);
        if unsigned {
            draft.json.one("\"thoughtSignature\":%q", NO_SIGNATURE);
            draft.warn(Fate::Emulated, "the call lost its thought signature, and gets a word in its place");
        }
        close_part(&mut draft.json, &end);
        self.calls.push((call, id));
    }

    fn result(&mut self, _draft: &mut Draft<'d>, _block: Value<'d>) -> Result<(), Error> {
        Ok(())
    }

    /// One result for each call, in the order of the calls.
    fn results(&mut self, draft: &mut Draft<'d>, results: &mut [Late<'d>]) -> Result<(), Error> {
        if results.is_empty() {
            return Ok(());
        }
        self.said = true;
        for (at, (call, id)) in take(&mut self.calls).iter().enumerate() {
            for late in &mut *results {
                if string(late.block, "toolUseId").is_some_and(|answered| answered == *id) {
                    let block = late.block;
                    late.block = block.nothing();
                    self.enter(draft);
                    draft.go(draft.number, late.index);
                    super::result::write(draft, call, at, block)?;
                    break;
                }
            }
        }
        for late in results {
            if !late.block.is_missing() {
                draft.go(draft.number, late.index);
                draft.warn(Fate::Dropped, "the API takes one result for each call");
            }
        }
        Ok(())
    }

    fn end(&mut self, _draft: &mut Draft<'d>) {}
}

/// Writes a part, but for its end.
#[inline(never)]
pub(super) fn write_part(json: &mut Json, part: &Part<'_>) {
    let form = match part.kind {
        Kind::Text => "{\"text%r\":\"%v%v\"",
        _ => "{\"inlineData\":{\"mimeType\":\"%r\",\"data\":\"%r%r\"}",
    };
    // A text has no media type.
    json.three(form, part.mime_type, &part.head, part.body);
}

/// Ends a part with its signature, if it has one.
fn close_part(json: &mut Json, end: &Json) {
    json.one(if end.is_empty() { "}%r" } else { "%r" }, end.text());
}
