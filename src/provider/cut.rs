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

impl Cut {
    pub(super) fn new(stops: &[String]) -> Self {
        let mut cut = Self { stops: Vec::new(), held: String::new() };
        for stop in stops {
            if !stop.is_empty() {
                cut.stops.push(Stop::new(stop.as_bytes()));
            }
        }
        cut
    }

    /// Takes the next piece of text. Returns the text before a stop sequence, or before what may become one, and the stop
    /// sequence if one was found; then push no more.
    #[inline(never)]
    pub(super) fn push(&mut self, piece: &str) -> (String, Option<String>) {
        let mut text = std::mem::take(&mut self.held);
        let start = text.len();
        text.push_str(piece);
        let mut held = 0;
        for (index, byte) in piece.bytes().enumerate() {
            let mut longest = 0;
            held = 0;
            for stop in &mut self.stops {
                stop.advance(byte);
                held = held.max(stop.matched);
                if stop.matched == stop.text.len() {
                    longest = longest.max(stop.matched);
                }
            }
            if longest > 0 {
                let end = start + index + 1;
                let stopped = text.get(end - longest..end).map(str::to_owned);
                text.truncate(end - longest);
                return (text, stopped);
            }
        }
        if piece.is_empty() {
            held = start;
        }
        self.held = text.split_off(text.len().saturating_sub(held));
        (text, None)
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
    fn new(text: &[u8]) -> Self {
        let mut stop = Self { text: text.to_vec(), shorter: vec![0, 0], matched: 0 };
        for byte in text.iter().skip(1) {
            stop.advance(*byte);
            stop.shorter.push(stop.matched);
        }
        stop.matched = 0;
        stop
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
            let (text, stopped) = cut.push(piece);
            shown += &text;
            if stopped.is_some() {
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
        assert_eq!(cut.push("abcE"), ("abc".into(), None));
        assert_eq!(cut.push("x"), ("Ex".into(), None));
    }
}
