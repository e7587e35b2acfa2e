// The three clocks of a call: one leg on the wire, the handlers of a round, everything together.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asks, deaf, done, event, events, question, resultMessage, sampled, silence } from '../support/scripted.mjs';
import { withClock } from './support/clock.mjs';
import { connected, rejection } from './support/installed.mjs';
import { GOOD, callTool, checkError, following, nextCall, settled } from './support/failing.mjs';

const sampling = 'sampling/createMessage';
const round = asks({ a: question('a'), b: question('b') }, 'state');
const pause = asks(undefined, 'state');
const open = events([': open\n\n'], { then: 'hang' });
const hang = () => new Promise(() => {});
const leg = { clock: 'leg', timeout: 100 };
const total = { clock: 'total', maxTotalTimeout: 100 };

/** When, the replies, the options of call and client, when the time is up, and what the error says. */
const ROWS = [
  ['the first leg, and fetch listens', { replies: [silence], options: { timeout: 100 }, data: leg }],
  ['the first leg, and fetch does not listen', { replies: [deaf], options: { timeout: 100 }, data: leg }],
  ['the first reply is being read', { replies: [open], options: { timeout: 100 }, data: leg }],
  ['the second leg', { replies: [round, silence], options: { timeout: 100 }, data: leg }],
  ['the first leg, all together', { replies: [silence], options: { maxTotalTimeout: 100 }, data: total }],
  ['handlers, all together', { replies: [round], handler: hang, options: { maxTotalTimeout: 100 }, data: total }],
  ['the pause, all together', { replies: [pause], options: { maxTotalTimeout: 100 }, data: total }],
  ['the second leg, all together', { replies: [round, deaf], options: { timeout: 500, maxTotalTimeout: 100 }, data: total }],
  [
    'handlers',
    { replies: [round], handler: hang, client: { inputRequired: { handlerTimeoutMs: 100 } }, data: { clock: 'handlers', timeout: 100 } },
  ],
];

describe('time runs out', () => {
  for (const [when, row] of ROWS) test(when, () => withClock((clock) => timesOut(clock, row)));
});

async function timesOut(clock, { replies, handler = () => sampled(), options, client: clientOptions, data }) {
  const signals = [];
  const handlers = { [sampling]: (request, { mcpReq }) => (signals.push(mcpReq.signal), handler(request)) };
  const { client, peer } = await connected(following(replies), { handlers, ...clientOptions });
  const failing = rejection(callTool(client, options));
  let over = false;
  failing.then(() => (over = true));
  await clock.advance(99);
  assert.ok(!over, 'not yet');
  await clock.advance(1);
  assert.ok(over, 'in time');
  const error = await failing;
  checkError(error, {
    code: 'REQUEST_TIMEOUT',
    says: ['tools/call', '100 ms'],
    data: { method: 'tools/call', totalElapsed: 100, ...data },
  });
  await clock.advance(10_000);
  assert.equal(peer.legs.length, replies.length, 'nothing is sent again');
  assert.equal(clock.timers.size, 0, 'no timer is left');
  if (handler === hang) for (const { aborted, reason } of signals) assert.ok(aborted && reason === error);
  else if (data.clock === 'leg') assert.ok(peer.legs.at(-1).signal.aborted);
  assert.equal(await nextCall(client), 'next');
}

describe('time does not run out', () => {
  test('a person may take longer than a leg', () =>
    withClock(async (clock) => {
      let answer;
      const handler = () => new Promise((resolve) => (answer = () => resolve(sampled())));
      const { client } = await connected([asks({ a: question() }), done()], { handlers: { [sampling]: handler } });
      const call = callTool(client, { timeout: 100 });
      await clock.advance(3_600_000);
      answer();
      assert.equal((await call).content[0].text, 'done');
    }));

  test('each leg has the whole of its time', () =>
    withClock(async (clock) => {
      const slow = (reply) => (leg) => new Promise((resolve) => setTimeout(() => resolve(reply(leg)), 80));
      const { client } = await connected([slow(round), slow(round), slow(done())], { handlers: GOOD });
      const call = callTool(client, { timeout: 100 });
      await clock.advance(240);
      assert.equal((await call).content[0].text, 'done');
      assert.equal(clock.timers.size, 0);
    }));

  test('a handler that answers after the end finds nobody', () =>
    withClock(async (clock) => {
      const answers = [];
      const handler = () => new Promise((resolve, reject) => answers.push([resolve, reject]));
      const { client, peer } = await connected([round, done('next')], { handlers: { [sampling]: handler } });
      const failing = rejection(callTool(client, { maxTotalTimeout: 100 }));
      await clock.advance(100);
      checkError(await failing, { code: 'REQUEST_TIMEOUT' });
      answers[0][0](sampled());
      answers[1][1](new Error('too late'));
      await settled();
      assert.equal(peer.legs.length, 1);
      assert.equal(await nextCall(client), 'next');
    }));

  test('a reply that comes after the end finds nobody', () =>
    withClock(async (clock) => {
      let reply;
      const late = (leg) => new Promise((resolve) => (reply = () => resolve(done('late')(leg))));
      const { client } = await connected([late, done('next')]);
      const failing = rejection(callTool(client, { timeout: 100 }));
      await clock.advance(100);
      checkError(await failing, { code: 'REQUEST_TIMEOUT' });
      reply();
      await settled();
      assert.equal(await nextCall(client), 'next');
    }));
});

describe('progress', () => {
  /** A stream that tests write to. */
  function written() {
    const bytes = new TextEncoder();
    let controller;
    const reply = () => {
      const stream = new ReadableStream({ start: (given) => (controller = given) });
      return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
    };
    const write = (message, leg) => controller.enqueue(bytes.encode(event(message).replaceAll('$id', leg.message.id)));
    return { reply, write };
  }
  const progress = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$id,"progress":1}}';

  test('starts the clock of a leg anew where that is wanted, without a watcher', () =>
    withClock(async (clock) => {
      const { reply, write } = written();
      const { client, peer } = await connected([reply]);
      const call = callTool(client, { timeout: 100, resetTimeoutOnProgress: true });
      for (let times = 0; times < 3; times++) {
        await clock.advance(80);
        write(progress, peer.legs[0]);
      }
      assert.equal(peer.legs[0].message.params._meta.progressToken, peer.legs[0].message.id);
      write(resultMessage({ resultType: 'complete', content: [] }), peer.legs[0]);
      assert.deepEqual(await call, { content: [] });
    }));

  test('does not where it is not', () =>
    withClock(async (clock) => {
      const { reply, write } = written();
      const { client, peer } = await connected([reply]);
      const failing = rejection(callTool(client, { timeout: 100, onprogress() {} }));
      await clock.advance(80);
      write(progress, peer.legs[0]);
      await clock.advance(20);
      checkError(await failing, { code: 'REQUEST_TIMEOUT', data: leg });
    }));

  test('does not move the end of everything together', () =>
    withClock(async (clock) => {
      const { reply, write } = written();
      const { client, peer } = await connected([reply]);
      const failing = rejection(callTool(client, { timeout: 60, maxTotalTimeout: 100, resetTimeoutOnProgress: true }));
      await clock.advance(50);
      write(progress, peer.legs[0]);
      await clock.advance(50);
      checkError(await failing, { code: 'REQUEST_TIMEOUT', data: total });
    }));
});

describe('by the clock of the machine', () => {
  test('a leg', async () => {
    const { client } = await connected(following([silence]));
    checkError(await rejection(callTool(client, { timeout: 10 })), { code: 'REQUEST_TIMEOUT', data: { clock: 'leg', timeout: 10 } });
    assert.equal(await nextCall(client), 'next');
  });

  test('everything together, while a handler never answers', async () => {
    const { client } = await connected(following([round]), { handlers: { [sampling]: hang } });
    checkError(await rejection(callTool(client, { maxTotalTimeout: 20 })), {
      code: 'REQUEST_TIMEOUT',
      data: { clock: 'total', maxTotalTimeout: 20 },
    });
    assert.equal(await nextCall(client), 'next');
  });

  test('no time at all', async () => {
    const { client } = await connected(following([silence]));
    checkError(await rejection(callTool(client, { timeout: 0 })), { code: 'REQUEST_TIMEOUT' });
    assert.equal(await nextCall(client), 'next');
  });
});
