// Cold start: from nothing to the first completed call, in processes, isolates and pages of their own.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programs } from './bundles.mjs';
import { inChromium } from './chromium.mjs';
import { compared, median } from './statistics.mjs';
import { runOnce, uploads } from './workerd.mjs';

const RUNS = 15;
const ABOUT = { unit: 'ms', target: 0.7 };

export async function cold() {
  return [await inNode(), ...(await inPages()), await inWorkerd()];
}

/** Values of each contestant; they take turns, and the first turn, which warms the machine up, does not count. */
async function taken(contestants, runs, once) {
  const times = Object.fromEntries(contestants.map((who) => [who, []]));
  for (let run = 0; run <= runs; run++) for (const who of contestants) times[who].push(await once(who));
  for (const values of Object.values(times)) values.shift();
  return times;
}

async function inNode() {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-sampling-cold-'));
  try {
    for (const [who, program] of Object.entries(await programs('browser'))) writeFileSync(join(folder, `${who}.mjs`), program);
    const times = await taken(['ours', 'peer'], RUNS, (who) => nodeOnce(join(folder, `${who}.mjs`)));
    return compared('cold start in Node: import to first completed call', times, ABOUT);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function nodeOnce(file) {
  const code = `const start = performance.now(); const { main } = await import(${JSON.stringify(file)}); console.log(await main(), performance.now() - start);`;
  const [text, time] = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).trim().split(' ');
  assert.equal(text, 'done');
  return Number(time);
}

async function inPages() {
  const times = await inChromium((visit) => taken(['ours', 'slim', 'peer'], RUNS, async (who) => (await visit(who)).ms));
  const row = (entry, ours) => compared(`cold start in Chromium, ${entry}: import to first completed call`, { ours, peer: times.peer }, ABOUT);
  return [row('default entry', times.ours), row('./slim', times.slim)];
}

/** Less what workerd takes with as many empty workers. */
async function inWorkerd() {
  const upload = await uploads();
  const times = await taken(Object.keys(upload), RUNS, (who) => runOnce(upload[who]));
  const base = median(times.empty);
  const beyond = (values) => values.map((time) => time - base);
  return compared('cold start in workerd: for one of eight isolates, beyond an empty one', { ours: beyond(times.ours), peer: beyond(times.peer) }, ABOUT);
}
