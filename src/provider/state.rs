//! What reading an answer needs to know of its request, as plain JSON the host keeps in between.

use crate::error::{Code, Error};
use crate::json::{Document, Kind, Value};

use super::Provider;
use super::body::Json;
use super::models::family;

/// The state between `build` and `parse`.
#[derive(Debug)]
pub(super) struct State {
    pub(super) provider: Provider,
    /// The model that was asked for.
    pub(super) model: String,
    /// The request offers tools: its server can read an array of blocks.
    pub(super) tools: bool,
    /// The model must use a tool; providers do not see to it for sure.
    pub(super) required: bool,
    /// An empty answer becomes an empty text block.
    pub(super) empty_text: bool,
    /// How many messages the request has; minted ids are numbered by it.
    pub(super) turn: usize,
    /// Tools the provider knows by another name: its name, and the one between the quotes of the request.
    pub(super) names: Vec<(String, String)>,
    /// The ids of the history, as they stand between their quotes.
    pub(super) ids: Vec<String>,
    /// Texts that end the answer, to be looked for here.
    pub(super) stops: Vec<String>,
    /// What the adapter itself wants to remember, a JSON text.
    pub(super) own: Option<String>,
}

impl State {
    pub(super) fn new(provider: Provider, model: &str) -> Self {
        Self {
            provider,
            model: model.to_owned(),
            tools: false,
            required: false,
            empty_text: false,
            turn: 0,
            names: Vec::new(),
            ids: Vec::new(),
            stops: Vec::new(),
            own: None,
        }
    }

    /// Which models may see the opaque state of this answer.
    pub(super) fn family(&self) -> String {
        family(&self.model)
    }

    /// The name of the request for a name of the provider, as it stands between quotes; `None` if they are the same.
    pub(super) fn original_name(&self, wire: &str) -> Option<&str> {
        self.names.iter().find(|(name, _)| name == wire).map(|(_, original)| original.as_str())
    }

    pub(super) fn to_json(&self) -> String {
        let mut json = Json::with_capacity(128);
        json.open('{');
        json.key("v").number(1);
        json.key("provider").text(self.provider.as_str());
        json.key("model").text(&self.model);
        json.key("turn").number(self.turn as i64);
        for (name, flag) in [("tools", self.tools), ("required", self.required), ("emptyText", self.empty_text)] {
            if flag {
                json.key(name).raw("true");
            }
        }
        self.write_lists(&mut json);
        if let Some(own) = &self.own {
            json.key("own").raw(own);
        }
        json.close('}');
        json.finish()
    }

    fn write_lists(&self, json: &mut Json) {
        json.key("names").open('{');
        self.names.iter().for_each(|(wire, original)| json.raw_key(wire).joined(&[original]));
        json.close('}');
        json.key("ids").open('[');
        self.ids.iter().for_each(|id| json.joined(&[id]));
        json.close(']');
        json.key("stops").open('[');
        self.stops.iter().for_each(|stop| json.text(stop));
        json.close(']');
    }

    /// Reads what [`State::to_json`] wrote.
    pub(super) fn from_json(text: &str) -> Result<Self, Error> {
        let document = Document::from_text(text.to_owned()).map_err(|_| unusable())?;
        let root = document.root();
        let provider = string(root, "provider").and_then(|name| Provider::from_name(&name)).ok_or_else(unusable)?;
        let known = root.get("v").is_some_and(|version| version.raw() == "1");
        let mut state = Self::new(provider, &string(root, "model").filter(|_| known).ok_or_else(unusable)?);
        state.turn =
            root.get("turn").and_then(Value::as_number).and_then(|n| n.as_safe_integer()).unwrap_or(0) as usize;
        let flag = |name: &str| root.get(name).and_then(Value::as_bool).unwrap_or(false);
        (state.tools, state.required, state.empty_text) = (flag("tools"), flag("required"), flag("emptyText"));
        let names = root.get("names").into_iter().flat_map(Value::members);
        state.names = names.filter_map(|(wire, name)| Some((wire.raw().into(), name.as_str()?.raw().into()))).collect();
        let list = |name: &str| root.get(name).into_iter().flat_map(Value::items).filter_map(Value::as_str);
        state.ids = list("ids").map(|id| id.raw().to_owned()).collect();
        state.stops = list("stops").map(|stop| stop.decode().into_owned()).collect();
        state.own = root.get("own").filter(|own| own.kind() != Kind::Null).map(|own| own.raw().to_owned());
        Ok(state)
    }
}

fn string(object: Value<'_>, name: &str) -> Option<String> {
    Some(object.get(name)?.as_str()?.decode().into_owned())
}

fn unusable() -> Error {
    Error::new(Code::InvalidArgument, "the state is not one that build returned")
}
