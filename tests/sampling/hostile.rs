//! What hostile peers send: an error or exact preservation, never a panic.

use mcp_sampling::json::Document;
use mcp_sampling::revision::Revision;
use mcp_sampling::sampling::{
    Checks, CreateMessageRequestParams, CreateMessageResult, Findings, check_request, check_result, needs_of, repair,
    to_revision,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::support::{ALL, block, errors, params, parse, request, walked};

const MANY: usize = 100_000;

fn text_block(json: &str) -> String {
    params(&format!(r#"[{{"role":"user","content":{{"type":"text","text":{json}}}}}]"#))
}

/// Everything that takes a document from a peer, in every revision, so that nothing of it can panic.
fn use_all(document: &Document) {
    Revision::ALL.iter().for_each(|revision| use_in(*revision, document));
}

fn use_in(revision: Revision, document: &Document) {
    let root = document.root();
    let checks = Checks { revision, ..ALL };
    let found = check_request(root, &checks);
    assert!(found.errors.len() + found.warnings.len() <= mcp_sampling::sampling::MAX_FINDINGS + 1);
    check_result(root, root, &checks);
    let _ = to_revision(root, root, revision);
    repair(root);
    needs_of(CreateMessageRequestParams::new(root));
    CreateMessageResult::new(root).output_tokens();
}

#[test]
fn depth_costs_nothing() {
    let deep = "[".repeat(10_000) + &"]".repeat(10_000);
    let objects = "{\"a\":".repeat(10_000) + "1" + &"}".repeat(10_000);
    for inner in [deep, objects] {
        let input = format!(
            r#"[{{"role":"user","content":{{"type":"text","text":"","_meta":{{"x":{inner}}}}}}},
               {{"role":"assistant","content":{{"type":"tool_use","id":"1","name":"t","input":{{"x":{inner}}}}}}},
               {{"role":"user","content":{{"type":"tool_result","toolUseId":"1","content":[],"structuredContent":{inner}}}}}]"#
        );
        assert_eq!(request(&params(&input), &ALL), Findings::default());
        use_all(&parse(&format!(r#"{{"messages":{inner},"content":{inner},"tools":{inner},"maxTokens":{inner}}}"#)));
    }
}

#[test]
fn depth_in_the_place_of_blocks() {
    let nested = r#"{"type":"tool_result","toolUseId":"1","content":["#.repeat(10_000) + &"]}".repeat(10_000);
    use_all(&parse(&params(&format!(r#"[{{"role":"user","content":{nested}}}]"#))));
}

#[test]
fn many_blocks_and_ids() {
    let list = |of: &dyn Fn(usize) -> String| (0..MANY).map(of).collect::<Vec<_>>().join(",");
    let uses = list(&|index| block(&format!("U{index}")));
    // Another order than that of the uses, so that matching by id has to be more than a walk side by side.
    let results = list(&|index| block(&format!("R{}", (index * 7919) % MANY)));
    let messages = format!(
        r#"[{{"role":"user","content":[{}]}},{{"role":"assistant","content":[{uses}]}},{{"role":"user","content":[{results}]}}]"#,
        list(&|_| block("T"))
    );
    let document = parse(&params(&messages));
    assert_eq!(check_request(document.root(), &ALL), Findings::default());
    use_in(Revision::V2025_11_25, &document);
}

#[test]
fn many_broken_things() {
    let list = |item: &str| vec![item; MANY].join(",");
    let uses = params(&format!(r#"[{{"role":"assistant","content":[{}]}}]"#, list(&block("U1"))));
    let tools = format!(r#"{{"tools":[{}]}}"#, list(r#"{"name":"a"}"#));
    let hints = format!(r#"{{"modelPreferences":{{"hints":[{}]}}}}"#, list("7"));
    let mixed = params(&format!(r#"[{}]"#, list(r#"{"role":"user","content":[{"type":"tool_result"},1]}"#)));
    for text in [uses, tools, hints, mixed, format!("[{}]", list("[]")), params(&format!("[{}]", list("{}")))] {
        use_in(Revision::LATEST, &parse(&text));
    }
}

#[test]
fn many_members() {
    let repeated = vec![r#""type":"text","text":"a""#; MANY].join(",");
    let escaped = (0..MANY).map(|index| format!(r#""\u0061{index}":0"#)).collect::<Vec<_>>().join(",");
    for members in [repeated, format!(r#"{escaped},"type":"text","text":"a""#)] {
        let document = parse(&params(&format!(r#"[{{"role":"user","content":{{{members}}}}}]"#)));
        assert_eq!(check_request(document.root(), &ALL), Findings::default());
    }
}

#[test]
fn the_last_of_equal_keys_counts() {
    let found = request(r#"{"maxTokens":1,"messages":[],"maxTokens":"x","messages":5}"#, &ALL);
    assert_eq!(errors(&found), [("max-tokens-integer", "/maxTokens"), ("messages-array", "/messages")]);
    let twice = r#"[{"role":"system","role":"user","content":5,"content":{"type":"image","type":"text","text":"a"}}]"#;
    assert_eq!(request(&params(twice), &ALL), Findings::default());
}

#[test]
fn odd_strings_and_keys_are_kept() {
    for text in [
        text_block(r#""\ud800 \udc00 \u0000 \ufeff""#),
        text_block("\"\u{feff}\""),
        text_block(r#""","__proto__":{"polluted":true},"constructor":{"prototype":1},"":null"#),
        text_block(r#""","n":[1000000000000000000000,1e400,-0,0.1e-999999999999999999]"#),
    ] {
        let document = parse(&format!("\u{feff}{text}"));
        assert_eq!(check_request(document.root(), &ALL), Findings::default(), "{text}");
        assert_eq!(walked(document.root()), text);
    }
}

#[test]
fn proto_members_are_only_members() {
    let text = r#"{"__proto__":{"maxTokens":1,"messages":[]}}"#;
    assert_eq!(errors(&request(text, &ALL)), [("max-tokens-integer", ""), ("messages-array", "")]);
    let inherited = r#"[{"role":"user","__proto__":{"content":{"type":"text","text":""}}}]"#;
    assert_eq!(errors(&request(&params(inherited), &ALL)), [("message-content", "/messages/0")]);
}

#[test]
fn ids_are_compared_by_meaning() {
    let pair = |use_: &str, result: &str| {
        let uses =
            format!(r#"{{"role":"assistant","content":{{"type":"tool_use","id":"{use_}","name":"t","input":{{}}}}}}"#);
        let results =
            format!(r#"{{"role":"user","content":{{"type":"tool_result","toolUseId":"{result}","content":[]}}}}"#);
        request(&params(&format!("[{uses},{results}]")), &ALL).errors.len()
    };
    assert_eq!(pair("a", r"\u0061"), 0);
    assert_eq!(pair(r"\ud800", r"\uD800"), 0);
    assert_eq!(pair(r"\ud800", r"\ud801"), 2);
    assert_eq!(pair(r"\ud800", r"\ufffd"), 2);
    assert_eq!(pair("é", "e\u{301}"), 2);
    assert_eq!(pair(r"\u0000", ""), 2);
    assert_eq!(pair("", ""), 0);
}

#[test]
fn numbers_at_the_edge() {
    let with = |json: &str| errors(&request(&format!(r#"{{"messages":[1],"maxTokens":{json}}}"#), &ALL)).len();
    for (json, findings) in
        [("1e3", 1), ("1000000000000000000000", 2), ("1e999999999", 2), ("1e-999999999", 2), ("-0", 2)]
    {
        assert_eq!(with(json), findings, "{json}");
    }
    let usage = |json: &str| {
        format!(r#"{{"role":"assistant","content":{},"model":"m","_meta":{{"usage":{json}}}}}"#, block("T"))
    };
    for json in [r#"{"outputTokens":1e400}"#, r#"{"outputTokens":"9"}"#, r#"{"output_tokens":-1}"#, "[]", "7", "null"] {
        let (result, params) = (parse(&usage(json)), parse(&params("[]")));
        assert_eq!(check_result(result.root(), params.root(), &ALL), Findings::default(), "{json}");
    }
}

#[test]
fn values_of_every_kind_in_every_place() {
    let members = [
        "messages",
        "maxTokens",
        "systemPrompt",
        "temperature",
        "stopSequences",
        "metadata",
        "includeContext",
        "modelPreferences",
        "tools",
        "toolChoice",
        "role",
        "content",
        "model",
        "stopReason",
        "_meta",
        "resultType",
    ];
    let values =
        ["null", "true", "0", "\"\"", "[]", "{}", "[null]", "[[]]", "[{}]", r#"{"type":5}"#, r#"[{"content":[[]]}]"#];
    for value in values {
        use_all(&parse(value));
        let all = members.map(|name| format!("\"{name}\":{value}")).join(",");
        use_all(&parse(&format!("{{{all}}}")));
        for kind in ["text", "image", "audio", "tool_use", "tool_result", "resource_link", "resource"] {
            let inner = [
                "text",
                "data",
                "mimeType",
                "id",
                "name",
                "input",
                "toolUseId",
                "content",
                "isError",
                "uri",
                "resource",
            ];
            let block = inner.map(|name| format!("\"{name}\":{value}")).join(",");
            let block = format!(r#"{{"type":"{kind}",{block},"annotations":{value},"icons":{value},"_meta":{value}}}"#);
            let outer = format!(r#"{{"type":"tool_result","toolUseId":"1","content":[{block}]}}"#);
            use_all(&parse(&params(&format!(r#"[{{"role":"user","content":[{block},{outer}]}}]"#))));
        }
    }
}
