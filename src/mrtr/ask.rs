//! One request for a handler, and what must hold before it is asked and before its answer goes out.

use super::{Accepts, InputMethod, cut, elicitation, roots};
use crate::error::{Code, Error, fill};
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
    pub document: Document,
    /// The parameters, or none.
    pub params: ValueId,
}

impl Ask {
    /// The parameters, if there are any.
    pub fn params(&self) -> Option<Value<'_>> {
        let given = self.given();
        if given.is_missing() { None } else { Some(given) }
    }

    /// The parameters; what reads as `null` if there are none.
    fn given(&self) -> Value<'_> {
        self.document.value(self.params)
    }

    /// Checks the request, and returns what the rules let pass with a warning.
    ///
    /// # Errors
    ///
    /// `CAPABILITY_NOT_SUPPORTED` if nobody is there to answer or it was not declared; `INVALID_SAMPLING_REQUEST` or
    /// `INVALID_INPUT_REQUEST` with all findings if it breaks a rule.
    pub fn check(&self, accepts: Accepts, how: Manner) -> Result<Vec<Finding>, Error> {
        // The handlers and what is declared for them are in the order of the methods.
        let handler = Accepts::of(1 << self.method as u32);
        let mut declared = Accepts::of(8 << self.method as u32);
        if self.method == InputMethod::Elicit {
            declared = match elicitation::mode(self.given()) {
                Some(elicitation::Mode::Form) => declared,
                Some(elicitation::Mode::Url) => Accepts::ELICITATION_URL,
                None => declared | Accepts::ELICITATION_URL,
            };
        }
        let handled = accepts.any(handler);
        if !handled || !accepts.any(declared) {
            return Err(self.unsupported(handled));
        }
        let found = self.findings(accepts, how);
        if found.is_ok() { Ok(found.warnings) } else { Err(self.broken_rules(false, &found)) }
    }

    /// Checks what a handler returned, and returns the text to send: the same, or with a form's defaults put in.
    ///
    /// # Errors
    ///
    /// `INVALID_SAMPLING_RESULT` or `INVALID_HANDLER_RESULT`, with all findings.
    pub fn check_answer(&self, text: String, how: Manner) -> Result<String, Error> {
        self.answer(text, how).map(Document::into_text)
    }

    /// As [`Ask::check_answer`], for those who look into the answer.
    ///
    /// # Errors
    ///
    /// As [`Ask::check_answer`].
    pub fn answer(&self, text: String, how: Manner) -> Result<Document, Error> {
        let Ok(mut document) = Document::from_text(text) else {
            return Err(self.about(Error::new(Code::InvalidHandlerResult, "The handler returned no JSON value")));
        };
        let found = match self.changed(document.root(), how) {
            Err(found) => found,
            Ok(changed) => {
                if let Some(Ok(changed)) = changed.map(Document::from_text) {
                    document = changed;
                }
                self.answer_findings(document.root(), how)
            }
        };
        if found.is_ok() { Ok(document) } else { Err(self.broken_rules(true, &found)) }
    }

    /// The answer with the defaults of its form, or as a server of an older revision reads it, if that differs.
    fn changed(&self, result: Value<'_>, how: Manner) -> Result<Option<String>, Findings> {
        match self.method {
            InputMethod::Elicit => Ok(elicitation::fill_defaults(result, self.given())),
            InputMethod::CreateMessage if !how.revision.is_modern() => {
                sampling::changed(result, self.given(), how.revision)
            }
            _ => Ok(None),
        }
    }

    /// Adds to an error which request it is about: to its sentence and to its facts.
    #[must_use]
    pub fn about(&self, error: Error) -> Error {
        self.with_facts(error.at(&fill("%, entry '%'", &[self.method.as_str(), cut(&self.key)])))
    }

    fn with_facts(&self, error: Error) -> Error {
        error.with("key", cut(&self.key)).with("method", self.method.as_str())
    }

    fn findings(&self, accepts: Accepts, how: Manner) -> Findings {
        if self.method == InputMethod::CreateMessage && self.params != ValueId::NONE {
            return sampling::check_request(self.given(), &how.checks(accepts));
        }
        let mut findings = Findings::default();
        match self.method {
            InputMethod::CreateMessage => {
                findings.push(Level::Error, "params-object", &Path::Root, "expected params to be an object");
            }
            InputMethod::Elicit => elicitation::check_request(self.given(), &mut findings),
            InputMethod::ListRoots => {}
        }
        findings
    }

    fn answer_findings(&self, result: Value<'_>, how: Manner) -> Findings {
        if self.method == InputMethod::CreateMessage {
            return sampling::check_result(result, self.given(), &how.checks(Accepts::NONE));
        }
        let mut findings = Findings::default();
        if self.method == InputMethod::Elicit {
            elicitation::check_result(result, self.given(), &mut findings);
        } else {
            roots::check_result(result, &mut findings);
        }
        findings
    }

    fn unsupported(&self, handled: bool) -> Error {
        let sentence = if handled {
            "The server asks for % (entry '%'), but the client did not declare it"
        } else {
            "The server asks for % (entry '%'), but no handler is registered: call setRequestHandler with one"
        };
        let texts = [self.method.as_str(), cut(&self.key)];
        self.with_facts(Error::told(Code::CapabilityNotSupported, sentence, &texts))
    }

    fn broken_rules(&self, is_answer: bool, found: &Findings) -> Error {
        let (whose, code) = match (is_answer, self.method) {
            (false, InputMethod::CreateMessage) => ("The server's request", Code::InvalidSamplingRequest),
            (false, _) => ("The server's request", Code::InvalidInputRequest),
            (true, InputMethod::CreateMessage) => ("The handler's result", Code::InvalidSamplingResult),
            (true, _) => ("The handler's result", Code::InvalidHandlerResult),
        };
        let (method, key) = (self.method.as_str(), cut(&self.key));
        let first = found.errors.first().map(|first| (first.path.as_str(), first.message.as_str(), first.rule));
        let (path, what, rule) = first.unwrap_or_default();
        let sentence = "% for % (entry '%') cannot be used: at '%', % (rule %)";
        let error = Error::told(code, sentence, &[whose, method, key, path, what, rule]);
        self.with_facts(error).with_raw("code", "-32602").with_raw("findings", &found.to_json())
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
        Checks {
            revision: self.revision,
            tools: accepts.any(Accepts::SAMPLING_TOOLS),
            context: accepts.any(Accepts::SAMPLING_CONTEXT),
            lenient: self.lenient,
        }
    }
}
