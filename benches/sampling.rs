//! How long the checks take, for sizes that grow: the time for each block must stay the same.
//!
//! `cargo bench --bench sampling`

#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use mcp_sampling::json::Document;
use mcp_sampling::revision::Revision;
use mcp_sampling::sampling::{Checks, check_request, check_result, repair};

const CHECKS: Checks = Checks { revision: Revision::LATEST, tools: true, context: true, lenient: false };

fn main() {
    println!("| request | bytes | scan, µs | check, µs |");
    println!("|---|---|---|---|");
    line("60 KB, 200 messages", &talk(200, 250));
    line("5 MB, one text", &talk(1, 5_000_000));
    line("5 MB, one image", &image(5_000_000));
    println!("\n| hostile | items | check, ns an item |");
    println!("|---|---|---|");
    for count in [1_000, 10_000, 100_000] {
        per_item("pairs in any order", count, &pairs(count));
        per_item("one id for all", count, &uses(count));
        per_item("broken blocks", count, &wrapped(&vec!["{}"; count].join(",")));
        per_item("tools of one name", count, &tools(count));
        per_item("members of a block", count, &wrapped(&format!("{{{}}}", vec!["\"\\u0061\":0"; count].join(","))));
    }
}

fn line(name: &str, text: &str) {
    let scan = fastest(|| drop(black_box(Document::from_text(text.to_owned()))));
    let document = Document::from_text(text.to_owned()).unwrap();
    assert!(check_request(document.root(), &CHECKS).is_ok());
    let check = fastest(|| drop(black_box(check_request(document.root(), &CHECKS))));
    println!("| {name} | {} | {:.1} | {:.1} |", text.len(), micros(scan), micros(check));
}

fn per_item(name: &str, count: usize, text: &str) {
    let document = Document::from_text(text.to_owned()).unwrap();
    let time = fastest(|| {
        black_box(check_request(document.root(), &CHECKS));
        black_box(check_result(document.root(), document.root(), &CHECKS));
        black_box(repair(document.root()));
    });
    println!("| {name} | {count} | {:.0} |", micros(time) * 1000.0 / count as f64);
}

fn fastest(mut work: impl FnMut()) -> Duration {
    let begin = Instant::now();
    let mut best = Duration::MAX;
    while begin.elapsed() < Duration::from_millis(300) {
        let start = Instant::now();
        work();
        best = best.min(start.elapsed());
    }
    best
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn params(messages: &str) -> String {
    format!("{{\"maxTokens\":1,\"messages\":[{messages}]}}")
}

/// Turns of text, each of so many bytes.
fn talk(count: usize, size: usize) -> String {
    let text = "All work and no play. ".repeat(size / 22 + 1);
    let message = |index| {
        let role = if index % 2 == 0 { "user" } else { "assistant" };
        format!("{{\"role\":\"{role}\",\"content\":{{\"type\":\"text\",\"text\":\"{}\"}}}}", &text[..size])
    };
    params(&(0..count).map(message).collect::<Vec<_>>().join(","))
}

fn image(size: usize) -> String {
    wrapped(&format!("{{\"type\":\"image\",\"data\":\"{}\",\"mimeType\":\"image/png\"}}", "aB+9".repeat(size / 4)))
}

fn wrapped(blocks: &str) -> String {
    params(&format!("{{\"role\":\"user\",\"content\":[{blocks}]}}"))
}

fn tool_use(id: usize) -> String {
    format!("{{\"type\":\"tool_use\",\"id\":\"{id}\",\"name\":\"t\",\"input\":{{}}}}")
}

fn pairs(count: usize) -> String {
    let uses: Vec<_> = (0..count).map(tool_use).collect();
    let result =
        |index| format!("{{\"type\":\"tool_result\",\"toolUseId\":\"{}\",\"content\":[]}}", index * 7919 % count);
    let results: Vec<_> = (0..count).map(result).collect();
    let message = |role, blocks: &[String]| format!("{{\"role\":\"{role}\",\"content\":[{}]}}", blocks.join(","));
    params(&format!("{},{}", message("assistant", &uses), message("user", &results)))
}

fn uses(count: usize) -> String {
    let uses: Vec<_> = (0..count).map(|_| tool_use(1)).collect();
    params(&format!("{{\"role\":\"assistant\",\"content\":[{}]}}", uses.join(",")))
}

fn tools(count: usize) -> String {
    let tools = vec!["{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}}"; count].join(",");
    format!("{{\"maxTokens\":1,\"messages\":[],\"tools\":[{tools}]}}")
}
