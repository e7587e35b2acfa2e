//! Arguments of tools that go out as `Mcp-Param-*` headers as well, so that proxies can route without reading bodies.
//! Specification: basic/transports/streamable-http, "Custom Headers from Tool Parameters".

use super::copy_members;
use super::headers::push_header;
use crate::error::{Error, fill, start};
use crate::json::{Document, JsonStr, Kind, Number, Value, decimal, push_item, push_member};
use crate::lines;

/// The annotation in a tool's `inputSchema`.
const ANNOTATION: &str = "x-mcp-header";
/// How many arguments of one tool may be mirrored; servers take no more than about a hundred headers.
pub const MAX_MIRRORS: usize = 64;
/// How deep a mirrored argument may be nested.
pub const MAX_DEPTH: usize = 32;

/// What one tool wants mirrored.
// A JSON text: an array with an array for each argument, which holds the name of its header and the keys that lead to
// it, all as they were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mirrors(String);

/// The text of [`Mirrors`] where there are none.
const NOTHING: &str = "[]";

impl Mirrors {
    /// Reads the `inputSchema` of a tool.
    ///
    /// # Errors
    ///
    /// A sentence that says which annotation is wrong. Such a tool must not be offered.
    pub fn read(tool: Value<'_>) -> Result<Self, String> {
        let mut read = Reading { text: String::from("["), names: Vec::new(), path: Vec::new() };
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
        read.text.push_str("]");
        Ok(Self(read.text))
    }

    /// Appends the headers for a call with these parameters. What is absent, `null` or no plain value has none.
    pub fn headers(&self, out: &mut String, params: Option<Value<'_>>) {
        push_headers(out, Document::or_null(&self.0).root(), params);
    }

    /// Whether nothing is mirrored.
    pub fn is_empty(&self) -> bool {
        self.0 == NOTHING
    }
}

/// Appends the headers that [`Mirrors`] ask for.
fn push_headers(out: &mut String, mirrors: Value<'_>, params: Option<Value<'_>>) {
    for mirror in mirrors.items() {
        let (mut header, mut value) = ("", params.and_then(|params| params.get("arguments")));
        for key in mirror.items() {
            let Some(key) = key.as_str() else { continue };
            if header.is_empty() {
                header = key.raw();
            } else {
                value = value.and_then(|value| value.get_same(key));
            }
        }
        if let Some(value) = value {
            push_value(out, header, value);
        }
    }
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
        push_item(&mut self.text, "[\"Mcp-Param-");
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
#[derive(Debug, Default)]
pub struct KnownTools {
    /// An object of [`Mirrors`] by name, in which the last one of a name holds; only of tools that mirror something, or
    /// once did.
    tools: Document,
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
        let (mut kept, mut known) = (String::from("["), String::from("{"));
        let before = self.tools.root();
        copy_members(&mut known, Some(before), &[]);
        let unchanged = known.len();
        for tool in tools.items() {
            let name = tool.at("name");
            match Mirrors::read(tool) {
                Ok(Mirrors(mirrors)) => {
                    if let Some(name) = name.as_str()
                        && before.get_same(name).map_or(NOTHING, Value::raw) != mirrors
                    {
                        push_member(&mut known, name.raw(), &mirrors);
                    }
                    push_item(&mut kept, tool.raw());
                }
                Err(fault) => warnings.push(left_out(&name.text(), &fault)),
            }
        }
        if known.len() > unchanged {
            known.push_str("}");
            self.tools = Document::or_null(&known);
        }
        kept.push_str("]");
        Page { result: (!warnings.is_empty()).then(|| result.with(tools, &kept)), warnings }
    }

    /// Appends the headers that mirror arguments of this call.
    pub fn headers(&self, out: &mut String, method: &str, params: Option<Value<'_>>) {
        if method == "tools/call"
            && let Some(name) = params.and_then(|params| params.at("name").as_str())
            && let Some(mirrors) = self.tools.root().get_same(name)
        {
            push_headers(out, mirrors, params);
        }
    }
}

/// Whether the server says that headers and body differ: it may have changed what it wants mirrored.
pub fn is_mismatch(method: &str, error: &Error) -> bool {
    method == "tools/call" && error.peer_code() == Some(-32020)
}

fn left_out(name: &str, fault: &str) -> String {
    fill("the tool '%' was left out of the list: %", &[start(name, 60), fault])
}
