//! The one mistake of servers that is mended.

use super::{BlockType, Content};
use crate::json::{Value, push_item};

/// Splits user messages that mix tool results with other blocks into two, results first; the rule that such a message
/// breaks is `results-alone`. `None` if there is no such message.
///
/// The new params are spliced from slices of the old: nothing else changes by a byte, and both halves keep the other
/// members of the message. Meant for lenient clients, before [`check_request`](super::check_request).
pub fn repair(params: Value<'_>) -> Option<String> {
    let messages = params.get("messages")?;
    messages.items().find(|message| is_mixed(*message))?;
    let mut list = String::with_capacity(messages.raw().len() + 256);
    list.push_str("[");
    for message in messages.items() {
        if is_mixed(message) {
            push_item(&mut list, &half(message, true));
            push_item(&mut list, &half(message, false));
        } else {
            push_item(&mut list, message.raw());
        }
    }
    list.push_str("]");
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
    let mut list = String::from("[");
    for block in content.items().filter(|block| is_result(*block) == results) {
        push_item(&mut list, block.raw());
    }
    list.push_str("]");
    message.with(content, &list)
}

fn is_result(block: Value<'_>) -> bool {
    BlockType::of(block) == Some(BlockType::ToolResult)
}
