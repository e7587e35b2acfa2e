//! A request while it is written: what every adapter needs at hand.

use crate::error::{Code, Error};
use crate::json::{Items, JsonStr, Path, Value, decimal};
use crate::sampling::{ToolChoice, ToolChoiceMode};

use super::body::{Json, decoded, next_word};
use super::failure::{invalid_request, is_among, string, unsupported};
use super::models::{Rules, family};
use super::opaque;
use super::remap::Remap;
use super::results::Part;
use super::warnings::{Fate, Warning};
use super::{Adapter, BuildOptions, Provider, openai};

/// The request so far. The body comes first, where its address is the shortest.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Draft<'d> {
    pub(super) json: Json,
    pub(super) provider: Provider,
    pub(super) params: Value<'d>,
    pub(super) options: &'d BuildOptions,
    pub(super) rules: Rules,
    pub(super) warnings: Vec<Warning>,
    /// What is being written, as a JSON Pointer into the params.
    pub(super) place: String,
    /// The message that is being written, and the block, unless it is all of the content.
    pub(super) number: usize,
    pub(super) block: Option<usize>,
    /// The block is the very last one, and the assistant's.
    pub(super) is_last: bool,
    /// The block, a result, comes after blocks of another type.
    pub(super) is_late: bool,
    /// Images and sounds that the user shows next, each after a text that says where it is from.
    pub(super) hoisted: Vec<Part<'d>>,
    pub(super) names: Remap,
    ids: Remap,
    /// How many messages there are.
    pub(super) turn: usize,
    /// The model must use a tool.
    pub(super) required: bool,
    /// Tools are sent.
    pub(super) offered: bool,
    /// What the adapter itself wants to remember: members of an object.
    pub(super) own: Json,
    /// Lists of the state: members, items and items.
    pub(super) wire_names: Json,
    pub(super) call_ids: Json,
    pub(super) stops: Json,
    /// Where the body goes; nowhere if that is empty.
    pub(super) path: String,
    /// A header that only this provider has.
    pub(super) header: Option<(&'static str, &'d str)>,
    /// The field of the host that an adapter had to write itself.
    pub(super) taken: &'static str,
    /// The object of the host that ours is written into.
    pub(super) inside: Option<Value<'d>>,
    family: String,
}

impl<'d> Draft<'d> {
    pub(super) fn new(provider: Provider, params: Value<'d>, options: &'d BuildOptions) -> Self {
        let Adapter { limits: (names, ids), models, .. } = provider.adapter();
        let models = if models.is_empty() { openai::models(options) } else { models };
        Self {
            provider,
            params,
            options,
            rules: Rules::of(models, &options.model),
            json: Json::with_capacity(params.raw().len() + 2048),
            warnings: const { Vec::new() },
            place: const { String::new() },
            number: 0,
            block: None,
            is_last: false,
            is_late: false,
            hoisted: const { Vec::new() },
            names: Remap::new(names),
            ids: Remap::new(ids),
            turn: params.at("messages").items().count(),
            required: false,
            offered: false,
            own: Json::default(),
            wire_names: Json::default(),
            call_ids: Json::default(),
            stops: Json::default(),
            path: const { String::new() },
            header: None,
            taken: "",
            inside: None,
            family: family(&options.model),
        }
    }

    /// Begins the body, unless the options cannot be.
    pub(super) fn begin(&mut self) -> Result<(), Error> {
        if let Some(overrides) = &self.options.rules {
            self.rules = self.rules.with(overrides.root())?;
        }
        no_reserved_fields(self.options, "messages contents input stream")?;
        self.required = self.has_tools() && self.choice() == ToolChoiceMode::Required;
        self.json.lit("{");
        Ok(())
    }

    /// The tools.
    #[inline(never)]
    pub(super) fn tool_list(&self) -> Items<'d> {
        self.params.at("tools").items()
    }

    pub(super) fn has_tools(&self) -> bool {
        self.tool_list().next().is_some()
    }

    /// Finds out whether there are tools to send.
    ///
    /// # Errors
    ///
    /// `PROVIDER_ERROR` (`unsupported`) if the model takes none.
    pub(super) fn offer(&mut self) -> Result<(), Error> {
        if self.has_tools() {
            if !self.rules.allow(Rules::TOOLS) {
                return Err(self.unsupported("/tools", "this model takes no tools"));
            }
            self.offered = self.wants("tools", "/tools");
        }
        Ok(())
    }

    /// How the model shall choose; without tools it has no choice.
    #[inline(never)]
    pub(super) fn choice(&self) -> ToolChoiceMode {
        ToolChoice::new(self.params.at("toolChoice")).mode().unwrap_or(ToolChoiceMode::Auto)
    }

    /// As [`Draft::choice`], if the server said it and the field is ours.
    pub(super) fn said_choice(&mut self, field: &str) -> Option<ToolChoiceMode> {
        let is_said = !self.params.at("toolChoice").is_missing() && self.wants(field, "/toolChoice");
        is_said.then(|| self.choice())
    }

    /// Reports what is being written, or something below it.
    #[inline(never)]
    pub(super) fn warn(&mut self, below: &str, fate: Fate, message: &'static str) {
        self.warnings.push(Warning { path: [&self.place, below].concat(), fate, message });
    }

    /// The error for what is being written, or something below it.
    #[inline(never)]
    pub(super) fn unsupported(&self, below: &str, message: &'static str) -> Error {
        unsupported(self.provider, &[&self.place, below].concat(), message)
    }

    /// As [`Draft::unsupported`], where a rule is broken.
    #[inline(never)]
    pub(super) fn invalid(&self, below: &str, rule: &'static str, message: &'static str) -> Error {
        invalid_request([&self.place, below].concat(), rule, message)
    }

    /// What is being written is now a member of what it was; returns the length of the place to go back to.
    #[inline(never)]
    pub(super) fn enter(&mut self, name: &str) -> usize {
        let length = self.place.len();
        self.place.push_str(&Path::Root.key(name).pointer());
        length
    }

    /// What is being written is now this item of a list.
    #[inline(never)]
    pub(super) fn stand(&mut self, list: &str, index: usize) {
        self.place = [list, &decimal(index as i64)].concat();
    }

    /// What is being written is now a block of a message, or all of its content.
    pub(super) fn go(&mut self, number: usize, block: Option<usize>) {
        self.stand("/messages/", number);
        self.place.push_str("/content");
        if let Some(block) = block {
            self.enter(&decimal(block as i64));
        }
        (self.number, self.block) = (number, block);
    }

    /// True if the body gets this field from us: the host neither sets it nor wants it left out. Where leaving it out
    /// loses something of the params, that is reported.
    #[inline(never)]
    pub(super) fn wants(&mut self, field: &str, of: &str) -> bool {
        if self.options.omits(field) {
            self.warn(of, Fate::Dropped, "the host wants the field left out");
        }
        self.wants_own(field) && self.is_free_inside(field)
    }

    /// As [`Draft::wants`], for a field that stands for nothing in the params.
    #[inline(never)]
    pub(super) fn wants_own(&self, field: &str) -> bool {
        !self.options.omits(field) && !self.options.adds(field)
    }

    pub(super) fn is_free_inside(&self, field: &str) -> bool {
        self.inside.is_none_or(|inside| inside.at(field).is_missing())
    }

    /// Gives every tool its name for the provider.
    pub(super) fn declare_tools(&mut self) -> Result<(), Error> {
        for (index, tool) in self.tool_list().enumerate() {
            let Some(name) = string(tool, "name") else { continue };
            self.stand("/tools/", index);
            if self.names.find(name).is_some() {
                return Err(self.invalid("/name", "tool-names-unique", "two tools have the same name"));
            }
            if name != *self.tool_name(name).as_str() {
                let message = "the provider does not take such a name; the answer is mapped back";
                self.warn("/name", Fate::Changed, message);
            }
        }
        self.place.clear();
        Ok(())
    }

    /// The provider's name for a tool, known or new.
    #[inline(never)]
    pub(super) fn tool_name(&mut self, name: JsonStr<'_>) -> String {
        if let Some(wire) = self.names.find(name) {
            return wire.to_owned();
        }
        let wire = self.names.assign(name, 0);
        if name != *wire.as_str() {
            self.wire_names.two("\"%r\":\"%v\"", &wire, name.raw());
        }
        wire
    }

    /// The provider's name for this tool of the request.
    #[inline(never)]
    pub(super) fn wire_name(&mut self, tool: Value<'_>) -> String {
        string(tool, "name").map(|name| self.tool_name(name)).unwrap_or_default()
    }

    /// Writes the tools: each with `form`, which has a place for the name, then its description, then its schema after
    /// `key`, then `end`. With `write`, which then writes the schema, a tool has a description even if it is empty.
    pub(super) fn tools(&mut self, form: &str, key: &str, end: &str, write: Option<fn(&mut Self, Value<'d>)>) {
        for (index, tool) in self.tool_list().enumerate() {
            self.stand("/tools/", index);
            self.report_tool(tool);
            let name = self.wire_name(tool);
            self.json.one(form, &name);
            match string(tool, "description") {
                Some(description) => self.json.one("\"description\":\"%v\"", description.raw()),
                None if write.is_some() => self.json.lit("\"description\":\"\""),
                None => {}
            }
            self.json.lit(key);
            let schema = tool.at("inputSchema");
            match write {
                Some(write) => write(self, schema),
                None => self.json.one("%v", schema.raw()),
            }
            self.json.lit(end);
        }
        self.place.clear();
    }

    fn report_tool(&mut self, tool: Value<'d>) {
        self.report_members(
            tool,
            "name description inputSchema",
            "the provider has no place for this member of a tool",
        );
    }

    /// Reports what of the tools has no place in any provider's request.
    pub(super) fn report_tools(&mut self) {
        for (index, tool) in self.tool_list().enumerate() {
            self.stand("/tools/", index);
            self.report_tool(tool);
        }
        self.place.clear();
    }

    /// Reports a call, and gives it the provider's id and name; its input is the third.
    pub(super) fn call(&mut self, call: Value<'d>) -> (String, String, &'d str) {
        self.report_block(call, "type id name input _meta");
        let (mut id, mut name) = const { (String::new(), String::new()) };
        if let Some(text) = string(call, "id") {
            self.call_ids.one("\"%v\"", text.raw());
            id = self.ids.assign(text, (self.number as u64) << 32 | self.block.unwrap_or(0) as u64);
        }
        if let Some(text) = string(call, "name") {
            name = self.tool_name(text);
        }
        (id, name, call.at("input").raw())
    }

    /// Reports a result; returned is the provider's id for the call that it answers.
    pub(super) fn result_id(&mut self, result: Value<'_>) -> String {
        self.report_block(result, "type toolUseId content structuredContent isError _meta");
        string(result, "toolUseId").map(|id| self.ids.assign(id, u64::MAX)).unwrap_or_default()
    }

    /// A message of the assistant begins: its calls may have ids that were used before.
    pub(super) fn begin_calls(&mut self) {
        self.ids.forget();
    }

    /// What a block carries for this provider and model.
    pub(super) fn opaque(&self, block: Value<'d>) -> Items<'d> {
        opaque::items(block, self.provider, &self.family)
    }

    /// Reports what of an object has no place in the request: every member that is not `known`.
    #[inline(never)]
    pub(super) fn report_members(&mut self, object: Value<'_>, known: &str, message: &'static str) {
        for (key, _) in object.members() {
            if !is_among(Some(key), known) {
                let below = Path::Root.key(&decoded(key)).pointer();
                self.warn(&below, Fate::Dropped, message);
            }
        }
    }
}

/// Fields that are the request itself cannot be the host's.
///
/// # Errors
///
/// `INVALID_ARGUMENT` for such a field.
pub(super) fn no_reserved_fields(options: &BuildOptions, fields: &str) -> Result<(), Error> {
    let mut fields = fields;
    while let Some(field) = next_word(&mut fields) {
        if options.adds(field) {
            let sentence = "extraBody may not replace the messages or the option stream";
            let error = Error::told(Code::InvalidArgument, sentence, &[]);
            return Err(error.with("option", "extraBody").with("field", field));
        }
    }
    Ok(())
}
