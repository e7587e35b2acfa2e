// workerd, the runtime of Cloudflare Workers, through miniflare.

import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Miniflare } from 'miniflare';

/**
 * Runs one worker module and gives the JSON that its `fetch` answers.
 *
 * @param {string} text an ES module with a default export; it may import 'mcp-sampling'
 * @param {{ from: string, body?: unknown, compatibilityDate?: string }} options `from` is the folder its imports start
 *   at; `body` is sent to the worker as JSON
 */
export async function runWorker(text, { from, body = null, compatibilityDate = '2024-01-01' }) {
  const worker = new Miniflare({ modules: await modules(text, from), compatibilityDate, cf: false });
  try {
    const response = await worker.dispatchFetch('http://worker/', { method: 'POST', body: JSON.stringify(body) });
    const answer = await response.text();
    if (!response.ok) throw new Error(`the worker answered ${response.status}: ${answer}`);
    return JSON.parse(answer);
  } finally {
    await worker.dispose();
  }
}

// Bundled with the conditions that wrangler uses, so that the package's exports map is what chooses the entry.
export async function modules(text, from) {
  const wasm = new Map();
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir: from, sourcefile: 'worker.mjs' },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'error',
    plugins: [wasmFiles(wasm)],
  });
  const script = { type: 'ESModule', path: 'worker.mjs', contents: outputFiles[0].text };
  return [script, ...Array.from(wasm, ([path, contents]) => ({ type: 'CompiledWasm', path, contents }))];
}

function wasmFiles(found) {
  return {
    name: 'wasm-files',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /\.wasm$/ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
        if (pluginData === RESOLVED) return;
        const file = await resolve(path, { importer, kind, resolveDir, pluginData: RESOLVED });
        if (file.errors.length) return { errors: file.errors };
        const name = basename(file.path);
        found.set(name, await readFile(file.path));
        return { path: `./${name}`, external: true };
      });
    },
  };
}

// Marks our own question to esbuild, which would else come back to us.
const RESOLVED = Symbol('resolved');
