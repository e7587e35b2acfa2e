//! The scanner: RFC 8259 in one pass, without recursion, into a flat list of places.

use super::{Kind, SyntaxError};
use crate::lines;

/// Where one value stands, in as little as it takes, since documents of many calls may wait at once. `next` is the index of
/// the node after this value and all that is inside it, so a walk can step over a subtree without looking at it. An
/// object's children alternate: key, value, key, value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) start: u32,
    pub(super) end: u32,
    /// Above the mark, which says what it is: a kind, or a string with escapes. While a container is open, the container
    /// around it.
    rest: u32,
}

/// Texts must be shorter, for indices to fit beside marks.
const LIMIT: usize = 1 << 28;
/// In the mark.
const ESCAPES: u32 = 8;

impl Node {
    /// Stands for a place outside the document; reads as an empty `null`.
    pub(super) const NOTHING: Self = Self::new(0, 0, u32::MAX, Kind::Null as u32);

    #[inline(always)]
    pub(super) const fn new(start: u32, end: u32, next: u32, mark: u32) -> Self {
        Self { start, end, rest: next << 4 | mark }
    }

    #[inline(always)]
    pub(super) fn kind(self) -> Kind {
        match self.rest & 7 {
            0 => Kind::Null,
            1 => Kind::Bool,
            2 => Kind::Number,
            3 => Kind::String,
            4 => Kind::Array,
            _ => Kind::Object,
        }
    }

    #[inline(always)]
    pub(super) fn is(self, kind: Kind) -> bool {
        self.rest & 7 == kind as u32
    }

    #[inline(always)]
    pub(super) fn has_escapes(self) -> bool {
        self.rest & ESCAPES != 0
    }

    #[inline(always)]
    pub(super) fn next(self) -> u32 {
        self.rest >> 4
    }
}

/// What was expected where the text stops being JSON.
#[derive(Clone, Copy)]
enum Expected {
    Value,
    Key,
    KeyOrBrace,
    Colon,
    CommaOrBrace,
    CommaOrBracket,
    Digit,
    Quote,
    NoControl,
    Escape,
    End,
}

impl Expected {
    #[inline(never)]
    fn phrase(self) -> &'static str {
        const PHRASES: &str = "a value\na key in quotes\na key in quotes or '}'\n':'\n',' or '}'\n',' or ']'\na digit\n'\"'\n\
                               an escape in place of a control character\n\
                               one of \" \\ / b f n r t, or u and four hex digits\nthe end of the text\n";
        lines::at(PHRASES, self as usize)
    }
}

pub(super) fn scan(bytes: &[u8]) -> Result<Vec<Node>, SyntaxError> {
    if bytes.len() >= LIMIT {
        return Err(SyntaxError { offset: LIMIT, expected: "a text shorter than 256 MiB" });
    }
    // One node for 16 bytes of text is what ordinary messages have; long strings need far fewer.
    let nodes = Vec::with_capacity((bytes.len() / 16).min(4096) + 4);
    let mut scanner = Scanner { bytes, at: 0, nodes, open: u32::MAX >> 4, error: None };
    scanner.document();
    match scanner.error {
        None => Ok(scanner.nodes),
        Some(error) => Err(error),
    }
}

struct Scanner<'t> {
    bytes: &'t [u8],
    at: usize,
    nodes: Vec<Node>,
    /// The container around what comes next.
    open: u32,
    /// The first one. Where there is one, no bytes are left.
    error: Option<SyntaxError>,
}

// Small functions are put where they are used, although that takes some bytes: every byte of every message comes by here.
impl Scanner<'_> {
    fn document(&mut self) {
        while self.value() || self.follows() {}
        self.next();
        if self.at < self.bytes.len() {
            self.fail(Expected::End);
        }
    }

    /// Takes note of the error and ends the scan: as if the text ended here, nothing is found any more.
    #[inline(never)]
    fn fail(&mut self, expected: Expected) {
        if self.error.is_none() {
            self.error = Some(SyntaxError { offset: self.at, expected: expected.phrase() });
        }
        self.bytes = &[];
    }

    /// Reads a value, or the beginning of a container up to its first item; true if a value must come next.
    fn value(&mut self) -> bool {
        let byte = self.next();
        let start = self.at;
        let kind = match byte {
            b'"' => {
                self.string();
                return false;
            }
            b'{' => {
                self.open(Kind::Object);
                return self.next() != b'}' && self.key(Expected::KeyOrBrace);
            }
            b'[' => {
                self.open(Kind::Array);
                return self.next() != b']';
            }
            b't' => self.literal(b"true", Kind::Bool),
            b'f' => self.literal(b"false", Kind::Bool),
            b'n' => self.literal(b"null", Kind::Null),
            b'-' | b'0'..=b'9' => self.number(),
            _ => {
                self.fail(Expected::Value);
                return false;
            }
        };
        self.leaf(start, kind, false);
        false
    }

    /// Reads what follows a value, to the end of all that ends with it; true if a value must come next.
    fn follows(&mut self) -> bool {
        while let Some(node) = self.nodes.get(self.open as usize) {
            let is_object = node.is(Kind::Object);
            match (self.next(), is_object) {
                (b',', _) => {
                    self.at += 1;
                    return !is_object || self.key(Expected::Key);
                }
                (b'}', true) | (b']', false) => self.close(),
                _ => {
                    self.fail(if is_object { Expected::CommaOrBrace } else { Expected::CommaOrBracket });
                    break;
                }
            }
        }
        false
    }

    /// Reads a key and its colon; true, for a value must come next.
    #[inline(never)]
    fn key(&mut self, expected: Expected) -> bool {
        if self.next() != b'"' {
            self.fail(expected);
        }
        self.string();
        self.next();
        if !self.skip(b':') {
            self.fail(Expected::Colon);
        }
        true
    }

    fn open(&mut self, kind: Kind) {
        let around = self.open;
        // The length was checked to fit, and there are never more nodes than bytes.
        self.open = self.nodes.len() as u32;
        self.nodes.push(Node::new(self.at as u32, 0, around, kind as u32));
        self.at += 1;
    }

    fn close(&mut self) {
        self.at += 1;
        let next = self.nodes.len() as u32;
        if let Some(node) = self.nodes.get_mut(self.open as usize) {
            (self.open, node.end) = (node.next(), self.at as u32);
            node.rest = next << 4 | node.rest & 15;
        }
    }

    #[inline(always)]
    fn leaf(&mut self, start: usize, kind: Kind, has_escapes: bool) {
        let next = self.nodes.len() as u32 + 1;
        let escapes = if has_escapes { ESCAPES } else { 0 };
        self.nodes.push(Node::new(start as u32, self.at as u32, next, kind as u32 | escapes));
    }

    #[inline(never)]
    fn literal(&mut self, word: &[u8], kind: Kind) -> Kind {
        if !self.rest().starts_with(word) {
            self.fail(Expected::Value);
        }
        self.at += word.len();
        kind
    }

    fn number(&mut self) -> Kind {
        self.skip(b'-');
        if !self.skip(b'0') {
            self.digits();
        }
        if self.skip(b'.') {
            self.digits();
        }
        if self.skip(b'e') || self.skip(b'E') {
            let _ = self.skip(b'+') || self.skip(b'-');
            self.digits();
        }
        Kind::Number
    }

    #[inline(never)]
    fn digits(&mut self) {
        if !self.peek().is_ascii_digit() {
            self.fail(Expected::Digit);
        }
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
    }

    #[inline(always)]
    fn string(&mut self) {
        let start = self.at;
        let mut has_escapes = false;
        self.at += 1;
        loop {
            self.at += plain_run(self.rest());
            match self.peek() {
                b'"' => break,
                b'\\' => {
                    has_escapes = true;
                    self.escape();
                }
                _ => return self.fail(if self.at < self.bytes.len() { Expected::NoControl } else { Expected::Quote }),
            }
        }
        self.at += 1;
        self.leaf(start, Kind::String, has_escapes);
    }

    fn escape(&mut self) {
        self.at += 1;
        self.at += match self.rest() {
            [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 1,
            [b'u', digits @ ..] if digits.get(..4).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) => 5,
            _ => return self.fail(Expected::Escape),
        };
    }

    /// The next byte that is not blank.
    #[inline(always)]
    fn next(&mut self) -> u8 {
        loop {
            match self.peek() {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return byte,
            }
        }
    }

    #[inline(always)]
    fn skip(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte;
        self.at += usize::from(found);
        found
    }

    /// The next byte; behind the end a zero, which is no part of JSON either.
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }
}

/// How many bytes come before the next quote, backslash or control character. Eight bytes a step: long texts and
/// images are nearly all of a payload.
pub(crate) fn plain_run(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let zero_byte = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    let (chunks, tail) = bytes.as_chunks::<8>();
    let mut run = 0;
    for chunk in chunks {
        let word = u64::from_le_bytes(*chunk);
        let control = word.wrapping_sub(ONES * 0x20) & !word & HIGH;
        let stop = control | zero_byte(word ^ (ONES * u64::from(b'"'))) | zero_byte(word ^ (ONES * u64::from(b'\\')));
        if stop != 0 {
            return run + stop.trailing_zeros() as usize / 8;
        }
        run += 8;
    }
    run + tail.iter().take_while(|byte| !matches!(byte, 0..0x20 | b'"' | b'\\')).count()
}
