//! The clocks of a call: of the leg on the wire, of the handlers, of everything together.

use super::{Call, Phase};
use crate::error::{Code, Error};

impl Call {
    /// When to come back with [`Event::Tick`](super::Event::Tick) at the latest.
    pub fn deadline(&self) -> Option<f64> {
        let own = match self.phase {
            Phase::Leg { deadline_ms } | Phase::Asking { deadline_ms } => deadline_ms,
            Phase::Waiting { until_ms } => until_ms,
            Phase::Landed | Phase::Saving => f64::INFINITY,
            Phase::Ready | Phase::Over => return None,
        };
        let soonest = own.min(self.total_deadline());
        soonest.is_finite().then_some(soonest)
    }

    /// Somebody who is asked in the middle of a leg may take their time: as many as are, they hold the leg's clock.
    pub(super) fn pause(&mut self, more: i32) {
        self.paused = (self.paused + more).max(0);
        if matches!(self.phase, Phase::Leg { .. }) {
            self.arm_leg();
        }
    }

    pub(super) fn arm_leg(&mut self) {
        let timeout_ms = if self.paused > 0 { f64::INFINITY } else { self.limits.timeout_ms };
        self.phase = Phase::Leg { deadline_ms: self.now_ms + timeout_ms };
    }

    pub(super) fn on_tick(&mut self) {
        if self.is_out_of_time() && !matches!(self.phase, Phase::Ready | Phase::Over) {
            return self.fail(self.total_timed_out());
        }
        match self.phase {
            Phase::Leg { deadline_ms } if self.now_ms >= deadline_ms => {
                self.fail(self.timed_out("leg", self.limits.timeout_ms));
            }
            Phase::Asking { deadline_ms } if self.now_ms >= deadline_ms => {
                self.fail(self.timed_out("handlers", self.limits.handler_timeout_ms));
            }
            Phase::Waiting { until_ms } if self.now_ms >= until_ms => self.send(),
            _ => {}
        }
    }

    pub(super) fn total_deadline(&self) -> f64 {
        self.started_ms + self.limits.max_total_timeout_ms
    }

    /// Timers may come late: nothing is begun after this moment, whether it was told or not.
    pub(super) fn is_out_of_time(&self) -> bool {
        self.now_ms >= self.total_deadline()
    }

    pub(super) fn total_timed_out(&self) -> Error {
        self.timed_out("total", self.limits.max_total_timeout_ms)
    }

    pub(super) fn timed_out(&self, clock: &'static str, limit_ms: f64) -> Error {
        let mut message = String::from(match clock {
            "leg" => "Request timed out: no reply to ",
            "handlers" => "Request timed out: a handler did not answer, for ",
            _ => "Maximum total timeout exceeded by ",
        });
        message.push_str(&self.method);
        message.push_str(" within ");
        message.push_str(&(limit_ms as i64).to_string());
        message.push_str(" ms");
        let elapsed = (self.now_ms - self.started_ms) as i64;
        let error = Error::new(Code::RequestTimeout, message).with("clock", clock).with("method", &self.method);
        let name = if clock == "total" { "maxTotalTimeout" } else { "timeout" };
        error.with_number(name, limit_ms as i64).with_number("totalElapsed", elapsed)
    }
}
