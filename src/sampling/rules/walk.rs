//! One walk for all objects: their members are there or not, and of the right type, and so is what is in them.

use super::base64::is_base64;
use super::demands::{Then, Want, When};
use super::report::{Report, WRONG, shown};
use super::shape::{Entry, Shape};
use super::shapes::{BLOCK, EMBEDDED, MEDIA, META, OUTPUT_BLOCK, RESOURCE, RESOURCE_LINK, TEXT, TOOL_RESULT, TOOL_USE};
use super::table::Rule;
use crate::json::{Kind, Path, Value};
use crate::lines;
use crate::revision::Revision;
use crate::sampling::BlockType;

impl Want {
    fn accepts(self, value: Value<'_>) -> bool {
        let (kind, words, found) = (self.kind(), self.words(), value.kind());
        match self {
            Self::Content => found == Kind::Object || found == kind,
            Self::Integer => value.integer_or(i64::MIN) != i64::MIN,
            Self::Unit => value.thousandths() != u32::MAX,
            Self::Texts => found == kind && value.items().all(|item| item.is(Kind::String)),
            _ if words.is_empty() => found == kind,
            _ => lines::place_in(words, value) != lines::NOWHERE,
        }
    }
}

impl Report<'_> {
    /// Checks an object, if it is one.
    pub(super) fn object(&mut self, rule: Rule, shape: Shape, value: Value<'_>, path: &Path<'_>) -> bool {
        let is_object = value.kind() == Kind::Object;
        if is_object {
            self.members(shape, value, path);
        } else {
            self.wrong(rule, path, rule.words(), value);
        }
        is_object
    }

    pub(super) fn members(&mut self, shape: Shape, object: Value<'_>, path: &Path<'_>) {
        let mut at = 0;
        while let Some(member) = shape.entry(at) {
            at = member.to;
            self.member(member, object, path);
        }
    }

    fn member(&mut self, member: Entry, object: Value<'_>, path: &Path<'_>) {
        let Entry { rule, want, when, then, .. } = member;
        if matches!(when, When::MayOnce | When::MustOnce) && !self.before(Revision::V2026_07_28) {
            return;
        }
        let value = object.at_bytes(member.bytes());
        let is_optional = matches!(when, When::May | When::MayOnce);
        if is_optional && value.is_missing() {
            return;
        }
        let name = member.name();
        if value.is_missing() {
            return self.broken(rule, path, "`%` is missing; it must be %.", &[name, want.phrase()]);
        }
        let path = path.key(name);
        if want.accepts(value) {
            return self.inside(then, value, &path);
        }
        let mut noun = value.kind().phrase();
        let mut article = "";
        if value.is(want.kind()) {
            // "must be a number from 0 to 1, but it is a number" would say nothing.
            lines::until(&mut noun, b' ');
            article = "another ";
        }
        let texts = [name, want.phrase(), article, noun];
        if want == Want::Content {
            return self.broken(rule, &path, WRONG, texts.get(1..).unwrap_or_default());
        }
        self.broken(rule, &path, "`%` must be %, but it is %%.", &texts);
    }

    /// Checks further what is as wanted.
    #[expect(clippy::explicit_counter_loop, reason = "an `enumerate` of items would be the only one in the module")]
    fn inside(&mut self, then: Then, value: Value<'_>, path: &Path<'_>) {
        match then {
            Then::Nothing => {}
            Then::Positive => self.positive(value, path),
            Then::Assistant => self.assistant(value, path),
            Then::Base64 => self.base64(value, path),
            Then::Audience => self.audience(value, path),
            Then::Resource => self.resource(value, path),
            Then::Messages => self.messages(value, path),
            _ if value.is(Kind::Object) => self.members(then.members(), value, path),
            _ => {
                let members = then.members();
                let rule = match then {
                    Then::Hints => Rule::ModelPreferences,
                    Then::Icons => Rule::Icons,
                    _ => Rule::ToolDefinition,
                };
                let mut index = 0;
                for item in value.items() {
                    let path = path.index(index);
                    index += 1;
                    if then == Then::OutputBlocks {
                        self.block(false, item, &path);
                    } else {
                        self.object(rule, members, item, &path);
                    }
                }
                if then == Then::Tools {
                    self.tool_names_unique(value, path);
                }
            }
        }
    }

    fn positive(&mut self, value: Value<'_>, path: &Path<'_>) {
        if value.integer_or(0) < 1 {
            self.remark(Rule::MaxTokensPositive, path);
        }
    }

    fn assistant(&mut self, value: Value<'_>, path: &Path<'_>) {
        if value.is_text("user") {
            self.remark(Rule::ResultRoleAssistant, path);
        }
    }

    fn base64(&mut self, value: Value<'_>, path: &Path<'_>) {
        if !value.as_str().is_some_and(|text| is_base64(&text.meaning())) {
            self.remark(Rule::Base64Data, path);
        }
    }

    fn audience(&mut self, value: Value<'_>, path: &Path<'_>) {
        if !value.items().all(|item| Want::Role.accepts(item)) {
            self.remark(Rule::Annotations, path);
        }
    }

    fn resource(&mut self, resource: Value<'_>, path: &Path<'_>) {
        self.members(RESOURCE, resource, path);
        // Either will do; a `text` that is a string decides, so that a stray `blob` is only an unknown member.
        if !resource.at("text").is(Kind::String) {
            let blob = resource.at("blob");
            if blob.is(Kind::String) {
                self.base64(blob, &path.key("blob"));
            } else {
                self.remark(Rule::EmbeddedResource, path);
            }
        }
        self.members(META, resource, path);
    }

    /// Checks a block of a message or result, or else of a tool result, and returns its type, if it may stand there.
    pub(super) fn block(&mut self, in_message: bool, block: Value<'_>, path: &Path<'_>) -> Option<BlockType> {
        let allowed = if in_message { BlockType::in_message } else { BlockType::in_tool_result };
        let Some(found) = BlockType::of(block).filter(|found| allowed(*found)) else {
            self.unknown_block(in_message, block, path);
            return None;
        };
        if found.is_tool_block() && self.before(Revision::V2025_11_25) {
            let revision = self.checks.revision.as_str();
            self.say(Rule::ToolBlockRevision, path, &[revision, found.as_str()]);
            return None;
        }
        let members = match found {
            BlockType::Text => TEXT,
            BlockType::Image | BlockType::Audio => MEDIA,
            BlockType::ToolUse => TOOL_USE,
            BlockType::ToolResult => TOOL_RESULT,
            BlockType::ResourceLink => RESOURCE_LINK,
            BlockType::Resource => EMBEDDED,
        };
        self.members(members, block, path);
        Some(found)
    }

    fn unknown_block(&mut self, in_message: bool, block: Value<'_>, path: &Path<'_>) {
        let (rule, shape, types) = match in_message {
            true => (Rule::BlockType, BLOCK, "text, image, audio, tool_use or tool_result"),
            false => (Rule::ToolResultBlock, OUTPUT_BLOCK, "text, image, audio, resource_link or resource"),
        };
        let is_object = self.object(rule, shape, block, path);
        if let Some(text) = block.at("type").as_str().filter(|_| is_object) {
            let sentence = "A block here has one of the types %, not %.";
            self.broken(rule, &path.key("type"), sentence, &[types, &shown(text)]);
        }
    }
}
