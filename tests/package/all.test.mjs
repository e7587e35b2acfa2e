// `mcp-sampling/all` is both entries in one module, in every runtime.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createDemoServer } from '../support/demo-server.mjs';
import { withPage } from './support/chromium.mjs';
import { install } from './support/install.mjs';
import { runInChromium, runInNode, runInWorkerd, runRequire } from './support/runtimes.mjs';
import { serve } from './support/serve.mjs';
import { vendorServer } from './support/vendor-server.mjs';
import { runWorker } from './support/workerd.mjs';

const program = fileURLToPath(new URL('all-program.mjs', import.meta.url));

let vendors;
let server;
before(async () => {
  const demo = createDemoServer();
  [vendors, server] = await Promise.all([vendorServer(), serve({ handler: (request) => demo.fetch(request) })]);
});
after(() => Promise.all([vendors.close(), server.close()]));

const RUNTIMES = {
  'Node, import': runInNode,
  'Node, require': runRequire,
  Chromium: (urls, options) => runInChromium(urls, { ...options, origin: server.origin }),
  workerd: runInWorkerd,
};

for (const [name, run] of Object.entries(RUNTIMES)) {
  test(`${name}: a client and a model do what they do apart`, async () => {
    const { exports, together, apart, refused } = await run(`${server.endpoint} ${vendors.origin}/anthropic/hello/${name.replace(/\W/g, '')}`, { program });
    assert.deepEqual(exports[0], exports[1]);
    assert.match(together.content[0].text, /Hello é😀\./);
    assert.deepEqual(together, apart);
    assert.deepEqual(refused, ['INVALID_SAMPLING_REQUEST', true, true]);
  });
}

test('workerd, slim entry with the module given', async () => {
  const worker = `import { Client, anthropic, init } from 'mcp-sampling/all/slim';
    import module from 'mcp-sampling/mcp_sampling_all.wasm';
    const made = () => [typeof new Client({ name: 'a', version: '1' }), anthropic({ model: 'm' }).name];
    export default { async fetch() { await init(module); return Response.json(made()); } };`;
  assert.deepEqual(await runWorker(worker, { from: install() }), ['object', 'm']);
});

test('Chromium, slim entry streams the module from a URL', async () => {
  const made = await withPage(server.origin, (page) => page.evaluate(useSlim));
  assert.match(made.before, /init\(\) from 'mcp-sampling\/all\/slim'/);
  assert.equal(made.after, 'object');
});

async function useSlim() {
  const { Client, init } = await import('/node_modules/mcp-sampling/dist/all.slim.js');
  const make = () => new Client({ name: 'a', version: '1' });
  const made = {};
  try {
    make();
  } catch (error) {
    made.before = error.message;
  }
  await init('/node_modules/mcp-sampling/dist/mcp_sampling_all.wasm');
  return { ...made, after: typeof make() };
}
