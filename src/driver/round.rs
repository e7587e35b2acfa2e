//! One round: what was asked, and what was answered so far.

use std::rc::Rc;

use super::Reply;
use crate::json::{Document, Value, ValueId};
use crate::mrtr::{Answer, Ask, InputMethod, InputRequest, InputRequiredResult, Retry};
use crate::sampling;

pub(super) struct Round {
    pub(super) number: u32,
    pub(super) asked: Vec<Asked>,
    /// The token as it came, quotes included.
    pub(super) request_state: Option<String>,
}

pub(super) struct Asked {
    /// The key between its quotes, escapes kept.
    pub(super) raw_key: String,
    pub(super) key: String,
    pub(super) method: InputMethod,
    pub(super) document: Rc<Document>,
    pub(super) params: Option<ValueId>,
    pub(super) answer: Option<String>,
}

impl Round {
    /// The round that a result asks for. A lenient client mends what [`sampling::repair`] can mend.
    pub(super) fn new(number: u32, reply: &Reply, input: &InputRequiredResult<'_>, lenient: bool) -> Self {
        let asked = input.input_requests.iter().map(|request| {
            let mended = mended(request, lenient);
            let params = match &mended {
                Some(document) => Some(document.root().id()),
                None => request.params().map(Value::id),
            };
            Asked {
                raw_key: request.key.raw().to_owned(),
                key: request.key.decode().into_owned(),
                method: request.method,
                document: mended.unwrap_or_else(|| Rc::clone(&reply.document)),
                params,
                answer: None,
            }
        });
        let request_state = input.request_state.map(|state| state.raw().to_owned());
        Self { number, asked: asked.collect(), request_state }
    }

    pub(super) fn is_answered(&self) -> bool {
        self.asked.iter().all(|asked| asked.answer.is_some())
    }

    pub(super) fn open_asks(&self) -> Vec<Ask> {
        (0..self.asked.len()).filter_map(|index| self.open_ask(index)).collect()
    }

    /// The request at this place, unless it was answered already.
    pub(super) fn open_ask(&self, index: usize) -> Option<Ask> {
        let asked = self.asked.get(index).filter(|asked| asked.answer.is_none())?;
        Some(Ask {
            round: self.number,
            index,
            key: asked.key.clone(),
            method: asked.method,
            document: Rc::clone(&asked.document),
            params: asked.params,
        })
    }

    pub(super) fn answer(&mut self, index: usize, result: String) {
        if let Some(asked) = self.asked.get_mut(index) {
            asked.answer = Some(result);
        }
    }

    pub(super) fn retry(&self) -> Retry<'_> {
        let answers = self
            .asked
            .iter()
            .filter_map(|asked| Some(Answer { key: &asked.raw_key, result: asked.answer.as_deref()? }));
        Retry { input_responses: answers.collect(), request_state: self.request_state.as_deref() }
    }
}

fn mended(request: &InputRequest<'_>, lenient: bool) -> Option<Rc<Document>> {
    let params = request.params().filter(|_| lenient && request.method == InputMethod::CreateMessage)?;
    Document::from_text(sampling::repair(params)?).ok().map(Rc::new)
}
