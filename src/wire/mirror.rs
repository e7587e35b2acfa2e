//! Arguments of tools that go out as `Mcp-Param-*` headers as well, so that proxies can route without reading bodies.
//! Specification: basic/transports/streamable-http, "Custom Headers from Tool Parameters".

use super::headers::push_header;
use crate::error::{Code, Error, fill, start};
use crate::json::{Document, Kind, Value, ValueId, concat, decimal, push_item};
use crate::lines;
use crate::mrtr::count;

/// The annotation in a tool's `inputSchema`.
const ANNOTATION: &str = "x-mcp-header";
/// How many arguments of one tool may be mirrored; servers take no more than about a hundred headers.
pub const MAX_MIRRORS: usize = 64;
/// How deep a mirrored argument may be nested.
pub const MAX_DEPTH: usize = 32;

/// What one tool wants mirrored: its `inputSchema`, if any of it is annotated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mirrors(String);

impl Mirrors {
    /// Reads the `inputSchema` of a tool.
    ///
    /// # Errors
    ///
    /// A sentence that says which annotation is wrong. Such a tool must not be offered.
    pub fn read(tool: Value<'_>) -> Result<Self, String> {
        let schema = tool.at("inputSchema");
        let is_annotated = Walk::through(schema, schema.nothing(), &mut const { String::new() })?;
        Ok(Self(if is_annotated { schema.raw().to_owned() } else { const { String::new() } }))
    }

    /// Appends the headers for a call with these parameters. What is absent, `null` or no plain value has none.
    pub fn headers(&self, out: &mut String, params: Option<Value<'_>>) {
        if let Some(params) = params {
            // It was found to be good when it was read.
            let _ = Walk::through(Document::or_null(&self.0).root(), params.at("arguments"), out);
        }
    }

    /// Whether nothing is mirrored.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Appends a header with this value. Empty text is marked, since some proxies drop empty headers.
fn push_value(out: &mut String, header: &str, value: Value<'_>) {
    let text = match (value.kind(), value.integer_or(i64::MIN)) {
        (Kind::String, _) => value.text(),
        // Integers past 2^53 have no header.
        (Kind::Number, i64::MIN) if value.is_integer() => return,
        // A number that is no integer is not what the schema wants: the server shall see it and say so.
        (Kind::Bool | Kind::Number, i64::MIN) => value.raw().to_owned(),
        (Kind::Number, integer) => decimal(integer),
        _ => return,
    };
    if text.is_empty() {
        out.push_str(header);
        return out.push_str("\n=?base64??=\n");
    }
    push_header(out, header, &text);
}

/// One schema inside a tool's schema, and how it is reached.
struct Place<'d> {
    schema: Value<'d>,
    /// Under which key it stands; for the outermost, anything.
    key: ValueId,
    /// Twice how deep it is, and one more if it cannot be reached through `properties` alone.
    level: usize,
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
            let at = lines::place_in(KEYWORDS, keyword.value());
            if at == lines::NOWHERE {
                continue;
            }
            let level = (self.level + 2) | usize::from(at != 0);
            let mut inner = if at < NAMED { value.entries() } else { value.one_or_items() };
            while let Some(mut schema) = inner.next() {
                let mut key = keyword.value().id();
                if at < NAMED {
                    (key, schema) = (schema.id(), inner.next().unwrap_or(schema));
                }
                next.push(Self { schema, key, level });
            }
        }
        next.get_mut(before..).unwrap_or_default().reverse();
    }
}

/// A walk through a tool's schema.
struct Walk<'d> {
    schema: Value<'d>,
    /// The annotations so far.
    names: Vec<ValueId>,
    /// The keys that lead to the schema that is being read, after that of the outermost.
    path: Vec<ValueId>,
    /// The arguments of a call, whose headers are appended.
    arguments: Value<'d>,
    out: &'d mut String,
}

impl<'d> Walk<'d> {
    /// Says whether anything is annotated.
    fn through(schema: Value<'d>, arguments: Value<'d>, out: &'d mut String) -> Result<bool, String> {
        let mut walk = Self { schema, names: Vec::new(), path: Vec::new(), arguments, out };
        // A list in place of recursion, since a server may nest as deep as it likes.
        let mut next = Vec::new();
        next.push(Place { schema, key: schema.id(), level: 0 });
        while let Some(place) = next.pop() {
            walk.path.truncate(place.level / 2);
            walk.path.push(place.key);
            let annotation = place.schema.at(ANNOTATION);
            if !annotation.is_missing() {
                walk.add(annotation, &place)?;
            }
            place.push_inner(&mut next);
        }
        Ok(!walk.names.is_empty())
    }

    fn add(&mut self, annotation: Value<'d>, place: &Place<'d>) -> Result<(), String> {
        let (name, path) = (annotation.text(), self.path.get(1..).unwrap_or_default());
        let what = if place.level & 1 != 0 || path.is_empty() {
            "may only stand in schemas that are reached through 'properties' alone"
        } else if self.names.len() >= MAX_MIRRORS || path.len() > MAX_DEPTH {
            "is one of too many, or nested too deep"
        } else if name.is_empty() || !name.as_bytes().iter().all(is_token) {
            "must be the name of an HTTP header"
        } else if lines::place_in("string\ninteger\nboolean\n", place.schema.at("type")) == lines::NOWHERE {
            "may only stand on arguments of type string, integer or boolean"
        } else if self.names.iter().any(|known| self.schema.other(*known).text().eq_ignore_ascii_case(&name)) {
            "must not name the same header twice"
        } else {
            let mut value = self.arguments;
            for key in path {
                value = value.at_bytes(&self.schema.other(*key).meaning());
            }
            push_value(self.out, &concat(&["Mcp-Param-", &name]), value);
            self.names.push(annotation.id());
            return Ok(());
        };
        let (mut place, mut sign) = (const { String::new() }, " at ");
        for key in path.iter().take(8) {
            place.push_str(sign);
            place.push_str(&self.schema.other(*key).text());
            sign = ".";
        }
        Err(fill("x-mcp-header% %", &[start(&place, 84), what]))
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
        let tools = result.at("tools");
        let mut warnings = Vec::new();
        let mut kept = String::from("[");
        for tool in tools.items() {
            let name = tool.at("name").text();
            match Mirrors::read(tool) {
                Ok(mirrors) => {
                    self.note(&name, mirrors);
                    push_item(&mut kept, tool.raw());
                }
                Err(fault) => warnings.push(left_out(&name, &fault)),
            }
        }
        kept.push_str("]");
        Page { result: (!warnings.is_empty()).then(|| result.with(tools, &kept)), warnings }
    }

    /// Appends the headers that mirror arguments of this call.
    pub fn headers(&self, out: &mut String, method: &str, params: Option<Value<'_>>) {
        if *method == *"tools/call"
            && let Some(given) = params
        {
            let name = given.at("name").text();
            if let Some((known, mirrors)) = self.tools.get(self.place(&name))
                && **known == *name
            {
                mirrors.headers(out, params);
            }
        }
    }

    fn note(&mut self, name: &str, mirrors: Mirrors) {
        let at = self.place(name);
        match self.tools.get_mut(at) {
            Some((known, old)) if **known == *name => *old = mirrors,
            _ if mirrors.is_empty() => {}
            _ => self.tools.insert(at, (name.to_owned(), mirrors)),
        }
    }

    /// Where the tool with this name is, or would be.
    #[inline(never)]
    fn place(&self, name: &str) -> usize {
        count(self.tools.len(), |at| self.tools.get(at).is_some_and(|(known, _)| **known < *name))
    }
}

/// Whether the server says that headers and body differ: it may have changed what it wants mirrored.
pub fn is_mismatch(method: &str, error: &Error) -> bool {
    *method == *"tools/call" && matches!(error.kind(), Code::Protocol(-32020))
}

fn left_out(name: &str, fault: &str) -> String {
    fill("the tool '%' was left out of the list: %", &[start(name, 60), fault])
}
