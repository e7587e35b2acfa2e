//! What only the provider understands: reasoning, signatures, native ids.
//!
//! MCP has one place for it, the `_meta` of a block, which clients and servers keep. It returns to the provider only if
//! the next request goes to the same provider and model family: others refuse it or read it wrong. A server may lose it,
//! so every adapter can do without.

use crate::json::{Items, Path, Value};

use super::Provider;
use super::body::Json;
use super::warnings::{Fate, Warnings};

/// The key in the `_meta` of a block. Its value is `{"provider":…,"family":…,"items":[…]}`; the items are the provider's.
pub const STATE_KEY: &str = "io.github.mcp-sampling/state";

/// What a block carries for this provider and model family.
pub(super) fn items<'d>(block: Value<'d>, provider: Provider, family: &str) -> Option<Items<'d>> {
    let state = block.get("_meta")?.get(STATE_KEY)?;
    let ours = state.get("provider")?.as_str()? == provider.as_str() && state.get("family")?.as_str()? == family;
    ours.then(|| state.get("items").map(Value::items))?
}

/// Reports metadata that is not ours, which no provider has a place for.
pub(super) fn report_foreign(block: Value<'_>, path: &Path<'_>, warnings: &mut Warnings) {
    let members = block.get("_meta").into_iter().flat_map(Value::members);
    if members.filter(|(key, _)| *key != STATE_KEY).count() > 0 {
        warnings.push(&path.key("_meta"), Fate::Dropped, "providers have no place for metadata of blocks");
    }
}

/// Writes the member `_meta` of a block.
pub(super) fn write(json: &mut Json, provider: Provider, family: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    json.key("_meta").open('{');
    json.key(STATE_KEY).open('{');
    json.key("provider").text(provider.as_str());
    json.key("family").text(family);
    json.key("items").open('[');
    items.iter().for_each(|item| json.raw(item));
    json.close(']');
    json.close('}');
    json.close('}');
}
