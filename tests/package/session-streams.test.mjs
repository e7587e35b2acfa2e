/** Streams of 2025 that end early, batches, and answers that do not get through. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withClock } from './support/clock.mjs';
import { settled } from './support/failing.mjs';
import { rejection } from './support/installed.mjs';
import { stream, until } from './support/legacy-peer.mjs';
import { CALL, connected, streaming } from './support/session.mjs';

describe('a stream that breaks', () => {
  for (const how of ['end', 'break']) {
    test(`(${how}) is taken up again after its last event, when the server says`, () =>
      withClock(async (clock) => {
        const again = stream();
        const listen = ({ headers }) => (headers.has('last-event-id') ? again.response : undefined);
        const { call, peer } = await streaming({ peer: { listen } });
        const { open, result } = await call();
        open.write('id: e1\nretry: 150\ndata:\n\n');
        await settled();
        open[how]();
        await clock.advance(149);
        const resumed = () => peer.seen.find(({ headers }) => headers.has('last-event-id'));
        assert.equal(resumed(), undefined);
        await clock.advance(1);
        const { method, headers } = resumed();
        assert.deepEqual([method, headers.get('last-event-id'), headers.get('mcp-session-id')], ['GET', 'e1', 'session-1']);
        assert.equal(headers.get('accept'), 'text/event-stream');
        again.send({ id: open.id, result: { content: [] } });
        assert.deepEqual(await result, { content: [] });
      }));
  }

  test('without an event to go on from fails the call at once', async () => {
    const { call } = await streaming();
    const { open, result } = await call();
    open.end();
    assert.equal((await rejection(result)).code, 'CONNECTION_CLOSED');
  });

  test('and is not wanted any more is not taken up', () =>
    withClock(async (clock) => {
      const { call, peer, client } = await streaming();
      const { open, result } = await call();
      open.write('id: e1\nretry: 100\ndata:\n\n');
      await settled();
      open.end();
      await clock.advance(50);
      await client.close();
      await rejection(result);
      await clock.advance(3_600_000);
      assert.ok(!peer.seen.some(({ headers }) => headers.has('last-event-id')));
      assert.equal(clock.timers.size, 0);
    }));

  test('and belongs to no call begins anew', () =>
    withClock(async (clock) => {
      const streams = [];
      const { client, peer } = await connected({ listen: () => (streams.push(stream()), streams.at(-1).response) });
      await until(() => streams.length === 1);
      streams[0].write('retry: 100\nid: e9\n\n');
      await settled();
      streams[0].end();
      await clock.advance(99);
      assert.equal(streams.length, 1);
      await clock.advance(1);
      assert.equal(streams.length, 2);
      assert.equal(peer.seen.at(-1).headers.get('last-event-id'), 'e9');
      streams[1].send({ id: 'p', method: 'ping' });
      await until(() => peer.seen.some(({ message }) => message?.id === 'p'));
      await client.close();
    }));
});

describe('replies of 2025-03-26', () => {
  test('may be batches, and so may events', async () => {
    const note = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } };
    const batch = (id) => [note, { jsonrpc: '2.0', id: 'p', method: 'ping' }, { jsonrpc: '2.0', id, result: { content: [] } }];
    for (const reply of [(id) => Response.json(batch(id)), (id) => new Response(`data: ${JSON.stringify(batch(id))}\n\n`, { headers: { 'content-type': 'text/event-stream' } })]) {
      const { client, peer } = await connected({ version: '2025-03-26', post: ({ id, method }) => (method === 'tools/call' ? reply(id) : undefined) });
      const heard = [];
      client.setNotificationHandler('notifications/message', ({ params }) => heard.push(params.data));
      assert.deepEqual(await client.callTool(CALL), { content: [] });
      await until(() => peer.seen.some(({ message }) => message?.id === 'p'));
      assert.deepEqual(heard, [1]);
      await client.close();
    }
  });
});

describe('answers that do not get through', () => {
  test('are told to the host', async () => {
    const post = (message) => (message.method === undefined ? new Response('', { status: 500 }) : undefined);
    const listening = stream();
    const { client, errors } = await connected({ post, listen: () => listening.response });
    listening.send({ id: 'p', method: 'ping' });
    await until(() => errors.length === 1);
    assert.deepEqual([errors[0].code, errors[0].status], ['CLIENT_HTTP_NOT_IMPLEMENTED', 500]);
    await client.close();
  });
});
