//! Why an answer ended, in MCP's words.

use crate::json::JsonStr;
use crate::lines;

use super::failure::is_among;

/// Why the provider stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The model was done, or waits for its tools: which of the two, the content says.
    Done,
    /// A limit was reached.
    Length,
    /// A stop sequence was found by the provider.
    StopSequence,
    /// The model refused to answer.
    Refused,
    /// The answer was filtered.
    Filtered,
    /// Something else; the provider's word tells.
    Other,
}

const ENDS: &[End] = &[End::Done, End::Length, End::StopSequence, End::Refused, End::Filtered];

/// What a provider's word for the end stands for: `words` has a line for each end, in their order.
pub(super) fn end_of(reason: Option<JsonStr<'_>>, mut words: &str) -> End {
    if reason.is_none() {
        return End::Done;
    }
    for end in ENDS {
        if is_among(reason, lines::next(&mut words)) {
            return *end;
        }
    }
    End::Other
}

/// The `stopReason`, where a stop sequence may have been `stopped` at here, and there may be `calls`. Refusals come first,
/// then limits; then the content decides, as providers' words about calls are not reliable. Words that MCP does not have
/// stay visible: an open string is allowed, a lie is not.
pub(super) fn stop_reason(end: End, reason: Option<JsonStr<'_>>, stopped: bool, calls: bool) -> String {
    let word = match (end, reason) {
        (End::Refused, _) => "refusal",
        (End::Filtered, _) => "contentFilter",
        // What was found here came before the limit.
        _ if stopped && !calls => "stopSequence",
        (End::Length, _) if !stopped => "maxTokens",
        _ if calls => "toolUse",
        (End::StopSequence, _) => "stopSequence",
        (End::Other, Some(reason)) => return camel_case(&reason.value().text()),
        _ => "endTurn",
    };
    word.to_owned()
}

/// `pause_turn` as `pauseTurn`: the spelling that the reasons of MCP have. Some providers shout: `IMAGE_OTHER`.
fn camel_case(word: &str) -> String {
    let mut shouted = true;
    for byte in word.as_bytes() {
        shouted &= !byte.is_ascii_lowercase();
    }
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
        for (end, stopped, calls, expected) in [
            (End::Refused, true, true, "refusal"),
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
            assert_eq!(stop_reason(end, None, stopped, calls), expected, "{end:?} {stopped} {calls}");
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
