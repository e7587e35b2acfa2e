//! A set of words, each with something that it stands for.

/// Keeps words in their order. A list, as a tree costs many times the code; what it moves for a new word is a pointer
/// for each one that comes after.
#[derive(Debug, Default)]
#[allow(clippy::vec_box)]
pub(super) struct Words(Vec<Box<(Vec<u8>, String)>>);

impl Words {
    fn place(&self, word: &[u8]) -> Result<usize, usize> {
        // New words mostly come last.
        if self.0.last().is_none_or(|last| last.0.as_slice() < word) {
            return Err(self.0.len());
        }
        self.0.binary_search_by(|entry| entry.0.as_slice().cmp(word))
    }

    /// What the word stands for.
    #[inline(never)]
    pub(super) fn get(&self, word: &[u8]) -> Option<&str> {
        let at = self.place(word).ok()?;
        self.0.get(at).map(|entry| entry.1.as_str())
    }

    /// Adds a word, unless it is there; says whether it was not.
    #[inline(never)]
    pub(super) fn insert(&mut self, word: &[u8], meaning: &str) -> bool {
        let place = self.place(word);
        if let Err(at) = place {
            self.0.insert(at, Box::new((word.to_vec(), meaning.to_owned())));
        }
        place.is_err()
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// What the words stand for, in their order.
    pub(super) fn meanings(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|entry| entry.1.as_str())
    }
}
