//! Choosing a model by a server's preferences. client/sampling, Model Preferences.

use super::{Block, CreateMessageRequestParams, ModelHint, ModelPreferences};
use crate::json::{JsonStr, Number, Value};

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
    let able: Vec<_> = catalogue.iter().enumerate().filter(|(_, entry)| entry.abilities.cover(needs)).collect();
    let preferences = preferences.map(ModelPreferences::new);
    let hinted = preferences.and_then(|preferences| first_match(preferences, &able));
    let weights = Weights::of(preferences);
    let (hint, candidates) = hinted.map_or((None, able), |(hint, matching)| (Some(hint), matching));
    // `max_by_key` would take the last of equals.
    let best = candidates.iter().rev().max_by_key(|(_, entry)| weights.score(entry))?;
    let reason = reason(hint, &weights, candidates.len());
    Some(Choice { index: best.0, name: best.1.name, reason })
}

type Candidates<'c, 'm> = Vec<(usize, &'c ModelEntry<'m>)>;

/// The first hint that fits any model, and those it fits.
fn first_match<'d, 'c, 'm>(
    preferences: ModelPreferences<'d>,
    able: &Candidates<'c, 'm>,
) -> Option<(JsonStr<'d>, Candidates<'c, 'm>)> {
    let names = preferences.hints()?.filter_map(ModelHint::name).filter(|name| !name.is_empty());
    names.into_iter().find_map(|name| {
        let part = name.meaning();
        let matching: Vec<_> = able.iter().copied().filter(|(_, entry)| contains(entry.name, &part)).collect();
        (!matching.is_empty()).then_some((name, matching))
    })
}

fn contains(name: &str, part: &[u8]) -> bool {
    !part.is_empty() && name.as_bytes().windows(part.len()).any(|window| window.eq_ignore_ascii_case(part))
}

impl Needs {
    fn cover(self, needs: Self) -> bool {
        (self.tools || !needs.tools) && (self.image || !needs.image) && (self.audio || !needs.audio)
    }
}

/// The three priorities in thousandths.
struct Weights {
    cost: u32,
    speed: u32,
    intelligence: u32,
}

impl Weights {
    fn of(preferences: Option<ModelPreferences<'_>>) -> Self {
        let weight = |number: fn(ModelPreferences<'_>) -> Option<Number<'_>>| {
            preferences.and_then(number).and_then(Number::as_unit_thousandths).unwrap_or(0)
        };
        Self {
            cost: weight(|preferences| preferences.cost_priority()),
            speed: weight(|preferences| preferences.speed_priority()),
            intelligence: weight(|preferences| preferences.intelligence_priority()),
        }
    }

    fn is_zero(&self) -> bool {
        self.cost == 0 && self.speed == 0 && self.intelligence == 0
    }

    fn score(&self, entry: &ModelEntry<'_>) -> u32 {
        let of = |weight: u32, score: u32| weight * score.min(1000);
        of(self.cost, 1000 - entry.cost.min(1000))
            + of(self.speed, entry.speed)
            + of(self.intelligence, entry.intelligence)
    }
}

fn reason(hint: Option<JsonStr<'_>>, weights: &Weights, candidates: usize) -> String {
    let mut out = match hint {
        Some(hint) => ["fits the hint ", &super::rules::shown(hint)].concat(),
        None => String::from("no hint fits a model"),
    };
    out.push_str(match (candidates, weights.is_zero()) {
        (1, _) if hint.is_some() => "",
        (1, _) => "; it is the only one with the needed abilities",
        (_, true) => "; it comes first in the catalogue",
        (_, false) => "; it has the best score by the priorities for cost, speed and intelligence",
    });
    out
}

/// What a request needs: tools if it offers or has used any, images and audio if any block of any message, or of a tool
/// result in it, is one.
pub fn needs_of(params: CreateMessageRequestParams<'_>) -> Needs {
    let mut needs = Needs { tools: params.tools().is_some_and(|mut tools| tools.next().is_some()), ..Needs::default() };
    for content in params.messages().into_iter().flatten().filter_map(|message| message.content()) {
        content.blocks().for_each(|block| needs.add(block));
    }
    needs
}

impl Needs {
    fn add(&mut self, block: Block<'_>) {
        match block {
            Block::Image(_) => self.image = true,
            Block::Audio(_) => self.audio = true,
            Block::ToolUse(_) => self.tools = true,
            Block::ToolResult(result) => {
                self.tools = true;
                result.content().into_iter().flatten().for_each(|block| self.add_media(block));
            }
            _ => {}
        }
    }

    /// Tool results hold no tool results, whatever a peer sends; so this goes no deeper.
    fn add_media(&mut self, block: Block<'_>) {
        self.image |= matches!(block, Block::Image(_));
        self.audio |= matches!(block, Block::Audio(_));
    }
}
