// An isolate of workerd, started anew by miniflare, that makes one call with a client.

import { Miniflare } from 'miniflare';
import { dist, programs } from './bundles.mjs';

const WORKER = "import { main } from './program.mjs'; export default { async fetch() { return new Response(await main()); } };";
const EMPTY = "export const main = async () => 'done';";

/** What is uploaded for each: the program and, for ours, the .wasm that it imports. */
export async function uploads() {
  const { ours, peer } = await programs('workerd');
  return { empty: [program(EMPTY)], ours: [program(ours), wasm()], peer: [program(peer)] };
}

const program = (contents) => ({ type: 'ESModule', path: 'program.mjs', contents: String(contents) });
const wasm = () => ({ type: 'CompiledWasm', path: 'mcp_sampling.wasm', contents: dist('mcp_sampling.wasm') });

/** Milliseconds from the start of workerd to the answer of the worker. */
export async function runOnce(upload) {
  const modules = [{ type: 'ESModule', path: 'worker.mjs', contents: WORKER }, ...upload];
  const start = performance.now();
  const miniflare = new Miniflare({ modules, compatibilityDate: '2026-01-01', cf: false });
  try {
    const text = await (await miniflare.dispatchFetch('http://worker.invalid/')).text();
    if (text !== 'done') throw new Error(`the worker answered ${text}`);
    return performance.now() - start;
  } finally {
    await miniflare.dispose();
  }
}
