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
    let end = run(text.as_bytes(), stop);
    let before = part(text, 0, end);
    *text = part(text, end + 1, text.len());
    before
}

/// How many bytes come before this one.
#[inline(never)]
fn run(bytes: &[u8], stop: u8) -> usize {
    let mut end = 0;
    for byte in bytes {
        if *byte == stop {
            break;
        }
        end += 1;
    }
    end
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

/// The place of the item that is this string. In bytes, since every block is asked for its type.
#[inline(never)]
pub(crate) fn place_in(list: &str, text: Value<'_>) -> Option<usize> {
    let (mut place, mut rest) = (0, list.as_bytes());
    while !rest.is_empty() {
        let end = run(rest, b'\n');
        if text.is_bytes(rest.get(..end).unwrap_or_default()) {
            return Some(place);
        }
        rest = rest.get(end + 1..).unwrap_or_default();
        place += 1;
    }
    None
}
