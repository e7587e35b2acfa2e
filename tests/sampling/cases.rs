//! Reading the fixtures: `rules.json` and `results.json`, one entry a rule.
//!
//! A case is the params that differ from [`BASE`], and members for the test, which begin with `$`: `$bare` replaces all
//! params; `$history` is a history in notes; `$block`, `$uses`, `$results` and `$output` are a block, the content of an
//! assistant message, the content of the message that answers a tool use `1`, and a block in that result; `$result` is a
//! result, `$answer` what differs from [`ANSWER`], `$calls` its tool uses, `$offer` the names of the tools; `$checks` is
//! what differs from [`ALL`]; `$path` is where the finding must be, after the place of the block; `$also` names rules
//! that are broken, too.

use mcp_sampling::json::{Document, Value, quote};
use mcp_sampling::revision::Revision;
use mcp_sampling::sampling::{Checks, Findings};

use super::support::{ALL, USER_SAYS_HI, block, history, params, parse, request, result};

const ANSWER: &str = r#""role":"assistant","content":{"type":"text","text":"Hi"},"model":"m""#;

/// One case of a rule.
pub struct Case {
    pub rule: String,
    pub passes: bool,
    pub path: String,
    pub also: Vec<String>,
    checks: Checks,
    params: String,
    result: Option<String>,
}

impl Case {
    pub fn findings(&self, lenient: bool) -> Findings {
        let checks = Checks { lenient, ..self.checks };
        match &self.result {
            Some(answer) => result(answer, &self.params, &checks),
            None => request(&self.params, &checks),
        }
    }
}

/// Every case of every rule.
pub fn cases() -> Vec<Case> {
    let files = [include_str!("../fixtures/sampling/rules.json"), include_str!("../fixtures/sampling/results.json")];
    files.map(parse).iter().flat_map(|file| of_file(file.root())).collect()
}

fn of_file(file: Value<'_>) -> Vec<Case> {
    let kinds = [("pass", true), ("fail", false)];
    let of_rule = |(rule, sets): (mcp_sampling::json::JsonStr<'_>, Value<'_>)| {
        let of_kind = |(name, passes)| {
            let cases = sets.get(name).unwrap().items();
            cases.map(|case| read(&rule.decode(), passes, case)).collect::<Vec<_>>()
        };
        kinds.into_iter().flat_map(of_kind).collect::<Vec<_>>()
    };
    file.members().flat_map(of_rule).collect()
}

fn read(rule: &str, passes: bool, case: Value<'_>) -> Case {
    let (place, params) = params_of(case);
    Case {
        rule: rule.into(),
        passes,
        path: format!("{place}{}", text(case, "$path").unwrap_or_default()),
        also: case.get("$also").into_iter().flat_map(Value::items).map(|rule| decoded(rule)).collect(),
        checks: checks_of(case),
        params,
        result: result_of(case),
    }
}

fn checks_of(case: Value<'_>) -> Checks {
    let Some(given) = case.get("$checks") else { return ALL };
    let flag = |name| given.get(name).and_then(Value::as_bool).unwrap_or(true);
    let revision = text(given, "revision").map_or(Revision::LATEST, |date| Revision::from_date(&date).unwrap());
    Checks { revision, tools: flag("tools"), context: flag("context"), lenient: false }
}

/// Where the block in question stands, and the text of the params.
fn params_of(case: Value<'_>) -> (&'static str, String) {
    if let Some(bare) = case.get("$bare") {
        return ("", bare.raw().into());
    }
    let (place, messages) = messages_of(case);
    let base = params(&messages);
    let own = case.members().filter(|(key, _)| !key.raw().starts_with('$'));
    let mut members: Vec<_> = own.map(|(key, value)| format!("\"{}\":{}", key.raw(), value.raw())).collect();
    if let Some(names) = case.get("$offer") {
        let tools = names.items().map(|name| format!(r#"{{"name":{},"inputSchema":{{"type":"object"}}}}"#, name.raw()));
        members.push(format!("\"tools\":[{}]", tools.collect::<Vec<_>>().join(",")));
    }
    // The last of equal keys counts, so the case's own members go last.
    (place, [base.strip_suffix('}').unwrap().to_owned()].into_iter().chain(members).collect::<Vec<_>>().join(",") + "}")
}

fn messages_of(case: Value<'_>) -> (&'static str, String) {
    let raw = |name: &str| case.get(name).map(Value::raw);
    let (use_, answer) = (block("U1"), block("R1"));
    let three = |uses: &str, results: &str| {
        let turns = [
            format!(r#"{{"role":"assistant","content":{uses}}}"#),
            format!(r#"{{"role":"user","content":{results}}}"#),
        ];
        format!("[{USER_SAYS_HI},{},{}]", turns[0], turns[1])
    };
    if let Some(block) = raw("$block") {
        ("/messages/0/content", format!(r#"[{{"role":"user","content":{block}}}]"#))
    } else if let Some(uses) = raw("$uses") {
        ("/messages/1/content", three(uses, &answer))
    } else if let Some(results) = raw("$results") {
        ("/messages/2/content", three(&use_, results))
    } else if let Some(output) = raw("$output") {
        let results = format!(r#"[{{"type":"tool_result","toolUseId":"1","content":[{output}]}}]"#);
        ("/messages/2/content/0/content/0", three(&use_, &results))
    } else if let Some(notes) = text(case, "$history") {
        ("", history(&notes))
    } else {
        ("", format!("[{USER_SAYS_HI}]"))
    }
}

fn result_of(case: Value<'_>) -> Option<String> {
    if let Some(calls) = case.get("$calls") {
        let blocks = calls.items().map(|call| tool_use(&decoded(call))).collect::<Vec<_>>().join(",");
        let reason = text(case, "$stop").unwrap_or_else(|| "toolUse".into());
        return Some(format!(r#"{{{ANSWER},"content":[{blocks}],"stopReason":{}}}"#, quote(&reason)));
    }
    let own = case.get("$answer").map(|answer| {
        let members = answer.raw().trim().strip_prefix('{').unwrap();
        if answer.members().next().is_none() { format!("{{{ANSWER}}}") } else { format!("{{{ANSWER},{members}") }
    });
    own.or_else(|| Some(case.get("$result")?.raw().into()))
}

fn tool_use(call: &str) -> String {
    let (id, name) = call.split_once(' ').unwrap();
    format!(r#"{{"type":"tool_use","id":"{id}","name":"{name}","input":{{}}}}"#)
}

fn text(value: Value<'_>, name: &str) -> Option<String> {
    value.get(name).map(decoded)
}

fn decoded(value: Value<'_>) -> String {
    value.as_str().unwrap().decode().into_owned()
}

/// The fixture files, for those who count what is in them.
pub fn fixture_names() -> Vec<String> {
    let mut names: Vec<_> = cases().into_iter().map(|case| case.rule).collect();
    names.dedup();
    names
}

/// Keeps the helpers honest: the notes mean what they say.
pub fn read_notes(notes: &str) -> Document {
    parse(&params(&history(notes)))
}
