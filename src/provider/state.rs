//! What reading an answer needs to know of its request, as plain JSON the host keeps in between.

use crate::error::{Code, Error};
use crate::json::{Document, Items, JsonStr, Kind, Value};

use super::Provider;
use super::failure::{is_true, string};
use super::models::family;

/// The state between `build` and `parse`, as [`Draft::finish`](super::draft::Draft::finish) writes it.
#[derive(Debug)]
pub(super) struct State {
    pub(super) provider: Provider,
    document: Document,
}

impl State {
    /// Reads what `build` returned.
    pub(super) fn from_json(text: &str) -> Result<Self, Error> {
        Self::read(text)
            .ok_or_else(|| Error::told(Code::InvalidArgument, "the state is not one that build returned", &[]))
    }

    fn read(text: &str) -> Option<Self> {
        let document = Document::from_text(text.to_owned()).ok()?;
        let root = document.root();
        let provider = Provider::from_name(&root.at("provider").text())?;
        let is_ours = root.at("model").is(Kind::String) && root.at("v").raw() == "1";
        is_ours.then_some(Self { provider, document })
    }

    /// The JSON text.
    pub(super) fn text(&self) -> &str {
        self.document.text()
    }

    /// True if a flag is set: `tools`, the request offers tools, so its server can read an array of blocks; `required`,
    /// the model must use one, which providers do not see to for sure; `emptyText`, an empty answer becomes an empty
    /// text block.
    pub(super) fn has(&self, flag: &str) -> bool {
        is_true(self.document.root().at(flag))
    }

    /// How many messages the request has; minted ids are numbered by it.
    pub(super) fn turn(&self) -> i64 {
        self.document.root().at("turn").integer_or(0)
    }

    /// The model that was asked for.
    pub(super) fn model(&self) -> String {
        self.document.root().at("model").text()
    }

    /// Texts that end the answer, to be looked for here.
    pub(super) fn stops(&self) -> Items<'_> {
        self.document.root().at("stops").items()
    }

    /// The ids of the history.
    pub(super) fn ids(&self) -> Items<'_> {
        self.document.root().at("ids").items()
    }

    /// What the adapter itself wants to remember.
    pub(super) fn own(&self, name: &str) -> Value<'_> {
        self.document.root().at("own").at(name)
    }

    /// As [`State::own`], for a flag.
    pub(super) fn own_flag(&self, name: &str) -> bool {
        is_true(self.own(name))
    }

    /// Which models may see the opaque state of this answer.
    pub(super) fn family(&self) -> String {
        family(&self.model())
    }

    /// The name of the request for a name of the provider, as it stands between quotes; `None` if they are the same.
    pub(super) fn original_name(&self, wire: &str) -> Option<JsonStr<'_>> {
        string(self.document.root().at("names"), wire)
    }
}
