//! The clocks of a call: of the leg on the wire, of the handlers, of everything together.

use super::{Call, Phase};
use crate::error::{Code, Error};
use crate::json::decimal;

impl Call {
    /// When to come back with [`Event::Tick`](super::Event::Tick) at the latest.
    pub fn deadline(&self) -> Option<f64> {
        Some(self.soonest()).filter(|soonest| *soonest < f64::INFINITY)
    }

    /// The same; infinity if there is none.
    pub(crate) fn soonest(&self) -> f64 {
        let total = self.total_deadline();
        if !self.is_running() {
            f64::INFINITY
        } else if total < self.deadline_ms {
            total
        } else {
            self.deadline_ms
        }
    }

    /// Somebody who is asked in the middle of a leg may take their time: as many as are, they hold the leg's clock.
    pub(super) fn pause(&mut self, more: i32) -> Result<(), Error> {
        self.paused = (self.paused + more).max(0);
        if self.phase == Phase::Leg {
            self.arm_leg();
        }
        Ok(())
    }

    pub(super) fn arm_leg(&mut self) {
        self.enter(Phase::Leg, if self.paused > 0 { f64::INFINITY } else { self.limits.timeout_ms });
    }

    pub(super) fn enter(&mut self, phase: Phase, limit_ms: f64) {
        self.phase = phase;
        self.deadline_ms = self.now_ms + limit_ms;
    }

    pub(super) fn on_tick(&mut self) -> Result<(), Error> {
        if !self.is_running() {
            return Ok(());
        }
        self.check_time()?;
        if self.now_ms < self.deadline_ms {
            return Ok(());
        }
        let (clock, sentence, limit_ms) = match self.phase {
            Phase::Leg => ("leg", "Request timed out: no reply to % within % ms", self.limits.timeout_ms),
            Phase::Asking => (
                "handlers",
                "Request timed out: a handler did not answer, for % within % ms",
                self.limits.handler_timeout_ms,
            ),
            _ => return self.send(),
        };
        Err(self.timed_out(clock, sentence, limit_ms))
    }

    fn is_running(&self) -> bool {
        !matches!(self.phase, Phase::Ready | Phase::Over)
    }

    fn total_deadline(&self) -> f64 {
        self.started_ms + self.limits.max_total_timeout_ms
    }

    /// Timers may come late: nothing is begun after this moment, whether it was told or not.
    pub(super) fn check_time(&self) -> Result<(), Error> {
        if self.now_ms >= self.total_deadline() {
            return Err(self.timed_out(
                "total",
                "Maximum total timeout exceeded by % within % ms",
                self.limits.max_total_timeout_ms,
            ));
        }
        Ok(())
    }

    fn timed_out(&self, clock: &str, sentence: &str, limit_ms: f64) -> Error {
        let limit = decimal(limit_ms as i64);
        Error::told(Code::RequestTimeout, sentence, &[&self.method, &limit]).facts(
            "{\"clock\":$,\"method\":$,\"%\":%,\"totalElapsed\":%}",
            &[
                clock,
                &self.method,
                if clock == "total" { "maxTotalTimeout" } else { "timeout" },
                &limit,
                &decimal((self.now_ms - self.started_ms) as i64),
            ],
        )
    }
}
