//! Arguments of tools that go out as `Mcp-Param-*` headers as well, so that proxies can route without reading bodies.
//! Specification: basic/transports/streamable-http, "Custom Headers from Tool Parameters".

use super::headers::header_value;
use crate::error::Error;
use crate::json::{JsonStr, Kind, Value};

/// The annotation in a tool's `inputSchema`.
const ANNOTATION: &str = "x-mcp-header";
/// How many arguments of one tool may be mirrored; servers take no more than about a hundred headers.
pub const MAX_MIRRORS: usize = 64;
/// How deep a mirrored argument may be nested.
pub const MAX_DEPTH: usize = 32;

/// One argument to mirror.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mirror {
    header: String,
    /// The keys that lead to the argument, as [`JsonStr::meaning`].
    path: Vec<Vec<u8>>,
}

/// What one tool wants mirrored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mirrors(Vec<Mirror>);

impl Mirrors {
    /// Reads the `inputSchema` of a tool.
    ///
    /// # Errors
    ///
    /// A sentence that says which annotation is wrong. Such a tool must not be offered.
    pub fn read(tool: Value<'_>) -> Result<Self, String> {
        let Some(schema) = tool.get("inputSchema") else { return Ok(Self::default()) };
        let places = places(schema);
        let mut mirrors = Self::default();
        for place in &places {
            if let Some(annotation) = place.schema.get(ANNOTATION) {
                mirrors.add(annotation, place, &places)?;
            }
        }
        Ok(mirrors)
    }

    fn add(&mut self, annotation: Value<'_>, place: &Place<'_>, places: &[Place<'_>]) -> Result<(), String> {
        let path = path(place, places);
        let fault = |what: &str| Err(fault(&path, what));
        let name = annotation.as_str().map(JsonStr::decode).unwrap_or_default();
        if !place.reachable || path.is_empty() {
            return fault("may only stand in schemas that are reached through 'properties' alone");
        }
        if self.0.len() >= MAX_MIRRORS || path.len() > MAX_DEPTH {
            return fault("is one of too many, or nested too deep");
        }
        if name.is_empty() || !name.bytes().all(is_token) {
            return fault("must be the name of an HTTP header");
        }
        if !place.schema.get("type").and_then(Value::as_str).is_some_and(is_primitive) {
            return fault("may only stand on arguments of type string, integer or boolean");
        }
        let header = ["Mcp-Param-", &name].concat();
        if self.0.iter().any(|mirror| mirror.header.eq_ignore_ascii_case(&header)) {
            return fault("must not name the same header twice");
        }
        self.0.push(Mirror { header, path });
        Ok(())
    }

    /// The headers for a call with these parameters. What is absent, `null` or no plain value has none.
    pub fn headers(&self, params: Option<Value<'_>>) -> Vec<(String, String)> {
        let arguments = params.and_then(|params| params.get("arguments"));
        let header = |mirror: &Mirror| Some((mirror.header.clone(), text(mirror.value(arguments?)?)?));
        self.0.iter().filter_map(header).collect()
    }

    /// Whether nothing is mirrored.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Mirror {
    fn value<'d>(&self, arguments: Value<'d>) -> Option<Value<'d>> {
        self.path.iter().try_fold(arguments, |value, key| {
            value.members().filter(|(name, _)| *name.meaning() == **key).last().map(|(_, value)| value)
        })
    }
}

/// The value as header text. Empty text is marked, since some proxies drop empty headers.
fn text(value: Value<'_>) -> Option<String> {
    match value.kind() {
        Kind::String => {
            let text = header_value(&value.as_str()?.decode());
            Some(if text.is_empty() { String::from("=?base64??=") } else { text })
        }
        Kind::Bool => Some(value.raw().to_owned()),
        Kind::Number => {
            let number = value.as_number()?;
            match number.as_safe_integer() {
                Some(integer) => Some(integer.to_string()),
                // Not what the schema wants: the server shall see it and say so. Integers past 2^53 have no header.
                None => (!number.is_integer()).then(|| number.raw().to_owned()),
            }
        }
        Kind::Null | Kind::Array | Kind::Object => None,
    }
}

/// One schema inside a tool's schema, and how it is reached.
struct Place<'d> {
    schema: Value<'d>,
    /// Where it stands, and under which key. Nothing for the outermost.
    parent: Option<(usize, JsonStr<'d>)>,
    reachable: bool,
}

/// The keywords of JSON Schema that hold schemas by name.
const NAMED: [&str; 6] =
    ["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"];
/// Those that hold one, or an array of them.
const PLAIN: [&str; 16] = [
    "items",
    "prefixItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "propertyNames",
    "contentSchema",
    "oneOf",
    "anyOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "additionalItems",
];

/// All schemas in this one. A list in place of recursion, since a server may nest as deep as it likes.
fn places(root: Value<'_>) -> Vec<Place<'_>> {
    let mut places = Vec::new();
    let mut next = vec![Place { schema: root, parent: None, reachable: true }];
    while let Some(place) = next.pop() {
        let (at, schema, reachable) = (places.len(), place.schema, place.reachable);
        places.push(place);
        let before = next.len();
        for (keyword, value) in schema.members() {
            let through = reachable && keyword == "properties";
            let inside = |key, schema| Place { schema, parent: Some((at, key)), reachable: through };
            let name = keyword.decode();
            if NAMED.contains(&&*name) {
                next.extend(value.members().map(|(name, schema)| inside(name, schema)));
            } else if PLAIN.contains(&&*name) {
                let single = (value.kind() != Kind::Array).then_some(value);
                next.extend(value.items().chain(single).map(|schema| inside(keyword, schema)));
            }
        }
        // In the order of the document, so that of two faults the first is told.
        next.get_mut(before..).unwrap_or_default().reverse();
    }
    places
}

/// The keys that lead to a place; one more than [`MAX_DEPTH`] is told from deeper ones by nobody.
fn path(place: &Place<'_>, places: &[Place<'_>]) -> Vec<Vec<u8>> {
    let mut path = Vec::new();
    let mut at = Some(place);
    while let Some(Place { parent: Some((parent, key)), .. }) = at
        && path.len() <= MAX_DEPTH
    {
        path.push(key.meaning().into_owned());
        at = places.get(*parent);
    }
    path.reverse();
    path
}

fn fault(path: &[Vec<u8>], what: &str) -> String {
    let mut place = String::new();
    for key in path.iter().take(8) {
        place.push_str(if place.is_empty() { " at " } else { "." });
        place.push_str(&String::from_utf8_lossy(key));
    }
    let mut sentence = String::from("x-mcp-header");
    sentence.extend(place.chars().take(84));
    sentence.push(' ');
    sentence.push_str(what);
    sentence
}

fn is_primitive(kind: JsonStr<'_>) -> bool {
    kind == "string" || kind == "integer" || kind == "boolean"
}

/// RFC 9110, `tchar`.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// What is known of the tools of one server, from every page of `tools/list`.
#[derive(Clone, Debug, Default)]
pub struct KnownTools {
    /// By name, sorted; only those that mirror something.
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
            let name = tool.get("name").and_then(Value::as_str).map(JsonStr::decode).unwrap_or_default();
            match Mirrors::read(tool) {
                Ok(mirrors) => {
                    self.note(&name, mirrors);
                    kept.push_str(if kept.len() > 1 { "," } else { "" });
                    kept.push_str(tool.raw());
                }
                Err(fault) => warnings.push(left_out(&name, &fault)),
            }
        }
        kept.push(']');
        Page { result: (!warnings.is_empty()).then(|| result.with(tools, &kept)), warnings }
    }

    /// The headers that mirror arguments of this call.
    pub fn headers(&self, method: &str, params: Option<Value<'_>>) -> Vec<(String, String)> {
        let name = params.filter(|_| method == "tools/call").and_then(|params| params.get("name")?.as_str());
        let at = name.and_then(|name| self.find(&name.decode()).ok());
        at.and_then(|at| self.tools.get(at)).map(|(_, mirrors)| mirrors.headers(params)).unwrap_or_default()
    }

    fn note(&mut self, name: &str, mirrors: Mirrors) {
        match (self.find(name), mirrors.is_empty()) {
            (Ok(at), true) => drop(self.tools.remove(at)),
            (Ok(at), false) => self.tools.splice(at..=at, [(name.to_owned(), mirrors)]).for_each(drop),
            (Err(_), true) => {}
            (Err(at), false) => self.tools.insert(at, (name.to_owned(), mirrors)),
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
    let mut sentence = String::from("the tool '");
    sentence.extend(name.chars().take(60));
    sentence.push_str("' was left out of the list: ");
    sentence.push_str(fault);
    sentence
}
