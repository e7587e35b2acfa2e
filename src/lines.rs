//! Lists as one text, each item with a line break behind it: smaller than a table, where each is an address and a
//! length.

use crate::error::part;
use crate::json::Value;

/// Takes the first item off the list; an empty text if it has none.
pub(crate) fn next<'l>(list: &mut &'l str) -> &'l str {
    until(list, b'\n')
}

/// Takes off the text what comes before the next of this ASCII character, and the character; all, if there is none.
#[inline(never)]
pub(crate) fn until<'t>(text: &mut &'t str, stop: u8) -> &'t str {
    let mut end = 0;
    for byte in text.as_bytes() {
        if *byte == stop {
            break;
        }
        end += 1;
    }
    let before = part(text, 0, end);
    *text = part(text, end + 1, text.len());
    before
}

/// The item at a place.
#[inline(never)]
pub(crate) fn at(mut list: &str, place: usize) -> &str {
    for _ in 0..place {
        next(&mut list);
    }
    next(&mut list)
}

/// The place of an item.
#[inline(never)]
pub(crate) fn place_of(mut list: &str, item: &str) -> Option<usize> {
    let mut place = 0;
    while !list.is_empty() {
        if next(&mut list) == item {
            return Some(place);
        }
        place += 1;
    }
    None
}

/// The place of the item that is this string.
#[inline(never)]
pub(crate) fn place_in(mut list: &str, text: Value<'_>) -> Option<usize> {
    let mut place = 0;
    while !list.is_empty() {
        if text.is_text(next(&mut list)) {
            return Some(place);
        }
        place += 1;
    }
    None
}
