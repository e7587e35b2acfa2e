// What a page downloads: the default entry and ./slim, minified as they ship, next to the official client's Client and
// Streamable HTTP transport, bundled and minified by esbuild.

import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = new URL('../../', import.meta.url);
const dist = (name) => readFileSync(new URL(`pkg/dist/${name}`, root));

export async function download() {
  const peer = sizes([await peerBundle()]);
  const row = (name, files, target) => {
    const ours = sizes(files);
    return { name, ours: ours.brotli, peer: peer.brotli, unit: 'bytes brotli', ratio: ours.brotli / peer.brotli, target, detail: { ours, peer } };
  };
  return [
    row('download, default entry (module inlined)', [dist('index.js')], 0.8),
    row('download, ./slim and its .wasm', [dist('slim.js'), dist('mcp_sampling.wasm')], 0.65),
    row('download, default entry with all providers', [dist('index.js'), dist('providers.js')], 1.2),
  ];
}

function sizes(files) {
  const brotli = (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
  const sum = (size) => files.reduce((total, bytes) => total + size(bytes), 0);
  return { raw: sum((bytes) => bytes.length), gzip: sum((bytes) => gzipSync(bytes, { level: 9 }).length), brotli: sum(brotli) };
}

async function peerBundle() {
  const contents = "export { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';";
  const resolveDir = new URL('.', import.meta.url).pathname;
  const options = { bundle: true, minify: true, format: 'esm', platform: 'browser', write: false, logLevel: 'error' };
  const { outputFiles } = await build({ stdin: { contents, resolveDir }, ...options });
  return Buffer.from(outputFiles[0].contents);
}
