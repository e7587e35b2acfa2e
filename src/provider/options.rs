//! What the host says about a request: which model, and how.

use crate::error::{Code, Error};
use crate::json::{Document, JsonStr, Kind, Value};

use super::body::decoded;
use super::failure::place_among;

/// How to build a request. [`BuildOptions::new`] has the defaults; [`BuildOptions::from_json`] reads what JavaScript
/// passes, with the names in brackets.
#[derive(Debug)]
pub struct BuildOptions {
    /// The provider's id of the model (`model`); required.
    pub model: String,
    /// Ask for a stream (`stream`); on by default, because long answers time out otherwise.
    pub stream: bool,
    /// Fail where a field would be dropped or changed, in place of a warning (`strict`).
    pub strict: bool,
    /// Take requests that break rules of the SHOULD level (`lenient`), and split user messages that mix tool results
    /// with other blocks, which servers of 2025-11-25 send; places in warnings count the messages after the split.
    pub lenient: bool,
    /// Fields of the body to leave out (`omit`): for a second try after a 400 that names one.
    pub omit: Vec<String>,
    /// Rules of the model to override (`rules`), an object of booleans; see [`Rules`](super::Rules).
    pub rules: Option<Document>,
    /// Fields to add to the body (`extraBody`), an object; they replace ours, but for the messages and `stream`.
    pub extra_body: Option<Document>,
    /// Chat Completions: which server this is (`profile`), a name or an object of flags; see
    /// [`openai`](super::openai). Responses: any name but `openai` is a server with models of its own. Workers AI: which
    /// endpoint; see [`workers_ai`](super::workers_ai).
    pub profile: Option<Document>,
    /// Anthropic: the value of `anthropic-version` (`apiVersion`).
    pub api_version: Option<String>,
    /// What to let the user say after a last message of the assistant, for models that do not continue one
    /// (`continuation`). Without it such a request is an error.
    pub continuation: Option<String>,
    /// Move images and audio of the assistant, which most providers do not take there, to a user message
    /// (`hoistAssistantMedia`).
    pub hoist_assistant_media: bool,
    /// Turn an answer without content into one empty text block (`emptyText`), for servers that expect a block.
    pub empty_text: bool,
}

impl BuildOptions {
    /// The defaults, for this model.
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            stream: true,
            strict: false,
            lenient: false,
            omit: const { Vec::new() },
            rules: None,
            extra_body: None,
            profile: None,
            api_version: None,
            continuation: None,
            hoist_assistant_media: false,
            empty_text: false,
        }
    }

    /// Reads the options object of JavaScript.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGUMENT` for an option that does not exist or has the wrong type; `data.option` names it.
    pub fn from_json(value: Value<'_>) -> Result<Self, Error> {
        let mut options = Self::new(const { String::new() });
        for (name, value) in value.members() {
            if options.set(name, value).is_none() {
                return Err(invalid(&decoded(name), "does not exist or has the wrong type"));
            }
        }
        if options.model.is_empty() {
            return Err(invalid("model", "is missing"));
        }
        Ok(options)
    }

    /// Sets one option; nothing if that cannot be.
    fn set(&mut self, name: JsonStr<'_>, value: Value<'_>) -> Option<()> {
        let place = place_among(name.value(), NAMES)?;
        let flag = match place {
            0 => Some(&mut self.stream),
            1 => Some(&mut self.strict),
            2 => Some(&mut self.lenient),
            3 => Some(&mut self.hoist_assistant_media),
            4 => Some(&mut self.empty_text),
            _ => None,
        };
        if let Some(flag) = flag {
            *flag = value.as_bool()?;
            return Some(());
        }
        let document = match place {
            5 => {
                self.model = text(value)?;
                return Some(());
            }
            6 | 7 => {
                let text = Some(text(value)?);
                *(if place == 6 { &mut self.api_version } else { &mut self.continuation }) = text;
                return Some(());
            }
            8 => {
                self.omit.clear();
                for field in value.items() {
                    self.omit.push(text(field)?);
                }
                return Some(());
            }
            9 => &mut self.profile,
            _ if !value.is(Kind::Object) => return None,
            10 => &mut self.rules,
            _ => &mut self.extra_body,
        };
        *document = Some(copy(value));
        Some(())
    }

    /// True if the host wants this field of the body left out.
    #[inline(never)]
    pub(super) fn omits(&self, name: &str) -> bool {
        self.omit.iter().any(|omitted| omitted == name)
    }
}

/// The names of the options in JavaScript, in the order of [`BuildOptions::set`].
const NAMES: &str = "stream strict lenient hoistAssistantMedia emptyText model apiVersion continuation omit profile \
                     rules extraBody";

fn invalid(option: &str, what: &str) -> Error {
    Error::told(Code::InvalidArgument, "the option '%' %", &[option, what]).with("option", option)
}

#[inline(never)]
fn text(value: Value<'_>) -> Option<String> {
    value.as_str().map(decoded)
}

/// A value in a document of its own.
#[inline(never)]
pub(super) fn copy(value: Value<'_>) -> Document {
    document(value.raw().to_owned())
}

/// The document that a text is; an empty one if it is none.
#[inline(never)]
pub(super) fn document(text: String) -> Document {
    Document::from_text(text).unwrap_or_default()
}
