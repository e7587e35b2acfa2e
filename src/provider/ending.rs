//! Turns that are open, and who has the last word.

use crate::error::Error;
use crate::sampling::Role;

use super::Rules;
use super::draft::Draft;
use super::warnings::Fate;

impl<'d> Draft<'d> {
    /// Goes on with the turn of who speaks, or begins it: neighbours of one role are one turn. Says whether it begins.
    #[inline(never)]
    pub(super) fn enter_turn(&mut self, role: Role, form: &str, name: &str) -> bool {
        let begins = self.last != Some(role);
        if begins {
            self.end_turn();
            self.last = Some(role);
            self.json.one(form, name);
        }
        begins
    }

    fn end_turn(&mut self) {
        if self.last.is_some() {
            self.json.lit("]}");
        }
    }

    /// Ends the turns. The user has to speak after a last one that the model does not go on with, in this member of the
    /// message and in this form.
    ///
    /// # Errors
    ///
    /// `INVALID_SAMPLING_REQUEST` if nobody spoke: nothing of the history can be sent. As [`Draft::continuation`].
    pub(super) fn end_turns(&mut self, member: &str, form: &str) -> Result<(), Error> {
        self.end_turn();
        match self.last {
            None => return Err(self.nothing_left()),
            Some(Role::Assistant) if !self.rules.allow(Rules::PREFILL) => self.continue_turn(member, form)?,
            _ => {}
        }
        self.json.end_list();
        Ok(())
    }

    /// The error for a history of which nothing can be sent.
    pub(super) fn nothing_left(&self) -> Error {
        self.invalid("/messages", "messages-not-empty", "no message has content that can be sent")
    }

    /// What the user says after a last message of the assistant that the model does not go on with.
    ///
    /// # Errors
    ///
    /// `PROVIDER_ERROR` (`unsupported`) if the host gave no such text.
    pub(super) fn continuation(&mut self) -> Result<&'d str, Error> {
        self.stand("/messages/", self.turn.saturating_sub(1));
        let Some(text) = self.options.continuation.as_deref() else {
            return Err(self.unsupported("", "this model cannot continue a message of the assistant"));
        };
        let message = "a message of the user follows, as the model cannot continue the assistant's";
        self.warn(Fate::Changed, message);
        self.place.clear();
        Ok(text)
    }

    /// Writes what the user says then, in this member of the message and in this form.
    pub(super) fn continue_turn(&mut self, member: &str, form: &str) -> Result<(), Error> {
        let text = self.continuation()?;
        self.json.one("{\"role\":\"user\",\"%r\":", member);
        self.json.one(form, text);
        self.json.end();
        Ok(())
    }
}
