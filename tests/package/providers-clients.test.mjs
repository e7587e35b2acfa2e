// A model as the handler of this package's client and of the official one, inside calls to the official server.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as official from '@modelcontextprotocol/client';
import { createDemoServer } from '../support/demo-server.mjs';
import { INFO, pkg, rejection } from './support/installed.mjs';
import { modelOf } from './support/providers.mjs';
import { serve } from './support/serve.mjs';
import { vendorServer } from './support/vendor-server.mjs';
import { VENDORS } from './support/vendors/index.mjs';

let vendors;
let mcp;

before(async () => {
  const demo = createDemoServer();
  vendors = await vendorServer();
  mcp = await serve({ handler: (request) => demo.fetch(request) });
});
after(() => Promise.all([vendors.close(), mcp.close()]));

const CLIENTS = {
  'this package': async (handler) => {
    const client = new pkg.Client(INFO);
    client.setRequestHandler('sampling/createMessage', handler);
    await client.connect(mcp.endpoint);
    return client;
  },
  'the official package': async (handler) => {
    const client = new official.Client(INFO, { capabilities: { sampling: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } } });
    client.setRequestHandler('sampling/createMessage', handler);
    await client.connect(new official.StreamableHTTPClientTransport(new URL(mcp.endpoint)));
    return client;
  },
};

const SUMMARIZE = { name: 'summarize', arguments: { text: 'One. Two.', sentences: 1 } };

for (const [who, connect] of Object.entries(CLIENTS)) {
  describe(`the client of ${who}`, () => {
    for (const name of Object.keys(VENDORS)) {
      test(`${name} answers in the middle of a call`, async () => {
        const contexts = [];
        const client = await connect(modelOf(vendors, name, 'hello', { onUsage: (_, ctx) => contexts.push(ctx) }));
        const result = await client.callTool(SUMMARIZE);
        assert.equal(result.content[0].text, 'Hello é😀.');
        assert.equal(result.structuredContent.stopReason, 'endTurn');
        assert.equal(contexts.length, 1);
        assert.equal(contexts[0].mcpReq.method, 'sampling/createMessage');
        await client.close();
      });
    }

    test('an abort of the call reaches the vendor', async () => {
      const controller = new AbortController();
      const client = await connect(modelOf(vendors, 'anthropic', 'endless', { onDelta: () => controller.abort(new Error('enough')) }));
      const error = await rejection(client.callTool(SUMMARIZE, { signal: controller.signal }));
      assert.match(String(error.message), /enough/);
      await vendors.log.at(-1).gone;
      await client.close();
    });

    test('a failure of the vendor fails the call, and says why', async () => {
      const client = await connect(modelOf(vendors, 'openai', 'overloaded'));
      const error = await rejection(client.callTool(SUMMARIZE));
      const chain = [];
      for (let at = error; at; at = at.cause) chain.push(at.code, at.message);
      assert.ok(chain.includes('PROVIDER_ERROR') || /rate_limit_error/.test(chain.join()), chain.join());
      await client.close();
      await sleep(0);
    });
  });
}
