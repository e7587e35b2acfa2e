//! A request while it is written: what every adapter needs at hand.

use crate::error::Error;
use crate::json::{Document, Items, Path, Value, concat, decimal};
use crate::sampling::{Role, ToolChoice, ToolChoiceMode};

use super::body::{Json, decoded};
use super::failure::{invalid_request, is_among, unsupported};
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
    /// The fields that the host adds to the body.
    pub(super) extra: Value<'d>,
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
    pub(super) ids: Remap,
    /// Who spoke last, of what was written in turns.
    pub(super) last: Option<Role>,
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
    /// The version of the API, for its header.
    pub(super) version: Option<&'d str>,
    /// The fields of the host that an adapter had to write itself.
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
            extra: options.extra_body.as_ref().map_or_else(|| params.nothing(), Document::root),
            rules: Rules::of(models, &options.model),
            json: Json::with_capacity(params.raw().len() + 2048),
            warnings: const { Vec::new() },
            place: const { String::new() },
            number: 0,
            block: None,
            is_last: false,
            is_late: false,
            hoisted: const { Vec::new() },
            names: Remap::new(*names),
            ids: Remap::new(*ids),
            last: None,
            turn: params.at("messages").items().count(),
            required: false,
            offered: false,
            own: Json::default(),
            wire_names: Json::default(),
            call_ids: Json::default(),
            stops: Json::default(),
            path: const { String::new() },
            version: None,
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
        self.no_reserved_fields("messages contents input stream")?;
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

    /// Reports what is being written.
    #[inline(never)]
    pub(super) fn warn(&mut self, fate: Fate, message: &'static str) {
        self.warnings.push(Warning { path: self.place.clone(), fate, message });
    }

    /// Reports something below what is being written.
    #[inline(never)]
    pub(super) fn warn_at(&mut self, below: &str, fate: Fate, message: &'static str) {
        let length = self.place.len();
        self.place.push_str(below);
        self.warn(fate, message);
        self.place.truncate(length);
    }

    /// The error for what is being written, or something below it.
    #[inline(never)]
    pub(super) fn unsupported(&self, below: &str, message: &'static str) -> Error {
        unsupported(self.provider, &concat(&[&self.place, below]), message)
    }

    /// As [`Draft::unsupported`], where a rule is broken.
    #[inline(never)]
    pub(super) fn invalid(&self, below: &str, rule: &'static str, message: &'static str) -> Error {
        invalid_request(concat(&[&self.place, below]), rule, message)
    }

    /// What is being written is now a member of what it was; returns the length of the place to go back to.
    #[inline(never)]
    pub(super) fn enter(&mut self, name: &str) -> usize {
        let length = self.place.len();
        self.place.push_str(&Path::Root.key(name).pointer());
        length
    }

    /// What is being written is now an item of what it was; returns the length of the place to go back to.
    #[inline(never)]
    pub(super) fn enter_item(&mut self, index: usize) -> usize {
        self.enter(&decimal(index as i64))
    }

    /// What is being written is now this item of a list.
    #[inline(never)]
    pub(super) fn stand(&mut self, list: &str, index: usize) {
        self.place = concat(&[list, &decimal(index as i64)]);
    }

    /// What is being written is now a block of a message, or all of its content.
    pub(super) fn go(&mut self, number: usize, block: Option<usize>) {
        self.stand("/messages/", number);
        self.place.push_str("/content");
        if let Some(block) = block {
            self.enter_item(block);
        }
        (self.number, self.block) = (number, block);
    }

    /// True if the body gets this field from us: the host neither sets it nor wants it left out. Where leaving it out
    /// loses something of the params, that is reported.
    #[inline(never)]
    pub(super) fn wants(&mut self, field: &str, of: &str) -> bool {
        if self.options.omits(field) {
            self.warn_at(of, Fate::Dropped, "the host wants the field left out");
        }
        self.wants_own(field) && self.is_free_inside(field)
    }

    /// As [`Draft::wants`], for a field that stands for nothing in the params.
    #[inline(never)]
    pub(super) fn wants_own(&self, field: &str) -> bool {
        !self.options.omits(field) && !self.adds(field)
    }

    /// True if the host adds this field to the body.
    #[inline(never)]
    pub(super) fn adds(&self, field: &str) -> bool {
        !self.extra.at(field).is_missing()
    }

    pub(super) fn is_free_inside(&self, field: &str) -> bool {
        self.inside.is_none_or(|inside| inside.at(field).is_missing())
    }

    /// What a block carries for this provider and model.
    pub(super) fn opaque(&self, block: Value<'d>) -> Items<'d> {
        opaque::items(block, self.provider, &self.family)
    }

    /// Reports what of an object has no place in the request: every member that is not `known`.
    #[inline(never)]
    pub(super) fn report_members(&mut self, object: Value<'_>, known: &str, message: &'static str) {
        for (key, _) in object.members() {
            if !is_among(key.value(), known) {
                let below = Path::Root.key(&decoded(key)).pointer();
                self.warn_at(&below, Fate::Dropped, message);
            }
        }
    }
}
