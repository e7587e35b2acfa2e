// The sampling rules and the choice of a model, for hosts that use them without a client.

import { CHECK_REQUEST, CHECK_RESULT, SELECT, ask, lines } from './enter.js';
import { ruleOptions, unknownRevision } from './options.js';
import { concat, encoder, textOf } from './text.js';

export function validateRequest(params, options) {
  return findings(CHECK_REQUEST, options, jsonOf(params));
}

export function validateResult(result, params, options) {
  const [first, second] = [result, params].map((value) => encoded(jsonOf(value)));
  return findings(CHECK_RESULT, options, concat([first, second]), first.length);
}

function findings(what, options, bytes, at) {
  const [revision, flags] = ruleOptions(options);
  const text = ask(what, 0, flags, revision, bytes, at);
  if (text === undefined) throw unknownRevision();
  return JSON.parse(text);
}

/** A string is JSON text already, and bytes are its bytes: no request or result is either. */
function jsonOf(value) {
  return value instanceof Uint8Array || typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
}

const encoded = (json) => (typeof json === 'string' ? encoder.encode(json) : json);

const ABILITIES = { tools: 1, image: 2, audio: 4 };

export function selectModel(preferences, catalogue, params) {
  const texts = [
    preferences ? textOf(preferences, 'preferences') : 'null',
    params ? textOf(params, 'params') : 'null',
    ...catalogue.flatMap(row),
    '',
  ];
  const choice = ask(SELECT, 0, 0, lines(...texts));
  if (choice === undefined) return undefined;
  const [index] = choice.split(' ', 1);
  const entry = catalogue[index];
  return { name: entry.name, reason: choice.slice(index.length + 1), entry };
}

/** Scores in thousandths, abilities as bits, and the name. */
function row({ name, cost, speed, intelligence, abilities = [] }) {
  const scores = [cost, speed, intelligence].map((score) => Math.trunc(Math.min(Math.max(score ?? 0, 0), 1) * 1000) || 0);
  return [...scores, abilities.reduce((sum, ability) => sum | ABILITIES[ability], 0), String(name)];
}
