//! Every rule: what it lets pass, what it finds, and where.

use mcp_sampling::sampling::{Checks, Findings, Level, MAX_FINDINGS, RULES, Strength, check_request};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use super::cases::{cases, fixture_names, read_notes};
use super::support::{ALL, errors, params, request};

/// These two are about findings themselves; `convert.rs` and `hostile.rs` have their cases.
const WITHOUT_FIXTURE: [&str; 2] = ["inexpressible", "more-findings"];

#[test]
fn every_rule_has_a_pass_and_a_fail_fixture() {
    let named: Vec<_> = RULES.iter().map(|rule| rule.name).filter(|name| !WITHOUT_FIXTURE.contains(name)).collect();
    assert_eq!(fixture_names(), named, "the fixtures follow the order of the rules");
    for name in named {
        for passes in [true, false] {
            assert!(cases().iter().any(|case| case.rule == name && case.passes == passes), "{name} {passes}");
        }
    }
}

#[test]
fn passing_cases_have_no_finding() {
    for case in cases().iter().filter(|case| case.passes) {
        let mut findings = case.findings(false);
        findings.warnings.retain(|finding| finding.rule == case.rule);
        assert_eq!(findings, Findings::default(), "{}", case.rule);
    }
}

#[test]
fn failing_cases_have_that_finding_at_that_place() {
    for case in cases().iter().filter(|case| !case.passes) {
        let found = case.findings(false);
        let all: Vec<_> = found.errors.iter().chain(&found.warnings).collect();
        assert!(all.iter().any(|f| f.rule == case.rule && f.path == case.path), "{} {}: {all:?}", case.rule, case.path);
        let expected = |rule: &str| rule == case.rule || case.also.iter().any(|also| also == rule);
        assert!(all.iter().all(|finding| expected(finding.rule)), "{} {}: {all:?}", case.rule, case.path);
        assert!(all.iter().all(|finding| finding.code == -32602 && finding.message.ends_with('.')));
    }
}

#[test]
fn strength_decides_what_lenient_softens() {
    for case in cases().iter().filter(|case| !case.passes) {
        let strength = RULES.iter().find(|rule| rule.name == case.rule).unwrap().strength;
        for lenient in [false, true] {
            let found = case.findings(lenient);
            let list = if strength.level(lenient) == Level::Error { found.errors } else { found.warnings };
            assert!(list.iter().any(|finding| finding.rule == case.rule), "{} lenient: {lenient}", case.rule);
        }
    }
    assert_eq!(Strength::Must.level(true), Level::Error);
    assert_eq!((Strength::Advice.level(false), Strength::Advice.level(true)), (Level::Error, Level::Warning));
    assert_eq!(Strength::Notice.level(false), Level::Warning);
}

#[test]
fn rule_names_are_unique_and_in_kebab_case() {
    let mut names: Vec<_> = RULES.iter().map(|rule| rule.name).collect();
    assert!(names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || b"-46".contains(&byte))));
    assert!(RULES.iter().all(|rule| rule.summary.ends_with('.') && !rule.section.is_empty()));
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), RULES.len());
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn rules_are_named_where_they_are_checked() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/sampling/rules");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let checks = paths.filter(|path| !path.ends_with("table.rs"));
    let source: String = checks.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    for rule in RULES.iter().filter(|rule| !WITHOUT_FIXTURE.contains(&rule.name)) {
        let words = rule.name.split('-').map(|word| word[..1].to_uppercase() + &word[1..]);
        let id = words.collect::<String>();
        // In code, at the end of a row of the schema's tables, or in it.
        let places = [format!("Rule::{id},"), format!(" {id};"), format!(" {id} ")];
        assert!(places.iter().any(|place| source.contains(place)), "{}", rule.name);
    }
}

/// The vectors of the fact sheet, section 2.7.
#[test]
fn histories() {
    for notes in [
        "u[T]",
        "u T",
        "u[T] a[U1] u[R1]",
        "u[T] a[T,U1,U2] u[R2,R1]",
        "u[T] a[U1] u R1",
        "u[T] a[U1] u[R1] a[U1] u[R1]",
        "u[T] a[U1] u[R1] u[T] a[T]",
    ] {
        assert_eq!(check_request(read_notes(notes).root(), &ALL), Findings::default(), "{notes}");
    }
    for (notes, expected) in [
        ("u[T] a[U1]", &[("uses-answered-next", "/messages/1")][..]),
        ("u[T] a[U1,U2] u[R1]", &[("use-has-result", "/messages/1/content/1")]),
        (
            "u[T] a[U1,U2] u[R1] u[R2]",
            &[("use-has-result", "/messages/1/content/1"), ("result-matches-use", "/messages/3/content/0")],
        ),
        (
            "u[T] a[U1] a[T] u[R1]",
            &[("uses-answered-next", "/messages/1"), ("result-matches-use", "/messages/3/content/0")],
        ),
        ("u[T] a[U1] u[T]", &[("uses-answered-next", "/messages/1")]),
        ("u[T] a[U1] u[T,R1]", &[("results-alone", "/messages/2/content/0")]),
        ("u[R1]", &[("result-matches-use", "/messages/0/content/0")]),
        ("u[T] a[U1] u[R1,R9]", &[("result-matches-use", "/messages/2/content/1")]),
        ("u[T] a[U1] u[R1,R1]", &[("result-unique", "/messages/2/content/1")]),
        ("u[T] a[U1,U1] u[R1]", &[("use-id-unique", "/messages/1/content/1")]),
        ("u[U1] a[T]", &[("tool-use-role", "/messages/0/content/0")]),
        ("u[T] a[R1]", &[("tool-result-role", "/messages/1/content/0")]),
        ("u[T] a[U1] u[]", &[("content-not-empty", "/messages/2/content"), ("uses-answered-next", "/messages/1")]),
        ("u[T] a[U1] u[T] a[U2] u[R2]", &[("uses-answered-next", "/messages/1")]),
    ] {
        assert_eq!(errors(&check_request(read_notes(notes).root(), &ALL)), expected, "{notes}");
    }
}

#[test]
fn all_findings_are_reported() {
    let found = request(r#"{"maxTokens":"1","messages":[{"role":"x"}],"tools":{},"temperature":true}"#, &ALL);
    let expected = [
        ("max-tokens-integer", "/maxTokens"),
        ("temperature", "/temperature"),
        ("message-role", "/messages/0/role"),
        ("message-content", "/messages/0"),
        ("tools-array", "/tools"),
    ];
    assert_eq!(errors(&found), expected);
    let json = found.to_json();
    assert!(
        json.starts_with(r#"{"errors":[{"code":-32602,"rule":"max-tokens-integer","path":"/maxTokens","message":""#)
    );
}

#[test]
fn sentences_name_ids_but_quote_no_prompt() {
    let long = "x".repeat(80);
    let text = params(&format!(
        r#"[{{"role":"user","content":[{{"type":"SECRET","text":"SECRET"}},{{"type":"text","text":5,"SECRET":1}}]}},
           {{"role":"user","content":{{"type":"tool_result","toolUseId":"{long}","content":[]}}}}]"#
    ));
    let found = request(&text, &ALL);
    let sentences: Vec<_> = found.errors.iter().map(|finding| finding.message.as_str()).collect();
    let expected = [
        "A block here has one of the types text, image, audio, tool_use or tool_result, not \"SECRET\".",
        "`text` must be a string, but it is a number.",
        &format!(
            "The result for \"{}…\" answers no tool use of the message before; put it right after its use.",
            &long[..60]
        ),
    ];
    assert_eq!(sentences, expected);
}

#[test]
fn the_list_is_capped() {
    for (count, listed, closed) in [(MAX_FINDINGS, MAX_FINDINGS, false), (5000, MAX_FINDINGS + 1, true)] {
        let messages = vec!["1"; count].join(",");
        let found = request(&params(&format!("[{messages}]")), &ALL);
        assert_eq!(found.errors.len(), listed);
        assert_eq!(found.errors.last().unwrap().rule == "more-findings", closed);
    }
}

#[test]
fn an_error_behind_the_cap_still_refuses() {
    let uses = vec![r#"{"type":"tool_use","id":"1","name":"a","input":{}}"#; 300].join(",");
    let text = params(&format!(r#"[{{"role":"assistant","content":[{uses}]}}]"#));
    let lenient = Checks { lenient: true, ..ALL };
    let found = request(&text, &lenient);
    assert_eq!(errors(&found), [("more-findings", "")]);
    assert_eq!(found.warnings.len(), MAX_FINDINGS);
}
