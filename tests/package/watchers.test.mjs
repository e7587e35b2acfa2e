// What goes out and what is told besides the call itself: capabilities, context, watchers, and lists in pages.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asks, body, done, event, events, question, result, resultMessage, sampled } from '../support/scripted.mjs';
import { INFO, connected, rejection } from './support/installed.mjs';
import { GOOD, callTool } from './support/failing.mjs';

const sampling = 'sampling/createMessage';
const params = (leg) => leg.message.params;

describe('capabilities', () => {
  const declared = (leg) => params(leg)._meta['io.modelcontextprotocol/clientCapabilities'];

  test('follow the handlers on each leg', async () => {
    const handlers = {
      [sampling]: () => (
        client.removeRequestHandler('elicitation/create'),
        client.setRequestHandler('roots/list', () => ({ roots: [] })),
        sampled()
      ),
      'elicitation/create': () => ({ action: 'decline' }),
    };
    const { client, peer } = await connected([asks({ ask: question() }), done(), done()], { handlers });
    await callTool(client);
    client.removeRequestHandler(sampling);
    client.removeRequestHandler('roots/list');
    await callTool(client);
    assert.deepEqual(peer.legs.map(declared), [{ sampling: {}, elicitation: {} }, { sampling: {}, roots: {} }, {}]);
  });

  test('that are named are declared as they are', async () => {
    const capabilities = { sampling: { tools: {}, context: {} }, experimental: { 'com.example': { x: 1.5 } } };
    const { client, peer } = await connected([done()], { capabilities, handlers: { 'roots/list': () => ({ roots: [] }) } });
    await callTool(client);
    assert.deepEqual(declared(peer.legs[0]), { ...capabilities, roots: {} });
    assert.deepEqual(params(peer.legs[0])._meta['io.modelcontextprotocol/clientInfo'], INFO);
  });
});

describe('watchers and context', () => {
  test('a handler is told who asks, in which call and which round', async () => {
    const told = [];
    const handler = (request, context) => (told.push([request, context]), sampled());
    const ask = question('q', { _meta: { 'com.example/a': 1 }, metadata: { z: 1, a: 2 } });
    const { client } = await connected([asks(undefined, 's'), asks({ key: ask }), done()], { handlers: { [sampling]: handler } });
    await client.callTool({ name: 'slow', arguments: {} });
    const [[request, { mcpReq, server, call }]] = told;
    assert.deepEqual(request, ask);
    const { signal, ...rest } = mcpReq;
    assert.deepEqual(rest, { id: 'key', method: sampling, _meta: { 'com.example/a': 1 } });
    assert.ok(signal instanceof AbortSignal && !signal.aborted);
    assert.deepEqual(server, { name: 'scripted', version: '1.0.0' });
    assert.deepEqual(call, { method: 'tools/call', name: 'slow', key: 'key', round: 2 });
  });

  test('onround tells every step, with sizes', async () => {
    const steps = [];
    const { client } = await connected([asks({ b: question('1'), a: question('2') }), asks(undefined, 's'), done()], { handlers: GOOD });
    await callTool(client, { onround: (step) => steps.push(step) });
    const short = steps.map(({ type, round, leg, key, method }) => [type, round, leg, ...(key ? [key, method] : [])]);
    assert.deepEqual(
      short.filter(([type]) => type !== 'answered'),
      [
        ['sent', 0, 1],
        ['asked', 1, 1, 'b', sampling],
        ['asked', 1, 1, 'a', sampling],
        ['retried', 1, 2],
        ['waiting', 2, 2],
        ['retried', 2, 3],
        ['done', 2, 3],
      ],
    );
    assert.equal(steps.filter(({ type }) => type === 'answered').length, 2);
    assert.equal(steps[1].bytes, JSON.stringify(question('1').params).length);
    assert.equal(steps.find(({ type }) => type === 'answered').bytes, JSON.stringify(sampled()).length);
    assert.ok(steps.every(({ timeMs }, index) => timeMs >= (steps[index - 1]?.timeMs ?? 0)));
  });

  test('onprogress is told of the server’s progress alone, under a token of each leg’s own', async () => {
    const notify = (progress) =>
      event(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$id,"progress":${progress},"total":4}}`);
    const log = event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hi' } });
    const reply = (progress, value) => events([notify(progress), log, notify(progress + 1), event(resultMessage(value))]);
    const first = reply(1, { resultType: 'input_required', inputRequests: { ask: question() } });
    const { client, peer } = await connected([first, reply(3, { resultType: 'complete', content: [] }), done()], { handlers: GOOD });
    const told = [];
    const notified = [];
    client.setNotificationHandler('notifications/message', (notification) => notified.push(notification));
    await callTool(client, { onprogress: (progress) => told.push(progress.progress) });
    assert.deepEqual(told, [1, 2, 3, 4]);
    assert.deepEqual(notified[0], { method: 'notifications/message', params: { level: 'info', data: 'hi' } });
    assert.equal(notified.length, 2);
    const tokens = peer.legs.map((leg) => params(leg)._meta.progressToken);
    assert.deepEqual(
      tokens,
      peer.legs.map((leg) => leg.message.id),
    );
    await callTool(client);
    assert.ok(!('progressToken' in params(peer.legs[2])._meta));
  });

  test('a handler of progress notifications is told each after onprogress, and without it too', async () => {
    const notify = (progress) =>
      event(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$id,"progress":${progress}}}`);
    const reply = events([notify(1), notify(2), notify(0.5), event(resultMessage({ resultType: 'complete', content: [] }))]);
    const { client } = await connected([reply, reply]);
    const told = [];
    client.setNotificationHandler('notifications/progress', ({ method, params }) => told.push([method, params.progress]));
    await callTool(client, { onprogress: ({ progress }) => told.push(progress) });
    const heard = [1, 2, 0.5].map((progress) => ['notifications/progress', progress]);
    assert.deepEqual(told.splice(0), [1, heard[0], 2, heard[1], 0.5, heard[2]]);
    await callTool(client);
    assert.deepEqual(told, heard);
  });

  test('a result without resultType is read as complete, with a warning', async () => {
    const warnings = [];
    const { client } = await connected([result({ content: [], requestState: 's' })], { onWarning: (warning) => warnings.push(warning) });
    assert.deepEqual(await callTool(client), { content: [], requestState: 's' });
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['result-type'],
    );
    assert.match(warnings[0].message, /resultType/);
  });
});

describe('lists', () => {
  const page = (names, nextCursor) =>
    result({ resultType: 'complete', tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })), nextCursor, ttlMs: 5 });
  const names = (list) => list.tools.map(({ name }) => name);

  test('all pages without a cursor', async () => {
    const { client, peer } = await connected([page(['a', 'b'], 'p/2'), page([], 'p3'), page(['c'])]);
    const list = await client.listTools({ _meta: { 'com.example/x': 1 } });
    assert.deepEqual(names(list), ['a', 'b', 'c']);
    assert.ok(!('nextCursor' in list) && !('resultType' in list) && list.ttlMs === 5);
    assert.deepEqual(
      peer.legs.map((leg) => params(leg).cursor),
      [undefined, 'p/2', 'p3'],
    );
    assert.ok(peer.legs.every((leg) => params(leg)._meta['com.example/x'] === 1));
  });

  test('one page with a cursor', async () => {
    const { client, peer } = await connected([page(['b'], 'p3')]);
    const list = await client.listTools({ cursor: 'p2' });
    assert.deepEqual([names(list), list.nextCursor, peer.legs.length], [['b'], 'p3', 1]);
  });

  test('the empty text is a cursor too', async () => {
    const { client, peer } = await connected([page(['b'], ''), page(['c'])]);
    assert.deepEqual(names(await client.listTools()), ['b', 'c']);
    assert.equal(params(peer.legs[1]).cursor, '');
  });

  test('a page that fails fails the list', async () => {
    const { client } = await connected([page(['a'], 'x'), body('no', { status: 500, type: 'text/plain' })]);
    assert.equal((await rejection(client.listTools())).code, 'CLIENT_HTTP_NOT_IMPLEMENTED');
  });
});
