// Isolates of workerd, started anew by miniflare, that each make one call with a client.

import { Miniflare } from 'miniflare';
import { dist, programs } from './bundles.mjs';

const WORKER = "import { main } from './program.mjs'; export default { async fetch() { return new Response(await main()); } };";
const EMPTY = "export const main = async () => 'done';";

/** What is uploaded for each: the program and, for ours, the .wasm that it imports. */
export async function uploads() {
  const { ours, peer } = await programs('workerd');
  return { empty: [program(EMPTY)], ours: [program(ours), wasm(dist('mcp_sampling.wasm'))], peer: [program(peer)] };
}

const program = (contents) => ({ type: 'ESModule', path: 'program.mjs', contents: String(contents) });
const wasm = (contents) => ({ type: 'CompiledWasm', path: 'mcp_sampling.wasm', contents });

/** Isolates of one process share what they compile of the same bytes; so each has a section that says nothing but differs. */
function own(module, index) {
  return module.type === 'CompiledWasm' ? wasm(Buffer.concat([module.contents, Buffer.from([0, 2, 1, index])])) : module;
}

/** What one isolate takes is little next to the start of the process. */
const ISOLATES = 8;

/** Milliseconds from the start of workerd to the answer of the last of the workers, for one of them. */
export async function runOnce(upload) {
  const workers = Array.from({ length: ISOLATES }, (_, index) => workerOf(index, upload));
  const start = performance.now();
  const miniflare = new Miniflare({ workers, cf: false });
  try {
    for (const { name } of workers) {
      const worker = await miniflare.getWorker(name);
      const text = await (await worker.fetch('http://worker.invalid/')).text();
      if (text !== 'done') throw new Error(`the worker answered ${text}`);
    }
    return (performance.now() - start) / ISOLATES;
  } finally {
    await miniflare.dispose();
  }
}

function workerOf(index, upload) {
  const modules = [{ type: 'ESModule', path: 'worker.mjs', contents: WORKER }, ...upload.map((module) => own(module, index))];
  return { name: `worker-${index}`, modules, compatibilityDate: '2026-01-01' };
}
