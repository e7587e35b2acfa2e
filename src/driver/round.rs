//! One round: what was asked, and what was answered so far.

use std::rc::Rc;

use super::Reply;
use crate::json::{Document, JsonStr, Value, push_key, push_member};
use crate::mrtr::{Ask, InputMethod};
use crate::sampling;

#[derive(Default)]
pub(super) struct Round {
    pub(super) asked: Vec<Asked>,
    /// The token as it came, quotes included; or nothing.
    pub(super) request_state: String,
}

pub(super) struct Asked {
    pub(super) ask: Rc<Ask>,
    /// The key between its quotes, escapes kept.
    pub(super) raw_key: String,
    /// JSON text; nothing until it is there.
    pub(super) answer: String,
}

impl Asked {
    /// A request of a reply, if it is one. A lenient client mends what [`sampling::repair`] can mend.
    pub(super) fn read(
        (key, request): (JsonStr<'_>, Value<'_>),
        reply: &Reply,
        round: u32,
        index: usize,
        lenient: bool,
    ) -> Option<Rc<Ask>> {
        let method = InputMethod::of(request)?;
        let (mut document, mut params) = (reply.document.clone(), request.at("params").id());
        if lenient
            && method == InputMethod::CreateMessage
            && let Some(mended) = sampling::repair(request.at("params"))
        {
            document = Document::from_text(mended).unwrap_or_default();
            params = document.root().id();
        }
        Some(Rc::new(Ask { round, index, key: key.value().text(), method, document, params }))
    }
}

impl Round {
    pub(super) fn is_answered(&self) -> bool {
        self.asked.iter().all(|asked| !asked.answer.is_empty())
    }

    /// The request at this place, unless it was answered already.
    pub(super) fn open_ask(&self, index: usize) -> Option<Rc<Ask>> {
        let asked = self.asked.get(index)?;
        if asked.answer.is_empty() { Some(Rc::clone(&asked.ask)) } else { None }
    }

    pub(super) fn answer(&mut self, index: usize, result: String) {
        if let Some(asked) = self.asked.get_mut(index) {
            asked.answer = result;
        }
    }

    /// Writes the members that bring the answers and the state back, as the tokens they were. Nothing is carried over
    /// from the rounds before. Specification: basic/patterns/mrtr, "InputResponseRequestParams".
    pub(super) fn write(&self, out: &mut String) {
        let mut open = false;
        for Asked { raw_key, answer, .. } in &self.asked {
            if answer.is_empty() {
                continue;
            }
            if !open {
                push_key(out, "inputResponses");
                out.push_str("{");
                open = true;
            }
            // Large answers are copied once.
            out.reserve(raw_key.len() + answer.len() + 64);
            push_member(out, raw_key, answer);
        }
        if open {
            out.push_str("}");
        }
        if !self.request_state.is_empty() {
            push_member(out, "requestState", &self.request_state);
        }
    }
}
