// Nothing is left behind: listeners, memory of the engine, memory of the module, clients that nobody holds any more.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { asks, body, done, events, question, result, silence } from '../support/scripted.mjs';
import { install } from './support/install.mjs';
import { connected } from './support/installed.mjs';
import { GOOD, callTool } from './support/failing.mjs';
import { serve } from './support/serve.mjs';
import { withPage } from './support/chromium.mjs';

const FEW = 2000;
const MANY = 20_000;
const CLIENTS = 100;

copyFileSync(fileURLToPath(new URL('support/load.mjs', import.meta.url)), join(install(), 'load.mjs'));

describe('listeners', () => {
  const round = asks({ a: question(), b: question() }, 's');
  const outcomes = {
    'calls that are answered': [round, done()],
    'calls that are answered in events': [events(['data: {"jsonrpc":"2.0","id":$id,"result":{"content":[]}}\n\n'], { then: 'hang' })],
    'calls that the server refuses': [round, body('no', { status: 500, type: 'text/plain' })],
    'calls whose stream breaks': [events([': open\n\n'], { then: 'break' })],
    'lists of several pages': [
      result({ resultType: 'complete', tools: [], nextCursor: 'x' }),
      result({ resultType: 'complete', tools: [] }),
    ],
  };
  for (const [name, replies] of Object.entries(outcomes)) {
    test(`a thousand ${name} leave none on a long-lived signal`, async () => {
      const { signal, count } = counted();
      const before = count();
      const { client } = await connected(inTurn(replies), { handlers: GOOD });
      for (let made = 0; made < 1000; made++) {
        const call = name.startsWith('lists') ? client.listTools({}, { signal }) : callTool(client, { signal });
        await call.catch(() => {});
      }
      assert.equal(count(), before);
    });
  }

  test('a thousand calls in flight have one each, and none when the signal is aborted', async () => {
    const { signal, count, controller } = counted();
    const { client } = await connected(() => silence);
    const calls = Array.from({ length: 1000 }, () => callTool(client, { signal }).catch((error) => error));
    assert.equal(count(), 1000);
    controller.abort(new Error('all of them'));
    for (const error of await Promise.all(calls)) assert.equal(error, signal.reason);
    assert.equal(count(), 0);
  });

  test('handlers that fail and calls that close() ends leave none', async () => {
    const { signal, count } = counted();
    const { client } = await connected((leg) => (leg.message.id % 2 ? round : silence), {
      handlers: { 'sampling/createMessage': () => Promise.reject(new Error('no')) },
    });
    const calls = Array.from({ length: 100 }, () => callTool(client, { signal }).catch(() => {}));
    await client.close();
    await Promise.all(calls);
    assert.equal(count(), 0);
  });

  /** A signal that knows how many listeners it has. */
  function counted() {
    const controller = new AbortController();
    const { signal } = controller;
    const listeners = new Set();
    const { addEventListener, removeEventListener } = EventTarget.prototype;
    signal.addEventListener = (type, listener, options) => (
      listeners.add(listener),
      addEventListener.call(signal, type, listener, options)
    );
    signal.removeEventListener = (type, listener, options) => (
      listeners.delete(listener),
      removeEventListener.call(signal, type, listener, options)
    );
    return { controller, signal, count: () => listeners.size };
  }

  function inTurn(replies) {
    let next = 0;
    return () => replies[next++ % replies.length];
  }
});

/** Memory after few calls and after many; the same for clients. `measure` collects garbage first. */
async function lifetimes({ makeCalls, makeClients, clientsCollected, measure }) {
  await makeCalls(FEW);
  const few = await measure();
  await makeCalls(MANY - FEW);
  const many = await measure();
  const clients = [];
  for (let times = 0; times < 10; times++) {
    await makeClients(CLIENTS);
    clients.push(await measure());
  }
  return { few, many, someClients: clients[1], manyClients: clients[9], collected: await clientsCollected() };
}

function checkLifetimes({ few, many, someClients, manyClients, collected }) {
  const shown = JSON.stringify({ few, many, someClients, manyClients, collected });
  for (const kind of ['heap', 'wasm']) {
    assert.ok(many[kind] <= few[kind] * 1.1, `${kind} after ${MANY} calls is within a tenth of that after ${FEW}: ${shown}`);
    assert.ok(manyClients[kind] <= someClients[kind] * 1.1, `${kind} after five times the clients: ${shown}`);
  }
  // The engine may still hold the last one.
  assert.ok(collected >= 10 * CLIENTS - 5, `clients are collected: ${shown}`);
}

describe('memory', () => {
  test('in Node', { timeout: 180_000 }, async () => checkLifetimes(JSON.parse(await runNode(NODE))));

  test('in Chromium', { timeout: 180_000 }, async () => {
    const server = await serve();
    try {
      checkLifetimes(await withPage(server.origin, inPage));
    } finally {
      await server.close();
    }
  });

  test('of payloads that each are larger than the last', { timeout: 60_000 }, async () => {
    const bytes = Number(await runNode(GROWING));
    assert.ok(bytes < LARGEST * 8, `the module has ${bytes} bytes after payloads of up to ${LARGEST}`);
  });

  for (const type of ['application/json', 'text/event-stream']) {
    test(`of a request and its reply (${type}), which nobody holds while the handler is at work`, { timeout: 60_000 }, async () => {
      assert.equal(await runNode(WAITING.replace('TYPE', type)), '[]');
    });
  }

  test('a client that only its own call refers to lives until that is over', { timeout: 60_000 }, async () => {
    assert.equal(await runNode(FORGOTTEN), '["one","two"]');
  });

  test('a client that only an open stream refers to still hears', { timeout: 60_000 }, async () => {
    assert.equal(await runNode(LISTENING), 'heard');
  });
});

const COLLECT = `
  // What is collected is only told in a later task, and may let go of more.
  const collect = async () => {
    for (let times = 0; times < 5; times++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      gc();
    }
  };`;

const NODE = `
  import * as load from './load.mjs';
  ${COLLECT}
  const measure = async () => {
    await collect();
    return { heap: process.memoryUsage().heapUsed, wasm: load.wasmBytes() };
  };
  ${lifetimes.toString().replaceAll('FEW', FEW).replaceAll('MANY', MANY).replaceAll('CLIENTS', CLIENTS)}
  console.log(JSON.stringify(await lifetimes({ ...load, measure })));`;

const LARGEST = 5_000_000;

const GROWING = `
  import { wasmBytes } from './load.mjs';
  import { validateRequest } from 'mcp-sampling';
  const request = (size) => ({ messages: [{ role: 'user', content: { type: 'text', text: 'x'.repeat(size) } }], maxTokens: 1 });
  for (let size = 100_000; size <= ${LARGEST}; size += 100_000) validateRequest(request(size));
  console.log(wasmBytes());`;

const WAITING = `
  import { Client, StreamableHTTPClientTransport } from 'mcp-sampling';
  ${COLLECT}
  const params = { messages: [{ role: 'user', content: { type: 'text', text: '?' } }], maxTokens: 1 };
  const asks = { resultType: 'input_required', inputRequests: { q: { method: 'sampling/createMessage', params } } };
  const discovered = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: 0 };
  const seen = new Map();
  const see = (name, object) => seen.set(name, new WeakRef(object));
  const fetch = async (_url, { body }) => {
    const { id, method } = JSON.parse(body);
    const type = method === 'tools/call' ? 'TYPE' : 'application/json';
    const message = JSON.stringify({ jsonrpc: '2.0', id, result: method === 'tools/call' ? asks : discovered });
    const text = type === 'application/json' ? message : \`data: \${message}\\n\\n\`;
    const response = new Response(text, { headers: { 'content-type': type } });
    see('response', response);
    see('stream', response.body);
    return response;
  };
  const client = new Client({ name: 'c', version: '1' }, { capabilities: { sampling: {} } });
  await new Promise((resolve) => {
    client.setRequestHandler('sampling/createMessage', (request) => {
      see('request', request);
      see('params', request.params);
      resolve();
      return new Promise(() => {});
    });
    client.connect(new StreamableHTTPClientTransport('http://mock.invalid/', { fetch })).then(() => client.callTool({ name: 'x' }));
  });
  await collect();
  console.log(JSON.stringify([...seen.keys()].filter((name) => seen.get(name).deref())));
  process.exit();`;

const FORGOTTEN = `
  import { forgotten, release } from './load.mjs';
  ${COLLECT}
  const both = Promise.all([forgotten('one'), forgotten('two')]);
  for (let times = 0; times < 2; times++) {
    await collect();
    release();
  }
  console.log(JSON.stringify((await both).map((text) => text.replace('answer to ', ''))));`;

const LISTENING = `
  import { listening, release } from './load.mjs';
  ${COLLECT}
  const { heard } = await listening();
  await collect();
  release();
  console.log(await heard);
  process.exit();`;

function runNode(text) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', text], {
      cwd: install(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (data) => (out += data));
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(out.trim()) : reject(new Error(`node ended with ${code}`))));
  });
}

async function inPage(page) {
  const devtools = await page.context().newCDPSession(page);
  const load = await page.evaluateHandle(() => import('/load.mjs'));
  const measure = async () => {
    for (let times = 0; times < 5; times++) {
      await devtools.send('HeapProfiler.collectGarbage');
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 5)));
    }
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    return { heap: usedSize, wasm: await load.evaluate((module) => module.wasmBytes()) };
  };
  return lifetimes({
    makeCalls: (count) => load.evaluate((module, given) => module.makeCalls(given), count),
    makeClients: (count) => load.evaluate((module, given) => module.makeClients(given), count),
    clientsCollected: () => load.evaluate((module) => module.clientsCollected()),
    measure,
  });
}
