//! An answer that the model was made to write as JSON, `{"text":…,"tool_calls":[…]}`, while it comes.

use crate::json::quote;

use super::super::results::inside;

/// Something that has come.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// More of the text, as it stands between quotes.
    Text(String),
    /// A call that is complete, a JSON text.
    Call(String),
}

/// What a string that is being read is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Key,
    Text,
    Elsewhere,
}

/// The characters that an escape still needs: one, if that does not turn out to be a `u`.
const OPEN_ESCAPE: usize = 5;

/// Reads the JSON character by character, in pieces of any size. It need not be complete: a limit may cut it off.
#[derive(Debug, Default)]
pub(super) struct Unfold {
    depth: usize,
    /// The string that is being read.
    string: Option<Place>,
    escape: usize,
    /// The member of the outermost object that is being read, and whether its value has begun.
    key: String,
    value: bool,
    /// Text that was not handed out yet, and how much of it ends in a whole escape.
    text: String,
    whole: usize,
    /// The call that is being read.
    call: String,
    known: bool,
    begun: bool,
    plain: bool,
    extra: bool,
}

impl Unfold {
    /// Takes the next piece.
    pub(super) fn push(&mut self, piece: &str) -> Vec<Found> {
        let mut found = Vec::new();
        for character in piece.chars() {
            match self.string {
                _ if self.plain || self.extra => break,
                Some(place) => self.in_string(place, character, &mut found),
                None => self.between(character, &mut found),
            }
        }
        self.hand_out(&mut found);
        found
    }

    /// True if this is no JSON object, but text as it is.
    pub(super) fn is_plain(&self) -> bool {
        self.plain
    }

    /// True if it has a text or calls, even if they are empty.
    pub(super) fn is_known(&self) -> bool {
        self.known
    }

    /// True if something follows the JSON.
    pub(super) fn has_extra(&self) -> bool {
        self.extra
    }

    /// True if the JSON is not complete.
    pub(super) fn is_open(&self) -> bool {
        self.depth > 0
    }

    /// The start of a call that was cut off.
    pub(super) fn cut_call(&self) -> Option<&str> {
        (!self.call.is_empty()).then_some(self.call.as_str())
    }

    fn in_string(&mut self, place: Place, character: char, found: &mut Vec<Found>) {
        self.keep(character);
        let ends = self.escape == 0 && character == '"';
        self.escape = match (self.escape, character) {
            (0, '\\') => OPEN_ESCAPE,
            (0, _) => 0,
            (OPEN_ESCAPE, 'u') => 4,
            (OPEN_ESCAPE, _) => 0,
            (left, _) => left - 1,
        };
        match place {
            _ if ends => {
                self.string = None;
                self.hand_out(found);
            }
            Place::Key => self.key.push(character),
            Place::Text => self.more_text(character),
            Place::Elsewhere => {}
        }
    }

    fn more_text(&mut self, character: char) {
        match character.is_control() {
            // Not JSON, but clear enough.
            true => self.text.push_str(inside(&quote(character.encode_utf8(&mut [0; 4])))),
            false => self.text.push(character),
        }
        if self.escape == 0 {
            self.whole = self.text.len();
        }
    }

    fn between(&mut self, character: char, found: &mut Vec<Found>) {
        if self.depth == 0 && !character.is_whitespace() {
            self.extra |= self.begun;
            self.plain |= !self.begun && character != '{';
            self.begun = true;
        }
        if self.plain || self.extra {
            return;
        }
        let closes = matches!(character, '}' | ']');
        if closes {
            self.keep(character);
        }
        match character {
            '"' => self.begin_string(),
            '{' | '[' => self.depth += 1,
            ':' if self.depth == 1 => self.value = true,
            ',' if self.depth == 1 => self.value = false,
            _ if closes => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.known |= self.depth == 2 && self.in_calls();
        if !closes {
            self.keep(character);
        } else if self.depth == 2 && !self.call.is_empty() {
            found.push(Found::Call(std::mem::take(&mut self.call)));
        }
    }

    fn begin_string(&mut self) {
        let place = match (self.depth, self.value) {
            (1, false) => Place::Key,
            (1, true) if self.key == "text" => Place::Text,
            _ => Place::Elsewhere,
        };
        self.known |= place == Place::Text;
        if place == Place::Key {
            self.key.clear();
        }
        self.string = Some(place);
    }

    fn in_calls(&self) -> bool {
        self.value && self.key == "tool_calls"
    }

    /// Collects a call: what is inside the array of them.
    fn keep(&mut self, character: char) {
        if self.depth > 2 && self.in_calls() {
            self.call.push(character);
        }
    }

    fn hand_out(&mut self, found: &mut Vec<Found>) {
        let rest = self.text.split_off(self.whole.min(self.text.len()));
        let text = std::mem::replace(&mut self.text, rest);
        self.whole = 0;
        if !text.is_empty() {
            found.push(Found::Text(text));
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
            let mut unfold = Unfold::default();
            let (mut text, mut calls) = (String::new(), Vec::new());
            for found in pieces.iter().flat_map(|piece| unfold.push(piece)) {
                match found {
                    Found::Text(more) => text += &more,
                    Found::Call(call) => calls.push(call),
                }
            }
            (text, calls, unfold.cut_call().map(str::to_owned))
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
            let mut unfold = Unfold::default();
            unfold.push(answer);
            assert_eq!((unfold.is_plain(), unfold.is_known(), unfold.is_open()), (plain, known, open), "{answer}");
        }
    }
}
