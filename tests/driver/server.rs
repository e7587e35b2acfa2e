//! A server in memory: reads the bytes of each leg, refuses what breaks the protocol, answers as its script says.

use std::collections::VecDeque;

use mcp_sampling::driver::{Event, Reply};
use mcp_sampling::json::{Document, Value, quote};
use mcp_sampling::mrtr::Accepts;
use mcp_sampling::wire::http::Incoming;

use super::texts::parse;

/// What the server answers to one leg. `$ID` in a text stands for the id of the leg.
#[derive(Clone, Debug)]
pub struct Says {
    pub status: u16,
    pub media_type: &'static str,
    pub chunks: Vec<String>,
    /// The stream ends without this server having ended it properly.
    pub ends: bool,
}

/// A JSON reply with this result.
pub fn result(json: &str) -> Says {
    body(&envelope(json))
}

/// A JSON-RPC message with this result, for [`stream`].
pub fn envelope(result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":$ID,"result":{result}}}"#)
}

/// A complete result with one text.
pub fn complete(text: &str) -> Says {
    result(&format!(r#"{{"resultType":"complete","content":[{{"type":"text","text":{}}}]}}"#, quote(text)))
}

/// A JSON-RPC error.
pub fn error(code: i64, message: &str) -> Says {
    body(&format!(r#"{{"jsonrpc":"2.0","id":$ID,"error":{{"code":{code},"message":{}}}}}"#, quote(message)))
}

/// A JSON reply with this body.
pub fn body(text: &str) -> Says {
    http(200, "application/json", text)
}

/// A reply with this status, media type and body.
pub fn http(status: u16, media_type: &'static str, text: &str) -> Says {
    Says { status, media_type, chunks: vec![text.to_owned()], ends: true }
}

/// An event stream with these messages, which then ends.
pub fn stream<'t>(messages: impl IntoIterator<Item = &'t str>) -> Says {
    let chunks = messages.into_iter().map(|message| format!("data: {message}\n\n")).collect();
    Says { status: 200, media_type: "text/event-stream", chunks, ends: true }
}

/// The start of an event stream that stays open.
pub fn open_stream<'t>(messages: impl IntoIterator<Item = &'t str>) -> Says {
    Says { ends: false, ..stream(messages) }
}

/// One request as it arrived.
pub struct Leg {
    pub id: u32,
    /// Names and values, each in a line.
    pub headers: String,
    pub body: Document,
}

impl Leg {
    pub fn params(&self) -> Value<'_> {
        self.body.root().get("params").unwrap()
    }

    pub fn meta(&self, name: &str) -> Option<&str> {
        Some(self.params().get("_meta").unwrap().get(name)?.raw())
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.headers.lines();
        std::iter::from_fn(|| lines.next().zip(lines.next())).find(|(known, _)| *known == name).map(|(_, value)| value)
    }
}

#[derive(Default)]
pub struct Server {
    pub script: VecDeque<Says>,
    pub legs: Vec<Leg>,
    /// The last result that asked for input.
    asked: Option<Document>,
    /// Manual mode: the caller's own answers are not the server's business here.
    pub trusts: bool,
}

impl Server {
    /// Takes a request and gives the next answer of the script; nothing when the script is at its end.
    pub fn receive(&mut self, headers: String, body: &str) -> Option<Says> {
        let body = parse(body);
        let id = body.root().get("id").unwrap().as_number().unwrap().as_safe_integer().unwrap();
        let leg = Leg { id: u32::try_from(id).unwrap(), headers, body };
        self.check_message(&leg);
        if !self.trusts {
            self.check_retry(&leg);
        }
        self.legs.push(leg);
        self.script.pop_front()
    }

    /// Notes what was asked, for checking the next leg, and puts the id in.
    pub fn note(&mut self, says: &Says) -> Vec<String> {
        let id = self.legs.last().unwrap().id.to_string();
        let chunks: Vec<_> = says.chunks.iter().map(|chunk| chunk.replace("$ID", &id)).collect();
        let whole = chunks.concat();
        let json = whole.lines().rfind(|line| line.contains("\"input_required\"")).unwrap_or_default();
        let json = json.strip_prefix("data: ").unwrap_or(json);
        // After a failure the last question still stands.
        self.asked = Document::parse(json.as_bytes().to_vec()).ok().or_else(|| self.asked.take());
        chunks
    }

    /// H1, H2, H7, H8, R2: what holds for every request.
    fn check_message(&self, leg: &Leg) {
        let root = leg.body.root();
        assert_eq!(root.get("jsonrpc").unwrap().raw(), "\"2.0\"");
        assert!(self.legs.iter().all(|earlier| earlier.id != leg.id), "the id {} was used before", leg.id);
        let method = root.get("method").unwrap().as_str().unwrap();
        assert_eq!(leg.header("Mcp-Method"), Some(&*method.decode()));
        for object in [leg.params(), leg.params().get("_meta").unwrap()] {
            let mut names = keys(Some(object));
            names.sort_unstable();
            assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "a name is there twice: {names:?}");
        }
        let version = leg.meta("io.modelcontextprotocol/protocolVersion").unwrap();
        assert_eq!(leg.header("MCP-Protocol-Version"), Some(version.trim_matches('"')));
        for name in ["clientInfo", "clientCapabilities"] {
            let value = leg.meta(&format!("io.modelcontextprotocol/{name}"));
            assert!(value.is_some_and(|value| value.starts_with('{')), "{name}");
        }
    }

    /// R1, R3, R5, R6, R7, R8: a retry is the first request with the answers and the state of the newest result.
    fn check_retry(&self, leg: &Leg) {
        let asked = self.asked.as_ref().and_then(|asked| asked.root().get("result"));
        let state = asked.and_then(|asked| asked.get("requestState")).map(Value::raw);
        assert_eq!(leg.params().get("requestState").map(Value::raw), state, "the state");
        assert_eq!(
            keys(leg.params().get("inputResponses")),
            keys(asked.and_then(|asked| asked.get("inputRequests"))),
            "the keys"
        );
        if leg.params().get("inputResponses").is_some() {
            assert!(!keys(leg.params().get("inputResponses")).is_empty(), "inputResponses without answers");
        }
        if let Some(first) = self.legs.first() {
            assert_eq!(others(leg.params()), others(first.params()), "the other parameters");
        }
    }
}

fn keys(object: Option<Value<'_>>) -> Vec<&str> {
    object.into_iter().flat_map(Value::members).map(|(key, _)| key.raw()).collect()
}

/// The parameters that a retry does not touch.
fn others(params: Value<'_>) -> Vec<(&str, &str)> {
    let ours = ["_meta", "inputResponses", "requestState"];
    params.members().map(|(key, value)| (key.raw(), value.raw())).filter(|(key, _)| !ours.contains(key)).collect()
}

/// What the call is told of it.
pub fn event(leg: u32, accepts: Accepts, incoming: Incoming) -> Option<Event> {
    match incoming {
        Incoming::Result { document, result, .. } => Some(Event::Reply(Reply { leg, document, result, accepts })),
        Incoming::Failed(error) => Some(Event::LegFailed { leg, error }),
        Incoming::Progress(_) => Some(Event::Progress { leg }),
        _ => None,
    }
}
