// How a call is ended from outside, by the caller's signal or by close(), at every moment it may be in.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { serve } from '../support/http.mjs';
import { asks, deaf, done, events, question, sampled, scripted, silence } from '../support/scripted.mjs';
import { INFO, connected, pkg, rejection } from './support/installed.mjs';
import { GOOD, callTool, checkError, following, nextCall, settled } from './support/failing.mjs';

const sampling = 'sampling/createMessage';
const round = asks({ a: question('a'), b: question('b') }, 'state');
const open = events([': open\n\n'], { then: 'hang' });
const hang = () => new Promise(() => {});

/** The moments, the event that was told last, and what has to be let go. */
const MOMENTS = {
  'the first leg is on its way': { replies: [silence], last: 'sent', letsGo: fetchOf },
  'the first leg is on its way, and fetch does not listen': { replies: [deaf], last: 'sent', letsGo: fetchOf },
  'the first reply is being read': { replies: [open], last: 'sent', letsGo: readerOf },
  'handlers are at work': { replies: [round], handler: hang, last: 'asked', letsGo: handlersOf },
  'it waits before it asks again': { replies: [asks(undefined, 'state')], last: 'waiting', letsGo: nothing },
  'the second leg is on its way': { replies: [round, silence], last: 'retried', letsGo: fetchOf },
  'the second reply is being read': { replies: [round, open], last: 'retried', letsGo: readerOf },
};

const ENDS = {
  'abort with an Error': () => byAbort(new Error('enough')),
  'abort without a reason': () => byAbort(),
  'abort with a string': () => byAbort('enough'),
  'abort with null': () => byAbort(null),
  'abort with a frozen object': () => byAbort(Object.freeze({ enough: true })),
  'close()': () => ({ end: (client) => client.close(), check: isClosed }),
};

function byAbort(...reason) {
  const controller = new AbortController();
  const { signal } = controller;
  return {
    signal,
    end: () => controller.abort(...reason),
    check: (error) => assert.ok(Object.is(error, signal.reason), 'the signal’s own reason'),
  };
}

function isClosed(error) {
  checkError(error, { code: 'CONNECTION_CLOSED', says: ['tools/call'], data: { method: 'tools/call' } });
}

const until = async (holds) => {
  do await settled();
  while (!holds());
};

for (const [when, moment] of Object.entries(MOMENTS)) {
  describe(when, () => {
    for (const [how, make] of Object.entries(ENDS)) test(how, () => endsAt(moment, make()));
  });
}

async function endsAt({ replies, handler = () => sampled(), last, letsGo }, { signal, end, check }) {
  const told = [];
  const signals = [];
  const handlers = { [sampling]: (request, { mcpReq }) => (signals.push(mcpReq.signal), handler(request)) };
  const { client, peer } = await connected(following(replies), { handlers });
  let pause;
  const paused = new Promise((resolve) => (pause = resolve));
  const onround = ({ type }) => told.push(type) && type === 'waiting' && pause();
  const failing = rejection(callTool(client, { signal, onround }));
  // The pause is short, so it is ended at once; the other moments last.
  await (last === 'waiting' ? paused : until(() => told.at(-1) === last && peer.legs.length === replies.length));
  await end(client);
  const error = await failing;
  check(error);
  await settled();
  assert.equal(peer.legs.length, replies.length, 'nothing is sent again');
  await letsGo({ leg: peer.legs.at(-1), signals, error });
  if (signal) assert.equal(await nextCall(client), 'next');
}

function fetchOf({ leg }) {
  assert.ok(leg.signal.aborted, 'fetch is told');
}

async function readerOf({ leg }) {
  fetchOf({ leg });
  await leg.cancelled;
}

function handlersOf({ leg, signals, error }) {
  assert.equal(signals.length, 2);
  for (const signal of signals) assert.ok(signal.aborted && Object.is(signal.reason, error), 'handlers are told, with the reason');
  assert.ok(!leg.signal.aborted);
}

function nothing({ leg, signals }) {
  assert.equal(signals.length, 0);
  assert.ok(!leg.signal.aborted);
}

describe('the moment the call begins', () => {
  test('a signal that is aborted already: nothing is sent', async () => {
    const { client, peer } = await connected([done('next')], { handlers: GOOD });
    const reason = new Error('before');
    assert.equal(await rejection(callTool(client, { signal: AbortSignal.abort(reason) })), reason);
    await settled();
    assert.equal(peer.legs.length, 0);
    assert.equal(await nextCall(client), 'next');
  });

  test('an abort from within fetch', async () => {
    const controller = new AbortController();
    const reason = new Error('from within');
    let told;
    const aborts = (leg) => {
      controller.abort(reason);
      told = new Promise((resolve) => (leg.signal.aborted ? resolve() : leg.signal.addEventListener('abort', resolve)));
      return told.then(() => Promise.reject(leg.signal.reason));
    };
    const { client } = await connected(following([aborts]), { handlers: GOOD });
    assert.equal(await rejection(callTool(client, { signal: controller.signal })), reason);
    await told;
    assert.equal(await nextCall(client), 'next');
  });

  test('an abort while a token is fetched: nothing is sent', async () => {
    const controller = new AbortController();
    const tokens = [];
    const authProvider = { token: () => new Promise((resolve) => tokens.push(resolve)) };
    const connecting = connected([done('next')], { transport: { authProvider } });
    tokens.shift()('one');
    const { client, peer } = await connecting;
    const failing = rejection(callTool(client, { signal: controller.signal }));
    controller.abort(new Error('no token'));
    assert.equal((await failing).message, 'no token');
    tokens.shift()('two');
    await settled();
    assert.equal(peer.legs.length, 0);
  });

  test('connect() is ended by a signal and by close(), and can be tried again', async () => {
    const client = new pkg.Client(INFO);
    const to = (reply) =>
      new pkg.StreamableHTTPClientTransport('http://peer.test', { fetch: scripted([done('next')], { discover: reply }).fetch });
    const controller = new AbortController();
    const reason = new Error('too slow');
    const aborted = rejection(client.connect(to(silence), { signal: controller.signal }));
    controller.abort(reason);
    assert.equal(await aborted, reason);
    const closed = rejection(client.connect(to(silence)));
    await client.close();
    checkError(await closed, { code: 'CONNECTION_CLOSED' });
    await client.connect(to(undefined));
    assert.equal(await nextCall(client), 'next');
  });
});

describe('from within the call', () => {
  for (const type of ['sent', 'asked', 'answered', 'waiting', 'retried']) {
    test(`an abort from within onround, told of '${type}'`, async () => {
      const told = [];
      const controller = new AbortController();
      const reason = new Error(type);
      const onround = (event) => told.push(event.type) && event.type === type && controller.abort(reason);
      const untilThen = { sent: 1, waiting: 2, retried: 3, asked: 4, answered: 6 }[type];
      const replies = [asks(undefined, 's'), round, silence];
      const { client } = await connected(following(replies), { handlers: GOOD });
      assert.equal(await rejection(callTool(client, { signal: controller.signal, onround })), reason);
      await settled();
      assert.equal(told.length, untilThen, `nothing is told any more: ${told}`);
      assert.equal(await nextCall(client), 'next');
    });
  }

  for (const how of ['abort', 'close']) {
    test(`a handler ends its own call by ${how}`, async () => {
      const controller = new AbortController();
      const ends = async () => (how === 'abort' ? controller.abort(new Error('abort')) : client.close());
      const handler = () => ends().then(() => sampled());
      const { client, peer } = await connected([round], { handlers: { [sampling]: handler } });
      const error = await rejection(callTool(client, { signal: controller.signal }));
      assert.ok(how === 'abort' ? error === controller.signal.reason : error.code === 'CONNECTION_CLOSED');
      await settled();
      assert.equal(peer.legs.length, 1);
    });
  }

  test('an abort when all is over changes nothing', async () => {
    const controller = new AbortController();
    const { client } = await connected([done(), done('next')], { handlers: GOOD });
    assert.equal((await callTool(client, { signal: controller.signal })).content[0].text, 'done');
    controller.abort();
    assert.equal(await nextCall(client), 'next');
  });
});

test('one abort ends one call; the others of the client go on', async () => {
  const controller = new AbortController();
  let release;
  const held = new Promise((resolve) => (release = resolve));
  const late = (leg) => held.then(() => done('late')(leg));
  const { client, peer } = await connected([late, silence, late]);
  const calls = [callTool(client), callTool(client, { signal: controller.signal }), callTool(client)];
  const aborted = rejection(calls[1]);
  await until(() => peer.legs.length === 3);
  controller.abort(new Error('only one'));
  assert.equal((await aborted).message, 'only one');
  release();
  for (const call of [calls[0], calls[2]]) assert.equal((await call).content[0].text, 'late');
});

test('close() ends every call in flight, tells onclose once, and lets go of everything', async () => {
  const { client, peer } = await connected(() => silence);
  let closed = 0;
  client.onclose = () => closed++;
  const calls = Array.from({ length: 20 }, () => rejection(callTool(client)));
  await client.close();
  for (const error of await Promise.all(calls)) isClosed(error);
  await client.close();
  assert.equal(closed, 1);
  assert.ok(peer.legs.every((leg) => leg.signal.aborted));
});

describe('over real HTTP', () => {
  for (const [what, reply] of Object.entries({ 'before the head': silence, 'while the stream is open': open })) {
    test(`the server sees that the client went away, ${what}`, { timeout: 20_000 }, async () => {
      const peer = scripted([reply]);
      const server = await serve(peer.handler);
      try {
        const client = new pkg.Client(INFO);
        await client.connect(`${server.url}/mcp`);
        const controller = new AbortController();
        const failing = rejection(callTool(client, { signal: controller.signal }));
        await until(() => peer.legs.length === 1);
        const gone = new Promise((resolve) => peer.legs[0].signal.addEventListener('abort', resolve));
        controller.abort(new Error('gone'));
        assert.equal((await failing).message, 'gone');
        await gone;
      } finally {
        await server.close();
      }
    });
  }
});
