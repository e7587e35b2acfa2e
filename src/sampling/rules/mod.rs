//! The rules for requests and results, as data where they are about one member and as methods of [`Report`] where they
//! are about more, checked in one walk.
//!
//! [`RULES`] lists them. A finding says where and what to do, and quotes nothing but names and ids, cut to 60 characters.

mod base64;
mod demands;
mod fragments;
mod ids;
mod messages;
mod report;
mod request;
mod result;
mod shape;
mod shapes;
mod table;
mod walk;

pub(super) use base64::is_base64;
pub(super) use fragments::{CHECKS, Judged, judge_content, judge_tool, judge_tool_output, wrong_input, wrong_metadata};
pub use report::MAX_FINDINGS;
pub(super) use report::{Report, shown};
pub(super) use table::Rule;
pub use table::{RULES, RuleInfo, Strength};

use super::{Checks, Findings};
use crate::json::Value;

pub(super) fn check_request(params: Value<'_>, checks: &Checks) -> Findings {
    let mut report = Report::new(checks);
    report.request(params);
    report.finish()
}

pub(super) fn check_result(result: Value<'_>, params: Value<'_>, checks: &Checks) -> Findings {
    let mut report = Report::new(checks);
    report.result(result, params);
    report.finish()
}
