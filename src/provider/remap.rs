//! Ids and tool names, where a provider takes fewer characters than MCP does.

use crate::json::JsonStr;

use super::body::decoded;
use super::words::Words;

/// What a provider takes as a name or an id: ASCII letters, digits, and the first few of [`EXTRA`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Charset {
    /// How many of those.
    pub(super) extra: u8,
    /// The most bytes.
    pub(super) max: u8,
    /// The first character is a letter or `_`.
    pub(super) letter_first: bool,
}

/// Characters beyond letters and digits that some provider takes.
const EXTRA: &str = "_-.:";

impl Charset {
    fn has(&self, byte: u8) -> bool {
        let extra = EXTRA.as_bytes().get(..self.extra.into()).unwrap_or_default();
        for known in extra {
            if *known == byte {
                return true;
            }
        }
        byte.is_ascii_alphanumeric()
    }

    fn takes(&self, text: &[u8]) -> bool {
        (1..=self.max.into()).contains(&text.len()) && self.may_begin(text) && text.iter().all(|byte| self.has(*byte))
    }

    fn may_begin(&self, text: &[u8]) -> bool {
        !self.letter_first || text.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
    }
}

/// A one-to-one map from texts of MCP to texts that a provider takes. The same texts in the same order give the same map,
/// so a growing history keeps its prefix and the provider its cache.
#[derive(Debug)]
pub(super) struct Remap {
    charset: Charset,
    known: Words,
    used: Words,
}

impl Remap {
    pub(super) fn new(charset: Charset) -> Self {
        Self { charset, known: Words::default(), used: Words::default() }
    }

    /// What stands for `text` already.
    pub(super) fn find(&self, text: JsonStr<'_>) -> Option<&str> {
        self.known.get(&text.meaning())
    }

    /// What stands for `text`: itself if it can, else a readable part of it with a hash. `salt` is different for each
    /// place that may bring the same text anew.
    pub(super) fn assign(&mut self, text: JsonStr<'_>, salt: u64) -> String {
        let meaning = text.meaning();
        if let Some(known) = self.known.get(&meaning) {
            return known.to_owned();
        }
        let mut wire = decoded(text);
        if !self.is_free(&meaning) {
            wire = self.invent(&wire, hash(&meaning, salt));
        }
        self.used.insert(wire.as_bytes(), "");
        self.known.insert(&meaning, &wire);
        wire
    }

    /// Lets every text come anew, without giving the words used so far to another.
    pub(super) fn forget(&mut self) {
        self.known.clear();
    }

    /// What stood for something so far.
    pub(super) fn known(&self) -> impl Iterator<Item = &str> {
        self.known.meanings()
    }

    fn is_free(&self, text: &[u8]) -> bool {
        self.charset.takes(text) && self.used.get(text).is_none()
    }

    fn invent(&self, text: &str, mut hash: u64) -> String {
        loop {
            let wire = self.spell(text, hash);
            if self.is_free(wire.as_bytes()) {
                return wire;
            }
            hash = hash.wrapping_mul(PRIME).wrapping_add(1);
        }
    }

    fn spell(&self, text: &str, hash: u64) -> String {
        const HASH_LENGTH: usize = 13;
        let mut left = usize::from(self.charset.max).saturating_sub(HASH_LENGTH + 2);
        let mut wire = const { String::new() };
        if !self.charset.may_begin(text.as_bytes()) {
            wire.push('_');
        }
        // One character each, without the rest of its bytes.
        for byte in text.as_bytes() {
            if byte & 0xc0 == 0x80 {
                continue;
            }
            if left == 0 {
                break;
            }
            left -= 1;
            wire.push(if self.charset.has(*byte) { char::from(*byte) } else { '_' });
        }
        wire.push('_');
        for digit in 0..HASH_LENGTH as u32 {
            wire.push(char::from_digit((hash >> (digit * 5)) as u32 & 31, 32).unwrap_or_default());
        }
        wire
    }
}

const PRIME: u64 = 0x0100_0000_01b3;

/// FNV-1a: short, the same everywhere; being guessed does no harm, as a taken word is never given twice.
fn hash(bytes: &[u8], salt: u64) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for bytes in &[salt.to_le_bytes().as_slice(), bytes] {
        for byte in *bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const NAMES: Charset = Charset { extra: 2, max: 64, letter_first: true };

    fn assign(remap: &mut Remap, text: &str) -> String {
        let document = Document::from_text(crate::json::quote(text)).unwrap();
        remap.assign(document.root().as_str().unwrap(), 0)
    }

    #[test]
    fn one_to_one_and_valid() {
        let mut remap = Remap::new(NAMES);
        let long = "x".repeat(200);
        let texts = ["get", "a.b", "a_b", "a/b", "", "1st", "é", long.as_str(), "_"];
        let wires: Vec<_> = texts.iter().map(|text| assign(&mut remap, text)).collect();
        assert_eq!((wires[0].as_str(), wires[2].as_str(), wires[8].as_str()), ("get", "a_b", "_"));
        assert!(wires[1].starts_with("a_b_") && wires[5].starts_with("_1st_"), "{wires:?}");
        for (index, wire) in wires.iter().enumerate() {
            assert!(NAMES.takes(wire.as_bytes()), "{wire}");
            assert!(!wires[..index].contains(wire), "{wire}");
            assert_eq!(&assign(&mut remap, texts[index]), wire);
        }
    }

    #[test]
    fn a_taken_word_is_not_given_again() {
        let mut first = Remap::new(NAMES);
        let invented = assign(&mut first, "a.b");
        let mut second = Remap::new(NAMES);
        assert_eq!(assign(&mut second, &invented), invented);
        let other = assign(&mut second, "a.b");
        assert!(other != invented && NAMES.takes(other.as_bytes()));
        second.forget();
        assert_ne!(assign(&mut second, "a.b"), other);
    }
}
