//! Choosing a model.

use mcp_sampling::sampling::{CreateMessageRequestParams, ModelEntry, Needs, needs_of, select_model};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::support::{history, params, parse};

const ALL: Needs = Needs { tools: true, image: true, audio: true };
const TEXT: Needs = Needs { tools: false, image: false, audio: false };

const CATALOGUE: [ModelEntry<'static>; 4] = [
    ModelEntry { name: "claude-3-haiku-20240307", cost: 100, speed: 900, intelligence: 400, abilities: ALL },
    ModelEntry { name: "claude-3-5-sonnet-20241022", cost: 500, speed: 600, intelligence: 800, abilities: ALL },
    ModelEntry { name: "Local-Phi", cost: 0, speed: 300, intelligence: 200, abilities: TEXT },
    ModelEntry { name: "claude-3-sonnet-20240229", cost: 500, speed: 500, intelligence: 700, abilities: ALL },
];

fn choose(preferences: &str, needs: Needs) -> Option<(&'static str, String)> {
    let document = parse(preferences);
    let choice = select_model(Some(document.root()), needs, &CATALOGUE)?;
    assert_eq!(CATALOGUE[choice.index].name, choice.name);
    Some((choice.name, choice.reason))
}

fn name(preferences: &str) -> &'static str {
    choose(preferences, TEXT).unwrap().0
}

#[test]
fn the_first_hint_that_fits_decides() {
    assert_eq!(name(r#"{"hints":[{"name":"gpt"},{"name":"phi"},{"name":"claude"}]}"#), "Local-Phi");
    assert_eq!(name(r#"{"hints":[{"name":"HAIKU"}],"intelligencePriority":1}"#), "claude-3-haiku-20240307");
    assert_eq!(name(r#"{"hints":[{},{"name":""},{"name":"\u0070hi"}]}"#), "Local-Phi");
}

#[test]
fn priorities_decide_among_those_a_hint_fits() {
    let (chosen, reason) = choose(r#"{"hints":[{"name":"sonnet"}],"intelligencePriority":0.9}"#, TEXT).unwrap();
    assert_eq!(chosen, "claude-3-5-sonnet-20241022");
    assert_eq!(
        reason,
        "fits the hint \"sonnet\"; it has the best score by the priorities for cost, speed and intelligence"
    );
    assert_eq!(
        name(r#"{"hints":[{"name":"claude"}],"costPriority":0.8,"intelligencePriority":0.1}"#),
        CATALOGUE[0].name
    );
}

#[test]
fn priorities_decide_without_a_hint() {
    assert_eq!(name(r#"{"costPriority":1}"#), "Local-Phi");
    assert_eq!(name(r#"{"speedPriority":1}"#), "claude-3-haiku-20240307");
    assert_eq!(name(r#"{"hints":[{"name":"gemini"}],"intelligencePriority":1}"#), "claude-3-5-sonnet-20241022");
    assert_eq!(
        name(r#"{"costPriority":0.3,"speedPriority":0.8,"intelligencePriority":0.5}"#),
        "claude-3-haiku-20240307"
    );
}

#[test]
fn the_first_of_equals_wins() {
    let (chosen, reason) = choose("{}", TEXT).unwrap();
    assert_eq!((chosen, reason.as_str()), (CATALOGUE[0].name, "no hint fits a model; it comes first in the catalogue"));
    assert_eq!(select_model(None, TEXT, &CATALOGUE).unwrap().index, 0);
}

#[test]
fn abilities_come_first() {
    let hint = r#"{"hints":[{"name":"phi"}],"costPriority":1}"#;
    assert_eq!(choose(hint, Needs { image: true, ..TEXT }).unwrap().0, "claude-3-haiku-20240307");
    assert_eq!(select_model(None, ALL, &CATALOGUE[2..3]), None);
    assert_eq!(select_model(None, TEXT, &[]), None);
    assert_eq!(select_model(None, ALL, &CATALOGUE[2..]).unwrap().index, 1);
}

#[test]
fn broken_preferences_are_no_preferences() {
    for text in ["[]", "5", r#"{"hints":"claude","costPriority":7}"#, r#"{"hints":[1,null,{"name":{}}]}"#] {
        assert_eq!(name(text), CATALOGUE[0].name, "{text}");
    }
}

#[test]
fn needs_are_what_the_request_holds() {
    let needs = |text: &str| needs_of(CreateMessageRequestParams::new(parse(text).root()));
    let image = r#"{"type":"image","data":"","mimeType":"image/png"}"#;
    assert_eq!(needs(&params(&history("u T"))), TEXT);
    assert_eq!(needs(r#"{"tools":[]}"#), TEXT);
    assert_eq!(needs(r#"{"tools":[{}]}"#), Needs { tools: true, ..TEXT });
    assert_eq!(needs(&params(&history("u T a U1"))), Needs { tools: true, ..TEXT });
    let in_message = format!(r#"[{{"role":"user","content":[{{"type":"audio"}},{image}]}}]"#);
    assert_eq!(needs(&params(&in_message)), Needs { image: true, audio: true, ..TEXT });
    let in_result = format!(r#"[{{"role":"user","content":{{"type":"tool_result","content":[{image}]}}}}]"#);
    assert_eq!(needs(&params(&in_result)), Needs { tools: true, image: true, ..TEXT });
    assert_eq!(needs("[]"), TEXT);
}
