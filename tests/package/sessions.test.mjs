/** Sessions of 2025: how they begin, go on and end, and what servers push in them. Rule ids are those of the facts (L). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildServer, hanging, sessions } from '../support/dual-server.mjs';
import { serve } from '../support/http.mjs';
import { withClock } from './support/clock.mjs';
import { settled } from './support/failing.mjs';
import { INFO, pkg, rejection } from './support/installed.mjs';
import { legacyPeer, rpcError, rpcResult, stream, toolResult, until } from './support/legacy-peer.mjs';
import { CALL, LEGACY, SAMPLED, SAMPLING, connected, streaming } from './support/session.mjs';

const { Client, SdkError, StreamableHTTPClientTransport } = pkg;

describe('a session', () => {
  test('is on every request after the first, and ended at the close', async () => {
    const { client, peer } = await connected({ post: ({ id }) => (id === undefined ? undefined : toolResult(id)) });
    await client.callTool(CALL);
    await client.close();
    assert.deepEqual(peer.seen.map(({ method, headers, message }) => [method, message?.method, headers.get('mcp-session-id')]), [
      ['POST', 'initialize', null],
      ['POST', 'notifications/initialized', 'session-1'],
      ['GET', undefined, 'session-1'],
      ['POST', 'tools/call', 'session-1'],
      ['DELETE', undefined, 'session-1'],
    ]);
  });

  test('is not needed', async () => {
    const { client, peer } = await connected({ session: null, post: ({ id }) => (id === undefined ? undefined : toolResult(id)) });
    await client.callTool(CALL);
    await client.close();
    assert.ok(peer.seen.every(({ headers, method }) => !headers.has('mcp-session-id') && method !== 'DELETE'));
  });

  test('has begun when the server took notice', async () => {
    let take;
    const taken = new Promise((resolve) => (take = resolve));
    const peer = legacyPeer({ post: () => taken });
    const client = new Client(INFO, LEGACY);
    let isConnected = false;
    const connecting = client.connect(new StreamableHTTPClientTransport('http://peer.test/mcp', { fetch: peer.fetch })).then(() => (isConnected = true));
    await until(() => peer.sent('notifications/initialized').length === 1);
    await settled();
    assert.equal(isConnected, false);
    take();
    await connecting;
  });

  test('that the server does not want is none', async () => {
    const peer = legacyPeer({ post: () => new Response('no', { status: 400 }) });
    const error = await rejection(new Client(INFO, LEGACY).connect(new StreamableHTTPClientTransport('http://peer.test/mcp', { fetch: peer.fetch })));
    assert.deepEqual([error.code, error.status, error.data.method], ['CLIENT_HTTP_NOT_IMPLEMENTED', 400, 'notifications/initialized']);
  });

  test('L8: is told the capabilities once', async () => {
    const { client, peer } = await connected({ post: ({ id }) => (id === undefined ? undefined : toolResult(id)) }, { handlers: { 'sampling/createMessage': () => SAMPLED } });
    client.setRequestHandler('roots/list', () => ({ roots: [] }));
    await client.callTool(CALL);
    assert.deepEqual(peer.sent('initialize')[0].params.capabilities, { sampling: {} });
    assert.deepEqual(peer.sent('tools/call')[0].params, CALL);
    await client.close();
  });

  test('goes on elsewhere by its id', async () => {
    const server = sessions();
    const { url, close } = await serve(server);
    const first = new StreamableHTTPClientTransport(`${url}/mcp`);
    const elsewhere = new Client(INFO);
    await elsewhere.connect(first);
    assert.match(first.sessionId, /-/);
    const { sessionId, protocolVersion } = first;
    const client = new Client(INFO);
    client.setRequestHandler('sampling/createMessage', () => SAMPLED);
    await client.connect(new StreamableHTTPClientTransport(`${url}/mcp`, { sessionId, protocolVersion }));
    assert.deepEqual([client.getProtocolEra(), client.getNegotiatedProtocolVersion()], ['legacy', '2025-11-25']);
    assert.equal((await client.callTool({ name: 'count', arguments: {} })).content[0].text, 'counted');
    assert.equal(server.open.size, 1);
    await client.close();
    assert.equal(server.open.size, 0);
    await elsewhere.close();
    await close();
  });
});

describe('a session that the server forgot', () => {
  const forgotten = { plain: () => new Response('no such session', { status: 404 }), 'JSON-RPC': ({ id }) => rpcError(id, -32001, 'Session not found', 404) };
  for (const [form, answer] of Object.entries(forgotten)) {
    test(`is opened anew once for all calls, told by a ${form} 404`, async () => {
      let number = 0;
      const welcome = ({ message }) => rpcResult(message.id, { protocolVersion: '2025-11-25', capabilities: {} }, { headers: { 'mcp-session-id': `s${++number}` } });
      const post = (message, { headers }) => {
        if (message.id === undefined) return undefined;
        return headers.get('mcp-session-id') === 's2' ? toolResult(message.id) : answer(message);
      };
      const { client, peer } = await connected({ post, initialize: welcome });
      const events = [];
      const results = await Promise.all([1, 2, 3].map(() => client.callTool(CALL, { onround: ({ type, leg }) => events.push(`${type} ${leg}`) })));
      assert.ok(results.every(({ content }) => content[0].text === 'done'));
      assert.equal(peer.sent('initialize').length, 2);
      assert.deepEqual(events.filter((event) => event.startsWith('done')), ['done 2', 'done 2', 'done 2']);
      assert.ok(!events.some((event) => event.startsWith('failed')));
      await client.close();
    });
  }

  test('is opened once for a call, and no more', async () => {
    const { client, peer } = await connected({ post: ({ id }) => (id === undefined ? undefined : new Response('', { status: 404 })) });
    const error = await rejection(client.callTool(CALL));
    assert.deepEqual([error.code, error.status], ['CLIENT_HTTP_NOT_IMPLEMENTED', 404]);
    assert.equal(peer.sent('initialize').length, 2);
    await client.close();
  });

  test('fails the calls if it cannot be opened', async () => {
    let count = 0;
    const initialize = ({ message }) => (count++ ? rpcError(message.id, -32000, 'full') : undefined);
    const { client } = await connected({ initialize, post: ({ id }) => (id === undefined ? undefined : new Response('', { status: 404 })) });
    const errors = await Promise.all([1, 2].map(() => rejection(client.callTool(CALL))));
    assert.deepEqual(errors.map(({ code }) => code), [-32000, -32000]);
    await client.close();
  });

  test('may be followed by none', async () => {
    let number = 0;
    const initialize = ({ message }) => (number++ ? rpcResult(message.id, { protocolVersion: '2025-11-25', capabilities: {} }) : undefined);
    const post = ({ id }, { headers }) => (id === undefined ? undefined : headers.has('mcp-session-id') ? new Response('', { status: 404 }) : toolResult(id));
    const { client, peer } = await connected({ initialize, post });
    await Promise.all([1, 2, 3].map(() => client.callTool(CALL)));
    assert.equal(peer.sent('initialize').length, 2);
    await client.callTool(CALL);
    await client.close();
  });

  test('fails the calls if the server has changed its mind about revisions', async () => {
    let number = 0;
    const initialize = ({ message }) => (number++ ? rpcResult(message.id, { protocolVersion: '2026-07-28', capabilities: {} }) : undefined);
    for (const options of [{}, { versionNegotiation: { mode: 'auto' } }]) {
      number = 0;
      const { client } = await connected({ initialize, post: ({ id }) => (id === undefined ? undefined : new Response('', { status: 404 })) }, options);
      const errors = await Promise.all([1, 2].map(() => rejection(client.callTool(CALL))));
      assert.deepEqual(errors.map(({ code }) => code), ['ERA_NEGOTIATION_FAILED', 'ERA_NEGOTIATION_FAILED']);
      await client.close();
    }
  });

  test('fails the calls if the host’s own code throws meanwhile', async () => {
    const reason = new Error('the key store is locked');
    let locked = false;
    const authProvider = { token: () => { if (locked) throw reason; return 't'; } };
    const post = ({ id }) => (id === undefined ? undefined : ((locked = true), new Response('', { status: 404 })));
    const { client } = await connected({ post }, { transport: { authProvider } });
    assert.equal(await rejection(client.callTool(CALL)), reason);
  });

  test('is no excuse for what is 404 without one', async () => {
    const { client, peer } = await connected({ session: null, post: ({ id }) => (id === undefined ? undefined : new Response('', { status: 404 })) });
    await rejection(client.callTool(CALL));
    assert.equal(peer.sent('initialize').length, 1);
  });

  test('is told so by the official server, and answered with a new one', async () => {
    const server = sessions();
    const { url, close } = await serve(server);
    const client = new Client(INFO);
    client.setRequestHandler('sampling/createMessage', () => SAMPLED);
    await client.connect(`${url}/mcp`);
    server.open.clear();
    assert.equal((await client.callTool({ name: 'summarize', arguments: { text: 'Long.' } })).content[0].text, 'Short. (of Long.)');
    await client.close();
    await close();
  });
});

describe('a request that the server pushes', () => {
  test('L1, L6: is answered while the stream of its call is open, with its very id', async () => {
    const { call, answers, peer } = await streaming({ handlers: { 'sampling/createMessage': () => SAMPLED } });
    for (const id of [0, 7, 'seven', '7']) {
      const { open, finish } = await call();
      open.send({ id, method: 'sampling/createMessage', params: SAMPLING });
      await until(() => answers().some((answer) => answer.id === id));
      assert.deepEqual(answers().find((answer) => answer.id === id), { jsonrpc: '2.0', id, result: SAMPLED });
      await finish();
    }
    const posted = peer.seen.find(({ message }) => message && !message.method);
    assert.equal(posted.headers.get('mcp-session-id'), 'session-1');
  });

  test('may come on the stream that belongs to no call', async () => {
    const listening = stream();
    const { client, peer } = await connected({ listen: () => listening.response }, { handlers: { 'roots/list': (_request, { call }) => ({ roots: [{ uri: `file:///${call}` }] }) } });
    listening.send({ id: 'r', method: 'roots/list' });
    listening.send({ id: 'p', method: 'ping' });
    await until(() => peer.seen.filter(({ message }) => message && !message.method).length === 2);
    const byId = Object.fromEntries(peer.seen.filter(({ message }) => message && !message.method).map(({ message }) => [message.id, message.result]));
    assert.deepEqual(byId, { p: {}, r: { roots: [{ uri: 'file:///undefined' }] } });
    await client.close();
  });

  const thrown = (error) => () => Promise.reject(error);
  const outcomes = {
    'L2: without a handler': [{}, { method: 'sampling/createMessage', params: SAMPLING }, -32601],
    'L2: of a method that nobody knows': [{}, { method: 'x/unknown' }, -32601],
    'L3: that breaks a rule': [{ 'sampling/createMessage': () => SAMPLED }, { method: 'sampling/createMessage', params: { messages: [] } }, -32602],
    'L4: that a person declines': [{ 'sampling/createMessage': thrown(new SdkError('SAMPLING_DECLINED', 'I say no')) }, { method: 'sampling/createMessage', params: SAMPLING }, -1],
    'whose handler throws': [{ 'sampling/createMessage': thrown(new Error('secret')) }, { method: 'sampling/createMessage', params: SAMPLING }, -32603],
    'whose handler says which error': [{ 'sampling/createMessage': thrown(new pkg.ProtocolError(-32099, 'mine')) }, { method: 'sampling/createMessage', params: SAMPLING }, -32099],
    'whose answer breaks a rule': [{ 'sampling/createMessage': () => ({ role: 'user' }) }, { method: 'sampling/createMessage', params: SAMPLING }, -32603],
    'whose answer is none': [{ 'roots/list': () => undefined }, { method: 'roots/list' }, -32603],
  };
  for (const [what, [handlers, request, code]] of Object.entries(outcomes)) {
    test(`${what} is answered with ${code}, and the call goes on`, async () => {
      const { call, answers, errors } = await streaming({ handlers });
      const { open, finish } = await call();
      open.send({ id: 'q', ...request });
      await until(() => answers().length === 1);
      assert.deepEqual([answers()[0].id, answers()[0].error.code], ['q', code]);
      assert.ok(!JSON.stringify(answers()).includes('secret'));
      assert.equal(errors.length, code === -32601 || code === -32602 ? 0 : 1);
      await finish();
    });
  }

  test('L5: that the server takes back aborts the handler, and nothing is sent', async () => {
    const signals = [];
    const handler = (_request, { mcpReq }) => {
      signals.push(mcpReq.signal);
      return new Promise((resolve) => mcpReq.signal.addEventListener('abort', () => resolve(SAMPLED)));
    };
    const { call, answers } = await streaming({ handlers: { 'sampling/createMessage': handler } });
    const { open, finish } = await call();
    open.send({ id: 'q', method: 'sampling/createMessage', params: SAMPLING });
    await until(() => signals.length === 1);
    open.send({ method: 'notifications/cancelled', params: { requestId: 'other' } });
    open.send({ method: 'notifications/cancelled', params: { requestId: 'q', reason: 'never mind' } });
    await until(() => signals[0].aborted);
    await finish();
    assert.deepEqual(answers(), []);
  });

  test('L7: holds the clock of its call, which goes on afterwards', () =>
    withClock(async (clock) => {
      let answer;
      const { call, answers } = await streaming({ handlers: { 'sampling/createMessage': () => new Promise((resolve) => (answer = resolve)) } });
      const { open, result } = await call({ timeout: 100 });
      let over = false;
      result.catch(() => (over = true));
      open.send({ id: 'q', method: 'sampling/createMessage', params: SAMPLING });
      await until(() => answer);
      await clock.advance(3_600_000);
      answer(SAMPLED);
      await until(() => answers().length === 1);
      await clock.advance(99);
      assert.equal(over, false);
      await clock.advance(1);
      assert.equal((await rejection(result)).code, 'REQUEST_TIMEOUT');
    }));

  test('L12: gets one block, where its revision knows no lists of them', async () => {
    const { call, answers } = await streaming({ peer: { version: '2025-03-26' }, handlers: { 'sampling/createMessage': () => ({ ...SAMPLED, content: [SAMPLED.content] }) } });
    const { open, finish } = await call();
    open.send({ id: 1, method: 'sampling/createMessage', params: SAMPLING });
    await until(() => answers().length === 1);
    assert.deepEqual(answers()[0].result.content, SAMPLED.content);
    await finish();
  });

  test('is nobody’s when the client is closed', async () => {
    const signals = [];
    const { call, answers, client } = await streaming({ handlers: { 'sampling/createMessage': (_request, { mcpReq }) => (signals.push(mcpReq.signal), new Promise(() => {})) } });
    const { open, result } = await call();
    open.send({ id: 'q', method: 'sampling/createMessage', params: SAMPLING });
    await until(() => signals.length === 1);
    await client.close();
    assert.equal((await rejection(result)).code, 'CONNECTION_CLOSED');
    assert.ok(signals[0].aborted);
    assert.deepEqual(answers(), []);
  });
});

describe('a call that is given up', () => {
  test('is taken back at the server', async () => {
    const { call, peer } = await streaming();
    const reason = new Error('enough');
    const controller = new AbortController();
    const { open, result } = await call({ signal: controller.signal });
    controller.abort(reason);
    assert.equal(await rejection(result), reason);
    await until(() => peer.sent('notifications/cancelled').length === 1);
    assert.equal(peer.sent('notifications/cancelled')[0].params.requestId, open.id);
  });

  test('so is one that took too long, by the official server too', async () => {
    const { url, close } = await serve(sessions());
    const client = new Client(INFO);
    await client.connect(`${url}/mcp`);
    const before = { ...hanging };
    assert.equal((await rejection(client.callTool({ name: 'hang', arguments: {} }, { timeout: 50 }))).code, 'REQUEST_TIMEOUT');
    await until(() => hanging.cancelled > before.cancelled);
    await client.close();
    await close();
  });
});

test('nested: a handler may call the same server', { timeout: 20_000 }, async () => {
  const { url, close } = await serve(sessions({ build: buildServer }));
  const client = new Client(INFO);
  client.setRequestHandler('sampling/createMessage', async () => {
    const { content } = await client.callTool({ name: 'count', arguments: {} });
    return { ...SAMPLED, content: { type: 'text', text: content[0].text } };
  });
  await client.connect(`${url}/mcp`);
  assert.equal((await client.callTool({ name: 'summarize', arguments: { text: 'x' } })).content[0].text, 'counted (of x)');
  await client.close();
  await close();
});
