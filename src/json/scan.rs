//! The scanner: RFC 8259 in one pass, without recursion, into a flat list of places.

use super::{Kind, SyntaxError};

/// Where one value stands. `next` is the index of the node after this value and all that is inside it, so a walk can
/// step over a subtree without looking at it. An object's children alternate: key, value, key, value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) next: u32,
    tag: Tag,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    Null,
    Bool,
    Number,
    String,
    EscapedString,
    Array,
    Object,
}

impl Node {
    /// Stands for a place outside the document; reads as an empty `null`.
    pub(super) const NOTHING: Self = Self { start: 0, end: 0, next: u32::MAX, tag: Tag::Null };

    pub(super) fn kind(self) -> Kind {
        match self.tag {
            Tag::Null => Kind::Null,
            Tag::Bool => Kind::Bool,
            Tag::Number => Kind::Number,
            Tag::String | Tag::EscapedString => Kind::String,
            Tag::Array => Kind::Array,
            Tag::Object => Kind::Object,
        }
    }

    pub(super) fn has_escapes(self) -> bool {
        self.tag == Tag::EscapedString
    }
}

/// What the grammar allows next.
#[derive(Clone, Copy)]
enum Expect {
    Value,
    ItemOrEnd,
    Key,
    KeyOrEnd,
    CommaOrEnd,
}

pub(super) fn scan(bytes: &[u8]) -> Result<Vec<Node>, SyntaxError> {
    if u32::try_from(bytes.len()).is_err() {
        return Err(SyntaxError { offset: u32::MAX as usize, expected: "a text shorter than 4 GiB" });
    }
    // One node for 16 bytes of text is what ordinary messages have; long strings need far fewer.
    let nodes = Vec::with_capacity((bytes.len() / 16).min(4096) + 4);
    let mut scanner = Scanner { bytes, at: 0, nodes, open: Vec::new() };
    scanner.document()?;
    Ok(scanner.nodes)
}

struct Scanner<'t> {
    bytes: &'t [u8],
    at: usize,
    nodes: Vec<Node>,
    open: Vec<u32>,
}

impl Scanner<'_> {
    fn document(&mut self) -> Result<(), SyntaxError> {
        let mut expect = Expect::Value;
        loop {
            self.blanks();
            expect = self.step(expect)?;
            if self.open.is_empty() {
                self.blanks();
                return if self.peek().is_none() { Ok(()) } else { Err(self.error("the end of the text")) };
            }
        }
    }

    fn step(&mut self, expect: Expect) -> Result<Expect, SyntaxError> {
        match (expect, self.peek()) {
            (Expect::ItemOrEnd | Expect::CommaOrEnd, Some(b']')) => self.close(Tag::Array),
            (Expect::KeyOrEnd | Expect::CommaOrEnd, Some(b'}')) => self.close(Tag::Object),
            (Expect::CommaOrEnd, Some(b',')) => {
                self.at += 1;
                Ok(if self.inside(Tag::Object) { Expect::Key } else { Expect::Value })
            }
            (Expect::CommaOrEnd, _) => {
                Err(self.error(if self.inside(Tag::Object) { "',' or '}'" } else { "',' or ']'" }))
            }
            (Expect::Key | Expect::KeyOrEnd, Some(b'"')) => self.key(),
            (Expect::Key, _) => Err(self.error("a key in quotes")),
            (Expect::KeyOrEnd, _) => Err(self.error("a key in quotes or '}'")),
            (Expect::Value | Expect::ItemOrEnd, byte) => self.value(byte),
        }
    }

    fn value(&mut self, byte: Option<u8>) -> Result<Expect, SyntaxError> {
        match byte {
            Some(b'{') => Ok(self.open(Tag::Object, Expect::KeyOrEnd)),
            Some(b'[') => Ok(self.open(Tag::Array, Expect::ItemOrEnd)),
            Some(b'"') => self.string(),
            Some(b't') => self.literal("true", Tag::Bool),
            Some(b'f') => self.literal("false", Tag::Bool),
            Some(b'n') => self.literal("null", Tag::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.error("a value")),
        }
    }

    fn key(&mut self) -> Result<Expect, SyntaxError> {
        self.string()?;
        self.blanks();
        if self.peek() != Some(b':') {
            return Err(self.error("':'"));
        }
        self.at += 1;
        Ok(Expect::Value)
    }

    fn open(&mut self, tag: Tag, expect: Expect) -> Expect {
        // The length was checked to fit, and there are never more nodes than bytes.
        self.open.push(self.nodes.len() as u32);
        self.nodes.push(Node { start: self.at as u32, end: 0, next: 0, tag });
        self.at += 1;
        expect
    }

    fn close(&mut self, tag: Tag) -> Result<Expect, SyntaxError> {
        if !self.inside(tag) {
            return Err(self.error(if tag == Tag::Array { "',' or '}'" } else { "',' or ']'" }));
        }
        self.at += 1;
        let next = self.nodes.len() as u32;
        if let Some(node) = self.open.pop().and_then(|index| self.nodes.get_mut(index as usize)) {
            node.end = self.at as u32;
            node.next = next;
        }
        Ok(Expect::CommaOrEnd)
    }

    fn inside(&self, tag: Tag) -> bool {
        self.open.last().and_then(|index| self.nodes.get(*index as usize)).is_some_and(|node| node.tag == tag)
    }

    fn leaf(&mut self, start: usize, tag: Tag) -> Expect {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { start: start as u32, end: self.at as u32, next, tag });
        Expect::CommaOrEnd
    }

    fn literal(&mut self, word: &'static str, tag: Tag) -> Result<Expect, SyntaxError> {
        let start = self.at;
        if !self.rest().starts_with(word.as_bytes()) {
            return Err(self.error("a value"));
        }
        self.at += word.len();
        Ok(self.leaf(start, tag))
    }

    fn number(&mut self) -> Result<Expect, SyntaxError> {
        let start = self.at;
        self.skip_if(|byte| byte == b'-');
        if !self.skip_if(|byte| byte == b'0') {
            self.digits()?;
        }
        if self.skip_if(|byte| byte == b'.') {
            self.digits()?;
        }
        if self.skip_if(|byte| byte | 0x20 == b'e') {
            self.skip_if(|byte| byte == b'+' || byte == b'-');
            self.digits()?;
        }
        Ok(self.leaf(start, Tag::Number))
    }

    fn digits(&mut self) -> Result<(), SyntaxError> {
        let count = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        if count == 0 { Err(self.error("a digit")) } else { Ok(()) }
    }

    fn string(&mut self) -> Result<Expect, SyntaxError> {
        let start = self.at;
        let mut tag = Tag::String;
        self.at += 1;
        loop {
            self.at += plain_run(self.rest());
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    tag = Tag::EscapedString;
                    self.escape()?;
                }
                Some(_) => return Err(self.error("an escape in place of a control character")),
                None => return Err(self.error("'\"'")),
            }
        }
        self.at += 1;
        Ok(self.leaf(start, tag))
    }

    fn escape(&mut self) -> Result<(), SyntaxError> {
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') if self.rest().iter().skip(1).take(4).filter(|byte| byte.is_ascii_hexdigit()).count() == 4 => {
                self.at += 5;
            }
            _ => return Err(self.error("one of \" \\ / b f n r t, or u and four hex digits")),
        }
        Ok(())
    }

    fn blanks(&mut self) {
        while self.skip_if(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')) {}
    }

    fn skip_if(&mut self, test: impl Fn(u8) -> bool) -> bool {
        let found = self.peek().is_some_and(test);
        self.at += usize::from(found);
        found
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn error(&self, expected: &'static str) -> SyntaxError {
        SyntaxError { offset: self.at, expected }
    }
}

/// How many bytes come before the next quote, backslash or control character. Eight bytes a step: long texts and
/// images are nearly all of a payload.
fn plain_run(bytes: &[u8]) -> usize {
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
