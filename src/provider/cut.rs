//! Stop sequences, for providers that have none: found in the text as it comes, and never shown.

/// Looks for the first of several texts, over pieces of any size, in time linear in the text.
#[derive(Debug)]
pub(super) struct Cut {
    stops: Vec<Stop>,
    /// The end of the text so far that may be the start of a stop sequence.
    held: String,
}

/// One text to look for, with the automaton of Knuth, Morris and Pratt.
#[derive(Debug)]
struct Stop {
    text: Vec<u8>,
    /// For each length of a match, the length of the longest shorter one that ends at the same byte.
    shorter: Vec<usize>,
    matched: usize,
}

/// What of a text may be shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Shown {
    /// The text before a stop sequence, or before what may become one.
    pub(super) text: String,
    /// The stop sequence that was found.
    pub(super) stopped: Option<String>,
}

impl Cut {
    pub(super) fn new(stops: &[String]) -> Self {
        let stops = stops.iter().filter(|stop| !stop.is_empty()).map(|stop| Stop::new(stop)).collect();
        Self { stops, held: String::new() }
    }

    /// Takes the next piece of text. After a stop sequence was found, push no more.
    pub(super) fn push(&mut self, piece: &str) -> Shown {
        let mut text = std::mem::take(&mut self.held);
        let start = text.len();
        text.push_str(piece);
        for (index, byte) in piece.bytes().enumerate() {
            let longest = self.stops.iter_mut().filter_map(|stop| stop.step(byte)).max();
            if let Some(length) = longest {
                let end = start + index + 1;
                let stopped = text.get(end - length..end).map(str::to_owned);
                text.truncate(end - length);
                return Shown { text, stopped };
            }
        }
        let held = self.stops.iter().map(|stop| stop.matched).max().unwrap_or(0);
        self.held = text.split_off(text.len().saturating_sub(held));
        Shown { text, stopped: None }
    }

    /// The text run has ended: what was held back is no stop sequence.
    pub(super) fn flush(&mut self) -> String {
        self.stops.iter_mut().for_each(|stop| stop.matched = 0);
        std::mem::take(&mut self.held)
    }
}

impl Stop {
    fn new(text: &str) -> Self {
        let mut stop = Self { text: text.as_bytes().to_vec(), shorter: vec![0, 0], matched: 0 };
        for byte in text.bytes().skip(1) {
            stop.advance(byte);
            stop.shorter.push(stop.matched);
        }
        stop.matched = 0;
        stop
    }

    /// Takes one byte; the length of the text if it ends here.
    fn step(&mut self, byte: u8) -> Option<usize> {
        self.advance(byte);
        (self.matched == self.text.len()).then_some(self.matched)
    }

    fn advance(&mut self, byte: u8) {
        while self.matched > 0 && self.text.get(self.matched) != Some(&byte) {
            self.matched = self.shorter.get(self.matched).copied().unwrap_or(0);
        }
        self.matched += usize::from(self.text.get(self.matched) == Some(&byte));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn run(stops: &[&str], pieces: &[&str]) -> (String, bool) {
        let stops: Vec<_> = stops.iter().map(|stop| (*stop).to_owned()).collect();
        let mut cut = Cut::new(&stops);
        let mut shown = String::new();
        for piece in pieces {
            let next = cut.push(piece);
            shown += &next.text;
            if next.stopped.is_some() {
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
        let mut cut = Cut::new(&["END".into()]);
        assert_eq!(cut.push("abcE"), Shown { text: "abc".into(), stopped: None });
        assert_eq!(cut.push("x"), Shown { text: "Ex".into(), stopped: None });
    }
}
