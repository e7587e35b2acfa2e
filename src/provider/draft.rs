//! A request while it is written: what every adapter needs at hand.

use crate::error::{Code, Error};
use crate::json::{JsonStr, Path, Value};
use crate::sampling::{Content, CreateMessageRequestParams, SamplingMessage, Tool, ToolChoiceMode};

use super::body::{Json, is_blank};
use super::failure::{invalid_request, lossy, unsupported};
use super::models::{Rules, family};
use super::opaque;
use super::remap::Remap;
use super::state::State;
use super::warnings::{Fate, Warnings};
use super::{Adapter, BuildOptions, Built, Provider};

/// The request so far.
#[derive(Debug)]
pub(super) struct Draft<'d> {
    pub(super) provider: Provider,
    pub(super) params: CreateMessageRequestParams<'d>,
    pub(super) options: &'d BuildOptions,
    pub(super) rules: Rules,
    pub(super) json: Json,
    pub(super) warnings: Warnings,
    pub(super) names: Remap,
    pub(super) ids: Remap,
    pub(super) state: State,
    /// Fields of the host that an adapter had to write itself.
    pub(super) taken: Vec<&'static str>,
    family: String,
}

impl<'d> Draft<'d> {
    /// Begins the body.
    pub(super) fn new(
        provider: Provider,
        params: CreateMessageRequestParams<'d>,
        options: &'d BuildOptions,
    ) -> Result<Self, Error> {
        let Adapter { limits: (names, ids), models, .. } = provider.adapter();
        let rules = Rules::of(models(options), &options.model);
        let rules = options.rules.as_ref().map_or(Ok(rules), |overrides| rules.with(overrides.root()))?;
        no_reserved_fields(options)?;
        let mut state = State::new(provider, &options.model);
        state.turn = params.messages().map_or(0, Iterator::count);
        state.empty_text = options.empty_text;
        state.tools = params.value().get("tools").is_some();
        let has_tools = params.tools().is_some_and(|mut tools| tools.next().is_some());
        state.required = has_tools && params.tool_choice_mode() == ToolChoiceMode::Required;
        Ok(Self {
            provider,
            params,
            options,
            rules,
            json: Json::with_capacity(params.value().raw().len() + 2048),
            warnings: Warnings::default(),
            names: Remap::new(*names),
            ids: Remap::new(*ids),
            state,
            taken: Vec::new(),
            family: family(&options.model),
        })
    }

    /// The messages with their places.
    pub(super) fn messages(&self) -> impl Iterator<Item = (usize, SamplingMessage<'d>)> + use<'d> {
        self.params.messages().into_iter().flatten().enumerate()
    }

    /// The tools, if there is one.
    pub(super) fn tools(&self) -> Vec<Tool<'d>> {
        self.params.tools().into_iter().flatten().collect()
    }

    /// How the model shall choose; without tools it has no choice.
    pub(super) fn choice(&self) -> ToolChoiceMode {
        self.params.tool_choice_mode()
    }

    /// Reports a field.
    pub(super) fn warn(&mut self, path: &Path<'_>, fate: Fate, message: &'static str) {
        self.warnings.push(path, fate, message);
    }

    /// True if the body gets this field from us: the host neither sets it nor wants it left out. Where leaving it out
    /// loses the member `of` of the params, that is reported.
    pub(super) fn wants(&mut self, field: &str, of: &str) -> bool {
        if self.options.omits(field) {
            self.warn(&Path::Root.key(of), Fate::Dropped, "the host wants the field left out");
            return false;
        }
        self.options.extra(field).is_none()
    }

    /// As [`Draft::wants`], for a field that stands for nothing in the params.
    pub(super) fn wants_own(&self, field: &str) -> bool {
        !self.options.omits(field) && self.options.extra(field).is_none()
    }

    /// Gives every tool its name for the provider.
    pub(super) fn declare_tools(&mut self) -> Result<(), Error> {
        for (index, tool) in self.tools().into_iter().enumerate() {
            let (tools, name) = (Path::Root.key("tools"), tool.name());
            let Some(name) = name else { continue };
            if self.names.find(name).is_some() {
                let path = tools.index(index);
                return Err(invalid_request(&path.key("name"), "tool-names-unique", "two tools have the same name"));
            }
            let wire = self.tool_name(name);
            if name != wire.as_str() {
                let path = tools.index(index);
                self.warn(
                    &path.key("name"),
                    Fate::Changed,
                    "the provider does not take such a name; the answer is mapped back",
                );
            }
        }
        Ok(())
    }

    /// The provider's name for a tool, known or new.
    pub(super) fn tool_name(&mut self, name: JsonStr<'_>) -> String {
        if let Some(wire) = self.names.find(name) {
            return wire.to_owned();
        }
        let wire = self.names.assign(name, 0);
        if name != wire.as_str() {
            self.state.names.push((wire.clone(), name.raw().to_owned()));
        }
        wire
    }

    /// The provider's id for a call, at the message and block where it is made.
    pub(super) fn call_id(&mut self, id: JsonStr<'_>, message: usize, block: usize) -> String {
        self.state.ids.push(id.raw().to_owned());
        self.ids.assign(id, (message as u64) << 32 | block as u64)
    }

    /// The provider's id for the call that a result answers.
    pub(super) fn result_id(&mut self, id: JsonStr<'_>) -> String {
        self.ids.assign(id, u64::MAX)
    }

    /// A message of the assistant begins: its calls may have ids that were used before.
    pub(super) fn begin_calls(&mut self) {
        self.ids.forget();
    }

    /// What a block carries for this provider and model.
    pub(super) fn opaque(&self, block: Value<'d>) -> impl Iterator<Item = Value<'d>> + use<'d> {
        opaque::items(block, self.provider, &self.family).into_iter().flatten()
    }

    /// Reports what of an object has no place in the request: every member that is not `known`.
    pub(super) fn report_members(&mut self, object: Value<'_>, known: &[&str], path: &Path<'_>, message: &'static str) {
        for (key, _) in object.members().filter(|(key, _)| !known.iter().any(|name| key == name)) {
            self.warnings.push(&path.key(&key.decode()), Fate::Dropped, message);
        }
    }

    /// Reports what of a block has no place in any provider's request.
    pub(super) fn report_block(&mut self, block: Value<'_>, known: &[&str], path: &Path<'_>) {
        let ours: Vec<_> = known.iter().copied().chain(["type", "_meta"]).collect();
        self.report_members(block, &ours, path, "the provider has no place for this member of a block");
        opaque::report_foreign(block, path, &mut self.warnings);
    }

    /// Reports what of a tool has no place in any provider's request.
    pub(super) fn report_tool(&mut self, tool: Tool<'_>, path: &Path<'_>) {
        let known = ["name", "description", "inputSchema"];
        self.report_members(tool.value(), &known, path, "the provider has no place for this member of a tool");
    }

    /// Reports the members of the params that no provider has a place for. What the host itself acts on is not among
    /// them: the preferences, the context, and the metadata of the request.
    pub(super) fn report_params(&mut self) {
        const KNOWN: &[&str] = &[
            "messages",
            "systemPrompt",
            "maxTokens",
            "temperature",
            "stopSequences",
            "metadata",
            "tools",
            "toolChoice",
            "modelPreferences",
            "includeContext",
            "_meta",
            "task",
        ];
        let params = self.params.value();
        self.report_members(params, KNOWN, &Path::Root, "the provider has no place for this member");
        for (index, message) in self.messages() {
            let messages = Path::Root.key("messages");
            let path = messages.index(index);
            self.report_members(
                message.value(),
                &["role", "content"],
                &path,
                "the provider has no place for this member of a message",
            );
        }
    }

    /// Lets the stop sequences that `is_ours` picks be looked for in the answer, because the provider cannot.
    pub(super) fn cut_here(&mut self, message: &'static str, is_ours: impl Fn(usize, JsonStr<'_>) -> bool) {
        let stops = self.params.stop_sequences().into_iter().flatten().enumerate();
        for (index, stop) in stops.filter(|(index, stop)| is_ours(*index, *stop)) {
            let (sequences, empty) = (Path::Root.key("stopSequences"), stop.is_empty());
            let fate = if empty { Fate::Dropped } else { Fate::Emulated };
            self.warn(&sequences.index(index), fate, if empty { "an empty text stops nothing" } else { message });
            if !empty {
                self.state.stops.push(stop.decode().into_owned());
            }
        }
    }

    /// The system prompt, if there is something in it.
    pub(super) fn system(&mut self) -> Option<JsonStr<'d>> {
        let system = self.params.system_prompt()?;
        if is_blank(system.raw()) {
            if !system.is_empty() {
                self.warn(&Path::Root.key("systemPrompt"), Fate::Dropped, "the system prompt is blank");
            }
            return None;
        }
        Some(system)
    }

    /// What the user says after a last message of the assistant that the model does not go on with.
    ///
    /// # Errors
    ///
    /// `PROVIDER_ERROR` (`unsupported`) if the host gave no such text.
    pub(super) fn continuation(&mut self) -> Result<&'d str, Error> {
        let messages = Path::Root.key("messages");
        let path = messages.index(self.state.turn.saturating_sub(1));
        let Some(text) = self.options.continuation.as_deref() else {
            return Err(unsupported(self.provider, &path, "this model cannot continue a message of the assistant"));
        };
        self.warn(&path, Fate::Changed, "a message of the user follows, as the model cannot continue the assistant's");
        Ok(text)
    }

    /// The error for a history of which nothing can be sent.
    pub(super) fn nothing_left(&self) -> Error {
        invalid_request(&Path::Root.key("messages"), "messages-not-empty", "no message has content that can be sent")
    }

    /// Adds the host's own fields, closes the body and returns everything.
    pub(super) fn finish(mut self, path: String, headers: Vec<(&'static str, String)>) -> Result<Built, Error> {
        let extra = self.options.extra_body.as_ref().map(|extra| extra.root().members());
        for (key, value) in extra.into_iter().flatten().filter(|(key, _)| !self.taken.iter().any(|name| key == name)) {
            self.json.raw_key(key.raw()).value(value);
        }
        self.json.close('}');
        if self.json.replaced_surrogates() {
            self.warn(
                &Path::Root,
                Fate::Changed,
                "half of a surrogate pair, which no UTF-8 text can carry, was replaced",
            );
        }
        if let Some(first) = self.warnings.first_loss().filter(|_| self.options.strict) {
            return Err(lossy(self.provider, first, &self.warnings.0));
        }
        let Self { json, warnings, state, .. } = self;
        Ok(Built { path, headers, body: json.finish().into_bytes(), warnings: warnings.0, state: state.to_json() })
    }
}

/// The blocks of a message with their places below it.
pub(super) fn blocks(message: SamplingMessage<'_>) -> impl Iterator<Item = (Option<usize>, Value<'_>)> {
    let content = message.content();
    let is_array = content.is_some_and(Content::is_array);
    let mut blocks = content.map(Content::blocks);
    let values = std::iter::from_fn(move || blocks.as_mut()?.next_value());
    values.enumerate().map(move |(index, block)| (is_array.then_some(index), block))
}

/// Fields that are the request itself cannot be the host's.
fn no_reserved_fields(options: &BuildOptions) -> Result<(), Error> {
    match ["messages", "contents", "input", "stream"].into_iter().find(|field| options.extra(field).is_some()) {
        None => Ok(()),
        Some(field) => Err(reserved(field)),
    }
}

/// The error for a field that cannot be the host's.
pub(super) fn reserved(field: &str) -> Error {
    let error = Error::new(Code::InvalidArgument, "extraBody may not replace the messages or the option stream");
    error.with("option", "extraBody").with("field", field)
}

/// The place of a block: of the content itself, if that is the block.
pub(super) fn at<'p>(content: &'p Path<'p>, index: Option<usize>) -> Path<'p> {
    index.map_or(*content, |index| content.index(index))
}
