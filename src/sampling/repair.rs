//! The one mistake of servers that is mended.

use super::{BlockType, Content, Role, SamplingMessage};
use crate::json::Value;

/// Splits user messages that mix tool results with other blocks into two, results first; the rule that such a message
/// breaks is `results-alone`. `None` if there is no such message.
///
/// The new params are spliced from slices of the old: nothing else changes by a byte, and both halves keep the other
/// members of the message. Meant for lenient clients, before [`check_request`](super::check_request).
pub fn repair(params: Value<'_>) -> Option<String> {
    let messages = params.get("messages")?;
    let mixed = |message: &Value<'_>| mixed_content(*message).is_some();
    messages.items().find(mixed)?;
    let mut list = String::with_capacity(messages.raw().len() + 256);
    for message in messages.items() {
        list.push(if list.is_empty() { '[' } else { ',' });
        match mixed_content(message) {
            Some(content) => push_halves(&mut list, message, content),
            None => list.push_str(message.raw()),
        }
    }
    list.push(']');
    Some(params.with(messages, &list))
}

/// The content of a user message, if it has both tool results and something else.
fn mixed_content(message: Value<'_>) -> Option<Content<'_>> {
    let message = SamplingMessage::new(message);
    let content = message.content().filter(|_| message.role() == Some(Role::User))?;
    let (mut results, mut others) = (false, false);
    for block in content.value().items() {
        results |= is_result(block);
        others |= !is_result(block);
    }
    (results && others).then_some(content)
}

fn push_halves(list: &mut String, message: Value<'_>, content: Content<'_>) {
    for (separator, wanted) in [("", true), (",", false)] {
        let blocks: Vec<_> =
            content.value().items().filter(|block| is_result(*block) == wanted).map(Value::raw).collect();
        list.push_str(separator);
        list.push_str(&message.with(content.value(), &["[", &blocks.join(","), "]"].concat()));
    }
}

fn is_result(block: Value<'_>) -> bool {
    BlockType::of(block) == Some(BlockType::ToolResult)
}
