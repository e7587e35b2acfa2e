// The sampling rules and the choice of a model, for hosts that use them without a client.

import { core } from './instance.js';
import { textOf } from './text.js';

export function validateRequest(params, options = {}) {
  return JSON.parse(core().validateRequest(jsonOf(params), options));
}

export function validateResult(result, params, options = {}) {
  return JSON.parse(core().validateResult(jsonOf(result), jsonOf(params), options));
}

const encoder = new TextEncoder();

/** A string is JSON text already, and bytes are its bytes: no request or result is either. */
function jsonOf(value) {
  if (value instanceof Uint8Array) return value;
  return encoder.encode(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'));
}

const ABILITIES = { tools: 1, image: 2, audio: 4 };

export function selectModel(preferences, catalogue, params) {
  const names = catalogue.map((entry) => String(entry.name));
  const scores = catalogue.flatMap((entry) => [entry.cost ?? 0, entry.speed ?? 0, entry.intelligence ?? 0]);
  const abilities = catalogue.map((entry) => (entry.abilities ?? []).reduce((bits, name) => bits | ABILITIES[name], 0));
  const choice = core().selectModel(
    preferences ? textOf(preferences, 'preferences') : 'null',
    params ? textOf(params, 'params') : 'null',
    names,
    Float64Array.from(scores),
    Uint8Array.from(abilities),
  );
  if (!choice) return undefined;
  const entry = catalogue[choice[0]];
  return { name: entry.name, reason: choice[1], entry };
}
