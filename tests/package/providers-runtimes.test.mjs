// The same program in every runtime: the same results, and the same bodies at the vendors. In a page, with what CORS
// lets through.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runInChromium, runInNode, runInWorkerd, runRequire } from './support/runtimes.mjs';
import { install } from './support/install.mjs';
import { serve } from './support/serve.mjs';
import { vendorServer } from './support/vendor-server.mjs';
import { runWorker } from './support/workerd.mjs';
import { withPage } from './support/chromium.mjs';

const program = fileURLToPath(new URL('providers-program.mjs', import.meta.url));

const RUNTIMES = [
  ['Node, import', runInNode],
  ['Node, require', runRequire],
  ['Chromium', (url) => runInChromium(url, { program, origin: pages.origin, expected: /status of 401/ })],
  ['workerd', runInWorkerd],
];

let vendors;
let pages;
let first;

before(async () => ([vendors, pages] = await Promise.all([vendorServer(), serve()])));
after(() => Promise.all([vendors.close(), pages.close()]));

for (const [name, run] of RUNTIMES) {
  describe(name, () => {
    let results;
    let bodies;
    before(async () => {
      vendors.log.length = 0;
      results = await run(`${vendors.origin}/#${name.replace(/\W/g, '')}`, { program });
      bodies = vendors.log.map(({ vendor, script, body }) => [vendor, script, body]);
      first ??= { results, bodies };
    });

    test('every provider answers', () => {
      for (const result of Object.values(results.results)) {
        assert.deepEqual(result.hello.content, { type: 'text', text: 'Hello é😀.' });
        assert.deepEqual(result.whole, result.hello);
        assert.deepEqual(result.tools.content.filter(({ type }) => type === 'tool_use').map(({ name }) => name), ['fs.read', 'add']);
        assert.deepEqual([result.refused.code, result.refused.data.status], ['PROVIDER_ERROR', 401]);
        assert.deepEqual([result.broken.code, result.broken.data.retryable], ['PROVIDER_ERROR', true]);
        assert.equal(result.aborted.name, 'AbortError');
        assert.ok(result.deltas.length > 10 && result.usages.length === 3 && result.warnings.length > 0);
      }
    });
    test('results and bodies are the same as in the first runtime', () => {
      assert.deepEqual(results, first.results);
      assert.deepEqual(bodies, first.bodies);
    });
  });
}

test('workerd, slim entry with the module given', async () => {
  const worker = `import { anthropic, init } from 'mcp-sampling/providers/slim';
    import module from 'mcp-sampling/mcp_sampling_providers.wasm';
    export default { async fetch() { await init(module); return Response.json(anthropic({ model: 'm' }).name); } };`;
  assert.equal(await runWorker(worker, { from: install() }), 'm');
});

test('Chromium, slim entry streams the module from a URL', async () => {
  const made = await withPage(pages.origin, (page) => page.evaluate(useSlim));
  assert.match(made.before, /init\(\) from 'mcp-sampling\/providers\/slim'/);
  assert.equal(made.after, 'm');
});

async function useSlim() {
  const { anthropic, init } = await import('/node_modules/mcp-sampling/dist/providers.slim.js');
  const made = {};
  try {
    anthropic({ model: 'm' });
  } catch (error) {
    made.before = error.message;
  }
  await init('/node_modules/mcp-sampling/dist/mcp_sampling_providers.wasm');
  return { ...made, after: anthropic({ model: 'm' }).name };
}

test('a worker of a page counts as one', async () => {
  const url = `${vendors.origin}/anthropic/hello/worker`;
  const text = await withPage(pages.origin, (page) => page.evaluate(inWorker, [new URL('/node_modules/mcp-sampling/dist/providers.js', pages.origin).href, url]));
  assert.equal(text, 'Hello é😀.');
});

async function inWorker([entry, baseURL]) {
  const code = `import { anthropic } from ${JSON.stringify(entry)};
    const model = anthropic({ model: 'claude-opus-5-5', apiKey: 'test-key-0123456789', baseURL: ${JSON.stringify(baseURL)} });
    const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 9 };
    model({ params }).then((result) => postMessage(result.content.text), (error) => postMessage(error.message));`;
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), { type: 'module' });
  return new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => resolve(`error: ${event.message}`);
  });
}

test('both modules in one page, with errors that know each other', async () => {
  const found = await withPage(pages.origin, (page) => page.evaluate(useBoth));
  assert.deepEqual(found, ['PROVIDER_ERROR', true, false]);
});

async function useBoth() {
  const { SdkError, ProtocolError } = await import('/node_modules/mcp-sampling/dist/index.js');
  const { anthropic } = await import('/node_modules/mcp-sampling/dist/providers.js');
  const audio = { type: 'audio', mimeType: 'audio/wav', data: 'UklGRgAA' };
  try {
    anthropic.build({ messages: [{ role: 'user', content: audio }], maxTokens: 1 }, { model: 'm' });
    return [];
  } catch (error) {
    return [error.code, error instanceof SdkError, error instanceof ProtocolError];
  }
}
