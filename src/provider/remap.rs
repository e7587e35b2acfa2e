//! Ids and tool names, where a provider takes fewer characters than MCP does.

use std::collections::BTreeMap;

use crate::json::JsonStr;

/// What a provider takes as a name or an id: ASCII letters, digits and `extra`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Charset {
    /// Characters beyond letters and digits.
    pub(super) extra: &'static str,
    /// The most bytes.
    pub(super) max: usize,
    /// The first character is a letter or `_`.
    pub(super) letter_first: bool,
}

impl Charset {
    fn has(self, character: char) -> bool {
        character.is_ascii_alphanumeric() || self.extra.contains(character)
    }

    fn takes(self, text: &str) -> bool {
        (1..=self.max).contains(&text.len())
            && self.may_begin(text)
            && text.chars().all(|character| self.has(character))
    }

    fn may_begin(self, text: &str) -> bool {
        !self.letter_first || text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
    }
}

/// A one-to-one map from texts of MCP to texts that a provider takes. The same texts in the same order give the same map,
/// so a growing history keeps its prefix and the provider its cache.
#[derive(Debug)]
pub(super) struct Remap {
    charset: Charset,
    known: BTreeMap<Vec<u8>, String>,
    used: BTreeMap<Vec<u8>, String>,
}

impl Remap {
    pub(super) fn new(charset: Charset) -> Self {
        Self { charset, known: BTreeMap::new(), used: BTreeMap::new() }
    }

    /// What stands for `text` already.
    pub(super) fn find(&self, text: JsonStr<'_>) -> Option<&str> {
        self.known.get(&*text.meaning()).map(String::as_str)
    }

    /// What stands for `text`: itself if it can, else a readable part of it with a hash. `salt` is different for each
    /// place that may bring the same text anew.
    pub(super) fn assign(&mut self, text: JsonStr<'_>, salt: u64) -> String {
        let meaning = text.meaning();
        if let Some(known) = self.known.get(&*meaning) {
            return known.clone();
        }
        let plain = std::str::from_utf8(&meaning).ok().filter(|text| self.is_free(text)).map(str::to_owned);
        let wire = plain.unwrap_or_else(|| self.invent(&text.decode(), hash(&meaning, salt)));
        self.used.insert(wire.clone().into_bytes(), String::new());
        self.known.insert(meaning.into_owned(), wire.clone());
        wire
    }

    /// Lets every text come anew, without giving the words used so far to another.
    pub(super) fn forget(&mut self) {
        self.known.clear();
    }

    /// What stood for something so far.
    pub(super) fn known(&self) -> impl Iterator<Item = &str> {
        self.known.values().map(String::as_str)
    }

    fn is_free(&self, text: &str) -> bool {
        self.charset.takes(text) && !self.used.contains_key(text.as_bytes())
    }

    fn invent(&self, text: &str, mut hash: u64) -> String {
        loop {
            let wire = self.spell(text, hash);
            if self.is_free(&wire) {
                return wire;
            }
            hash = hash.wrapping_mul(PRIME).wrapping_add(1);
        }
    }

    fn spell(&self, text: &str, hash: u64) -> String {
        const HASH_LENGTH: usize = 13;
        let kept = text.chars().map(|character| if self.charset.has(character) { character } else { '_' });
        let mut wire: String = if self.charset.may_begin(text) { String::new() } else { String::from("_") };
        wire.extend(kept.take(self.charset.max.saturating_sub(HASH_LENGTH + 2)));
        wire.push('_');
        wire.extend(
            (0..HASH_LENGTH as u32).filter_map(|digit| char::from_digit((hash >> (digit * 5)) as u32 & 31, 32)),
        );
        wire
    }
}

const PRIME: u64 = 0x0100_0000_01b3;

/// FNV-1a: short, the same everywhere; being guessed does no harm, as a taken word is never given twice.
fn hash(bytes: &[u8], salt: u64) -> u64 {
    let salted = salt.to_le_bytes().into_iter().chain(bytes.iter().copied());
    salted.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const NAMES: Charset = Charset { extra: "_-", max: 64, letter_first: true };

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
            assert!(NAMES.takes(wire), "{wire}");
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
        assert!(other != invented && NAMES.takes(&other));
        second.forget();
        assert_ne!(assign(&mut second, "a.b"), other);
    }
}
