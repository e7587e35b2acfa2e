//! The pure functions of the provider layer. Requests, bodies and replies cross as bytes, the small rest as text.

use std::cell::Cell;

use wasm_bindgen::prelude::*;

use super::given;
use crate::error::{Code, Error};
use crate::json::Document;
use crate::lines;
use crate::provider::{self, Accumulator, BuildOptions, Provider, warnings_to_json};

/// What JavaScript tells or asks, by the numbers that `src/js/providers/ask.js` has too.
mod what {
    pub(super) const BUILD: u32 = 0;
    pub(super) const PARSE: u32 = 1;
    pub(super) const OPEN: u32 = 2;
    pub(super) const PUSH: u32 = 3;
    pub(super) const IS_DONE: u32 = 4;
    pub(super) const FINISH: u32 = 5;
}

#[wasm_bindgen(module = "/src/js/providers/ask.js")]
extern "C" {
    /// The next of the texts that were asked for.
    fn tell(text: &str);

    /// The bytes that were asked for.
    fn give(bytes: &[u8]);

    /// There is no answer, but this error.
    fn fail(code: &str, message: &str, data: &str);
}

thread_local! {
    /// The streamed replies under way, by the numbers that JavaScript gave them.
    static STREAMS: Cell<Vec<(i32, Box<Accumulator>)>> = const { Cell::new(Vec::new()) };
}

/// The one way in, because each export costs some bytes. Answers a number, and texts and bytes by the functions above.
///
/// `BUILD` has the name of the provider and the options in lines, and the params as bytes; its texts are the path, the
/// warnings and the state as JSON, and names and values of headers in turn. `PARSE` has the state, a reply and its status; its text is
/// a `CreateMessageResult`. `number` is that of a streamed reply, which `OPEN` begins with the state. `PUSH` has bytes, and
/// its text is the list of what is new; `IS_DONE` answers 1 if the rest need not be read; `FINISH` ends it, and its text
/// is the result. With any other number nobody wants the rest.
#[wasm_bindgen]
pub fn consult(what: u32) -> u32 {
    let (number, text, bytes) = (given::number(0), given::text(), given::bytes());
    let outcome = match what {
        what::BUILD => return build(&text, bytes),
        what::PARSE => provider::parse(bytes, u16::try_from(given::number(1)).ok(), &text),
        what => {
            let mut streams = STREAMS.take();
            let outcome = stream(&mut streams, what, number, &text, &bytes);
            STREAMS.set(streams);
            outcome
        }
    };
    match outcome {
        Ok(text) => {
            tell(&text);
            u32::from(text.is_empty())
        }
        Err(error) => refuse(&error),
    }
}

#[inline(never)]
fn refuse(error: &Error) -> u32 {
    fail(error.code(), error.message(), error.data());
    0
}

fn build(text: &str, params: Vec<u8>) -> u32 {
    match built(text, params) {
        Ok(built) => {
            tell(&built.path);
            tell(&warnings_to_json(&built.warnings));
            tell(&built.state);
            for (name, value) in &built.headers {
                tell(name);
                tell(value);
            }
            give(&built.body);
            0
        }
        Err(error) => refuse(&error),
    }
}

fn built(text: &str, params: Vec<u8>) -> Result<provider::Built, Error> {
    let mut options = text;
    let name = lines::next(&mut options);
    let Some(provider) = Provider::from_name(name) else {
        return Err(Error::told(Code::InvalidArgument, "there is no provider of this name", &[]).with("provider", name));
    };
    let (Ok(params), Ok(options)) = (Document::parse(params), Document::from_text(options.to_owned())) else {
        return Err(Error::told(Code::InvalidArgument, "expected JSON text", &[]));
    };
    provider::build(provider, params.root(), &BuildOptions::from_json(options.root())?)
}

/// What is told of a streamed reply. Nothing stands for yes.
fn stream(
    streams: &mut Vec<(i32, Box<Accumulator>)>,
    what: u32,
    number: i32,
    state: &str,
    chunk: &[u8],
) -> Result<String, Error> {
    let at = streams.iter().position(|(it, _)| *it == number).unwrap_or(streams.len());
    match (what, streams.get_mut(at)) {
        (what::OPEN, _) => streams.push((number, Box::new(Accumulator::new(state)?))),
        (what::PUSH, Some((_, stream))) => return stream.push(chunk),
        (what::IS_DONE, Some((_, stream))) if stream.is_done() => {}
        (what::IS_DONE, Some(_)) => return Ok(String::from("no")),
        (what, Some(_)) => {
            let mut stream = streams.swap_remove(at).1;
            if what == what::FINISH {
                return stream.end();
            }
        }
        (what::PUSH | what::FINISH, None) => {
            return Err(Error::told(Code::InvalidArgument, "the stream was finished already", &[]));
        }
        (_, None) => {}
    }
    Ok(String::new())
}
