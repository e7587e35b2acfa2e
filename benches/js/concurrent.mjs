// A thousand calls at once, each asked for ten things: wall time and peak memory, each contestant in a process of its own.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compared } from './statistics.mjs';

const CALLS = 1000;
const REQUESTS = 10;
const RUNS = 7;

export function concurrent() {
  const runs = { ours: [], peer: [], floor: [] };
  for (let run = 0; run < RUNS; run++) for (const who of Object.keys(runs)) runs[who].push(inProcess(who));
  const row = (name, unit, pick) => compared(name, Object.fromEntries(Object.entries(runs).map(([who, each]) => [who, each.map(pick)])), { unit, target: 0.6 });
  return [
    row(`${CALLS} calls at once, ${REQUESTS} requests each: wall time`, 'ms', (run) => run.wallMs),
    row(`${CALLS} calls at once, ${REQUESTS} requests each: memory beyond idle`, 'MB', (run) => run.peakMb),
  ];
}

function inProcess(who) {
  const text = execFileSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), who], { encoding: 'utf8' });
  return JSON.parse(text);
}

async function measure(who) {
  const { CONTESTANTS } = await import('./contestants.mjs');
  const { history, mockFetch } = await import('./payloads.mjs');
  const call = await CONTESTANTS[who](mockFetch(history(1, 1000), { requests: REQUESTS }));
  await call();
  globalThis.gc();
  const idle = process.memoryUsage().rss;
  const start = performance.now();
  const results = await Promise.all(Array.from({ length: CALLS }, call));
  const wallMs = performance.now() - start;
  // By the system: a timer of ours would hardly get its turn while the calls run.
  const peak = process.resourceUsage().maxRSS * 1024;
  if (!results.every((result) => result.content[0].text === 'done')) throw new Error(`${who} did not finish every call`);
  console.log(JSON.stringify({ wallMs, peakMb: (peak - idle) / 1e6 }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await measure(process.argv[2]);
