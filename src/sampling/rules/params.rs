//! The params that are neither messages nor tools. Schema, CreateMessageRequestParams.

use super::member::{Members, Want};
use super::report::Report;
use super::table::{
    INCLUDE_CONTEXT, MAX_TOKENS_INTEGER, MAX_TOKENS_POSITIVE, METADATA, MODEL_PREFERENCES, PARAMS_OBJECT,
    PRIORITY_RANGE, Rule, STOP_SEQUENCES, SYSTEM_PROMPT, TEMPERATURE,
};
use crate::json::{Kind, Path, Value};

/// [`PARAMS_OBJECT`]: schema, CreateMessageRequest.params.
pub(super) fn params_object(params: Value<'_>, report: &mut Report<'_>) -> bool {
    let is_object = params.kind() == Kind::Object;
    if !is_object {
        report.wrong(PARAMS_OBJECT, &Path::Root, "an object", params);
    }
    is_object
}

/// Checks the scalar params.
pub(super) fn params(params: Value<'_>, report: &mut Report<'_>) {
    max_tokens_integer(params, report);
    system_prompt(params, report);
    temperature(params, report);
    stop_sequences(params, report);
    metadata(params, report);
    include_context(params, report);
    model_preferences(params, report);
}

/// [`SYSTEM_PROMPT`]: schema, CreateMessageRequestParams.systemPrompt.
fn system_prompt(params: Value<'_>, report: &mut Report<'_>) {
    of(SYSTEM_PROMPT, params).optional("systemPrompt", Want::String, report);
}

/// [`TEMPERATURE`]: schema, CreateMessageRequestParams.temperature.
fn temperature(params: Value<'_>, report: &mut Report<'_>) {
    of(TEMPERATURE, params).optional("temperature", Want::Number, report);
}

/// [`STOP_SEQUENCES`]: schema, CreateMessageRequestParams.stopSequences.
fn stop_sequences(params: Value<'_>, report: &mut Report<'_>) {
    of(STOP_SEQUENCES, params).optional("stopSequences", Want::Strings, report);
}

/// [`METADATA`]: schema, CreateMessageRequestParams.metadata.
fn metadata(params: Value<'_>, report: &mut Report<'_>) {
    of(METADATA, params).optional("metadata", Want::Object, report);
}

/// [`INCLUDE_CONTEXT`]: schema, CreateMessageRequestParams.includeContext.
fn include_context(params: Value<'_>, report: &mut Report<'_>) {
    let contexts = Want::OneOf(&["none", "thisServer", "allServers"]);
    of(INCLUDE_CONTEXT, params).optional("includeContext", contexts, report);
}

/// [`MAX_TOKENS_INTEGER`]: schema, CreateMessageRequestParams.maxTokens.
fn max_tokens_integer(params: Value<'_>, report: &mut Report<'_>) {
    if let Some(value) = of(MAX_TOKENS_INTEGER, params).required("maxTokens", Want::Integer, report) {
        max_tokens_positive(value, report);
    }
}

/// [`MAX_TOKENS_POSITIVE`]: advice.
fn max_tokens_positive(value: Value<'_>, report: &mut Report<'_>) {
    if value.as_number().is_some_and(|number| number.is_zero() || number.is_negative()) {
        report.broken(MAX_TOKENS_POSITIVE, &Path::Root.key("maxTokens"), &["`maxTokens` must be at least 1."]);
    }
}

/// [`MODEL_PREFERENCES`]: client/sampling, Model Preferences.
fn model_preferences(params: Value<'_>, report: &mut Report<'_>) {
    let root = Path::Root;
    let found = of(MODEL_PREFERENCES, params).optional("modelPreferences", Want::Object, report);
    let Some(object) = found else { return };
    let path = root.key("modelPreferences");
    let members = Members { rule: MODEL_PREFERENCES, object, path: &path };
    if let Some(hints) = members.optional("hints", Want::Array, report) {
        let path = path.key("hints");
        for (index, hint) in hints.items().enumerate() {
            model_hint(hint, &path.index(index), report);
        }
    }
    priority_range(object, &path, report);
}

fn model_hint(hint: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if hint.kind() != Kind::Object {
        return report.wrong(MODEL_PREFERENCES, path, "an object such as {\"name\": \"…\"}", hint);
    }
    Members { rule: MODEL_PREFERENCES, object: hint, path }.optional("name", Want::String, report);
}

/// [`PRIORITY_RANGE`]: client/sampling, Capability Priorities.
fn priority_range(preferences: Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let members = Members { rule: PRIORITY_RANGE, object: preferences, path };
    let names = ["costPriority", "speedPriority", "intelligencePriority"];
    members.all_optional(&names, Want::UnitNumber, report);
}

/// The params themselves, as the object that `rule` is about.
pub(super) fn of<'d>(rule: Rule, params: Value<'d>) -> Members<'static, 'd> {
    Members { rule, object: params, path: &Path::Root }
}
