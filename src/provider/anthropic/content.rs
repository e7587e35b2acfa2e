//! Messages and their blocks (`MessageParam`, `ContentBlockParam`).

use std::mem::take;

use crate::error::Error;
use crate::json::Value;
use crate::sampling::Role;

use super::super::Rules;
use super::super::blank::trim_end;
use super::super::draft::Draft;
use super::super::media::{PDF, WEB_IMAGES};
use super::super::results::{Kind, Part, failed, parts};
use super::super::turns::{Late, Style, Turns, walk};
use super::super::warnings::Fate;

const LATE: &str = "the API takes calls only at the end of a turn, and results only at its start";

static STYLE: Style = Style {
    takes: WEB_IMAGES | PDF,
    hears: false,
    no_blanks: true,
    assistant_shows: false,
    labels: false,
    late_text: LATE,
};

/// Writes the messages. A turn is opened by its first block that is sent, so messages that end up empty vanish, and
/// neighbours of one role become one turn, as the API would make of them itself.
#[derive(Debug)]
pub(super) struct Messages<'d> {
    role: Role,
    /// The newest calls came without the thoughts that led to them.
    pub(super) calls_without_state: bool,
    /// Calls of the message, which come last in a turn.
    calls: Vec<Late<'d>>,
}

impl<'d> Messages<'d> {
    pub(super) const NONE: Self = Self { role: Role::User, calls_without_state: false, calls: Vec::new() };

    pub(super) fn write(&mut self, draft: &mut Draft<'d>) -> Result<(), Error> {
        walk(draft, &STYLE, self)
    }

    #[inline(never)]
    fn enter(&self, draft: &mut Draft<'d>) {
        draft.enter_turn(self.role, "{\"role\":%q,\"content\":[", self.role.as_str());
    }

    fn late_call(&mut self, draft: &mut Draft<'d>, block: Value<'d>) {
        let call = draft.call(block);
        self.enter(draft);
        self.calls_without_state &= !replay(draft, block);
        draft.json.three(
            "{\"type\":\"tool_use\",\"id\":%q,\"name\":%q,\"input\":%v}",
            &call.id,
            &call.name,
            call.input,
        );
    }
}

impl<'d> Turns<'d> for Messages<'d> {
    fn begin(&mut self, _draft: &mut Draft<'d>, role: Role) {
        self.role = role;
    }

    fn say(&mut self, draft: &mut Draft<'d>, mut part: Part<'d>, block: Value<'d>) {
        if !part.is_text() {
            self.enter(draft);
            return write(draft, &part);
        }
        if draft.is_last && draft.rules.allow(Rules::PREFILL) {
            let trimmed = trim_end(part.body);
            if trimmed.len() < part.body.len() {
                part.body = trimmed;
                let message = "the API takes no blanks at the end of a message to continue";
                draft.warn(Fate::Changed, message);
            }
        }
        self.enter(draft);
        replay(draft, block);
        write(draft, &part);
    }

    fn call(&mut self, draft: &mut Draft<'d>, block: Value<'d>) {
        self.calls.push(Late { index: draft.block, block, is_late: false });
    }

    fn result(&mut self, draft: &mut Draft<'d>, block: Value<'d>) -> Result<(), Error> {
        if draft.is_late {
            draft.warn(Fate::Moved, LATE);
        }
        let id = draft.result_id(block);
        let mut content = const { Vec::new() };
        parts(draft, block, STYLE.takes, &mut content)?;
        self.enter(draft);
        draft.json.one("{\"type\":\"tool_result\",\"tool_use_id\":%q", &id);
        if !content.is_empty() {
            draft.json.lit("\"content\":[");
            for part in &content {
                write(draft, part);
            }
            draft.json.end_list();
        }
        if failed(block) {
            draft.json.lit("\"is_error\":true");
        }
        draft.json.end();
        Ok(())
    }

    fn end(&mut self, draft: &mut Draft<'d>) {
        let calls = take(&mut self.calls);
        self.calls_without_state |= !calls.is_empty();
        for call in &calls {
            draft.go(draft.number, call.index);
            self.late_call(draft, call.block);
        }
    }

    fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }
}

#[inline(never)]
fn write(draft: &mut Draft<'_>, part: &Part<'_>) {
    let kind = match part.kind {
        Kind::Text => return draft.json.two("{\"type\":\"text\",\"text\":\"%v%v\"}", &part.head, part.body),
        Kind::Document => "document",
        _ => "image",
    };
    let form = "{\"type\":%q,\"source\":{\"type\":\"base64\",\"media_type\":%q,\"data\":\"%r%r\"}}";
    draft.json.put(form, &[kind, part.mime_type, &part.head, part.body]);
}

/// Gives back the thoughts that came before this block; true if there were any.
fn replay<'d>(draft: &mut Draft<'d>, block: Value<'d>) -> bool {
    let mut any = false;
    for item in draft.opaque(block) {
        draft.json.value("%v", item);
        any = true;
    }
    any
}
