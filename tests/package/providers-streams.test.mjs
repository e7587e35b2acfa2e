// Streams down to the reader: cut anywhere, aborted in the middle, ended where nothing more is needed.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { settled } from './support/failing.mjs';
import { rejection } from './support/installed.mjs';
import { vendorServer } from './support/vendor-server.mjs';
import { TOOLS, asking, context, fetchOf, modelOf, providers, request, streamOf } from './support/providers.mjs';
import { LOOP } from './support/vendor-scripts.mjs';
import { VENDORS } from './support/vendors/index.mjs';

let server;
before(async () => (server = await vendorServer()));
after(() => server.close());

for (const [name, vendor] of Object.entries(VENDORS)) {
  describe(name, () => {
    const params = asking('Hi', TOOLS);
    const { body } = providers[name].build(params, vendor.options);
    const names = vendor.toolNames(JSON.parse(new TextDecoder().decode(body)));
    let chunks;
    let deltas;
    const model = providers[name]({ baseURL: 'https://vendor.test', ...vendor.options, fetch: () => fetchOf(chunks)(), onDelta: (delta) => deltas.push(delta) });

    /** The answer to these chunks, and its deltas. */
    async function answer(given) {
      [chunks, deltas] = [given, []];
      return { result: await model(request(params)), deltas };
    }

    test('cut at every byte', async () => {
      const bytes = streamOf(vendor, { thought: 'Hm', text: 'é😀', calls: [{ tool: 1, input: { a: ['ü'] } }] }, names);
      const whole = await answer([bytes]);
      assert.equal(whole.result.stopReason, 'toolUse');
      for (let at = 1; at < bytes.length; at++) {
        assert.deepEqual(await answer([bytes.subarray(0, at), bytes.subarray(at)]), whole, `split at ${at}`);
      }
      assert.deepEqual(await answer(Array.from(bytes, (byte) => Uint8Array.of(byte))), whole, 'byte by byte');
    });

    test('deltas: text, thoughts, calls and their arguments', async () => {
      const { deltas } = await answer([streamOf(vendor, LOOP[0], names)]);
      const joined = (type, member, index) => deltas.filter((delta) => delta.type === type && delta.index === index).map((delta) => delta[member]).join('');
      assert.equal(joined('text', 'text'), 'I look.');
      assert.equal(joined('reasoning', 'text'), 'thought one');
      assert.deepEqual(deltas.filter(({ type }) => type === 'toolUse').map(({ index, name }) => [index, name]), [[0, 'fs.read'], [1, 'add']]);
      for (const [index, { input }] of LOOP[0].calls.entries()) assert.deepEqual(JSON.parse(joined('toolInput', 'json', index)), input);
    });

    test('an abort in the middle reaches the server', async () => {
      const controller = new AbortController();
      const reason = new Error('enough');
      const shown = [];
      const model = modelOf(server, name, 'endless', {
        onDelta(delta) {
          shown.push(delta);
          if (shown.length === 3) controller.abort(reason);
        },
      });
      assert.equal(await rejection(model(request(asking()), context(controller.signal))), reason);
      assert.equal(shown.length, 3);
      await server.log.at(-1).gone;
    });

    test('an abort before the reply reaches the server', async () => {
      const controller = new AbortController();
      const call = modelOf(server, name, 'silent')(request(asking()), context(controller.signal));
      const seen = server.log.length;
      while (server.log.length === seen) await sleep(1);
      controller.abort();
      assert.equal((await rejection(call)).name, 'AbortError');
      await server.log.at(-1).gone;
    });

    test('a stop sequence cuts the request off', { skip: name === 'anthropic' && 'the vendor does it' }, async () => {
      const stopSequences = [...Array.from({ length: 16 }, (_, index) => `stop ${index}`), 'lo'];
      const result = await modelOf(server, name, 'endless')(request(asking('Hi', { stopSequences })));
      assert.equal(result.stopReason, 'stopSequence');
      await server.log.at(-1).gone;
    });
  });
}

test('calls after one another share a connection', { timeout: 20_000 }, async () => {
  const own = await vendorServer();
  // The end of a reply that was read may come after what it means, and only then the connection is free.
  let replies = 0;
  const replied = () => void replies++;
  subscribe('undici:request:trailers', replied);
  for (const name of Object.keys(VENDORS)) {
    const before = replies;
    await modelOf(own, name, 'hello')(request(asking()));
    while (replies === before) await sleep(1);
    await settled();
  }
  unsubscribe('undici:request:trailers', replied);
  assert.equal(new Set(own.log.map(({ port }) => port)).size, 1);
  await own.close();
});

const anthropic = (options) => providers.anthropic({ ...VENDORS.anthropic.options, ...options });

test('an abort ends the reading where fetch forgets about the signal', async () => {
  const controller = new AbortController();
  let cancelled;
  const body = new ReadableStream({ cancel: (reason) => void (cancelled = reason) });
  const call = anthropic({ fetch: async () => new Response(body) })(request(asking()), context(controller.signal));
  await settled();
  controller.abort(new Error('enough'));
  assert.equal(await rejection(call), controller.signal.reason);
  assert.equal(cancelled, controller.signal.reason);
});

test('an abort does not wait for a fetch, a key or a callback that never comes back', async () => {
  const never = () => new Promise(() => {});
  const bytes = streamOf(VENDORS.anthropic, LOOP[0], []);
  for (const options of [{ fetch: never }, { apiKey: never }, { fetch: fetchOf([bytes]), onDelta: never }]) {
    const controller = new AbortController();
    const call = anthropic(options)(request(asking()), context(controller.signal));
    await settled();
    controller.abort();
    assert.equal((await rejection(call)).name, 'AbortError');
  }
});

test('nothing is sent once the signal is aborted', async () => {
  const fetch = () => assert.fail('sent');
  const call = anthropic({ fetch })(request(asking()), context(AbortSignal.abort()));
  assert.equal((await rejection(call)).name, 'AbortError');
});

test('no listener stays on a signal that lives on', async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  for (const [method, change] of [['addEventListener', 1], ['removeEventListener', -1]]) {
    signal[method] = function (type, ...rest) {
      if (type === 'abort') listeners += change;
      return EventTarget.prototype[method].call(this, type, ...rest);
    };
  }
  const fetch = fetchOf([streamOf(VENDORS.anthropic, { text: 'Hi' })]);
  await anthropic({ fetch: () => fetch() })(request(asking()), context(signal));
  await rejection(anthropic({ fetch: async () => Response.json({}, { status: 500 }) })(request(asking()), context(signal)));
  await rejection(anthropic({ fetch: () => Promise.reject(new TypeError('no')) })(request(asking()), context(signal)));
  assert.equal(listeners, 0);
});

test('a callback that throws ends the request with what it threw', async () => {
  const mine = new Error('mine');
  let cancelled = false;
  const stream = new ReadableStream({
    start: (controller) => controller.enqueue(streamOf(VENDORS.anthropic, LOOP[2])),
    cancel: () => void (cancelled = true),
  });
  const throwing = () => {
    throw mine;
  };
  assert.equal(await rejection(anthropic({ fetch: async () => new Response(stream), onDelta: throwing })(request(asking()))), mine);
  assert.ok(cancelled);
  const fetch = () => assert.fail('sent');
  const warns = asking('Hi', { metadata: { other: 1 } });
  assert.equal(await rejection(anthropic({ fetch, onWarning: async () => throwing() })(request(warns))), mine);
  const whole = fetchOf([streamOf(VENDORS.anthropic, { text: 'Hi' })]);
  assert.equal(await rejection(anthropic({ fetch: whole, onUsage: async () => throwing() })(request(asking()))), mine);
});

test('a slow reader of deltas slows the stream down', async () => {
  let pulled = 0;
  const bytes = streamOf(VENDORS.anthropic, { text: 'x'.repeat(50) });
  const stream = new ReadableStream(
    { pull: (controller) => (pulled < bytes.length ? controller.enqueue(bytes.subarray(pulled, (pulled += 40))) : controller.close()) },
    { highWaterMark: 0 },
  );
  let most = 0;
  let slow = 0;
  const onDelta = async () => {
    const before = pulled;
    await settled();
    most = Math.max(most, pulled - before);
    slow++;
  };
  await anthropic({ fetch: async () => new Response(stream), onDelta })(request(asking()));
  assert.deepEqual([most, slow], [0, 50]);
});

test('replies without a body to read piece by piece, as in React Native', async () => {
  const bytes = streamOf(VENDORS.anthropic, { text: 'Hi' });
  const reply = { ok: true, status: 200, headers: new Headers(), body: undefined, arrayBuffer: async () => bytes.buffer };
  const result = await anthropic({ fetch: async () => reply })(request(asking()));
  assert.equal(result.content.text, 'Hi');
});
