//! One request for a handler, and what must hold before it is asked and before its answer goes out.

use std::borrow::Cow;
use std::rc::Rc;

use super::{Accepts, InputMethod, elicitation, roots};
use crate::error::{Code, Error};
use crate::json::{Document, Path, Value, ValueId};
use crate::revision::Revision;
use crate::sampling::{self, Checks, Finding, Findings, Level};

/// One request for a handler.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The round, from 1.
    pub round: u32,
    /// Its place among the round's requests.
    pub index: usize,
    /// The server's key, decoded.
    pub key: String,
    /// What is asked.
    pub method: InputMethod,
    /// The text the parameters stand in.
    pub document: Rc<Document>,
    /// The parameters, if there are any.
    pub params: Option<ValueId>,
}

impl Ask {
    /// The parameters, if there are any.
    pub fn params(&self) -> Option<Value<'_>> {
        self.params.map(|id| self.document.value(id))
    }

    /// Checks the request, and returns what the rules let pass with a warning.
    ///
    /// # Errors
    ///
    /// `CAPABILITY_NOT_SUPPORTED` if nobody is there to answer or it was not declared; `INVALID_SAMPLING_REQUEST` or
    /// `INVALID_INPUT_REQUEST` with all findings if it breaks a rule.
    pub fn check(&self, accepts: Accepts, how: Manner) -> Result<Vec<Finding>, Error> {
        if !accepts.handles(self.method) {
            return Err(self.unsupported("no handler is registered: call setRequestHandler with one"));
        }
        if !accepts.declares(self.method) || !self.mode_is_declared(accepts) {
            return Err(self.unsupported("the client did not declare it"));
        }
        let found = self.findings(accepts, how);
        if found.is_ok() {
            return Ok(found.warnings);
        }
        let code = match self.method {
            InputMethod::CreateMessage => Code::InvalidSamplingRequest,
            _ => Code::InvalidInputRequest,
        };
        Err(self.broken_rules(code, "The server's request", &found))
    }

    /// Checks what a handler returned, and returns the text to send: the same, or with a form's defaults put in.
    ///
    /// # Errors
    ///
    /// `INVALID_SAMPLING_RESULT` or `INVALID_HANDLER_RESULT`, with all findings.
    pub fn check_answer(&self, text: String, how: Manner) -> Result<String, Error> {
        let Ok(mut document) = Document::from_text(text) else {
            return Err(self.about(Error::new(Code::InvalidHandlerResult, "The handler returned no JSON value")));
        };
        if self.method == InputMethod::Elicit
            && let Some(filled) = elicitation::fill_defaults(document.root(), self.params())
        {
            document = Document::from_text(filled).unwrap_or(document);
        }
        if !how.revision.is_modern()
            && let Some(older) = self.for_older_wire(document.root(), how)?
        {
            document = older;
        }
        let found = self.answer_findings(document.root(), how);
        if found.is_ok() {
            return Ok(document.into_text());
        }
        let code = match self.method {
            InputMethod::CreateMessage => Code::InvalidSamplingResult,
            _ => Code::InvalidHandlerResult,
        };
        Err(self.broken_rules(code, "The handler's result", &found))
    }

    /// The answer as a server of an older revision reads it, if that differs.
    fn for_older_wire(&self, result: Value<'_>, how: Manner) -> Result<Option<Document>, Error> {
        let Some(params) = self.params().filter(|_| self.method == InputMethod::CreateMessage) else { return Ok(None) };
        match sampling::to_revision(result, params, how.revision) {
            Ok(Cow::Borrowed(_)) => Ok(None),
            Ok(Cow::Owned(text)) => Ok(Document::from_text(text).ok()),
            Err(found) => Err(self.broken_rules(Code::InvalidSamplingResult, "The handler's result", &found)),
        }
    }

    /// Adds to an error which request it is about: to its sentence and to its facts.
    #[must_use]
    pub fn about(&self, error: Error) -> Error {
        let mut place = String::from(self.method.as_str());
        place.push_str(", entry '");
        place.push_str(&shown(&self.key));
        place.push('\'');
        self.with_facts(error.at(&place))
    }

    fn with_facts(&self, error: Error) -> Error {
        error.with("key", &shown(&self.key)).with("method", self.method.as_str())
    }

    fn mode_is_declared(&self, accepts: Accepts) -> bool {
        match (self.method, elicitation::mode(self.params())) {
            (InputMethod::Elicit, Some(elicitation::Mode::Form)) => accepts.declared.elicitation_form,
            (InputMethod::Elicit, Some(elicitation::Mode::Url)) => accepts.declared.elicitation_url,
            _ => true,
        }
    }

    fn findings(&self, accepts: Accepts, how: Manner) -> Findings {
        match (self.method, self.params()) {
            (InputMethod::CreateMessage, Some(params)) => sampling::check_request(params, &how.checks(accepts)),
            (InputMethod::CreateMessage, None) => {
                let mut findings = Findings::default();
                findings.push(Level::Error, "params-object", &Path::Root, "expected params to be an object");
                findings
            }
            (InputMethod::Elicit, params) => elicitation::check_request(params),
            (InputMethod::ListRoots, _) => Findings::default(),
        }
    }

    fn answer_findings(&self, result: Value<'_>, how: Manner) -> Findings {
        match (self.method, self.params()) {
            (InputMethod::CreateMessage, Some(params)) => {
                sampling::check_result(result, params, &how.checks(Accepts::default()))
            }
            (InputMethod::CreateMessage, None) => Findings::default(),
            (InputMethod::Elicit, params) => elicitation::check_result(result, params),
            (InputMethod::ListRoots, _) => roots::check_result(result),
        }
    }

    fn unsupported(&self, why: &str) -> Error {
        let mut message = String::from("The server asks for ");
        message.push_str(self.method.as_str());
        message.push_str(" (entry '");
        message.push_str(&shown(&self.key));
        message.push_str("'), but ");
        message.push_str(why);
        self.with_facts(Error::new(Code::CapabilityNotSupported, message))
    }

    fn broken_rules(&self, code: Code, whose: &str, found: &Findings) -> Error {
        let mut message = String::from(whose);
        message.push_str(" for ");
        message.push_str(self.method.as_str());
        message.push_str(" (entry '");
        message.push_str(&shown(&self.key));
        message.push_str("') cannot be used");
        if let Some(first) = found.errors.first() {
            message.push_str(": at '");
            message.push_str(&first.path);
            message.push_str("', ");
            message.push_str(&first.message);
            message.push_str(" (rule ");
            message.push_str(first.rule);
            message.push(')');
        }
        self.with_facts(Error::new(code, message)).with_number("code", -32602).with_raw("findings", &found.to_json())
    }
}

/// By which rules requests and answers are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// The revision in use.
    pub revision: Revision,
    /// Let SHOULD-level and advice-level rules warn only.
    pub lenient: bool,
}

impl Manner {
    fn checks(self, accepts: Accepts) -> Checks {
        let declared = accepts.declared;
        Checks {
            revision: self.revision,
            tools: declared.sampling_tools,
            context: declared.sampling_context,
            lenient: self.lenient,
        }
    }
}

/// A key for an error text: a server may send one of a megabyte.
fn shown(key: &str) -> String {
    key.chars().take(60).collect()
}
