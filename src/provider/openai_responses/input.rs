//! The history as items (`ResponseInputItem`).

use std::mem::take;

use crate::error::Error;
use crate::json::Value;
use crate::sampling::Role;

use super::super::body::{Json, MEMBER};
use super::super::draft::Draft;
use super::super::failure::{filled, string};
use super::super::media::{PDF, WEB_IMAGES};
use super::super::results::{Kind, Part, marked, parts, write_lines};
use super::super::turns::{Style, Turns, walk};
use super::super::warnings::Fate;

static STYLE: Style = Style {
    takes: WEB_IMAGES | PDF,
    hears: false,
    no_blanks: false,
    assistant_shows: false,
    labels: true,
    late_text: "",
};

/// Writes the items: messages, calls and results stand side by side.
#[derive(Debug)]
pub(super) struct Input<'d> {
    role: Role,
    /// The vendor keeps the answers, as the host wants it.
    stores: bool,
    /// What the user says in a message.
    said: Vec<Part<'d>>,
    written: bool,
}

impl<'d> Input<'d> {
    /// # Errors
    ///
    /// As for the blocks, and if there is nothing to write.
    pub(super) fn write(draft: &mut Draft<'d>) -> Result<(), Error> {
        let stores = draft.extra.at("store").as_bool();
        let stores = stores.unwrap_or_else(|| draft.options.omits("store"));
        let mut input = Self { role: Role::User, stores, said: const { Vec::new() }, written: false };
        walk(draft, &STYLE, &mut input)?;
        if input.written { Ok(()) } else { Err(draft.nothing_left()) }
    }

    /// Gives back the items that came before this block. Returns the phase of the message, which comes with it.
    fn replay(&self, draft: &mut Draft<'d>, block: Value<'d>) -> Option<Value<'d>> {
        let mut phase = None;
        for item in draft.opaque(block) {
            match string(item, "type") {
                Some(kind) if kind == "reasoning" => self.reasoning(draft, item),
                Some(_) => draft.json.value("%v", item),
                None => phase = item.get("phase").or(phase),
            }
        }
        phase
    }

    /// An item whose content came with it. The id of one stands for what is stored, which here is nothing; where the
    /// vendor stores, it would bind the item to others that have ids too.
    fn reasoning(&self, draft: &mut Draft<'d>, item: Value<'d>) {
        let is_whole = filled(item, "encrypted_content").is_some() || item.at("content").items().next().is_some();
        if !is_whole {
            let message = "the reasoning came without its encrypted content, and is not stored at the vendor";
            return draft.warn(Fate::Dropped, message);
        }
        draft.json.lit("{");
        draft.json.members(item, MEMBER, if self.stores { "id" } else { "" });
        draft.json.end();
    }
}

impl<'d> Turns<'d> for Input<'d> {
    fn begin(&mut self, _draft: &mut Draft<'d>, role: Role) {
        self.role = role;
    }

    /// The API takes what the assistant said as a text, not as parts.
    fn say(&mut self, draft: &mut Draft<'d>, part: Part<'d>, block: Value<'d>) {
        if self.role == Role::User {
            return self.said.push(part);
        }
        let phase = self.replay(draft, block);
        self.written = true;
        draft.json.one("{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"%v\"", part.body);
        if let Some(phase) = phase {
            draft.json.value("\"phase\":%v", phase);
        }
        draft.json.end();
    }

    fn call(&mut self, draft: &mut Draft<'d>, block: Value<'d>) {
        let call = draft.call(block);
        self.replay(draft, block);
        self.written = true;
        let form = "{\"type\":\"function_call\",\"call_id\":%q,\"name\":%q,\"arguments\":%j}";
        draft.json.three(form, &call.id, &call.name, call.input);
    }

    /// Nothing but texts is one text, a line for each: that is what every server reads.
    fn result(&mut self, draft: &mut Draft<'d>, block: Value<'d>) -> Result<(), Error> {
        let id = draft.result_id(block);
        let mut output = marked(draft, block);
        parts(draft, block, STYLE.takes, &mut output)?;
        self.written = true;
        draft.json.one("{\"type\":\"function_call_output\",\"call_id\":%q,\"output\":", &id);
        match output.iter().all(Part::is_text) {
            true => write_lines(&mut draft.json, &output),
            false => write_parts(&mut draft.json, &output),
        }
        draft.json.end();
        Ok(())
    }

    fn end(&mut self, draft: &mut Draft<'d>) {
        let said = take(&mut self.said);
        if !said.is_empty() {
            self.written = true;
            draft.json.lit("{\"type\":\"message\",\"role\":\"user\",\"content\":");
            write_parts(&mut draft.json, &said);
            draft.json.end();
        }
    }
}

#[inline(never)]
fn write_parts(json: &mut Json, parts: &[Part<'_>]) {
    json.lit("[");
    for part in parts {
        let form = match part.kind {
            Kind::Text => "{\"type\":\"input_text%r\",\"text\":\"%v%v\"}",
            Kind::Document => {
                "{\"type\":\"input_file\",\"filename\":\"document.pdf\",\"file_data\":\"data:%r;base64,%r%r\"}"
            }
            _ => "{\"type\":\"input_image\",\"image_url\":\"data:%r;base64,%r%r\",\"detail\":\"auto\"}",
        };
        json.three(form, part.mime_type, &part.head, part.body);
    }
    json.end_list();
}
