//! One line of an event stream.

/// What a line is about.
#[derive(Clone, Copy)]
pub(super) enum Field {
    Data,
    Event,
    Id,
    Retry,
    /// A comment, or a field that the standard does not know.
    Ignored,
}

/// The field of a line, and its value: what stands after the colon and one blank, or nothing.
pub(super) fn split(line: &[u8]) -> (Field, &[u8]) {
    let (name, field): (&[u8], _) = match line {
        [b'd', ..] => (b"data", Field::Data),
        [b'e', ..] => (b"event", Field::Event),
        [b'i', ..] => (b"id", Field::Id),
        _ => (b"retry", Field::Retry),
    };
    match line.strip_prefix(name) {
        Some([b':', b' ', value @ ..] | [b':', value @ ..] | value @ []) => (field, value),
        _ => (Field::Ignored, line),
    }
}

/// Digits and nothing else. A number beyond 64 bits is nobody's waiting time and counts as malformed.
pub(super) fn number(digits: &[u8]) -> Option<u64> {
    let mut number: u64 = 0;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 || number > u64::MAX / 10 {
            return None;
        }
        number = (number * 10).checked_add(u64::from(digit))?;
    }
    (!digits.is_empty()).then_some(number)
}

/// How many bytes come before the first end of a line. Eight bytes a step, since one line holds a whole message; and one
/// comparison for both ends of line, since JSON has next to no other control characters.
pub(super) fn line_end(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let (chunks, tail) = bytes.as_chunks::<8>();
    let mut at = 0;
    for chunk in chunks {
        let word = u64::from_le_bytes(*chunk);
        let mut control = word.wrapping_sub(ONES * (u64::from(b'\r') + 1)) & !word & HIGH;
        while control != 0 {
            let before = control.trailing_zeros() as usize / 8;
            if chunk.get(before).is_some_and(is_end) {
                return at + before;
            }
            control &= control - 1;
        }
        at += 8;
    }
    at + tail.iter().take_while(|byte| !is_end(byte)).count()
}

fn is_end(byte: &u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}
