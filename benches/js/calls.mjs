// CPU per two-leg call, side by side. Each contestant runs in processes of its own, which take turns, so that none pays for
// the garbage of another; the medians of their batches are compared.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SIZES, mockFetch } from './payloads.mjs';
import { compared } from './statistics.mjs';

const TURNS = 7;
const WARM_UP_MS = 600;
const MEASURED_MS = 600;
const TARGETS = { '1 KB': 0.4, '200 messages, 60 KB': 0.4, '5 MB text': 1.1, '5 MB image': 1.1 };

export function calls() {
  return Object.entries(TARGETS).map(([size, target]) => compared(`CPU per two-leg call, ${size}`, turns(size), { unit: 'µs', target }));
}

function turns(size) {
  const times = { ours: [], peer: [], floor: [] };
  for (let turn = 0; turn < TURNS; turn++) for (const who of Object.keys(times)) times[who].push(...inProcess(who, size));
  return times;
}

function inProcess(who, size) {
  return JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), who, size], { encoding: 'utf8' }));
}

async function measure(who, size) {
  const { CONTESTANTS } = await import('./contestants.mjs');
  const call = await CONTESTANTS[who](mockFetch(SIZES[size]()));
  assert.equal((await call()).content[0].text, 'done');
  await batches(call, 1, WARM_UP_MS);
  console.log(JSON.stringify(await batches(call, await batchSize(call), MEASURED_MS)));
}

async function batches(call, batch, budgetMs) {
  const times = [];
  for (const end = performance.now() + budgetMs; performance.now() < end || times.length < 5; ) times.push(await cpuPerCall(call, batch));
  return times;
}

/** Enough calls that one batch takes about 100 ms: then each has its part of the garbage to collect, and the median too. */
async function batchSize(call) {
  return Math.max(1, Math.round(100_000 / (await cpuPerCall(call, 20))));
}

async function cpuPerCall(call, count) {
  const before = process.cpuUsage();
  for (let index = 0; index < count; index++) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await measure(...process.argv.slice(2));
