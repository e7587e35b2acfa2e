//! Choosing a model by a server's preferences. client/sampling, Model Preferences.

use super::{BlockType, Content, CreateMessageRequestParams};
use crate::json::{Kind, Value, concat};

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
    let mut picker = Picker { needs, catalogue, weights: [0; 3], count: 0, best: 0 };
    let mut hint = None;
    if let Some(preferences) = preferences {
        let weight = |name| weight(preferences.at(name));
        picker.weights = [weight("costPriority"), weight("speedPriority"), weight("intelligencePriority")];
        for wanted in preferences.at("hints").items() {
            let Some(name) = wanted.at("name").as_str() else { continue };
            if !name.is_empty() && picker.pick(&name.meaning()) {
                hint = Some(name);
                break;
            }
        }
    }
    if hint.is_none() && !picker.pick(b"") {
        return None;
    }
    let hinted = match hint {
        Some(name) => super::rules::shown(name),
        None => const { String::new() },
    };
    let beginning = if hint.is_none() { "no hint fits a model" } else { "fits the hint " };
    let end = match (picker.count, picker.weights) {
        (1, _) if hint.is_some() => "",
        (1, _) => "; it is the only one with the needed abilities",
        (_, [0, 0, 0]) => "; it comes first in the catalogue",
        _ => "; it has the best score by the priorities for cost, speed and intelligence",
    };
    let name = catalogue.get(picker.best)?.name;
    Some(Choice { index: picker.best, name, reason: concat(&[beginning, &hinted, end]) })
}

#[inline(never)]
fn weight(priority: Value<'_>) -> u32 {
    let weight = priority.thousandths();
    if weight == u32::MAX { 0 } else { weight }
}

struct Picker<'c, 'm> {
    needs: Needs,
    catalogue: &'c [ModelEntry<'m>],
    weights: [u32; 3],
    /// How many were picked from, and the place of the best.
    count: usize,
    best: usize,
}

impl Picker<'_, '_> {
    /// Picks the best of those whose name has this part, if there is one.
    #[inline(never)]
    fn pick(&mut self, part: &[u8]) -> bool {
        let mut highest = 0;
        for (index, entry) in self.catalogue.iter().enumerate() {
            if entry.abilities.cover(self.needs) && contains(entry.name, part) {
                let score = self.score(entry);
                self.count += 1;
                // The first of equals stays.
                if self.count == 1 || highest < score {
                    (highest, self.best) = (score, index);
                }
            }
        }
        self.count > 0
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
    let offers_tools = params.at("tools").items().any(|tool| tool.is(Kind::Object));
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
