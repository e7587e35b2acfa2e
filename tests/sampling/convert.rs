//! Results for older revisions, and the repair of mixed messages.

use mcp_sampling::revision::Revision;
use mcp_sampling::sampling::{Checks, Findings, check_request, check_result, repair, to_revision};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::support::{ALL, block, errors, history, params, parse};

const NO_TOOLS: &str = r#"{"maxTokens":1,"messages":[]}"#;
const TOOLS: &str = r#"{"tools":[]}"#;

fn answer(content: &str) -> String {
    format!(r#"{{ "role":"assistant", "content": {content} ,"model":"m","x":1.0 }}"#)
}

fn converted(content: &str, request: &str, revision: Revision) -> Result<String, Findings> {
    let (result, params) = (parse(&answer(content)), parse(request));
    let text = to_revision(result.root(), params.root(), revision)?.into_owned();
    let checks = Checks { revision, ..ALL };
    assert_eq!(check_result(parse(&text).root(), params.root(), &checks), Findings::default(), "{text}");
    Ok(text)
}

fn refused(content: &str, revision: Revision) -> Vec<String> {
    let findings = converted(content, NO_TOOLS, revision).unwrap_err();
    assert!(findings.errors.iter().all(|finding| finding.rule == "inexpressible"));
    findings.errors.iter().map(|finding| finding.path.clone()).collect()
}

#[test]
fn what_fits_is_not_touched() {
    let two = r#"[{"type":"text","text":"a"},{"type":"text","text":"b"}]"#;
    for (content, request, revision) in [
        (two, NO_TOOLS, Revision::V2026_07_28),
        (two, TOOLS, Revision::V2025_11_25),
        (r#"{"type":"text","text":"a","_meta":{}}"#, NO_TOOLS, Revision::V2025_03_26),
    ] {
        let (result, params) = (parse(&answer(content)), parse(request));
        let text = to_revision(result.root(), params.root(), revision).unwrap();
        assert!(matches!(text, std::borrow::Cow::Borrowed(text) if text == answer(content)));
    }
}

#[test]
fn one_block_is_unwrapped_and_texts_are_joined() {
    let image = r#"{"type":"image","data":"","mimeType":"image/png","annotations":{"priority":1.0}}"#;
    let alone = format!("[ {image} ]");
    let texts =
        r#"[{"type":"text","text":"a\u0041\ud83d"},{"text":"\ude00 b","type":"text"},{"type":"text","text":""}]"#;
    for revision in [Revision::V2025_03_26, Revision::V2025_06_18, Revision::V2025_11_25] {
        assert_eq!(converted(&alone, NO_TOOLS, revision).unwrap(), answer(image));
        let joined = r#"{"type":"text","text":"a\u0041\ud83d\ude00 b"}"#;
        assert_eq!(converted(texts, NO_TOOLS, revision).unwrap(), answer(joined));
    }
}

#[test]
fn what_cannot_be_expressed_is_refused() {
    let text = r#"{"type":"text","text":"a"}"#;
    let noted = r#"{"type":"text","text":"b","annotations":{"priority":1}}"#;
    let image = r#"{"type":"image","data":"","mimeType":"image/png"}"#;
    for revision in [Revision::V2025_03_26, Revision::V2025_06_18, Revision::V2025_11_25] {
        assert_eq!(refused("[]", revision), ["/content"]);
        assert_eq!(refused(&format!("[{text},{image}]"), revision), ["/content/1"]);
        assert_eq!(refused(&format!("[{noted},{text},{noted}]"), revision), ["/content/0", "/content/2"]);
        assert_eq!(refused(&block("U1"), revision), ["/content"]);
        assert_eq!(refused(&format!("[{},{}]", block("U1"), block("U2")), revision), ["/content/0", "/content/1"]);
    }
}

#[test]
fn what_is_no_content_is_left_to_the_check() {
    for text in ["null", "[]", r#"{"content":5}"#, "{}"] {
        let (result, params) = (parse(text), parse(NO_TOOLS));
        assert_eq!(to_revision(result.root(), params.root(), Revision::V2025_03_26).unwrap(), text);
    }
}

#[test]
fn mixed_messages_are_split_results_first() {
    let text =
        r#"{"maxTokens": 1e0, "messages":[ {"role":"user","content":{"type":"text","text":"Hi"}},MESSAGE ] ,"z":0}"#;
    let use_ = format!(r#"{{"role":"assistant","content":{}}}"#, block("U1"));
    let mixed = format!(r#"{{ "_meta":{{"k":1.0}}, "content":[{},{}],"role":"user"}}"#, block("T"), block("R1"));
    let document = parse(&text.replace("MESSAGE", &format!("{use_},{mixed}")));
    let repaired = repair(document.root()).unwrap();
    let half = |note: &str| format!(r#"{{ "_meta":{{"k":1.0}}, "content":[{}],"role":"user"}}"#, block(note));
    let expected = text.replace("[ ", "[").replace(",MESSAGE ]", &format!(",{use_},{},{}]", half("R1"), half("T")));
    assert_eq!(repaired, expected);
    assert_eq!(errors(&check_request(document.root(), &ALL)), [("results-alone", "/messages/2/content/0")]);
    assert_eq!(check_request(parse(&repaired).root(), &ALL), Findings::default());
}

#[test]
fn what_is_not_mixed_is_not_repaired() {
    for notes in ["u[T]", "u T", "u[T] a[U1] u[R1] u[T]", "u[T] a[T,R1]", "u[]", "u R1"] {
        assert_eq!(repair(parse(&params(&history(notes))).root()), None, "{notes}");
    }
    for text in ["[]", "{}", r#"{"messages":5}"#, r#"{"messages":[1,{"role":"user"}]}"#] {
        assert_eq!(repair(parse(text).root()), None, "{text}");
    }
}

#[test]
fn repair_keeps_the_order_within_each_half() {
    let document = parse(&params(&history("u[T] a[U1,U2] u[R2,T,R1,T]")));
    let repaired = repair(document.root()).unwrap();
    assert_eq!(repaired, params(&history("u[T] a[U1,U2] u[R2,R1] u[T,T]")));
    assert_eq!(repair(parse(&repaired).root()), None);
}
