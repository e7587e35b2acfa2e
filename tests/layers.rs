//! Reads the sources: each layer uses only those below it, JavaScript is named in one place, files and functions are short.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const MAX_LINES_OF_A_FILE: usize = 400;
const MAX_LINES_OF_A_FUNCTION: usize = 70;

/// Each layer and what it may use besides itself. `driver`, `wire` and `provider` do not know each other.
const LAYERS: &[(&str, &[&str])] = &[
    ("json", BASE),
    ("error", BASE),
    ("lines", BASE),
    ("revision", BASE),
    ("sse", BASE),
    ("sampling", BASE),
    ("mrtr", &["json", "error", "lines", "revision", "sse", "sampling"]),
    ("driver", BELOW),
    ("wire", BELOW),
    ("provider", BELOW),
    ("wasm", &["json", "error", "lines", "revision", "sse", "sampling", "mrtr", "driver", "wire", "provider"]),
];
const BASE: &[&str] = &["json", "error", "lines", "revision", "sse"];
const BELOW: &[&str] = &["json", "error", "lines", "revision", "sse", "sampling", "mrtr"];

struct Source {
    /// From `src`, with slashes.
    path: String,
    text: String,
}

impl Source {
    /// The layer that the file belongs to; nothing for the crate's root.
    fn layer(&self) -> Option<String> {
        self.modules().into_iter().next()
    }

    /// `wire/http.rs` is the module `wire::http`, `wire/mod.rs` is `wire`.
    fn modules(&self) -> Vec<String> {
        let stem = self.path.trim_end_matches(".rs").trim_end_matches("/mod");
        stem.split('/').filter(|part| *part != "lib").map(str::to_owned).collect()
    }

    /// The code without comments, texts and unit tests.
    fn code(&self) -> String {
        let code = self.text.split("#[cfg(test)]").next().unwrap_or_default();
        code.lines().map(without_texts).collect::<Vec<_>>().join("\n")
    }
}

/// A line without its comment and without what stands in its string literals.
fn without_texts(line: &str) -> String {
    let mut out = String::new();
    let mut in_text = false;
    let mut chars = line.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\\' if in_text => drop(chars.next()),
            '"' if !out.ends_with('\'') => in_text = !in_text,
            '/' if !in_text && chars.peek() == Some(&'/') => break,
            _ if !in_text => out.push(char),
            _ => {}
        }
    }
    out
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&root, &mut files);
    let read = |file: PathBuf| Source {
        path: file.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/"),
        text: fs::read_to_string(&file).unwrap(),
    };
    files.into_iter().map(read).collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The layers that a file names, by `crate::…`, by `crate::{…}`, or by `super::…` that climbs out of its own.
fn uses(source: &Source) -> BTreeSet<String> {
    let code = source.code();
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        found.extend(heads(&code[at + "crate::".len()..]));
    }
    let modules = source.modules();
    for (at, _) in code.match_indices("super::").filter(|(at, _)| !code[..*at].ends_with("super::")) {
        let rest = code[at..].trim_start_matches("super::");
        let climbed = (code.len() - at - rest.len()) / "super::".len();
        match modules[..modules.len().saturating_sub(climbed)].first() {
            Some(own) => drop(found.insert(own.clone())),
            None => found.extend(heads(rest)),
        }
    }
    found
}

/// The first names of a path: `a::b` gives `a`, `{a::x, b}` gives both.
fn heads(path: &str) -> Vec<String> {
    let Some(group) = path.strip_prefix('{') else { return head(path).into_iter().collect() };
    let mut depth = 0;
    let mut parts = vec![String::new()];
    for char in group.chars() {
        depth += i32::from(char == '{') - i32::from(char == '}');
        match char {
            _ if depth < 0 => break,
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut().unwrap().push(char),
        }
    }
    parts.iter().filter_map(|part| head(part.trim())).collect()
}

fn head(path: &str) -> Option<String> {
    let name = path.split(|char: char| !is_word(char)).next().filter(|name| !name.is_empty());
    name.map(str::to_owned)
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

fn names(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| {
        let after = code[at + word.len()..].chars().next();
        !code[..at].ends_with(is_word) && !after.is_some_and(is_word)
    })
}

/// Where each function begins and how many lines it has. The sources are formatted, so a function ends with the first
/// brace that stands as deep as its `fn`.
fn functions(source: &Source) -> Vec<(usize, usize)> {
    let lines: Vec<_> = source.text.lines().collect();
    let is_fn = |line: &str| {
        let code = line.trim_start();
        let words: Vec<_> = code.split(' ').take_while(|word| *word != "fn").collect();
        code.split(' ').any(|word| word == "fn") && words.iter().all(|word| MODIFIERS.contains(word))
    };
    let begins = lines.iter().enumerate().filter(|(_, line)| is_fn(line));
    let length = |(begin, line): (usize, &&str)| {
        let indent = &line[..line.len() - line.trim_start().len()];
        let end =
            lines[begin..].iter().position(|line| line.strip_prefix(indent).is_some_and(|rest| rest.starts_with('}')));
        let one_line = line.ends_with('}') || line.ends_with(';');
        (begin + 1, if one_line { 1 } else { end.unwrap_or(0) + 1 })
    };
    begins.map(length).collect()
}

const MODIFIERS: &[&str] = &["pub", "pub(super)", "pub(crate)", "pub(in", "const", "async", "unsafe", "extern"];

fn complain(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n{}", found.join("\n"));
}

#[test]
fn every_folder_and_file_belongs_to_a_layer() {
    let known = |source: &Source| source.layer().is_none_or(|layer| LAYERS.iter().any(|(name, _)| *name == layer));
    let strangers: Vec<_> = sources().into_iter().filter(|source| !known(source)).map(|source| source.path).collect();
    complain("not in a known layer", &strangers);
}

#[test]
fn a_layer_uses_only_those_below_it() {
    let mut found = Vec::new();
    for source in sources() {
        let Some(layer) = source.layer() else { continue };
        let allowed = LAYERS.iter().find(|(name, _)| *name == layer).map(|(_, below)| *below).unwrap_or_default();
        let used = uses(&source);
        let foreign = used.iter().filter(|used| **used != layer && !allowed.contains(&used.as_str()));
        found.extend(foreign.map(|used| format!("{} uses {used}", source.path)));
    }
    complain("against the order of the layers", &found);
}

#[test]
fn only_the_shell_names_javascript() {
    let mut found = Vec::new();
    for source in sources().into_iter().filter(|source| source.layer().as_deref() != Some("wasm")) {
        let code = source.code();
        let named = ["wasm_bindgen", "js_sys", "web_sys", "serde_wasm_bindgen", "wasm_bindgen_futures"];
        let named = named.into_iter().filter(|word| names(&code, word));
        found.extend(named.map(|word| format!("{} names {word}", source.path)));
    }
    complain("outside of src/wasm", &found);
}

/// The core decides by what it is told. A clock, a random number or a thread would make two runs differ.
#[test]
fn only_the_shell_reads_clocks() {
    let mut found = Vec::new();
    for source in sources().into_iter().filter(|source| source.layer().as_deref() != Some("wasm")) {
        let code = source.code();
        let named = ["Instant", "SystemTime", "thread", "static mut", "thread_local", "println", "eprintln"];
        found
            .extend(named.into_iter().filter(|word| names(&code, word)).map(|word| format!("{}: {word}", source.path)));
    }
    complain("not for a core without I/O", &found);
}

#[test]
fn files_are_short() {
    let lines = |source: &Source| source.text.lines().count();
    let long = sources().into_iter().filter(|source| lines(source) > MAX_LINES_OF_A_FILE);
    let long: Vec<_> = long.map(|source| format!("{}: {} lines", source.path, lines(&source))).collect();
    complain("files that are too long", &long);
}

#[test]
fn functions_are_short() {
    let mut found = Vec::new();
    for source in sources() {
        let long = functions(&source).into_iter().filter(|(_, lines)| *lines > MAX_LINES_OF_A_FUNCTION);
        found.extend(long.map(|(at, lines)| format!("{}:{at}: {lines} lines", source.path)));
    }
    complain("functions that are too long", &found);
}

#[test]
fn these_tests_see_what_they_should() {
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    for (path, text, expected) in [
        ("driver/gate.rs", "use crate::wire::{Envelope, Outgoing};", "wire"),
        ("driver/gate.rs", "use crate::{error::Error, wire::http::{Body, Exchange}, json};", "error json wire"),
        ("driver/gate.rs", "fn a() { super::super::wire::b() } // crate::wasm", "wire"),
        ("driver/mod.rs", "use super::wasm::x;", "wasm"),
        ("driver/mod.rs", "mod gate; use self::gate::x; let a = \"crate::wasm\";", ""),
        ("driver/gate.rs", "use super::{Call, Effect};", "driver"),
        ("wire/http.rs", "use super::message::Message; use crate::sse::Event;", "sse wire"),
        ("error.rs", "use super::driver;", "driver"),
    ] {
        let found: Vec<_> = uses(&source(path, text)).into_iter().collect();
        assert_eq!(found.join(" "), expected, "{text}");
    }
    let text = "impl A {\n    pub(super) fn a(\n        b: u8,\n    ) -> u8 {\n        b\n    }\n\n    fn c(self);\n    const fn d() {}\n}\n";
    assert_eq!(functions(&source("a.rs", text)), [(2, 5), (8, 1), (9, 1)]);
    assert!(names("use wasm_bindgen::x", "wasm_bindgen") && !names("use wasm_bindgen_test::x", "wasm_bindgen"));
}

#[test]
fn javascript_has_the_numbers_of_each_export() {
    let numbers = |file: &str, kind: &str, end: &str| -> Vec<(String, String)> {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
        let lines = text.lines().filter_map(|line| line.trim().strip_prefix(kind)?.strip_suffix(';')?.split_once(end));
        lines.map(|(name, number)| (name.to_owned(), number.to_owned())).collect()
    };
    let client = numbers("src/wasm/client/enter.rs", "pub(in crate::wasm::client) const ", ": u32 = ");
    assert!(client.len() > 20, "{client:?}");
    assert_eq!(client, numbers("src/js/what.js", "export const ", " = "));
    let providers = numbers("src/wasm/provider.rs", "pub(super) const ", ": u32 = ");
    assert!(providers.len() > 4, "{providers:?}");
    // The last of JavaScript's has no name in Rust: whatever is none of the others lets go of a stream.
    assert!(numbers("src/js/providers/ask.js", "export const ", " = ").starts_with(&providers));
}
