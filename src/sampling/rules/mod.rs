//! The rules for requests and results: one function each, named after the rule, called in one walk.
//!
//! [`RULES`] lists them. A finding says where and what to do, and quotes nothing but names and ids, cut to 60 characters.

mod base64;
mod blocks;
mod fragments;
mod gates;
mod ids;
mod member;
mod messages;
mod pairs;
mod params;
mod report;
mod result;
mod table;
mod tools;

pub(super) use base64::is_base64;
pub(super) use fragments::{Judged, judge_content, judge_tool, judge_tool_output, wrong_input, wrong_metadata};
pub use report::MAX_FINDINGS;
pub(super) use report::{Report, shown};
pub(super) use table::INEXPRESSIBLE;
pub use table::{RULES, RuleInfo, Strength};

use super::{Checks, Findings};
use crate::json::{Path, Value};

pub(super) fn check_request(params: Value<'_>, checks: &Checks) -> Findings {
    let mut report = Report::new(checks);
    if params::params_object(params, &mut report) {
        params::params(params, &mut report);
        member::meta(params, &Path::Root, &mut report);
        messages::messages(params, &mut report);
        tools::tools(params, &mut report);
        gates::gates(params, &mut report);
    }
    report.finish()
}

pub(super) fn check_result(result: Value<'_>, params: Value<'_>, checks: &Checks) -> Findings {
    let mut report = Report::new(checks);
    result::result(result, params, &mut report);
    report.finish()
}
