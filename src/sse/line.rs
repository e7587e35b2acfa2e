//! One line of an event stream.

use crate::lines::{place_of_bytes, run};

/// The fields that the standard knows, in the order of the numbers below.
const FIELDS: &str = "data\nevent\nid\nretry\n";
pub(super) const DATA: usize = 0;
pub(super) const EVENT: usize = 1;
pub(super) const ID: usize = 2;
pub(super) const RETRY: usize = 3;

/// The field of a line, and its value: what stands after the colon and one blank, or nothing. A comment has no field.
pub(super) fn split(line: &[u8]) -> (usize, &[u8]) {
    let (name, rest) = line.split_at_checked(run(line, b':')).unwrap_or_default();
    let ([_, b' ', value @ ..] | [_, value @ ..] | value @ []) = rest;
    (place_of_bytes(FIELDS, name), value)
}

/// The text of these bytes, with U+FFFD in the place of what is none, as the standard decodes names and ids.
#[inline(never)]
pub(crate) fn text(mut bytes: &[u8]) -> String {
    let mut out = const { String::new() };
    loop {
        let error = match str::from_utf8(bytes) {
            Ok(text) => {
                out.push_str(text);
                return out;
            }
            Err(error) => error,
        };
        let (text, rest) = bytes.split_at_checked(error.valid_up_to()).unwrap_or_default();
        out.push_str(str::from_utf8(text).unwrap_or_default());
        out.push_str("\u{fffd}");
        bytes = error.error_len().and_then(|length| rest.get(length..)).unwrap_or_default();
    }
}

/// How many bytes come before the first end of a line. Eight bytes a step, since one line holds a whole message; and one
/// comparison for both ends of line, since JSON has next to no other control characters.
pub(super) fn line_end(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let mut at = 0;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*chunk);
        let control = word.wrapping_sub(ONES * (u64::from(b'\r') + 1)) & !word & HIGH;
        if control != 0 && chunk.iter().any(is_end) {
            break;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|byte| !is_end(byte)) {
        at += 1;
    }
    at
}

fn is_end(byte: &u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn text_is_decoded_as_std_does() {
        let bytes = [b'a', 0xc3, 0xa9, 0x80, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0xed, 0xa0, 0xff, 0xc0];
        for first in 0..bytes.len() {
            for last in first..=bytes.len() {
                for turned in [false, true] {
                    let mut piece: Vec<u8> = bytes.iter().skip(first).take(last - first).copied().collect();
                    if turned {
                        piece.reverse();
                    }
                    assert_eq!(text(&piece), String::from_utf8_lossy(&piece));
                }
            }
        }
    }
}
