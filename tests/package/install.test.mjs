// The installed package loads in every runtime, and `new Client()` works at once.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { withPage } from './support/chromium.mjs';
import { install } from './support/install.mjs';
import { runInChromium, runInNode, runInWorkerd, runRequire } from './support/runtimes.mjs';
import { serve } from './support/serve.mjs';
import { runWorker } from './support/workerd.mjs';

const program = fileURLToPath(new URL('support/imports.mjs', import.meta.url));
const slim = `import { Client, init } from 'mcp-sampling/slim';
import module from 'mcp-sampling/mcp_sampling.wasm';
export default { async fetch() { await init(module); return Response.json(typeof new Client({ name: 'a', version: '1' })); } };`;

let server;
let expected;
before(async () => {
  server = await serve();
  expected = { client: true, promise: false, exports: (await runInNode(server.endpoint, { program })).exports };
});
after(() => server.close());

test('Node, import', async () => {
  const result = await runInNode(server.endpoint, { program });
  assert.ok(result.exports.includes('Client'));
  assert.deepEqual(result, expected);
});

test('Node, require', async () => assert.deepEqual(await runRequire(server.endpoint, { program }), expected));

test('Chromium, a plain module script', async () => assert.deepEqual(await runInChromium(server.endpoint, { program }), expected));

test('workerd', async () => assert.deepEqual(await runInWorkerd(server.endpoint, { program }), expected));

test('workerd, slim entry with the module given', async () => {
  assert.equal(await runWorker(slim, { from: install() }), 'object');
});

test('Chromium, slim entry streams the module from a URL', async () => {
  const made = await withPage(server.origin, (page) => page.evaluate(useSlim));
  assert.deepEqual(made, { before: true, after: 'object' });
});

async function useSlim() {
  const { Client, init } = await import('/node_modules/mcp-sampling/dist/slim.js');
  const make = () => new Client({ name: 'a', version: '1' });
  let early = '';
  try {
    make();
  } catch (error) {
    early = error.message;
  }
  await init('/node_modules/mcp-sampling/dist/mcp_sampling.wasm');
  return { before: early.includes('init()'), after: typeof make() };
}

test('a page whose policy forbids WebAssembly is told what to change', async () => {
  const strict = await serve({ pageHeaders: { 'content-security-policy': "script-src 'self' 'unsafe-inline'" } });
  const message = await withPage(strict.origin, (page) => page.evaluate(clientError)).finally(strict.close);
  assert.match(message, /'wasm-unsafe-eval'/);
});

async function clientError() {
  const { Client } = await import('/node_modules/mcp-sampling/dist/index.js');
  try {
    new Client({ name: 'a', version: '1' });
    return 'no error';
  } catch (error) {
    return error.message;
  }
}

test('a page that is not in UTF-8 is told what to change', async () => {
  const script = readFileSync(join(install(), 'node_modules/mcp-sampling/dist/index.cjs'), 'latin1');
  const module = { exports: {} };
  new Function('module', 'exports', script)(module, module.exports);
  assert.throws(() => new module.exports.Client({ name: 'a', version: '1' }), /<meta charset="utf-8">/);
});
