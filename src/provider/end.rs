//! Why an answer ended, in MCP's words.

use crate::json::{Kind, Value};
use crate::lines;

use super::failure::is_among;
use super::usage::line;

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

/// What a provider's word for the end stands for: the last of the `places` are lines for each end, in their order.
#[inline(never)]
pub(super) fn end_of(reason: Value<'_>, places: &str) -> End {
    if !reason.is(Kind::String) {
        return End::Done;
    }
    for (at, end) in ENDS.iter().enumerate() {
        if is_among(reason, lines::at(places, line::ENDS + at)) {
            return *end;
        }
    }
    End::Other
}

/// The `stopReason`, where a stop sequence may have been `stopped` at here, and there may be `calls`. Refusals come first,
/// then limits; then the content decides, as providers' words about calls are not reliable. Words that MCP does not have
/// stay visible: an open string is allowed, a lie is not.
pub(super) fn stop_reason(end: End, reason: Value<'_>, stopped: bool, calls: bool) -> String {
    let word = match end {
        End::Refused => "refusal",
        End::Filtered => "contentFilter",
        // What was found here came before the limit.
        _ if stopped && !calls => "stopSequence",
        End::Length if !stopped => "maxTokens",
        _ if calls => "toolUse",
        End::StopSequence => "stopSequence",
        End::Other if reason.is(Kind::String) => return camel_case(&reason.text()),
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
        let nothing = crate::json::Document::default();
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
            assert_eq!(stop_reason(end, nothing.root(), stopped, calls), expected, "{end:?} {stopped} {calls}");
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
