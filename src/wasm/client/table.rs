//! What goes by number.

use std::cell::RefCell;
use std::rc::Rc;

/// Things in the order of their numbers. None of the methods depends on what they are, so that the module has each once.
pub(super) struct Table<T>(RefCell<Vec<(u32, Rc<T>)>>);

impl<T> Table<T> {
    pub(super) const fn new() -> Self {
        Self(RefCell::new(Vec::new()))
    }

    #[inline(never)]
    pub(super) fn get(&self, number: u32) -> Option<Rc<T>> {
        let entries = self.0.borrow();
        let at = entries.binary_search_by_key(&number, |entry| entry.0).ok()?;
        Some(Rc::clone(&entries.get(at)?.1))
    }

    #[inline(never)]
    pub(super) fn insert(&self, number: u32, entry: Rc<T>) {
        let mut entries = self.0.borrow_mut();
        let at = entries.partition_point(|entry| entry.0 < number);
        entries.insert(at, (number, entry));
    }

    #[inline(never)]
    pub(super) fn remove(&self, number: u32) -> Option<Rc<T>> {
        let mut entries = self.0.borrow_mut();
        let at = entries.binary_search_by_key(&number, |entry| entry.0).ok()?;
        Some(entries.remove(at).1)
    }

    /// The one after this number.
    #[inline(never)]
    pub(super) fn after(&self, number: u32) -> Option<Rc<T>> {
        let entries = self.0.borrow();
        let at = entries.partition_point(|entry| entry.0 <= number);
        Some(Rc::clone(&entries.get(at)?.1))
    }
}
