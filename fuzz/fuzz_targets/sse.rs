//! Any stream, cut anywhere, gives the events of the reference; a small buffer fails at the same byte however it is cut.

#![no_main]

#[path = "../reference.rs"]
mod reference;

use libfuzzer_sys::fuzz_target;
use mcp_sampling::sse::{Event, EventStream};

fuzz_target!(|input: (Vec<u8>, u8, &[u8])| {
    let (cuts, limit, stream) = input;
    assert_eq!(read(stream, &cuts, usize::MAX), (reference::events(stream), true));
    assert_eq!(read(stream, &cuts, limit.into()), read(stream, &[], limit.into()));
});

/// The events, and whether the stream fitted. Each cut is the length of a chunk; they repeat.
fn read(stream: &[u8], cuts: &[u8], limit: usize) -> (Vec<String>, bool) {
    let (mut parser, mut events, mut rest) = (EventStream::new(limit), Vec::new(), stream);
    for cut in cuts.iter().cycle().map(|cut| usize::from(*cut)) {
        if cuts.iter().all(|cut| *cut == 0) || rest.is_empty() {
            break;
        }
        let (chunk, after) = rest.split_at(cut.min(rest.len()));
        rest = after;
        let fits = parser.push(chunk).is_ok();
        events.extend(parser.by_ref().map(shown));
        if !fits {
            assert!(parser.push(b"\n\ndata: x\n\n").is_err() && parser.finish().is_none());
            return (events, false);
        }
    }
    let fits = parser.push(rest).is_ok();
    events.extend(std::iter::from_fn(|| parser.finish()).map(shown));
    (events, fits)
}

fn shown(event: Event) -> String {
    reference::shown(&event.data, event.event.as_deref(), event.id.as_deref(), event.retry_ms)
}
