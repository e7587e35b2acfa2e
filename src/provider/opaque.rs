//! What only the provider understands: reasoning, signatures, native ids.
//!
//! MCP has one place for it, the `_meta` of a block, which clients and servers keep. It returns to the provider only if
//! the next request goes to the same provider and model family: others refuse it or read it wrong. A server may lose it,
//! so every adapter can do without.

use crate::json::{Items, Value};

use super::Provider;
use super::body::Json;

/// The key in the `_meta` of a block. Its value is `{"provider":…,"family":…,"items":[…]}`; the items are the provider's.
pub const STATE_KEY: &str = "io.github.mcp-sampling/state";

/// What a block carries for this provider and model family.
#[inline(never)]
pub(super) fn items<'d>(block: Value<'d>, provider: Provider, family: &str) -> Items<'d> {
    let state = block.at("_meta").at(STATE_KEY);
    let ours = state.at("provider").is_text(provider.as_str()) && state.at("family").is_text(family);
    (if ours { state.at("items") } else { state.nothing() }).items()
}

/// True if a block has metadata that is not ours, which no provider has a place for.
pub(super) fn has_foreign(block: Value<'_>) -> bool {
    block.at("_meta").members().any(|(key, _)| key != STATE_KEY)
}

/// Writes the member `_meta` of a block; `items` have commas between them.
pub(super) fn write(json: &mut Json, provider: Provider, family: &str, items: &str) {
    if !items.is_empty() {
        let form = "\"_meta\":{\"%r\":{\"provider\":%q,\"family\":%q,\"items\":[%r]}}";
        json.put(form, &[STATE_KEY, provider.as_str(), family, items]);
    }
}
