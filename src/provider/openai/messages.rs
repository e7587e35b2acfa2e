//! Messages (`ChatCompletionMessageParam`).

use std::mem::take;

use crate::error::Error;
use crate::json::{Value, concat, quote};
use crate::sampling::Role;

use super::super::Rules;
use super::super::body::Json;
use super::super::draft::Draft;
use super::super::results::{Part, add, add_text, inside, marked, parts, write_lines};
use super::super::tools::Call;
use super::super::turns::{Style, Turns, walk};
use super::super::warnings::{Fate, Warning};
use super::parts::write_part;
use super::profile::{CONTENT_AS_STRING, DEVELOPER, EMPTY_CONTENT, HERMES, NAMED_RESULTS, NO_CONTENT, Profile};

/// Writes the messages. What a turn holds is collected first: whether its content is a text or an array shows at its end.
#[derive(Debug)]
pub(in super::super) struct Messages<'a, 'd> {
    profile: &'a Profile,
    /// Who speaks in the turn that is collected.
    role: Role,
    turn: Turn<'d>,
    /// The calls of the last message of the assistant.
    called: Vec<Call<'d>>,
    /// Who spoke last, of what was written.
    last: Option<Role>,
}

/// A turn so far.
#[derive(Debug, Default)]
struct Turn<'d> {
    parts: Vec<Part<'d>>,
    /// Places of texts that come after another one of the turn.
    joinable: Vec<String>,
    calls: Json,
    /// The reasoning that led to the turn, as a JSON text; empty if there is none.
    reasoning: &'d str,
}

impl<'a, 'd> Messages<'a, 'd> {
    /// # Errors
    ///
    /// As for the blocks, and if there is nothing to write.
    pub(super) fn write(draft: &mut Draft<'d>, profile: &'a Profile) -> Result<(), Error> {
        let mut messages =
            Self { profile, role: Role::User, turn: Turn::default(), called: const { Vec::new() }, last: None };
        let style = Style {
            takes: profile.takes,
            hears: true,
            no_blanks: false,
            assistant_shows: false,
            labels: true,
            late_text: "the API takes the text of a turn before its calls",
        };
        messages.system(draft);
        walk(draft, &style, &mut messages)?;
        messages.turn_to(draft, Role::User);
        messages.close_turn(draft);
        if profile.is(HERMES) && messages.last == Some(Role::Assistant) {
            draft.continue_turn("content", "%q")?;
        }
        if messages.last.is_some() { Ok(()) } else { Err(draft.nothing_left()) }
    }

    /// The system prompt; as the start of the first turn of the user where a system message cannot stand beside tools.
    fn system(&mut self, draft: &mut Draft<'d>) {
        let Some(system) = draft.system() else { return };
        if self.profile.is(HERMES) && draft.offered {
            let message = "the engine takes no system message beside tools; the user says it first";
            draft.warn_at("/systemPrompt", Fate::Moved, message);
            return add(&mut self.turn.parts, system);
        }
        let developer = self.profile.is(DEVELOPER) && draft.rules.allow(Rules::REASONING);
        let role = if developer { "developer" } else { "system" };
        draft.json.two("{\"role\":%q,\"content\":\"%v\"}", role, system);
    }

    /// As the models with tools of this engine were trained to write calls.
    fn call_as_text(&mut self, name: &str, input: &str) {
        let call = concat(&["<tool_call>\n{\"name\":", &quote(name), ",\"arguments\":", input, "}\n</tool_call>"]);
        add_text(&mut self.turn.parts, inside(&quote(&call)).to_owned(), "");
    }

    /// Lets the user show what a result cannot hold.
    fn hoist(draft: &mut Draft<'d>, media: Part<'d>, id: &str) {
        let message = "the API takes only text in results; the user shows the rest next";
        draft.warn_at("/content", Fate::Moved, message);
        add_text(&mut draft.hoisted, concat(&["From the result of ", id, ":"]), "");
        draft.hoisted.push(media);
    }

    fn turn_to(&mut self, draft: &mut Draft<'d>, role: Role) {
        if self.role != role {
            self.close_turn(draft);
            self.role = role;
        }
    }

    /// Writes the turn that was collected, if there is something in it.
    #[inline(never)]
    fn close_turn(&mut self, draft: &mut Draft<'d>) {
        let Turn { parts, joinable, calls, reasoning } = take(&mut self.turn);
        if parts.is_empty() && calls.is_empty() {
            return;
        }
        self.last = Some(self.role);
        draft.json.one("{\"role\":%q", self.role.as_str());
        let only_text = parts.iter().all(Part::is_text);
        self.content(&mut draft.json, &parts, only_text, !calls.is_empty());
        if self.profile.is(HERMES) || (self.profile.is(CONTENT_AS_STRING) && only_text) {
            let message = "the server takes one text a turn; they are joined, each on a line";
            for path in &joinable {
                draft.warnings.push(Warning { path: path.clone(), fate: Fate::Changed, message });
            }
        }
        if !reasoning.is_empty() {
            let field = self.profile.reasoning_field();
            draft.json.two("\"%r\":%r", field, reasoning);
        }
        if !calls.is_empty() {
            draft.json.one("\"tool_calls\":[%r]", calls.text());
        }
        draft.json.end();
    }

    /// Texts and media in their order; where only one text may stand in a message, it comes first.
    fn content(&self, json: &mut Json, parts: &[Part<'d>], only_text: bool, has_calls: bool) {
        if parts.is_empty() && has_calls {
            if self.profile.is(NO_CONTENT) {
                return;
            }
            if !self.profile.is(EMPTY_CONTENT) {
                return json.lit("\"content\":null");
            }
        }
        json.lit("\"content\":");
        if only_text && (parts.len() < 2 || self.profile.is(CONTENT_AS_STRING)) {
            return write_lines(json, parts);
        }
        json.lit("[");
        if self.profile.is(HERMES) && parts.iter().any(Part::is_text) {
            json.lit("{\"type\":\"text\",\"text\":");
            write_lines(json, parts);
            json.end();
        }
        for part in parts {
            if !(self.profile.is(HERMES) && part.is_text()) {
                write_part(json, part);
            }
        }
        json.end_list();
    }
}

/// What a block carries under this name, as JSON text; empty if it does not.
#[inline(never)]
fn carried<'d>(draft: &Draft<'d>, block: Value<'d>, name: &str) -> &'d str {
    for item in draft.opaque(block) {
        if let Some(value) = item.get(name) {
            return value.raw();
        }
    }
    ""
}

impl<'d> Turns<'d> for Messages<'_, 'd> {
    fn begin(&mut self, draft: &mut Draft<'d>, role: Role) {
        self.turn_to(draft, role);
        if role == Role::Assistant {
            self.called.clear();
        }
    }

    fn say(&mut self, draft: &mut Draft<'d>, part: Part<'d>, block: Value<'d>) {
        if part.is_text() && !block.is_missing() && self.turn.parts.iter().any(Part::is_text) {
            self.turn.joinable.push(draft.place.clone());
        }
        self.turn.parts.push(part);
    }

    fn call(&mut self, draft: &mut Draft<'d>, block: Value<'d>) {
        let call = draft.call(block);
        if self.profile.is(HERMES) {
            draft.warn(Fate::Changed, "the engine reads no calls of the history; it is sent as text");
            return self.call_as_text(&call.name, call.input);
        }
        let form = "{\"id\":%q,\"type\":\"function\",\"function\":{\"name\":%q,\"arguments\":%j}";
        self.turn.calls.three(form, &call.id, &call.name, call.input);
        let extra = carried(draft, block, "extra_content");
        if !extra.is_empty() {
            self.turn.calls.one("\"extra_content\":%v", extra);
        }
        self.turn.calls.end();
        self.called.push(call);
    }

    /// Right after the calls, each as a message; what they cannot hold follows from the user.
    fn result(&mut self, draft: &mut Draft<'d>, block: Value<'d>) -> Result<(), Error> {
        self.close_turn(draft);
        let id = draft.result_id(block);
        let mut texts = marked(draft, block);
        parts(draft, block, self.profile.takes, &mut texts)?;
        for part in &mut texts {
            if !part.is_text() {
                let media = part.take();
                part.body = "(shown in the next message)";
                Self::hoist(draft, media, &id);
            }
        }
        self.last = Some(Role::User);
        draft.json.one("{\"role\":\"tool\",\"tool_call_id\":%q", &id);
        if self.profile.is(NAMED_RESULTS)
            && let Some(call) = self.called.iter().find(|call| call.id == id)
        {
            draft.json.one("\"name\":%q", &call.name);
        }
        draft.json.lit("\"content\":");
        write_lines(&mut draft.json, &texts);
        draft.json.end();
        Ok(())
    }

    fn end(&mut self, draft: &mut Draft<'d>) {
        if !self.profile.is(CONTENT_AS_STRING) {
            self.close_turn(draft);
        }
    }

    /// The reasoning that a block carries.
    fn see(&mut self, draft: &Draft<'d>, block: Value<'d>) {
        if !self.profile.reasoning_field().is_empty() && self.turn.reasoning.is_empty() {
            self.turn.reasoning = carried(draft, block, "reasoning_content");
        }
    }

    fn has_calls(&self) -> bool {
        !self.turn.calls.is_empty()
    }
}
