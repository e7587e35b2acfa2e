//! The event-stream rules, written down as the standard has them, with the whole stream at hand and no thought of speed.

/// One event as text: data, then `@name`, `#id` and `~retry` where there are any.
pub(crate) fn shown(data: &[u8], event: Option<&str>, id: Option<&str>, retry_ms: Option<u64>) -> String {
    let mut out = data.escape_ascii().to_string();
    let facts =
        [event.map(|name| format!(" @{name}")), id.map(|id| format!(" #{id}")), retry_ms.map(|ms| format!(" ~{ms}"))];
    facts.into_iter().flatten().for_each(|fact| out.push_str(&fact));
    out
}

#[derive(Default)]
struct Block {
    data: Option<Vec<u8>>,
    event: String,
    id: Option<String>,
    retry: Option<u64>,
}

/// The events of a whole stream.
pub(crate) fn events(stream: &[u8]) -> Vec<String> {
    let stream = stream.strip_prefix("\u{feff}".as_bytes()).unwrap_or(stream);
    let (mut out, mut last_id, mut block) = (Vec::new(), None, Block::default());
    let lines = lines(stream);
    for (index, line) in lines.iter().enumerate() {
        let ended = index + 1 < lines.len();
        if line.is_empty() && ended {
            let done = std::mem::take(&mut block);
            let name = Some(done.event.as_str()).filter(|name| !matches!(*name, "" | "message"));
            let data = done.data.unwrap_or_default();
            let told = !data.is_empty() || done.id.is_some() || done.retry.is_some();
            last_id = done.id.or(last_id);
            if told {
                out.push(shown(&data, name, last_id.as_deref(), done.retry));
            }
        } else {
            block.line(line, ended);
        }
    }
    if let Some(data) = block.data.filter(|data| !data.is_empty()) {
        let name = Some(block.event.as_str()).filter(|name| !matches!(*name, "" | "message"));
        out.push(shown(&data, name, last_id.as_deref(), None));
    }
    out
}

impl Block {
    fn line(&mut self, line: &[u8], ended: bool) {
        let colon = line.iter().position(|byte| *byte == b':');
        let (name, value) = colon.map_or((line, &[][..]), |at| (&line[..at], &line[at + 1..]));
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"data" => match &mut self.data {
                Some(data) => data.extend([b"\n", value].concat()),
                None => self.data = Some(value.to_vec()),
            },
            b"event" if ended => self.event = String::from_utf8_lossy(value).into_owned(),
            b"id" if ended && !value.contains(&0) => self.id = Some(String::from_utf8_lossy(value).into_owned()),
            b"retry" if value.iter().all(u8::is_ascii_digit) => {
                let number = std::str::from_utf8(value).ok().and_then(|digits| digits.parse().ok());
                self.retry = number.or(self.retry);
            }
            _ => {}
        }
    }
}

/// The lines; the last one is what comes after the last line end, mostly nothing.
fn lines(stream: &[u8]) -> Vec<&[u8]> {
    let (mut out, mut from, mut at) = (Vec::new(), 0, 0);
    while at < stream.len() {
        let width = match &stream[at..] {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => 0,
        };
        if width > 0 {
            out.push(&stream[from..at]);
            from = at + width;
        }
        at += width.max(1);
    }
    out.push(&stream[from..]);
    out
}
