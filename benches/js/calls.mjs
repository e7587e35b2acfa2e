// CPU per two-leg call, side by side: batches of the three take turns, and the medians of the batches are compared.

import assert from 'node:assert/strict';
import { CONTESTANTS } from './contestants.mjs';
import { SIZES, mockFetch } from './payloads.mjs';
import { compared } from './statistics.mjs';

/** @param {{ budgetMs?: number }} options */
export async function calls({ budgetMs = 6000 } = {}) {
  const rows = [];
  const targets = { '1 KB': 0.4, '200 messages, 60 KB': 0.4, '5 MB text': 1.1, '5 MB image': 1.1 };
  for (const [size, messages] of Object.entries(SIZES)) {
    const taken = await compare(mockFetch(messages()), budgetMs);
    rows.push(compared(`CPU per two-leg call, ${size}`, taken, { unit: 'µs', target: targets[size] }));
  }
  return rows;
}

async function compare(fetch, budgetMs) {
  const runners = {};
  for (const [who, make] of Object.entries(CONTESTANTS)) runners[who] = { call: await make(fetch), times: [] };
  for (const runner of Object.values(runners)) await check(runner.call);
  const batch = await batchSize(runners.ours.call);
  const end = performance.now() + budgetMs;
  while (performance.now() < end || runners.ours.times.length < 5) {
    for (const runner of Object.values(runners)) runner.times.push(await cpuPerCall(runner.call, batch));
  }
  return Object.fromEntries(Object.entries(runners).map(([who, { times }]) => [who, times]));
}

async function check(call) {
  for (let index = 0; index < 3; index++) {
    const result = await call();
    assert.equal(result.content[0].text, 'done');
  }
}

/** Enough calls that one batch takes about 100 ms, so the clock's grain does not matter. */
async function batchSize(call) {
  const perCall = await cpuPerCall(call, 3);
  return Math.max(1, Math.min(500, Math.round(100_000 / perCall)));
}

async function cpuPerCall(call, count) {
  const before = process.cpuUsage();
  for (let index = 0; index < count; index++) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
