//! Properties that hold for any request. Native only: proptest does not compile for wasm.

use mcp_sampling::sampling::{Checks, CreateMessageRequestParams, check_request, repair};
use proptest::prelude::*;

use super::support::{ALL, block, history, params, parse, request, walked};

fn notes() -> impl Strategy<Value = Vec<(bool, Vec<String>)>> {
    let note = prop_oneof![
        Just("T".to_owned()),
        (0..4).prop_map(|id| format!("U{id}")),
        (0..4).prop_map(|id| format!("R{id}"))
    ];
    prop::collection::vec((any::<bool>(), prop::collection::vec(note, 0..4)), 0..6)
}

fn written(turns: &[(bool, Vec<String>)]) -> String {
    let turn =
        |(user, blocks): &(bool, Vec<String>)| format!("{}[{}]", if *user { "u" } else { "a" }, blocks.join(","));
    turns.iter().map(turn).collect::<Vec<_>>().join(" ")
}

/// The rules of balance again, as plainly as possible.
fn is_balanced(turns: &[(bool, Vec<String>)]) -> bool {
    let ids = |turn: Option<&(bool, Vec<String>)>, kind: char| -> Vec<String> {
        let blocks = turn.map(|turn| turn.1.clone()).unwrap_or_default();
        let mut ids: Vec<_> = blocks.iter().filter_map(|note| note.strip_prefix(kind)).map(str::to_owned).collect();
        ids.sort();
        ids
    };
    let distinct = |ids: &[String]| ids.windows(2).all(|pair| pair[0] != pair[1]);
    let in_its_place = |turn: &(bool, Vec<String>)| {
        let results = ids(Some(turn), 'R').len();
        let uses = ids(Some(turn), 'U');
        !turn.1.is_empty()
            && distinct(&uses)
            && (uses.is_empty() || !turn.0)
            && (results == 0 || (turn.0 && results == turn.1.len()))
    };
    let answered = (0..=turns.len()).all(|at| {
        let before = at.checked_sub(1).and_then(|at| turns.get(at));
        ids(before, 'U') == ids(turns.get(at), 'R')
    });
    !turns.is_empty() && turns.iter().all(in_its_place) && answered
}

proptest! {
    #[test]
    fn balance_is_what_the_rules_say(turns in notes()) {
        let text = params(&history(&written(&turns)));
        prop_assert_eq!(request(&text, &ALL).is_ok(), is_balanced(&turns), "{}", written(&turns));
    }

    #[test]
    fn the_order_of_results_does_not_matter(ids in Just((0..7).collect::<Vec<_>>()).prop_shuffle(), missing in 0..8_usize) {
        let uses: Vec<_> = (0..7).map(|id| format!("U{id}")).collect();
        let results: Vec<_> = ids.iter().filter(|id| **id != missing).map(|id| format!("R{id}")).collect();
        let found = request(&params(&history(&format!("u[T] a[{}] u[{}]", uses.join(","), results.join(",")))), &ALL);
        let paths: Vec<_> = found.errors.iter().map(|finding| (finding.rule, finding.path.clone())).collect();
        let expected = (missing < 7).then(|| ("use-has-result", format!("/messages/1/content/{missing}")));
        prop_assert_eq!(paths, expected.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn the_order_of_other_blocks_moves_only_places(mut kinds in Just(vec!["text", "image", "audio", "video", "tool_result", "{}"]).prop_shuffle()) {
        let of = |kinds: &[&str]| {
            let blocks: Vec<_> = kinds.iter().map(|kind| format!(r#"{{"type":"{kind}","text":"","data":5}}"#)).collect();
            let mut found = request(&params(&format!(r#"[{{"role":"assistant","content":[{}]}}]"#, blocks.join(","))), &ALL).errors;
            found.sort_by(|one, other| (one.rule, &one.message).cmp(&(other.rule, &other.message)));
            found.into_iter().map(|finding| (finding.rule, finding.message)).collect::<Vec<_>>()
        };
        let shuffled = of(&kinds);
        kinds.sort_unstable();
        prop_assert_eq!(shuffled, of(&kinds));
    }

    #[test]
    fn repairing_leaves_nothing_to_repair(turns in notes()) {
        let document = parse(&params(&history(&written(&turns))));
        if let Some(text) = repair(document.root()) {
            let repaired = parse(&text);
            prop_assert_eq!(repair(repaired.root()), None);
            let found = check_request(repaired.root(), &ALL);
            prop_assert!(found.errors.iter().all(|finding| finding.rule != "results-alone"));
        } else {
            let found = check_request(document.root(), &ALL);
            prop_assert!(found.errors.iter().all(|finding| finding.rule != "results-alone"));
        }
    }

    #[test]
    fn lenient_finds_the_same_and_refuses_no_more(turns in notes()) {
        let text = params(&history(&written(&turns)));
        let (strict, lenient) = (request(&text, &ALL), request(&text, &Checks { lenient: true, ..ALL }));
        prop_assert_eq!(strict.errors.len() + strict.warnings.len(), lenient.errors.len() + lenient.warnings.len());
        prop_assert!(lenient.errors.iter().all(|finding| strict.errors.contains(finding)));
    }

    #[test]
    fn the_views_lose_no_byte(turns in notes()) {
        let text = params(&history(&written(&turns)));
        let document = parse(&text);
        prop_assert_eq!(walked(document.root()), text.as_str());
        let messages = CreateMessageRequestParams::new(document.root()).messages().unwrap();
        let contents = messages.map(|message| message.content().unwrap().value().raw().to_owned());
        let expected = turns.iter().map(|(_, blocks)| format!("[{}]", blocks.iter().map(|note| block(note)).collect::<Vec<_>>().join(",")));
        prop_assert_eq!(contents.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }
}
