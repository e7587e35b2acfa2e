// What is downloaded: the files as they ship, next to the official client's Client and Streamable HTTP transport, bundled
// and minified by esbuild; what a page really receives; and what is uploaded for a worker.

import { brotliCompressSync, gzipSync } from 'node:zlib';
import { dist, peerAlone } from './bundles.mjs';
import { inChromium } from './chromium.mjs';
import { uploads } from './workerd.mjs';

export async function download() {
  return [...(await asFiles()), ...(await inPages()), await toWorkers()];
}

async function asFiles() {
  const peer = brotli([await peerAlone()]);
  const row = (name, files, target) => compare(`download, ${name}`, brotli(files.map(dist)), peer, { unit: 'bytes brotli', target });
  return [
    row('default entry (module inlined)', ['index.js'], 0.8),
    row('./slim and its .wasm', ['slim.js', 'mcp_sampling.wasm'], 0.65),
    row('client with all providers, ./all (module inlined)', ['all.js'], 1.2),
    row('client with all providers, ./all/slim and its .wasm', ['all.slim.js', 'mcp_sampling_all.wasm']),
    row('default entry and ./providers, which can be loaded later', ['index.js', 'providers.js']),
  ];
}

/** A program with one call is part of both. */
async function inPages() {
  const bytes = await inChromium(async (visit) => ({ ours: await visit('ours'), slim: await visit('slim'), peer: await visit('peer') }));
  const row = (name, who, target) => compare(`download in Chromium, ${name}`, bytes[who].bytes, bytes.peer.bytes, { unit: 'bytes brotli', target });
  return [row('default entry', 'ours', 0.8), row('./slim and its .wasm', 'slim', 0.65)];
}

/** By gzip, as wrangler and the limits of Cloudflare count it. */
async function toWorkers() {
  const upload = await uploads();
  const size = (modules) => total(modules.map(({ contents }) => contents), (bytes) => gzipSync(bytes, { level: 9 }));
  return compare('upload to Workers, script and .wasm', size(upload.ours), size(upload.peer), { unit: 'bytes gzip', target: 0.65 });
}

const brotli = (files) => total(files, (bytes) => brotliCompressSync(bytes));

const total = (files, compress) => files.reduce((sum, bytes) => sum + compress(bytes).length, 0);

function compare(name, ours, peer, about) {
  return { name, ours, peer, ...about, ratio: ours / peer };
}
