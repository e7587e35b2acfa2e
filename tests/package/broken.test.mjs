// A bug in the module is a trap, which nothing in it survives: all that was under way ends with an error that says so, and
// a fresh instance takes its place.

import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { asks, done, question, sampled } from '../support/scripted.mjs';

// What the module does when it is told of these, once this is set: a body, a timer, an abort. There is no known input
// that traps.
const HIT = [10, 23, 24];
let bug;
const RealInstance = WebAssembly.Instance;
WebAssembly.Instance = class extends RealInstance {
  get exports() {
    const { enter, ...others } = super.exports;
    return { ...others, enter: (what, ...given) => (bug && HIT.includes(what) ? bug() : enter(what, ...given)) };
  }
};
const trap = () => {
  throw new WebAssembly.RuntimeError('unreachable');
};

const { INFO, connected, pkg, rejection } = await import('./support/installed.mjs');
const { GOOD, callTool, following, nextCall, settled } = await import('./support/failing.mjs');

const round = asks({ ask: question() }, 'state');
afterEach(() => (bug = undefined));

/** Connects again, as a host would. */
async function again(client, peer) {
  await client.connect(new pkg.StreamableHTTPClientTransport('http://peer.test/mcp', { fetch: peer.fetch }));
  assert.equal(await nextCall(client), 'next');
}

describe('a trap', () => {
  test('ends every call with an error that says so, and clients can connect again', async () => {
    const hang = () => new Promise(() => {});
    const one = await connected(following([hang]), { handlers: GOOD });
    const two = await connected(following([done()]), { handlers: GOOD });
    const told = [];
    one.client.onerror = (error) => told.push(error);
    one.client.onclose = () => told.push('closed');
    const waiting = rejection(callTool(one.client));
    bug = trap;
    const hit = await rejection(callTool(two.client));
    bug = undefined;
    const waited = await waiting;
    for (const error of [hit, waited]) {
      assert.ok(error instanceof pkg.SdkError);
      assert.equal(error.code, 'INTERNAL_ERROR');
      assert.ok(error.cause instanceof WebAssembly.RuntimeError);
    }
    assert.deepEqual(told, [waited, 'closed']);
    assert.ok(one.peer.legs.at(-1).signal.aborted);
    assert.equal((await rejection(callTool(one.client))).code, 'NOT_CONNECTED');
    await again(one.client, one.peer);
    await again(two.client, two.peer);
  });

  test('tells the handlers to stop, and what they answer then finds nobody', async () => {
    let answer;
    let stopped;
    const handlers = {
      'sampling/createMessage': (_, { mcpReq: { signal } }) => {
        signal.addEventListener('abort', () => (stopped = signal.reason));
        return new Promise((resolve) => (answer = () => resolve(sampled())));
      },
    };
    const asked = await connected(following([round]), { handlers });
    const calling = rejection(callTool(asked.client));
    while (!answer) await settled();
    const other = await connected(following([done()]));
    bug = trap;
    await rejection(callTool(other.client));
    bug = undefined;
    const error = await calling;
    assert.equal(stopped, error);
    answer();
    await settled();
    assert.equal(asked.peer.legs.length, 1);
    await again(asked.client, asked.peer);
  });

  test('keeps what was registered', async () => {
    const { client, peer } = await connected(following([done(), round, done('after')]), { handlers: GOOD });
    bug = trap;
    await rejection(callTool(client));
    bug = undefined;
    await again(client, peer);
    assert.equal((await callTool(client)).content[0].text, 'after');
  });

  const hanging = {
    timer: () => ({ timeout: 5 }),
    abort: () => {
      const controller = new AbortController();
      setImmediate(() => controller.abort());
      return { signal: controller.signal };
    },
  };
  for (const [where, options] of Object.entries(hanging)) {
    test(`in the middle of ${where === 'timer' ? 'a timer' : 'an abort'} is no uncaught error`, async () => {
      const { client, peer } = await connected(following([() => new Promise(() => {})]));
      bug = trap;
      assert.equal((await rejection(callTool(client, options()))).code, 'INTERNAL_ERROR');
      bug = undefined;
      await again(client, peer);
    });
  }
});

test('a call begun at the very end of the stack', async () => {
  const peer = following([]);
  const { client, peer: server } = await connected((leg) => peer(leg));
  const begun = [];
  exhausted(() => begun.push(callTool(client, {}).catch(() => {}), client.request({ method: 'tools/call', params: { name: 'next' } }).catch(() => {})));
  await Promise.all(begun);
  const fresh = new pkg.Client(INFO);
  await again(fresh, server);
  if (client.getProtocolEra() === undefined) await again(client, server);
  assert.equal(await nextCall(client), 'next');
});

/** Does something where the stack is full, then again and again where a little more of it is left. */
function exhausted(act, tries = { left: 60 }) {
  try {
    exhausted(act, tries);
  } catch {
    // The end of the stack.
  }
  if (tries.left-- > 0) act();
}
