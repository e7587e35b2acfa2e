//! Messages in their order.

use std::collections::BTreeMap;

use super::BuildError;
use super::parts::{Parts, ToolOutput, ToolUses};
use super::text::{Open, Text, array};

/// Messages in which each tool use has its result. The first is one of the user.
#[derive(Clone, Debug)]
pub struct History(Vec<String>);

impl History {
    /// A history that begins with this message of the user.
    pub fn new(parts: Parts) -> Self {
        Self(Vec::new()).user(parts)
    }

    /// Adds a message of the user.
    #[must_use]
    pub fn user(self, parts: Parts) -> Self {
        self.message("\"user\"", &parts.0)
    }

    /// Adds a message of the assistant without tool uses.
    #[must_use]
    pub fn assistant(self, parts: Parts) -> Self {
        self.message("\"assistant\"", &parts.0)
    }

    /// Adds a message of the assistant with tool uses. It waits for their results.
    #[must_use]
    pub fn uses(self, uses: ToolUses) -> Pending {
        let history = self.message("\"assistant\"", &uses.blocks);
        Pending { history, waiting: uses.ids, results: Vec::new() }
    }

    /// The text of the `messages` array.
    pub fn to_json(&self) -> String {
        array(&self.0)
    }

    /// One block goes as itself, several as an array.
    fn message(mut self, role: &str, blocks: &[String]) -> Self {
        self.0.push(Open::object().raw("role", role).raw("content", &content(blocks)).close());
        self
    }
}

pub(super) fn content(blocks: &[String]) -> String {
    match blocks {
        [block] => block.clone(),
        blocks => array(blocks),
    }
}

/// A history whose last message has tool uses without results.
#[derive(Clone, Debug)]
pub struct Pending {
    history: History,
    waiting: BTreeMap<Vec<u8>, String>,
    results: Vec<String>,
}

impl Pending {
    /// The result of one tool use.
    ///
    /// # Errors
    ///
    /// [`BuildError::NotWaiting`] if no use has this id, or it has its result already.
    pub fn answer<'t>(mut self, id: impl Into<Text<'t>>, output: ToolOutput) -> Result<Self, BuildError> {
        let id = id.into();
        if self.waiting.remove(&id.meaning()).is_none() {
            return Err(BuildError::NotWaiting(id.shown()));
        }
        self.results.push(output.block(id));
        Ok(self)
    }

    /// The ids that still wait for a result, as far as they can be shown.
    pub fn waiting(&self) -> impl Iterator<Item = &str> {
        self.waiting.values().map(String::as_str)
    }

    /// The history with the results in a message of their own.
    ///
    /// # Errors
    ///
    /// [`BuildError::Unanswered`] if a use has no result.
    pub fn finish(self) -> Result<History, BuildError> {
        match self.waiting.into_values().next() {
            Some(shown) => Err(BuildError::Unanswered(shown)),
            None => Ok(self.history.message("\"user\"", &self.results)),
        }
    }
}
