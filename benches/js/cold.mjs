// Cold start: from nothing to the first completed call, in processes and isolates of their own.

import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './statistics.mjs';

const RUNS = 15;
const root = new URL('../../', import.meta.url);

export async function cold() {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-sampling-cold-'));
  try {
    const files = { ours: await bundled(folder, 'ours'), peer: await bundled(folder, 'peer') };
    return [inNode(files), await inWorkerd(folder, files)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Both in one file each, as a build would ship them. */
async function bundled(folder, who) {
  const module = who === 'ours' ? new URL('pkg/dist/index.js', root).pathname : '@modelcontextprotocol/client';
  const contents = readFileSync(new URL('cold-program.mjs', import.meta.url), 'utf8').replaceAll("'mcp-client'", JSON.stringify(module));
  const outfile = join(folder, `${who}.mjs`);
  const resolveDir = new URL('.', import.meta.url).pathname;
  await build({ stdin: { contents, resolveDir }, bundle: true, minify: true, format: 'esm', platform: 'neutral', mainFields: ['module', 'main'], conditions: ['browser', 'import'], outfile, charset: 'utf8', logLevel: 'error' });
  return outfile;
}

function inNode(files) {
  const times = { ours: [], peer: [] };
  for (let run = 0; run < RUNS; run++) for (const who of Object.keys(times)) times[who].push(nodeOnce(files[who]));
  return row('cold start in Node: import to first completed call', times);
}

function nodeOnce(file) {
  const code = `const start = performance.now(); const { main } = await import(${JSON.stringify(file)}); await main(); console.log(performance.now() - start);`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }));
}

/** Isolates are started anew by miniflare; what is timed is from its start to the first answer, less that of an empty worker. */
async function inWorkerd(folder, files) {
  const { Miniflare } = await import('miniflare');
  const empty = join(folder, 'empty.mjs');
  writeFileSync(empty, 'export const main = async () => "done";');
  const contents = { empty: readFileSync(empty, 'utf8'), ours: null, peer: readFileSync(files.peer, 'utf8') };
  const times = { empty: [], ours: [], peer: [] };
  for (let run = 0; run < 7; run++) for (const who of Object.keys(times)) times[who].push(await workerdOnce(Miniflare, who, contents[who]));
  const base = median(times.empty);
  return row('cold start in workerd: beyond an empty worker', { ours: times.ours.map((time) => time - base), peer: times.peer.map((time) => time - base) });
}

async function workerdOnce(Miniflare, who, contents) {
  const worker = "import { main } from './program.mjs'; export default { async fetch() { return new Response(await main()); } };";
  const modules = [{ type: 'ESModule', path: 'worker.mjs', contents: worker }, ...programOf(who, contents)];
  const start = performance.now();
  const miniflare = new Miniflare({ modules, compatibilityDate: '2026-01-01', cf: false });
  const response = await miniflare.dispatchFetch('http://worker.invalid/');
  const text = await response.text();
  const time = performance.now() - start;
  await miniflare.dispose();
  if (text !== 'done') throw new Error(`${who} answered ${text}`);
  return time;
}

function programOf(who, contents) {
  if (who !== 'ours') return [{ type: 'ESModule', path: 'program.mjs', contents }];
  const program = readFileSync(new URL('cold-program.mjs', import.meta.url), 'utf8').replaceAll("'mcp-client'", "'./workerd.js'");
  return [
    { type: 'ESModule', path: 'program.mjs', contents: program },
    { type: 'ESModule', path: 'workerd.js', contents: readFileSync(new URL('pkg/dist/workerd.js', root), 'utf8') },
    { type: 'CompiledWasm', path: 'mcp_sampling.wasm', contents: readFileSync(new URL('pkg/dist/mcp_sampling.wasm', root)) },
  ];
}

function row(name, times) {
  const [ours, peer] = [median(times.ours), median(times.peer)];
  return { name, ours, peer, unit: 'ms', ratio: ours / peer, target: 0.7 };
}
