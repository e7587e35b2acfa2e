//! Arguments of tools that go out as `Mcp-Param-*` headers as well, so that proxies can route without reading bodies.
//! Specification: basic/transports/streamable-http, "Custom Headers from Tool Parameters".

use super::headers::push_header;
use crate::error::{Error, fill, start};
use crate::json::{Document, JsonStr, Kind, Number, Value, decimal};
use crate::lines;

/// The annotation in a tool's `inputSchema`.
const ANNOTATION: &str = "x-mcp-header";
/// How many arguments of one tool may be mirrored; servers take no more than about a hundred headers.
pub const MAX_MIRRORS: usize = 64;
/// How deep a mirrored argument may be nested.
pub const MAX_DEPTH: usize = 32;

/// What one tool wants mirrored.
// A JSON text: an array with an array for each argument, which holds the name of its header and the keys that lead to
// it, all as they were written. Empty for nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mirrors(String);

impl Mirrors {
    /// Reads the `inputSchema` of a tool.
    ///
    /// # Errors
    ///
    /// A sentence that says which annotation is wrong. Such a tool must not be offered.
    pub fn read(tool: Value<'_>) -> Result<Self, String> {
        let mut read = Reading::default();
        let mut next = Vec::new();
        if let Some(schema) = tool.get("inputSchema") {
            next.push(Place { schema, key: None, depth: 0, reachable: true });
        }
        // A list in place of recursion, since a server may nest as deep as it likes.
        while let Some(place) = next.pop() {
            read.path.truncate(place.depth.saturating_sub(1));
            if let Some(key) = place.key {
                read.path.push(key);
            }
            if let Some(annotation) = place.schema.get(ANNOTATION) {
                read.add(annotation, &place)?;
            }
            place.push_inner(&mut next);
        }
        if !read.text.is_empty() {
            read.text.push_str("]");
        }
        Ok(Self(read.text))
    }

    /// Appends the headers for a call with these parameters. What is absent, `null` or no plain value has none.
    pub fn headers(&self, out: &mut String, params: Option<Value<'_>>) {
        let mirrors = Document::from_text(self.0.clone()).unwrap_or_default();
        for mirror in mirrors.root().items() {
            let (mut header, mut value) = ("", params.and_then(|params| params.get("arguments")));
            for key in mirror.items().filter_map(Value::as_str) {
                if header.is_empty() {
                    header = key.raw();
                } else {
                    value = value.and_then(|value| member(value, key));
                }
            }
            if let Some(value) = value {
                push_value(out, header, value);
            }
        }
    }

    /// Whether nothing is mirrored.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// As [`Value::get`], for any key.
fn member<'d>(object: Value<'d>, wanted: JsonStr<'_>) -> Option<Value<'d>> {
    let mut found = None;
    for (key, value) in object.members() {
        if key == wanted {
            found = Some(value);
        }
    }
    found
}

/// Appends a header with this value. Empty text is marked, since some proxies drop empty headers.
fn push_value(out: &mut String, header: &str, value: Value<'_>) {
    let text = match value.kind() {
        Kind::String => value.text(),
        Kind::Bool => value.raw().to_owned(),
        Kind::Number => match value.integer_or(i64::MIN) {
            // Integers past 2^53 have no header.
            i64::MIN if value.as_number().is_some_and(Number::is_integer) => return,
            // Not what the schema wants: the server shall see it and say so.
            i64::MIN => value.raw().to_owned(),
            integer => decimal(integer),
        },
        _ => return,
    };
    if text.is_empty() {
        out.push_str(header);
        return out.push_str("\n=?base64??=\n");
    }
    push_header(out, header, &text);
}

/// One schema inside a tool's schema, and how it is reached.
#[derive(Clone, Copy)]
struct Place<'d> {
    schema: Value<'d>,
    /// Under which key it stands; nothing for the outermost.
    key: Option<JsonStr<'d>>,
    depth: usize,
    reachable: bool,
}

/// The keywords of JSON Schema that hold schemas: the first ones by name, the others one or an array of them.
const KEYWORDS: &str = "properties\npatternProperties\ndependentSchemas\ndependencies\n$defs\ndefinitions\n\
                        items\nprefixItems\ncontains\nadditionalProperties\nunevaluatedProperties\nunevaluatedItems\n\
                        propertyNames\ncontentSchema\noneOf\nanyOf\nallOf\nnot\nif\nthen\nelse\nadditionalItems\n";
const NAMED: usize = 6;

impl<'d> Place<'d> {
    /// Appends the schemas right inside this one so that the first is the last.
    fn push_inner(&self, next: &mut Vec<Self>) {
        let before = next.len();
        for (keyword, value) in self.schema.members() {
            let Some(at) = lines::place_in(KEYWORDS, keyword.value()) else { continue };
            let inner = |key, schema| {
                let (depth, reachable) = (self.depth + 1, self.reachable && at == 0);
                Self { schema, key: Some(key), depth, reachable }
            };
            if at < NAMED {
                for (key, schema) in value.members() {
                    next.push(inner(key, schema));
                }
            } else {
                for schema in value.one_or_items() {
                    next.push(inner(keyword, schema));
                }
            }
        }
        next.get_mut(before..).unwrap_or_default().reverse();
    }
}

/// What was read of a tool's schema so far.
#[derive(Default)]
struct Reading<'d> {
    /// As in [`Mirrors`].
    text: String,
    names: Vec<Value<'d>>,
    /// The keys that lead to the schema that is being read.
    path: Vec<JsonStr<'d>>,
}

impl<'d> Reading<'d> {
    fn add(&mut self, annotation: Value<'d>, place: &Place<'d>) -> Result<(), String> {
        let name = annotation.text();
        let what = if !place.reachable || self.path.is_empty() {
            "may only stand in schemas that are reached through 'properties' alone"
        } else if self.names.len() >= MAX_MIRRORS || self.path.len() > MAX_DEPTH {
            "is one of too many, or nested too deep"
        } else if name.is_empty() || !name.as_bytes().iter().all(is_token) {
            "must be the name of an HTTP header"
        } else if lines::place_in("string\ninteger\nboolean\n", place.schema.at("type")).is_none() {
            "may only stand on arguments of type string, integer or boolean"
        } else if self.names.iter().any(|known| known.text().eq_ignore_ascii_case(&name)) {
            "must not name the same header twice"
        } else {
            self.write(&name);
            self.names.push(annotation);
            return Ok(());
        };
        Err(self.fault(what))
    }

    fn write(&mut self, name: &str) {
        self.text.push_str(if self.text.is_empty() { "[[\"Mcp-Param-" } else { ",[\"Mcp-Param-" });
        self.text.push_str(name);
        for key in &self.path {
            self.text.push_str("\",\"");
            self.text.push_str(key.raw());
        }
        self.text.push_str("\"]");
    }

    fn fault(&self, what: &str) -> String {
        let mut place = const { String::new() };
        for key in self.path.iter().take(8) {
            place.push_str(if place.is_empty() { " at " } else { "." });
            place.push_str(&key.value().text());
        }
        fill("x-mcp-header% %", &[start(&place, 84), what])
    }
}

/// RFC 9110, `tchar`.
fn is_token(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".iter().any(|mark| mark == byte)
}

/// What is known of the tools of one server, from every page of `tools/list`.
#[derive(Clone, Debug, Default)]
pub struct KnownTools {
    /// By name, sorted; only those that mirror something, or once did.
    tools: Vec<(String, Mirrors)>,
}

/// What a page of `tools/list` comes to.
#[derive(Debug)]
pub struct Page {
    /// The result without the tools that must not be offered (JSON text), if there are such tools.
    pub result: Option<String>,
    /// A sentence for each of them.
    pub warnings: Vec<String>,
}

impl KnownTools {
    /// Learns from a page of `tools/list`, and leaves out of it the tools whose annotations are invalid.
    pub fn learn(&mut self, result: Value<'_>) -> Page {
        let Some(tools) = result.get("tools") else { return Page { result: None, warnings: Vec::new() } };
        let mut warnings = Vec::new();
        let mut kept = String::from("[");
        for tool in tools.items() {
            let name = tool.at("name").text();
            match Mirrors::read(tool) {
                Ok(mirrors) => {
                    self.note(&name, mirrors);
                    kept.push_str(if kept.len() > 1 { "," } else { "" });
                    kept.push_str(tool.raw());
                }
                Err(fault) => warnings.push(left_out(&name, &fault)),
            }
        }
        kept.push_str("]");
        Page { result: (!warnings.is_empty()).then(|| result.with(tools, &kept)), warnings }
    }

    /// Appends the headers that mirror arguments of this call.
    pub fn headers(&self, out: &mut String, method: &str, params: Option<Value<'_>>) {
        if method == "tools/call"
            && let Ok(at) = self.find(&params.map(|params| params.at("name").text()).unwrap_or_default())
            && let Some((_, mirrors)) = self.tools.get(at)
        {
            mirrors.headers(out, params);
        }
    }

    fn note(&mut self, name: &str, mirrors: Mirrors) {
        match self.find(name) {
            Ok(at) => {
                if let Some((_, known)) = self.tools.get_mut(at) {
                    *known = mirrors;
                }
            }
            Err(_) if mirrors.is_empty() => {}
            Err(at) => self.tools.insert(at, (name.to_owned(), mirrors)),
        }
    }

    fn find(&self, name: &str) -> Result<usize, usize> {
        self.tools.binary_search_by(|(known, _)| known.as_str().cmp(name))
    }
}

/// Whether the server says that headers and body differ: it may have changed what it wants mirrored.
pub fn is_mismatch(method: &str, error: &Error) -> bool {
    method == "tools/call" && error.peer_code() == Some(-32020)
}

fn left_out(name: &str, fault: &str) -> String {
    fill("the tool '%' was left out of the list: %", &[start(name, 60), fault])
}
