//! The parameters of the next leg: the caller's own, with this round's answers and state spliced in.

use crate::json::{Kind, Value, push_key, push_member};

/// One answer: the server's key and the bare result, both as the tokens they were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<'a> {
    /// The key between its quotes, escapes kept.
    pub key: &'a str,
    /// The JSON text of the result.
    pub result: &'a str,
}

/// What the newest round adds to the original parameters. Nothing is carried over from the rounds before it.
/// Specification: basic/patterns/mrtr, "InputResponseRequestParams".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retry<'a> {
    /// The answers, in the order of the questions. None means the field is left out.
    pub input_responses: Vec<Answer<'a>>,
    /// The state token of the newest result, quotes included.
    pub request_state: Option<&'a str>,
}

impl Retry<'_> {
    /// Writes the members of `params` and then this round's, without the braces; `_meta` is left to the caller.
    ///
    /// `keep` says that `inputResponses` and `requestState` in `params` are the caller's own (manual mode) and stay.
    pub fn write_members(&self, params: Option<Value<'_>>, keep: bool, out: &mut String) {
        for (key, value) in params.into_iter().filter(|params| params.kind() == Kind::Object).flat_map(Value::members) {
            let ours = key == "_meta" || (!keep && (key == "inputResponses" || key == "requestState"));
            if !ours {
                push_member(out, key.raw(), value.raw());
            }
        }
        if !self.input_responses.is_empty() {
            push_key(out, "inputResponses");
            self.write_responses(out);
        }
        if let Some(state) = self.request_state {
            push_member(out, "requestState", state);
        }
    }

    /// How many bytes [`Retry::write_members`] adds to those of `params`, roughly.
    pub fn size_hint(&self) -> usize {
        let answers = self.input_responses.iter().map(|answer| answer.key.len() + answer.result.len() + 8);
        answers.sum::<usize>() + self.request_state.map_or(0, str::len) + 48
    }

    fn write_responses(&self, out: &mut String) {
        out.push('{');
        for answer in &self.input_responses {
            push_member(out, answer.key, answer.result);
        }
        out.push('}');
    }
}
