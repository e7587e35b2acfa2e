// The clients as a build ships them: each in one file, minified by esbuild; the .wasm stays a file.

import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const PEER = '@modelcontextprotocol/client';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const inDist = (name) => here(`../../pkg/dist/${name}`);

export const dist = (name) => readFileSync(inDist(name));

/** What a bundler for each runtime is told, so that a package shows it the right files. */
const CONDITIONS = { browser: ['browser'], workerd: ['workerd', 'worker', 'browser'] };

/** cold-program.mjs with the client of each: `runtime` is where it will run. */
export async function programs(runtime) {
  const entry = runtime === 'workerd' ? 'workerd.js' : 'index.js';
  const [ours, peer] = await Promise.all([inDist(entry), PEER].map((client) => bundle({ entryPoints: [here('cold-program.mjs')], client, runtime })));
  return { ours, peer };
}

/** The same with ./slim, which fetches mcp_sampling.wasm from where the script is. */
export function slimProgram() {
  return bundle({ entryPoints: [here('cold-slim.mjs')], client: inDist('slim.js'), runtime: 'browser' });
}

/** Nothing but what a caller of tools imports. */
export function peerAlone() {
  const contents = "export { Client, StreamableHTTPClientTransport } from 'mcp-client';";
  return bundle({ stdin: { contents, resolveDir: here('.') }, client: PEER, runtime: 'browser' });
}

async function bundle({ client, runtime, ...input }) {
  const { outputFiles } = await build({
    ...input,
    alias: { 'mcp-client': client },
    conditions: CONDITIONS[runtime],
    external: ['*.wasm'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    charset: 'utf8',
    write: false,
    logLevel: 'error',
  });
  return Buffer.from(outputFiles[0].contents);
}
