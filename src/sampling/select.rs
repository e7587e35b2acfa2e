//! Choosing a model by a server's preferences. client/sampling, Model Preferences.

use super::{BlockType, Content, CreateMessageRequestParams};
use crate::json::{Kind, Number, Value};

/// What a request needs a model to understand, or what a model does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Calling tools.
    pub tools: bool,
    /// Looking at images.
    pub image: bool,
    /// Listening.
    pub audio: bool,
}

/// A model that the host has, as `select_model` sees it. The three scores are in thousandths, from 0 to 1000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelEntry<'m> {
    /// Its name; hints are looked for in it.
    pub name: &'m str,
    /// How dear it is: 0 is free, 1000 the dearest.
    pub cost: u32,
    /// How fast it is: 1000 is the fastest.
    pub speed: u32,
    /// How intelligent it is: 1000 is the most.
    pub intelligence: u32,
    /// What it does.
    pub abilities: Needs,
}

/// The model that was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<'m> {
    /// Its place in the catalogue.
    pub index: usize,
    /// Its name.
    pub name: &'m str,
    /// Why this one, as a sentence for people.
    pub reason: String,
}

/// Chooses the model that suits the preferences best; `None` if none has the abilities.
///
/// Models without a needed ability are out. Then the hints are tried in order: the first that is a part of any name,
/// whatever the case of its ASCII letters, decides. If it fits several models, or if no hint fits any, the weighted
/// priorities decide: `costPriority` × cheapness + `speedPriority` × speed + `intelligencePriority` × intelligence. The
/// first in the catalogue wins a draw, so the same input gives the same choice everywhere.
pub fn select_model<'m>(
    preferences: Option<Value<'_>>,
    needs: Needs,
    catalogue: &[ModelEntry<'m>],
) -> Option<Choice<'m>> {
    let weight = |name| {
        let number = preferences.and_then(|preferences| preferences.at(name).as_number());
        number.and_then(Number::as_unit_thousandths).unwrap_or(0)
    };
    let weights = [weight("costPriority"), weight("speedPriority"), weight("intelligencePriority")];
    let picker = Picker { needs, catalogue, weights };
    let hints = preferences.and_then(|preferences| preferences.get("hints"));
    for hint in hints.into_iter().flat_map(Value::items) {
        let Some(name) = hint.at("name").as_str().filter(|name| !name.is_empty()) else { continue };
        let fits = ["fits the hint ", &super::rules::shown(name)].concat();
        if let Some(choice) = picker.pick(&name.meaning(), fits, "") {
            return Some(choice);
        }
    }
    picker.pick(b"", String::from("no hint fits a model"), "; it is the only one with the needed abilities")
}

struct Picker<'c, 'm> {
    needs: Needs,
    catalogue: &'c [ModelEntry<'m>],
    weights: [u32; 3],
}

impl<'m> Picker<'_, 'm> {
    /// The best of those whose name has this part. The reason goes on with `alone` if there is only one.
    fn pick(&self, part: &[u8], mut reason: String, alone: &str) -> Option<Choice<'m>> {
        let mut best: Option<(u32, usize, &'m str)> = None;
        let mut count = 0;
        for (index, entry) in self.catalogue.iter().enumerate() {
            if entry.abilities.cover(self.needs) && contains(entry.name, part) {
                count += 1;
                let score = self.score(entry);
                // The first of equals stays.
                if best.is_none_or(|best| best.0 < score) {
                    best = Some((score, index, entry.name));
                }
            }
        }
        let (_, index, name) = best?;
        reason.push_str(match (count, self.weights) {
            (1, _) => alone,
            (_, [0, 0, 0]) => "; it comes first in the catalogue",
            _ => "; it has the best score by the priorities for cost, speed and intelligence",
        });
        Some(Choice { index, name, reason })
    }

    fn score(&self, entry: &ModelEntry<'_>) -> u32 {
        let [cost, speed, intelligence] = self.weights;
        cost * (1000 - entry.cost.min(1000))
            + speed * entry.speed.min(1000)
            + intelligence * entry.intelligence.min(1000)
    }
}

fn contains(name: &str, part: &[u8]) -> bool {
    part.is_empty() || name.as_bytes().windows(part.len()).any(|window| window.eq_ignore_ascii_case(part))
}

impl Needs {
    fn cover(self, needs: Self) -> bool {
        (self.tools || !needs.tools) && (self.image || !needs.image) && (self.audio || !needs.audio)
    }

    fn add(&mut self, block: Value<'_>) {
        match BlockType::of(block) {
            Some(BlockType::Image) => self.image = true,
            Some(BlockType::Audio) => self.audio = true,
            Some(BlockType::ToolUse | BlockType::ToolResult) => self.tools = true,
            _ => {}
        }
    }
}

/// What a request needs: tools if it offers or has used any, images and audio if any block of any message, or of a tool
/// result in it, is one.
pub fn needs_of(params: CreateMessageRequestParams<'_>) -> Needs {
    let params = params.value();
    let offers_tools = params.at("tools").items().any(|tool| tool.kind() == Kind::Object);
    let mut needs = Needs { tools: offers_tools, ..Needs::default() };
    for message in params.at("messages").items() {
        let mut blocks = Content::new(message.at("content")).blocks();
        while let Some(block) = blocks.next_value() {
            needs.add(block);
            if BlockType::of(block) == Some(BlockType::ToolResult) {
                block.at("content").items().for_each(|block| needs.add(block));
            }
        }
    }
    needs
}
