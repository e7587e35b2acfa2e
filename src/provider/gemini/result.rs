//! Tool results (`FunctionResponse`).

use crate::error::Error;
use crate::json::{Path, Value};
use crate::sampling::{Block, ToolResultContent};

use super::super::Rules;
use super::super::results::{Media, Part, Takes, part, says};
use super::super::warnings::Fate;
use super::contents::{Call, Contents};
use super::{AUDIO_TYPES, IMAGE_TYPES};

/// What may stand inside a result.
const INSIDE: Takes =
    Takes { images: &["image/png", "image/jpeg", "image/webp"], audio: &[], documents: &["application/pdf"] };

/// What may stand beside results, for models that take nothing but data in them.
const BESIDE: Takes = Takes { images: IMAGE_TYPES, audio: AUDIO_TYPES, documents: &["application/pdf"] };

/// What the tool answered, piece by piece.
#[derive(Debug)]
enum Answer<'d> {
    Part(Part<'d>),
    /// The result as data.
    Data(Value<'d>),
}

impl<'d> Contents<'_, 'd> {
    /// Writes the result of a call, the `number`th of its turn.
    pub(super) fn result(
        &mut self,
        call: &Call<'d>,
        number: usize,
        result: ToolResultContent<'d>,
        path: &Path<'_>,
    ) -> Result<(), Error> {
        self.draft.report_block(result.value(), &["toolUseId", "content", "structuredContent", "isError"], path);
        let inside = self.draft.rules.allow(Rules::RESULT_PARTS);
        let mark = if inside { "(attached)" } else { "(shown after the results)" };
        let (mut said, mut media) = (Vec::new(), Vec::new());
        for answer in self.answers(result, if inside { INSIDE } else { BESIDE }, path)? {
            match answer {
                Answer::Part(Part::Image(bytes) | Part::Audio(bytes) | Part::Document(bytes)) => {
                    said.push(Answer::Part(Part::Text(vec![mark.into()])));
                    media.push(bytes);
                }
                text => said.push(text),
            }
        }
        if !inside && !media.is_empty() {
            self.put_aside(std::mem::take(&mut media), call, number, path);
        }
        self.draft.json.open('{');
        self.draft.json.key("functionResponse").open('{');
        if let Some(wire) = &call.wire {
            self.draft.json.key("id").text(wire);
        }
        self.draft.json.key("name").text(&call.name);
        self.draft.json.key("response").open('{');
        self.draft.json.key(if result.is_error() == Some(true) { "error" } else { "output" });
        self.said(&said);
        self.draft.json.close('}');
        self.parts(&media);
        self.draft.json.close('}');
        self.draft.json.close('}');
        Ok(())
    }

    /// The content, where data stands in the place of a text that says the same.
    fn answers(
        &mut self,
        result: ToolResultContent<'d>,
        takes: Takes,
        path: &Path<'_>,
    ) -> Result<Vec<Answer<'d>>, Error> {
        let (mut out, mut data, content) = (Vec::new(), result.structured_content(), path.key("content"));
        for (index, block) in result.content().into_iter().flatten().enumerate() {
            let path = content.index(index);
            match (data, block) {
                (Some(value), Block::Text(text)) if says(block, value.raw()) => {
                    self.draft.report_block(text.value(), &["text"], &path);
                    out.push(Answer::Data(value));
                    data = None;
                }
                _ => {
                    let mut parts = Vec::new();
                    part(self.draft, block, takes, &path, &mut parts)?;
                    out.extend(parts.into_iter().map(Answer::Part));
                }
            }
        }
        out.extend(data.map(Answer::Data));
        Ok(out)
    }

    /// Lets bytes follow the results.
    fn put_aside(&mut self, media: Vec<Media<'d>>, call: &Call<'d>, number: usize, path: &Path<'_>) {
        let message = "the model takes only data in results; the rest follows them";
        self.draft.warn(&path.key("content"), Fate::Moved, message);
        let label = ["From result ", &(number + 1).to_string(), " (", &call.name, "):"].concat();
        self.aside.push(Part::Text(vec![label.into()]));
        // Which of the three it is does not matter any more.
        self.aside.extend(media.into_iter().map(Part::Image));
    }

    /// One piece as such, several as a list.
    fn said(&mut self, answers: &[Answer<'d>]) {
        match answers {
            [] => self.draft.json.text(""),
            [answer] => self.answer(answer),
            _ => {
                self.draft.json.open('[');
                answers.iter().for_each(|answer| self.answer(answer));
                self.draft.json.close(']');
            }
        }
    }

    /// The API takes a member `$ref` of data for the name of an attachment; such data goes as a text.
    fn answer(&mut self, answer: &Answer<'d>) {
        match answer {
            Answer::Data(value) if has_reference(value.raw()) => self.draft.json.quoted(*value),
            Answer::Data(value) => self.draft.json.value(*value),
            Answer::Part(Part::Text(pieces)) => {
                let pieces: Vec<_> = pieces.iter().map(|piece| &**piece).collect();
                self.draft.json.joined(&pieces);
            }
            Answer::Part(_) => {}
        }
    }

    fn parts(&mut self, media: &[Media<'d>]) {
        if media.is_empty() {
            return;
        }
        self.draft.json.key("parts").open('[');
        for media in media {
            self.draft.json.open('{');
            self.inline_data(media);
            self.draft.json.close('}');
        }
        self.draft.json.close(']');
    }
}

/// True if the JSON text may have such a member. One whose dollar sign is escaped counts too.
fn has_reference(json: &str) -> bool {
    json.contains("$ref") || json.contains("\\u0024")
}
