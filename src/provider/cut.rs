//! Stop sequences, for providers that have none: found in the text as it comes, and never shown.

use crate::json::Items;

/// Looks for the first of several texts, over pieces of any size, in time linear in the text.
#[derive(Debug)]
pub(super) struct Cut {
    stops: Vec<Stop>,
    /// The end of the text so far that may be the start of a stop sequence.
    held: String,
    /// The stop sequence that was found; then push no more.
    pub(super) stopped: Option<String>,
}

/// One text to look for, with the automaton of Knuth, Morris and Pratt.
#[derive(Debug)]
struct Stop {
    /// For each length of a match, the byte that makes it longer, and the length of the longest shorter match that ends
    /// at the same place.
    steps: Vec<(u8, usize)>,
    matched: usize,
}

impl Cut {
    /// For those of the items that are texts.
    pub(super) fn new(texts: Items<'_>) -> Self {
        let mut stops = const { Vec::new() };
        for text in texts {
            let text = text.text();
            if !text.is_empty() {
                stops.push(Stop::new(&text));
            }
        }
        Self { stops, held: const { String::new() }, stopped: None }
    }

    /// Takes the next piece of text. Returns the text before a stop sequence, or before what may become one.
    #[inline(never)]
    pub(super) fn push(&mut self, piece: &str) -> String {
        let mut text = std::mem::take(&mut self.held);
        let mut end = text.len();
        let mut held = end;
        text.push_str(piece);
        for byte in piece.as_bytes() {
            let mut longest = 0;
            (held, end) = (0, end + 1);
            for stop in &mut self.stops {
                stop.advance(*byte);
                held = held.max(stop.matched);
                if stop.matched == stop.steps.len() {
                    longest = longest.max(stop.matched);
                }
            }
            if longest > 0 {
                text.truncate(end);
                self.stopped = Some(text.split_off(end - longest));
                return text;
            }
        }
        self.held = text.split_off(text.len().saturating_sub(held));
        text
    }

    /// The text run has ended: what was held back is no stop sequence.
    pub(super) fn flush(&mut self) -> String {
        for stop in &mut self.stops {
            stop.matched = 0;
        }
        std::mem::take(&mut self.held)
    }
}

impl Stop {
    fn new(text: &str) -> Self {
        let mut stop = Self { steps: const { Vec::new() }, matched: 0 };
        for byte in text.as_bytes() {
            stop.steps.push((*byte, stop.matched));
            if stop.steps.len() > 1 {
                stop.advance(*byte);
            }
        }
        stop.matched = 0;
        stop
    }

    #[inline(never)]
    fn advance(&mut self, byte: u8) {
        while let Some((next, shorter)) = self.steps.get(self.matched) {
            if *next == byte {
                self.matched += 1;
                return;
            }
            if self.matched == 0 {
                return;
            }
            self.matched = *shorter;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn cut(stops: &[&str]) -> Cut {
        Cut::new(Document::from_text(format!("{stops:?}")).unwrap().root().items())
    }

    fn run(stops: &[&str], pieces: &[&str]) -> (String, bool) {
        let mut cut = cut(stops);
        let mut shown = String::new();
        for piece in pieces {
            shown += &cut.push(piece);
            if cut.stopped.is_some() {
                return (shown, true);
            }
        }
        (shown + &cut.flush(), false)
    }

    #[test]
    fn agrees_with_a_search_at_every_split() {
        for (stops, text, expected) in [
            (vec!["END"], "aENDb", Some("a")),
            (vec!["END"], "aEN", None),
            (vec!["END"], "EENEND", Some("EEN")),
            (vec!["aab"], "aaaab", Some("aa")),
            (vec!["abab", "ba"], "xabab", Some("xa")),
            (vec!["é\n"], "aéé\nb", Some("aé")),
            (vec!["bc", "abc"], "abc", Some("")),
            (vec![""], "abc", None),
            (vec![], "abc", None),
        ] {
            let wanted = (expected.unwrap_or(text).to_owned(), expected.is_some());
            for (at, _) in text.char_indices() {
                let (left, right) = text.split_at(at);
                assert_eq!(run(&stops, &[left, right]), wanted, "{text} at {at}");
            }
            let single: Vec<_> = text.split("").collect();
            assert_eq!(run(&stops, &single), wanted, "{text}");
        }
    }

    #[test]
    fn holds_back_no_more_than_it_must() {
        let mut cut = cut(&["END"]);
        assert_eq!(cut.push("abcE"), "abc");
        assert_eq!(cut.push("x"), "Ex");
    }
}
