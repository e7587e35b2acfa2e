//! The one mistake of servers that is mended.

use super::{BlockType, Content};
use crate::json::Value;

/// Splits user messages that mix tool results with other blocks into two, results first; the rule that such a message
/// breaks is `results-alone`. `None` if there is no such message.
///
/// The new params are spliced from slices of the old: nothing else changes by a byte, and both halves keep the other
/// members of the message. Meant for lenient clients, before [`check_request`](super::check_request).
pub fn repair(params: Value<'_>) -> Option<String> {
    let messages = params.get("messages")?;
    messages.items().find(|message| is_mixed(*message))?;
    let mut list = String::with_capacity(messages.raw().len() + 256);
    for message in messages.items() {
        list.push(if list.is_empty() { '[' } else { ',' });
        if is_mixed(message) {
            list.push_str(&half(message, true));
            list.push(',');
            list.push_str(&half(message, false));
        } else {
            list.push_str(message.raw());
        }
    }
    list.push(']');
    Some(params.with(messages, &list))
}

/// True for a user message that has both tool results and something else.
fn is_mixed(message: Value<'_>) -> bool {
    let (mut results, mut others) = (false, false);
    let mut blocks = Content::new(message.at("content")).blocks();
    while let Some(block) = blocks.next_value() {
        results |= is_result(block);
        others |= !is_result(block);
    }
    results && others && message.at("role").is_text("user")
}

/// The message with the results, or with the others.
fn half(message: Value<'_>, results: bool) -> String {
    let content = message.at("content");
    let mut list = const { String::new() };
    for block in content.items().filter(|block| is_result(*block) == results) {
        list.push(if list.is_empty() { '[' } else { ',' });
        list.push_str(block.raw());
    }
    list.push(']');
    message.with(content, &list)
}

fn is_result(block: Value<'_>) -> bool {
    BlockType::of(block) == Some(BlockType::ToolResult)
}
