// What stays behind after 20,000 calls, beyond what was there after 2,000.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export function memory() {
  const { before, after } = JSON.parse(execFileSync(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url)], { encoding: 'utf8' }));
  return [{ name: 'heap after 20,000 calls against after 2,000', ours: after / 1e6, peer: before / 1e6, unit: 'MB', ratio: after / before, target: 1.1 }];
}

async function measure() {
  const { CONTESTANTS } = await import('./contestants.mjs');
  const { history, mockFetch } = await import('./payloads.mjs');
  const call = await CONTESTANTS.ours(mockFetch(history(1, 1000)));
  const heapAfter = async (count) => {
    for (let index = 0; index < count; index++) await call();
    for (let pass = 0; pass < 3; pass++) globalThis.gc();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    return heapUsed + external + arrayBuffers;
  };
  const before = await heapAfter(2_000);
  const after = await heapAfter(18_000);
  console.log(JSON.stringify({ before, after }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await measure();
