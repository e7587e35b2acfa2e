/** Ways to a server that are no URL: objects with the official `Transport` shape, and functions from bytes to bytes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { StreamableHTTPClientTransport as OfficialTransport, SdkHttpError } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { buildServer, hanging, modern, sessions } from '../support/dual-server.mjs';
import { serve } from '../support/http.mjs';
import { settled } from './support/failing.mjs';
import { INFO, pkg, rejection } from './support/installed.mjs';
import { until } from './support/legacy-peer.mjs';

const { Client } = pkg;

const LEGACY = { versionNegotiation: { mode: 'legacy' } };
const SAMPLED = { role: 'assistant', model: 'm', stopReason: 'endTurn', content: { type: 'text', text: 'Short.' } };
const DISCOVERED = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
const INITIALIZED = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'old', version: '1' } };
const DONE = { resultType: 'complete', content: [] };

/**
 * A transport whose other end is `answer`: it is given each message, and what it returns comes back. `say` brings any
 * other message, `close` ends it from the other side.
 */
function channel(answer = () => {}, more = {}) {
  const transport = {
    sent: [],
    options: [],
    closed: 0,
    start: async () => {},
    async send(message, options) {
      transport.sent.push(message);
      transport.options.push(options);
      const reply = handshake(message) ?? (await answer(message));
      if (reply) queueMicrotask(() => transport.onmessage?.(reply));
    },
    async close() {
      transport.closed++;
      transport.onclose?.();
    },
    say: (message) => transport.onmessage?.({ jsonrpc: '2.0', ...message }),
    methods: () => transport.sent.map(({ method }) => method),
    ...more,
  };
  const handshake = ({ id, method }) => {
    const result = { 'server/discover': more.discovered ?? DISCOVERED, initialize: INITIALIZED }[method];
    return result && { jsonrpc: '2.0', id, result };
  };
  return transport;
}

async function connected(transport, options) {
  const client = new Client(INFO, options);
  await client.connect(transport);
  return client;
}

const finished = ({ id, method }) => (method === 'tools/call' ? { jsonrpc: '2.0', id, result: DONE } : undefined);

describe('a shared channel', () => {
  test('carries many calls at once, told apart by their ids', async () => {
    const waiting = [];
    const transport = channel((message) => void (message.method === 'tools/call' && waiting.push(message)));
    const client = await connected(transport);
    const calls = ['a', 'b', 'c'].map((name) => client.callTool({ name }));
    await until(() => waiting.length === 3);
    const said = (message) => transport.say({ id: message.id, result: { ...DONE, content: [{ type: 'text', text: message.params.name }] } });
    for (const at of [2, 0, 1]) said(waiting[at]);
    assert.deepEqual((await Promise.all(calls)).map(({ content }) => content[0].text), ['a', 'b', 'c']);
    assert.equal(new Set(waiting.map(({ id }) => id)).size, 3);
    await client.close();
  });

  test('brings progress to the call it is about', async () => {
    const waiting = [];
    const transport = channel((message) => void (message.method === 'tools/call' && waiting.push(message)));
    const client = await connected(transport);
    const heard = { a: [], b: [] };
    const all = [];
    client.setNotificationHandler('notifications/progress', ({ params }) => all.push(params.progress));
    const calls = ['a', 'b'].map((name) => client.callTool({ name }, { onprogress: ({ progress }) => heard[name].push(progress) }));
    await until(() => waiting.length === 2);
    const [a, b] = waiting.map(({ params }) => params._meta.progressToken);
    for (const [progressToken, progress] of [[a, 1], [b, 10], [a, 2], ['else', 3]]) transport.say({ method: 'notifications/progress', params: { progressToken, progress } });
    for (const { id } of waiting) transport.say({ id, result: DONE });
    await Promise.all(calls);
    assert.deepEqual(heard, { a: [1, 2], b: [10] });
    assert.deepEqual(all, [1, 10, 2, 3]);
  });

  for (const [era, options] of [['2026', undefined], ['2025', LEGACY]]) {
    test(`is told when a call is given up (${era})`, async () => {
      const transport = channel();
      const client = await connected(transport, options);
      const controller = new AbortController();
      const call = client.callTool({ name: 'x' }, { signal: controller.signal });
      await until(() => transport.methods().includes('tools/call'));
      controller.abort(new Error('enough'));
      assert.equal((await rejection(call)).message, 'enough');
      const [request, notice] = transport.sent.slice(-2);
      assert.deepEqual([notice.method, notice.params.requestId], ['notifications/cancelled', request.id]);
    });

    test(`that closes fails its calls and ends the connection (${era})`, async () => {
      const transport = channel();
      const client = await connected(transport, options);
      let closed = 0;
      client.onclose = () => closed++;
      const call = client.callTool({ name: 'x' });
      await until(() => transport.methods().includes('tools/call'));
      transport.onclose();
      const error = await rejection(call);
      assert.deepEqual([error.code, error.data.method], ['CONNECTION_CLOSED', 'tools/call']);
      assert.deepEqual([closed, transport.closed, client.getProtocolEra()], [1, 0, undefined]);
      assert.equal((await rejection(client.callTool({ name: 'x' }))).code, 'NOT_CONNECTED');
      await client.connect(channel());
    });

    test(`that cannot send fails the call, with the reason (${era})`, async () => {
      const cause = new Error('the pipe broke');
      for (const answer of [() => Promise.reject(cause), () => { throw cause; }]) {
        const transport = channel((message) => message.method === 'tools/call' && answer());
        const error = await rejection((await connected(transport, options)).callTool({ name: 'x' }));
        assert.deepEqual([error.code, error.cause], ['SEND_FAILED', cause]);
      }
    });

    test(`is told the revision, if it wants to know (${era})`, async () => {
      const versions = [];
      await connected(channel(() => {}, { setProtocolVersion: (version) => versions.push(version) }), options);
      assert.deepEqual(versions, [era === '2026' ? '2026-07-28' : '2025-11-25']);
    });
  }

  test('what it brings that is for nobody is dropped, and told', async () => {
    const warnings = [];
    const transport = channel();
    const client = await connected(transport, { onWarning: ({ code, message }) => warnings.push(`${code}: ${message}`) });
    client.setRequestHandler('sampling/createMessage', () => SAMPLED);
    const sent = transport.sent.length;
    transport.say({ id: 99, result: {} });
    transport.say({ id: 1, method: 'sampling/createMessage', params: {} });
    transport.onmessage({ rubbish: true });
    await until(() => warnings.length === 3);
    assert.ok(warnings.every((warning) => warning.startsWith('dropped-message: ')), warnings);
    assert.equal(transport.sent.length, sent);
  });

  test('V11: requests that come before anything is agreed on are dropped, without a byte', async () => {
    let probe;
    const transport = channel(() => {}, { discovered: null });
    const send = transport.send;
    transport.send = (message, options) => (message.method === 'server/discover' ? void (probe = message) : send(message, options));
    const client = new Client(INFO);
    client.setRequestHandler('sampling/createMessage', () => SAMPLED);
    const connecting = client.connect(transport);
    await until(() => probe);
    transport.say({ id: 1, method: 'ping' });
    transport.say({ id: 2, method: 'sampling/createMessage', params: {} });
    assert.deepEqual(transport.sent, []);
    transport.say({ id: probe.id, error: { code: -32601, message: 'no' } });
    await connecting;
    assert.deepEqual(transport.methods(), ['initialize', 'notifications/initialized']);
  });

  test('an error without an id is about the only request there is', async () => {
    const transport = channel(({ method }) => method === 'tools/call' && { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'unreadable' } });
    assert.equal((await rejection((await connected(transport)).callTool({ name: 'x' }))).code, -32700);
  });

  test('batches are taken apart in a session', async () => {
    const transport = channel(({ id, method }) => method === 'tools/call' && [{ jsonrpc: '2.0', id: 'p', method: 'ping' }, { jsonrpc: '2.0', id, result: { content: [] } }]);
    const client = await connected(transport, LEGACY);
    assert.deepEqual(await client.callTool({ name: 'x' }), { content: [] });
    assert.deepEqual(transport.sent.at(-1), { jsonrpc: '2.0', id: 'p', result: {} });
  });

  test('silence means a server of 2025', async () => {
    const transport = channel(() => {}, { discovered: null });
    const send = transport.send;
    transport.send = async (message, options) => (message.method === 'server/discover' ? undefined : send(message, options));
    const client = await connected(transport, { versionNegotiation: { probe: { timeoutMs: 30 } } });
    assert.equal(client.getProtocolEra(), 'legacy');
  });

  test('that is in a session already is not asked anything', async () => {
    const transport = channel(finished, { sessionId: 'kept', protocolVersion: '2025-06-18' });
    const client = await connected(transport);
    assert.deepEqual([client.getProtocolEra(), client.getNegotiatedProtocolVersion()], ['legacy', '2025-06-18']);
    await client.callTool({ name: 'x' });
    assert.deepEqual(transport.methods(), ['tools/call']);
  });

  test('who listened before still does', async () => {
    const heard = [];
    const transport = channel(finished, { onmessage: (message) => heard.push(message.id), onclose: () => heard.push('close'), onerror: (error) => heard.push(error) });
    const errors = [];
    const client = new Client(INFO);
    client.onerror = (error) => errors.push(error);
    await client.connect(transport);
    await client.callTool({ name: 'x' });
    const error = new Error('hiccup');
    transport.onerror(error);
    assert.deepEqual(errors, [error]);
    await client.close();
    assert.deepEqual(heard, [0, 1, error, 'close']);
  });

  test('on which nothing can be agreed on is closed', async () => {
    const transport = channel(() => {}, { discovered: { resultType: 'complete', supportedVersions: ['2027-01-01'], capabilities: {} } });
    assert.equal((await rejection(new Client(INFO).connect(transport))).code, 'ERA_NEGOTIATION_FAILED');
    assert.equal(transport.closed, 1);
    const broken = channel();
    broken.start = () => Promise.reject(new Error('no such program'));
    assert.equal((await rejection(new Client(INFO).connect(broken))).message, 'no such program');
    assert.equal(broken.onmessage, undefined);
  });

  test('that closes during the handshake fails it', async () => {
    const transport = channel(() => {}, { discovered: null });
    transport.send = async () => transport.onclose();
    assert.equal((await rejection(new Client(INFO).connect(transport))).code, 'CONNECTION_CLOSED');
  });
});

describe('a program that is no server', { timeout: 20_000 }, () => {
  test('ends the connection when it ends', async () => {
    const error = await rejection(new Client(INFO).connect(new StdioClientTransport({ command: process.execPath, args: ['-e', 'process.exit(1)'] })));
    assert.ok(['CONNECTION_CLOSED', 'ERA_NEGOTIATION_FAILED'].includes(error.code), error.code);
  });

  test('that dies in the middle of a call fails it', async () => {
    const program = fileURLToPath(new URL('support/dual-process.mjs', import.meta.url));
    const transport = new StdioClientTransport({ command: process.execPath, args: [program], stderr: 'ignore' });
    const client = await connected(transport);
    const call = client.callTool({ name: 'hang', arguments: {} });
    call.catch(() => {});
    await settled();
    process.kill(transport.pid, 'SIGKILL');
    assert.equal((await rejection(call)).code, 'CONNECTION_CLOSED');
  });
});

describe('the official in-memory transport', () => {
  for (const [era, options] of [['2026', undefined], ['2025', LEGACY]]) {
    test(`lets the server know when a call is given up (${era})`, async () => {
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      serveStdio(buildServer, { transport: theirs });
      const client = await connected(ours, options);
      const before = { ...hanging };
      const controller = new AbortController();
      const call = client.callTool({ name: 'hang', arguments: {} }, { signal: controller.signal });
      await until(() => hanging.begun > before.begun);
      controller.abort();
      await rejection(call);
      await until(() => hanging.cancelled > before.cancelled);
      await client.close();
    });
  }
});

describe('the official HTTP transport', () => {
  const eras = { 2026: [() => modern(), 'modern'], 2025: [() => sessions(), 'legacy'] };
  for (const [year, [make, era]] of Object.entries(eras)) {
    test(`works as a channel, to a server of ${year}`, { timeout: 20_000 }, async () => {
      const { url, close } = await serve(make());
      const client = new Client(INFO);
      client.setRequestHandler('sampling/createMessage', () => SAMPLED);
      const errors = [];
      client.onerror = (error) => errors.push(error);
      await client.connect(new OfficialTransport(new URL(`${url}/mcp`)));
      assert.equal(client.getProtocolEra(), era);
      assert.equal((await client.callTool({ name: 'summarize', arguments: { text: 'Long.' } })).content[0].text, 'Short. (of Long.)');
      const { tools } = await client.listTools();
      assert.equal(tools.length, 5);
      const routed = await client.callTool({ name: 'route', arguments: { region: 'é', at: { zone: 7 } } });
      assert.equal(routed.content[0].text, 'é 7: Short.');
      const before = { ...hanging };
      const controller = new AbortController();
      const call = client.callTool({ name: 'hang', arguments: {} }, { signal: controller.signal });
      await until(() => hanging.begun > before.begun);
      controller.abort();
      await rejection(call);
      await until(() => hanging.cancelled > before.cancelled);
      await client.close();
      await close();
    });
  }

  test('its errors are those of the call', async () => {
    const { url, close } = await serve(() => new Response('go away', { status: 403 }));
    const error = await rejection(new Client(INFO).connect(new OfficialTransport(new URL(`${url}/mcp`))));
    await close();
    assert.ok(error instanceof SdkHttpError && error instanceof pkg.SdkHttpError);
    assert.equal(error.status, 403);
  });
});

describe('a function from bytes to bytes', () => {
  /** A server behind a function; `seen` has the messages. */
  function pipe(answer, result = DISCOVERED) {
    const seen = [];
    const send = async (bytes, options) => {
      const message = JSON.parse(new TextDecoder().decode(bytes));
      seen.push(message);
      if (message.id === undefined) return undefined;
      const reply = { 'server/discover': result, initialize: INITIALIZED }[message.method];
      return new TextEncoder().encode(JSON.stringify(reply ? { jsonrpc: '2.0', id: message.id, result: reply } : await answer(message, options)));
    };
    return { send, seen };
  }

  for (const [era, options] of [['modern', undefined], ['legacy', LEGACY]]) {
    test(`is a server like any other (${era})`, async () => {
      const { send, seen } = pipe(finished);
      const client = await connected(send, options);
      assert.equal(client.getProtocolEra(), era);
      await client.callTool({ name: 'x' });
      assert.deepEqual(seen.map(({ method }) => method), era === 'modern' ? ['server/discover', 'tools/call'] : ['initialize', 'notifications/initialized', 'tools/call']);
      await client.close();
    });
  }

  test('its rounds go through it too, and the state comes back byte for byte', async () => {
    const state = '"\\u0061\\/1.0"';
    const asks = (id) => `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"input_required","inputRequests":{"q":{"method":"roots/list"}},"requestState":${state}}}`;
    const texts = [];
    const send = (bytes) => {
      const text = new TextDecoder().decode(bytes);
      texts.push(text);
      const { id, method, params } = JSON.parse(text);
      if (method === 'server/discover') return JSON.stringify({ jsonrpc: '2.0', id, result: DISCOVERED });
      return params.inputResponses ? JSON.stringify({ jsonrpc: '2.0', id, result: DONE }) : new TextEncoder().encode(asks(id));
    };
    const client = new Client(INFO);
    client.setRequestHandler('roots/list', () => ({ roots: [] }));
    await client.connect(send);
    await client.callTool({ name: 'x' });
    assert.ok(texts.at(-1).includes(`"requestState":${state}`));
  });

  test('what it throws is the reason', async () => {
    const cause = new Error('no carrier');
    const { send } = pipe(() => Promise.reject(cause));
    const error = await rejection((await connected(send)).callTool({ name: 'x' }));
    assert.deepEqual([error.code, error.cause], ['SEND_FAILED', cause]);
  });

  test('it hears when the answer is not wanted any more', async () => {
    let heard;
    const { send, seen } = pipe((_message, { signal }) => ((heard = signal), new Promise(() => {})));
    const client = await connected(send);
    const controller = new AbortController();
    const call = client.callTool({ name: 'x' }, { signal: controller.signal });
    await until(() => heard);
    controller.abort();
    await rejection(call);
    assert.ok(heard.aborted);
    await until(() => seen.at(-1).method === 'notifications/cancelled');
  });

  test('an answer that is none is an error', async () => {
    for (const [reply, code] of [[undefined, 'CLIENT_HTTP_UNEXPECTED_CONTENT'], [new Uint8Array(), 'CLIENT_HTTP_UNEXPECTED_CONTENT'], ['{', 'PARSE_ERROR']]) {
      const { send } = pipe(finished);
      const client = await connected((bytes) => (new TextDecoder().decode(bytes).includes('tools/call') ? reply : send(bytes)));
      assert.equal((await rejection(client.callTool({ name: 'x' }))).code, code);
    }
  });
});
