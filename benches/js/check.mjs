// What checking a sampling request costs, from its bytes, as they come from the network, to the findings, next to V8's `JSON.parse` of that text.

import assert from 'node:assert/strict';
import { validateRequest } from '../../pkg/dist/index.js';
import { SIZES } from './payloads.mjs';
import { compared } from './statistics.mjs';

const TARGETS = { '1 KB': undefined, '200 messages, 60 KB': 2, '5 MB text': 1, '5 MB image': 1 };

export function check({ budgetMs = 2000 } = {}) {
  return Object.entries(SIZES).map(([size, messages]) => measure(size, JSON.stringify({ messages: messages(), maxTokens: 100 }), budgetMs));
}

function measure(size, text, budgetMs) {
  assert.deepEqual(validateRequest(text), { errors: [], warnings: [] });
  const bytes = new TextEncoder().encode(text);
  const runs = { ours: () => validateRequest(bytes), peer: () => JSON.parse(text) };
  const batch = Math.max(1, Math.round(2000 / (text.length / 200)));
  const times = { ours: [], peer: [] };
  for (const end = performance.now() + budgetMs; performance.now() < end; ) {
    for (const [who, run] of Object.entries(runs)) times[who].push(perRun(run, batch));
  }
  return compared(`check of a sampling request against JSON.parse, ${size}`, times, { unit: 'µs', target: TARGETS[size] });
}

function perRun(run, batch) {
  const start = performance.now();
  for (let index = 0; index < batch; index++) run();
  return ((performance.now() - start) * 1000) / batch;
}
