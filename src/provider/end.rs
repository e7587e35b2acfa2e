//! Why an answer ended, in MCP's words.

use std::borrow::Cow;

use crate::json::JsonStr;

use super::failure::is_among;

/// Why the provider stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The answer was refused or filtered; the word for it.
    Refused(&'static str),
    /// A limit was reached.
    Length,
    /// A stop sequence was found by the provider.
    StopSequence,
    /// The model was done, or waits for its tools: which of the two, the content says.
    Done,
    /// Something else; the provider's word tells.
    Other,
}

/// What a provider's word for the end stands for: the table has words with blanks between them.
pub(super) fn end_of(reason: Option<JsonStr<'_>>, table: &[(&str, End)]) -> End {
    if reason.is_none() {
        return End::Done;
    }
    table.iter().find(|(words, _)| is_among(reason, words)).map_or(End::Other, |(_, end)| *end)
}

/// What the content says about the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// A stop sequence was found here.
    pub(super) stopped: bool,
    /// There is a call.
    pub(super) calls: bool,
}

/// The `stopReason`. Refusals come first, then limits; then the content decides, as providers' words about calls are not
/// reliable. Words that MCP does not have stay visible: an open string is allowed, a lie is not.
pub(super) fn stop_reason(end: End, reason: Option<JsonStr<'_>>, facts: Facts) -> Cow<'static, str> {
    match (end, reason) {
        (End::Refused(word), _) => word.into(),
        // What was found here came before the limit.
        _ if facts.stopped && !facts.calls => "stopSequence".into(),
        (End::Length, _) if !facts.stopped => "maxTokens".into(),
        _ if facts.calls => "toolUse".into(),
        (End::StopSequence, _) => "stopSequence".into(),
        (End::Other, Some(reason)) => camel_case(&reason.decode()).into(),
        _ => "endTurn".into(),
    }
}

/// `pause_turn` as `pauseTurn`: the spelling that the reasons of MCP have. Some providers shout: `IMAGE_OTHER`.
fn camel_case(word: &str) -> String {
    let shouted = !word.bytes().any(|byte| byte.is_ascii_lowercase());
    let (mut out, mut begins) = (String::new(), false);
    for character in word.chars() {
        if character == '_' {
            begins = !out.is_empty();
            continue;
        }
        let plain = if shouted { character.to_ascii_lowercase() } else { character };
        out.push(if begins { character.to_ascii_uppercase() } else { plain });
        begins = false;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn order() {
        let facts = |stopped, calls| Facts { stopped, calls };
        for (end, stopped, calls, expected) in [
            (End::Refused("refusal"), true, true, "refusal"),
            (End::Length, false, true, "maxTokens"),
            (End::Length, true, false, "stopSequence"),
            (End::Length, true, true, "toolUse"),
            (End::Done, false, true, "toolUse"),
            (End::StopSequence, false, true, "toolUse"),
            (End::StopSequence, false, false, "stopSequence"),
            (End::Other, false, true, "toolUse"),
            (End::Other, false, false, "endTurn"),
            (End::Done, false, false, "endTurn"),
        ] {
            assert_eq!(stop_reason(end, None, facts(stopped, calls)), expected, "{end:?} {stopped} {calls}");
        }
    }

    #[test]
    fn words_of_providers() {
        for (word, expected) in [
            ("pause_turn", "pauseTurn"),
            ("eos", "eos"),
            ("IMAGE_OTHER", "imageOther"),
            ("aB_c", "aBC"),
            ("_a__b", "aB"),
            ("", ""),
        ] {
            assert_eq!(camel_case(word), expected);
        }
    }
}
