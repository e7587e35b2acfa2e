/** Servers of both eras, over every way there is: one handler, the same result. Rule ids are those of the facts (V, L). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { buildServer, modern, sessions } from '../support/dual-server.mjs';
import { serve } from '../support/http.mjs';
import { INFO, pkg, rejection } from './support/installed.mjs';
import { legacyPeer, rpcError, rpcResult, stream, toolResult, until } from './support/legacy-peer.mjs';

const { Client, StreamableHTTPClientTransport } = pkg;

const process2 = { command: process.execPath, args: [fileURLToPath(new URL('support/dual-process.mjs', import.meta.url))], stderr: 'pipe' };

let url;
let holder;

before(async () => {
  holder = new StdioClientTransport(process2);
  await holder.start();
  [url] = await once(holder.stderr.setEncoding('utf8'), 'data');
  url = url.trim();
});

after(() => holder.close());

/** An in-memory channel whose other end serves both eras. */
function inMemory() {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  serveStdio(buildServer, { transport: theirs });
  return ours;
}

const WAYS = {
  'HTTP of 2026': [() => `${url}/modern`, 'modern', '2026-07-28'],
  'HTTP of 2025 with sessions': [() => `${url}/sessions`, 'legacy', '2025-11-25'],
  'HTTP of 2025, said so': [() => `${url}/sessions`, 'legacy', '2025-11-25', { mode: 'legacy' }],
  'in memory': [inMemory, 'modern', '2026-07-28'],
  'in memory, as in 2025': [inMemory, 'legacy', '2025-11-25', { mode: 'legacy' }],
  'in memory, pinned to 2025-06-18': [inMemory, 'legacy', '2025-06-18', { mode: { pin: '2025-06-18' } }],
  pipes: [() => new StdioClientTransport({ ...process2, stderr: 'ignore' }), 'modern', '2026-07-28'],
  'pipes, as in 2025': [() => new StdioClientTransport({ ...process2, stderr: 'ignore' }), 'legacy', '2025-11-25', { mode: 'legacy' }],
};

describe('one tool and one handler over', { timeout: 60_000 }, () => {
  for (const [way, [endpoint, era, version, versionNegotiation]] of Object.entries(WAYS)) {
    test(way, async () => {
      const client = new Client(INFO, { ...(versionNegotiation && { versionNegotiation }) });
      const contexts = [];
      client.setRequestHandler('sampling/createMessage', ({ method, params }, context) => {
        contexts.push({ method, asked: params.messages[0].content.text, ...context.server, call: context.call?.name });
        return { role: 'assistant', model: 'm', stopReason: 'endTurn', content: [{ type: 'text', text: 'Short.' }] };
      });
      client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'x' } }));
      client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///a' }] }));
      await client.connect(endpoint());
      assert.deepEqual([client.getProtocolEra(), client.getNegotiatedProtocolVersion()], [era, version]);
      assert.deepEqual(client.getServerVersion(), { name: 'dual', version: '1.0.0' });
      const { content } = await client.callTool({ name: 'summarize', arguments: { text: 'Long.' } });
      assert.deepEqual(content, [{ type: 'text', text: 'Short. (of Long.)' }]);
      assert.deepEqual(contexts, [{ method: 'sampling/createMessage', asked: 'Long.', name: 'dual', version: '1.0.0', call: 'summarize' }]);
      const asked = await client.callTool({ name: 'ask', arguments: {} });
      assert.deepEqual(JSON.parse(asked.content[0].text), ['accept', { size: 3, name: 'x' }, [{ uri: 'file:///a' }]]);
      const progress = [];
      await client.callTool({ name: 'count', arguments: {} }, { onprogress: ({ progress: done }) => progress.push(done) });
      assert.deepEqual(progress, [1, 2, 3]);
      assert.equal((await client.listTools()).tools.length, 5);
      await client.close();
    });
  }
});

const http = (fetch, options) => new StreamableHTTPClientTransport('http://peer.test/mcp', { fetch, ...options });

/** The fetch of a server of 2026. */
function modernPeer(answer = ({ id }) => rpcResult(id, { resultType: 'complete', content: [] })) {
  const methods = [];
  const fetch = async (_url, { body }) => {
    const message = JSON.parse(body);
    methods.push(message.method);
    const discovered = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, instructions: 'Be good.' };
    return message.method === 'server/discover' ? rpcResult(message.id, discovered) : answer(message);
  };
  return { fetch, methods };
}

describe('what is known of a server', () => {
  test('V9: is exported, and then saves the question', async () => {
    const peer = modernPeer();
    const first = new Client(INFO);
    assert.equal(first.getPriorDiscovery(), undefined);
    await first.connect(http(peer.fetch));
    const prior = JSON.parse(JSON.stringify(first.getPriorDiscovery()));
    assert.equal(prior.kind, 'modern');
    assert.deepEqual(prior.discover, first.getDiscoverResult());
    const second = new Client(INFO);
    await second.connect(http(peer.fetch), { prior });
    assert.equal(second.getInstructions(), 'Be good.');
    await second.callTool({ name: 'x' });
    assert.deepEqual(peer.methods, ['server/discover', 'tools/call']);
  });

  test('V9: a server of 2025 is not asked whether it is one of 2026', async () => {
    const peer = legacyPeer();
    const first = new Client(INFO);
    await first.connect(http(peer.fetch));
    assert.deepEqual(first.getPriorDiscovery(), { kind: 'legacy' });
    assert.equal(first.getDiscoverResult(), undefined);
    const second = new Client(INFO);
    await second.connect(http(peer.fetch), { prior: first.getPriorDiscovery() });
    assert.equal(second.getProtocolEra(), 'legacy');
    assert.equal(peer.sent('server/discover').length, 1);
  });

  test('V9: a verdict that turns out to be wrong is looked into', async () => {
    const peer = modernPeer(({ id }) => rpcError(id, -32601, 'no such method', 404));
    const client = new Client(INFO);
    await client.connect(http(peer.fetch), { prior: { kind: 'legacy' } });
    assert.deepEqual(peer.methods, ['initialize', 'server/discover']);
    assert.equal(client.getProtocolEra(), 'modern');
  });

  test('what is no verdict is refused before anything is sent', async () => {
    for (const [prior, code] of [[{}, 'INVALID_ARGUMENT'], [[], 'INVALID_ARGUMENT'], ['modern', 'INVALID_ARGUMENT'], [{ kind: 'modern', discover: { supportedVersions: ['2027-01-01'] } }, 'ERA_NEGOTIATION_FAILED']]) {
      const peer = modernPeer();
      const client = new Client(INFO);
      assert.equal((await rejection(client.connect(http(peer.fetch), { prior }))).code, code);
      assert.deepEqual(peer.methods, []);
      await client.connect(http(peer.fetch));
    }
  });

  test('V9: verdicts are kept by URL, for all clients, and dropped when they are refuted', async () => {
    let upgraded = false;
    const [old, now] = [sessions(), modern()];
    const methods = [];
    const { url: own, close } = await serve(async (request) => {
      if (request.method === 'POST') methods.push((await request.clone().json()).method);
      return (upgraded ? now : old).fetch(request);
    });
    const era = async () => {
      const client = new Client(INFO);
      await client.connect(`${own}/mcp`);
      const found = client.getProtocolEra();
      await client.close();
      return [found, ...methods.splice(0).filter((method) => !method.startsWith('notifications/'))];
    };
    assert.deepEqual(await era(), ['legacy', 'server/discover', 'initialize']);
    assert.deepEqual(await era(), ['legacy', 'initialize']);
    upgraded = true;
    assert.deepEqual(await era(), ['modern', 'initialize', 'server/discover']);
    assert.deepEqual(await era(), ['modern', 'server/discover']);
    await close();
  });
});

describe('a first answer that settles nothing', () => {
  const connect = (fetch, options) => rejection(new Client(INFO, options).connect(http(fetch)));

  test('V3: -32022 with our own version is asked once more', async () => {
    const methods = [];
    const refuse = (_url, { body }) => {
      const { id, method } = JSON.parse(body);
      methods.push(method);
      const error = { code: -32022, message: 'no', data: { supported: ['2026-07-28'] } };
      return Response.json({ jsonrpc: '2.0', id, error }, { status: 400 });
    };
    const error = await connect(async (...request) => refuse(...request));
    assert.equal(error.code, -32022);
    assert.deepEqual(methods, ['server/discover', 'server/discover']);
  });

  test('N28: a wall is typed, with its challenge, and nothing else is tried', async () => {
    for (const [status, code] of [[401, 'CLIENT_HTTP_AUTHENTICATION'], [403, 'CLIENT_HTTP_FORBIDDEN']]) {
      let count = 0;
      const error = await connect(async () => {
        count++;
        return new Response('{"error":"invalid_token"}', { status, statusText: 'Go away', headers: { 'www-authenticate': 'Bearer scope="a"' } });
      });
      assert.ok(error instanceof pkg.SdkHttpError);
      assert.deepEqual([error.code, error.status, error.statusText, error.data.wwwAuthenticate], [code, status, 'Go away', 'Bearer scope="a"']);
      assert.equal(count, 1);
    }
  });

  test('an outage is no verdict', async () => {
    for (const answer of [() => new Response('<html>', { status: 502 }), ({ id }) => rpcError(id, -32601, 'no', 500)]) {
      let count = 0;
      const error = await connect(async (_url, { body }) => (count++, answer(JSON.parse(body))));
      assert.deepEqual([error.code, count], ['ERA_NEGOTIATION_FAILED', 1]);
    }
    const cause = new TypeError('fetch failed');
    const error = await connect(() => Promise.reject(cause));
    assert.deepEqual([error.code, error.cause], ['ERA_NEGOTIATION_FAILED', cause]);
  });

  test('V6: silence over HTTP is a timeout, after as many tries as were wanted', async () => {
    let count = 0;
    const silent = (_url, { signal }) => new Promise((_, reject) => (count++, signal.addEventListener('abort', () => reject(signal.reason))));
    const error = await connect(silent, { versionNegotiation: { probe: { timeoutMs: 20, maxRetries: 2 } } });
    assert.deepEqual([error.code, count], ['REQUEST_TIMEOUT', 3]);
  });

  test('V10: a session in the new revision is refused', async () => {
    const error = await connect(legacyPeer({ version: '2026-07-28' }).fetch);
    assert.deepEqual([error.code, error.data.protocolVersion], ['ERA_NEGOTIATION_FAILED', '2026-07-28']);
  });

  test('a pinned revision is the only one', async () => {
    const peer = legacyPeer();
    const error = await connect(peer.fetch, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    assert.deepEqual([error.code, error.data.pinned], ['ERA_NEGOTIATION_FAILED', '2026-07-28']);
    assert.deepEqual(peer.seen.map(({ message }) => message.method), ['server/discover']);
  });
});

describe('an established era', () => {
  test('methods of the other one are refused here', async () => {
    const [now, before] = [modernPeer(), legacyPeer()];
    for (const [peer, refused] of [[now, ['ping', 'logging/setLevel', 'resources/subscribe', 'initialize']], [before, ['server/discover', 'subscriptions/listen']]]) {
      const client = new Client(INFO);
      await client.connect(http(peer.fetch));
      const sent = () => (peer.methods ?? peer.seen).length;
      const begun = sent();
      for (const method of refused) {
        const error = await rejection(client.request({ method }));
        assert.equal(error.code, 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION');
        assert.deepEqual([error.data.method, error.data.era], [method, client.getProtocolEra()]);
      }
      assert.equal(sent(), begun);
    }
    const client = new Client(INFO);
    await client.connect(http(now.fetch));
    assert.equal((await rejection(client.ping())).code, 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION');
    assert.equal((await rejection(client.setLoggingLevel('debug'))).code, 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION');
  });

  test('V8: is never given up: later answers of an old server are errors', async () => {
    const peer = modernPeer(({ id }) => rpcError(id, -32601, 'no', 404));
    const client = new Client(INFO);
    await client.connect(http(peer.fetch));
    assert.equal((await rejection(client.callTool({ name: 'x' }))).code, -32601);
    assert.deepEqual(peer.methods, ['server/discover', 'tools/call']);
  });

  test('each revision of 2025 is spoken as it is', async () => {
    for (const version of ['2025-03-26', '2025-06-18', '2025-11-25']) {
      const peer = legacyPeer({ version, post: ({ id, method }) => id !== undefined && (method === 'ping' ? rpcResult(id, {}) : toolResult(id)) || undefined });
      const client = new Client(INFO);
      await client.connect(http(peer.fetch));
      await client.ping();
      await client.setLoggingLevel('debug');
      assert.deepEqual(peer.sent('logging/setLevel')[0].params, { level: 'debug' });
      const call = peer.seen.find(({ message }) => message?.method === 'ping');
      assert.deepEqual([call.headers.get('mcp-protocol-version'), call.headers.get('mcp-method'), call.message.params], [version, null, {}]);
      const [handshake] = peer.seen.filter(({ message }) => message?.method === 'initialize');
      assert.deepEqual([handshake.headers.get('mcp-protocol-version'), handshake.headers.get('mcp-session-id')], [null, null]);
      assert.equal(handshake.message.params.protocolVersion, '2025-11-25');
      await client.close();
    }
  });

  test('news of the server reach their handler, in both eras', async () => {
    const heard = [];
    const note = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    const now = modernPeer(({ id }) => new Response(`data: ${JSON.stringify(note)}\n\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', content: [] } })}\n\n`, { headers: { 'content-type': 'text/event-stream' } }));
    const first = new Client(INFO);
    first.setNotificationHandler(note.method, ({ method }) => heard.push(`modern ${method}`));
    await first.connect(http(now.fetch));
    await first.callTool({ name: 'x' });
    const listening = stream();
    const second = new Client(INFO);
    second.setNotificationHandler(note.method, ({ method }) => heard.push(`legacy ${method}`));
    await second.connect(http(legacyPeer({ listen: () => listening.response }).fetch));
    listening.send({ method: note.method });
    await until(() => heard.length === 2);
    assert.deepEqual(heard, [`modern ${note.method}`, `legacy ${note.method}`]);
    await second.close();
  });

  test('L9: -32042 is an error like any other', async () => {
    const client = new Client(INFO);
    await client.connect(http(legacyPeer({ post: ({ id }) => (id === undefined ? undefined : rpcError(id, -32042, 'a page must be visited')) }).fetch));
    assert.equal((await rejection(client.callTool({ name: 'x' }))).code, -32042);
    await client.close();
  });

  test('a client is connected once', async () => {
    const client = new Client(INFO);
    const first = client.connect(http(modernPeer().fetch));
    assert.equal((await rejection(client.connect(http(modernPeer().fetch)))).code, 'ALREADY_CONNECTED');
    await first;
    assert.equal((await rejection(client.connect(inMemory()))).code, 'ALREADY_CONNECTED');
  });
});
