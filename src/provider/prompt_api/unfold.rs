//! An answer that the model was made to write as JSON, `{"text":…,"tool_calls":[…]}`, while it comes.

use std::mem::take;

use crate::json::{Document, concat, quote};

use super::super::results::inside;

/// What is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// No string.
    Between,
    Key,
    Text,
    /// Another string.
    Elsewhere,
}

/// The member of the outermost object that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Member {
    /// None, its name comes next.
    Next,
    Text,
    Calls,
    Other,
}

/// What the answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Nothing but blanks so far.
    Blank,
    /// No JSON object, but text as it is.
    Plain,
    Json,
    /// JSON, and something that follows it.
    Extra,
}

/// The characters that an escape still needs: one, if that does not turn out to be a `u`.
const OPEN_ESCAPE: usize = 5;

/// Reads the JSON character by character, in pieces of any size. It need not be complete: a limit may cut it off.
#[derive(Debug)]
pub(in super::super) struct Unfold {
    /// Half of a character at the end of the last piece, as an escape.
    pub(super) half: String,
    pub(super) form: Form,
    /// It has a text or calls, even if they are empty.
    pub(super) is_known: bool,
    /// How many brackets are open.
    pub(super) depth: usize,
    place: Place,
    escape: usize,
    key: String,
    member: Member,
    /// Text that was not handed out yet, and how much of it ends in a whole escape.
    text: String,
    whole: usize,
    /// The start of the call that is being read, or that was cut off.
    pub(super) call: String,
    found: Vec<Document>,
}

impl Unfold {
    pub(in super::super) const EMPTY: Self = Self {
        half: String::new(),
        form: Form::Blank,
        is_known: false,
        depth: 0,
        place: Place::Between,
        escape: 0,
        key: String::new(),
        member: Member::Next,
        text: String::new(),
        whole: 0,
        call: String::new(),
        found: Vec::new(),
    };

    /// Takes the next piece. Returns what has come: strings are more of the text, all else is a call that is complete.
    pub(super) fn push(&mut self, piece: &str) -> Vec<Document> {
        for character in piece.chars() {
            match self.place {
                Place::Between => self.between(character),
                _ => self.in_string(character),
            }
        }
        self.hand_out();
        take(&mut self.found)
    }

    fn in_string(&mut self, character: char) {
        self.keep(character);
        let ends = self.escape == 0 && character == '"';
        self.escape = match (self.escape, character) {
            (0, '\\') => OPEN_ESCAPE,
            (OPEN_ESCAPE, 'u') => 4,
            (0 | OPEN_ESCAPE, _) => 0,
            (left, _) => left - 1,
        };
        match self.place {
            _ if ends => {
                self.place = Place::Between;
                self.hand_out();
            }
            Place::Key => self.key.push(character),
            Place::Text => self.more_text(character),
            _ => {}
        }
    }

    fn more_text(&mut self, character: char) {
        if character.is_control() {
            // Not JSON, but clear enough.
            let mut text = const { String::new() };
            text.push(character);
            self.text.push_str(inside(&quote(&text)));
        } else {
            self.text.push(character);
        }
        if self.escape == 0 {
            self.whole = self.text.len();
        }
    }

    fn between(&mut self, character: char) {
        if self.depth == 0 && !character.is_whitespace() {
            self.form = match (self.form, character) {
                (Form::Blank, '{') => Form::Json,
                (Form::Blank | Form::Plain, _) => Form::Plain,
                _ => Form::Extra,
            };
        }
        if self.form != Form::Json {
            return;
        }
        if matches!(character, '{' | '[') {
            self.depth += 1;
        }
        self.keep(character);
        match (character, self.depth) {
            ('"', _) => self.begin_string(),
            (':', 1) => {
                self.member = match self.key.as_str() {
                    "text" => Member::Text,
                    "tool_calls" => Member::Calls,
                    _ => Member::Other,
                }
            }
            (',', 1) => self.member = Member::Next,
            ('}' | ']', _) => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 2 && !self.call.is_empty() {
                    self.found.push(Document::or_null(&take(&mut self.call)));
                }
            }
            _ => {}
        }
        self.is_known |= self.depth == 2 && self.member == Member::Calls;
    }

    fn begin_string(&mut self) {
        self.place = match (self.depth, self.member) {
            (1, Member::Next) => Place::Key,
            (1, Member::Text) => Place::Text,
            _ => Place::Elsewhere,
        };
        self.is_known |= self.place == Place::Text;
        if self.place == Place::Key {
            self.key.clear();
        }
    }

    /// Collects a call: what is inside the array of them.
    fn keep(&mut self, character: char) {
        if self.depth > 2 && self.member == Member::Calls {
            self.call.push(character);
        }
    }

    /// Hands out the text up to where it ends in a whole escape. If it is not what can stand between quotes, it is shown
    /// as it is.
    fn hand_out(&mut self) {
        let rest = self.text.split_off(take(&mut self.whole));
        let text = std::mem::replace(&mut self.text, rest);
        if !text.is_empty() {
            let token = Document::from_text(concat(&["\"", &text, "\""]));
            self.found.push(token.unwrap_or_else(|_| Document::or_null(&quote(&text))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// All text, and the calls, at every split the same.
    fn unfold(answer: &str) -> (String, Vec<String>, Option<String>) {
        let run = |pieces: &[&str]| {
            let mut unfold = Unfold::EMPTY;
            let (mut text, mut calls) = (String::new(), Vec::new());
            for found in pieces.iter().flat_map(|piece| unfold.push(piece)) {
                match found.root().as_str() {
                    Some(more) => text += more.raw(),
                    None => calls.push(found.text().to_owned()),
                }
            }
            (text, calls, Some(unfold.call).filter(|call| !call.is_empty()))
        };
        let whole = run(&[answer]);
        for (at, _) in answer.char_indices() {
            assert_eq!(run(&[&answer[..at], &answer[at..]]), whole, "{answer} at {at}");
        }
        whole
    }

    #[test]
    fn text_and_calls() {
        for (answer, text, calls, cut) in [
            (r#"{"text":"a \"b\"\\"}"#, r#"a \"b\"\\"#, vec![], None),
            (r#" { "text" : "é\u00e9\n" , "x" : [{"text":"no"}] } "#, r"é\u00e9\n", vec![], None),
            (
                r#"{"tool_calls":[{"name":"f","arguments":{"a":"}]"}}, {"name":"g"}]}"#,
                "",
                vec![r#"{"name":"f","arguments":{"a":"}]"}}"#, r#"{"name":"g"}"#],
                None,
            ),
            (
                r#"{"text":"t","tool_calls":[{"name":"f"},{"name":"g","arg"#,
                "t",
                vec![r#"{"name":"f"}"#],
                Some(r#"{"name":"g","arg"#),
            ),
            (r#"{"text":"half \u00"#, "half ", vec![], None),
            (r#"{"text":"half \"#, "half ", vec![], None),
            ("{\"text\":\"a\nb\"}", r"a\nb", vec![], None),
            (r#"{"x":{"tool_calls":[{}]},"tool_calls":[]}"#, "", vec![], None),
            ("plain {\"text\":\"a\"}", "", vec![], None),
            ("}}]]", "", vec![], None),
        ] {
            let found = unfold(answer);
            assert_eq!(
                (found.0.as_str(), found.1, found.2.as_deref()),
                (text, calls.iter().map(|call| (*call).to_owned()).collect(), cut),
                "{answer}"
            );
        }
    }

    #[test]
    fn what_it_is() {
        for (answer, plain, known, open) in [
            ("", false, false, false),
            ("  Hi", true, false, false),
            ("{", false, false, true),
            (r#"{"text":"a"} {"text":"b"}"#, false, true, false),
            (r#"{"text":""}"#, false, true, false),
            (r#"{"tool_calls":[]}"#, false, true, false),
            (r#"{"a":1}"#, false, false, false),
        ] {
            let mut unfold = Unfold::EMPTY;
            unfold.push(answer);
            let found = (unfold.form == Form::Plain, unfold.is_known, unfold.depth > 0);
            assert_eq!(found, (plain, known, open), "{answer}");
        }
    }
}
