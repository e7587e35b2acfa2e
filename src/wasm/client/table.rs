//! What goes by number.

use std::cell::RefCell;
use std::rc::Rc;

/// One more owner. Not inlined, as each would check that there are not too many.
#[inline(never)]
pub(super) fn share<T>(it: &Rc<T>) -> Rc<T> {
    Rc::clone(it)
}

/// Things in the order of their numbers. None of the methods depends on what they are, so that the module has each once.
pub(super) struct Table<T>(RefCell<Vec<(u32, Rc<T>)>>);

impl<T> Table<T> {
    pub(super) const fn new() -> Self {
        Self(RefCell::new(Vec::new()))
    }

    pub(super) fn get(&self, number: u32) -> Option<Rc<T>> {
        self.found(number, false)
    }

    pub(super) fn remove(&self, number: u32) -> Option<Rc<T>> {
        self.found(number, true)
    }

    #[inline(never)]
    pub(super) fn found(&self, number: u32, taken: bool) -> Option<Rc<T>> {
        let mut entries = self.0.borrow_mut();
        let at = place(&entries, number);
        let (known, entry) = entries.get(at)?;
        if *known != number {
            return None;
        }
        if taken { Some(entries.remove(at).1) } else { Some(share(entry)) }
    }

    #[inline(never)]
    pub(super) fn insert(&self, number: u32, entry: Rc<T>) {
        let mut entries = self.0.borrow_mut();
        let at = place(&entries, number);
        entries.insert(at, (number, entry));
    }

    /// The one after this number.
    #[inline(never)]
    pub(super) fn after(&self, number: u32) -> Option<Rc<T>> {
        let entries = self.0.borrow();
        Some(share(&entries.get(place(&entries, number.wrapping_add(1)))?.1))
    }
}

/// Where the first one is that has this number or a higher one.
#[inline(never)]
fn place<T>(entries: &[(u32, Rc<T>)], number: u32) -> usize {
    let (mut low, mut high) = (0, entries.len());
    while low < high {
        let middle = (low + high) / 2;
        match entries.get(middle) {
            Some(entry) if entry.0 < number => low = middle + 1,
            _ => high = middle,
        }
    }
    low
}
