// Coming back when a provider is busy. Nothing here goes over a real connection, whose timers the clock would hold too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withClock } from './support/clock.mjs';
import { rejection } from './support/installed.mjs';
import { asking, context, providers, request } from './support/providers.mjs';

const openai = (options) => providers.openai({ model: 'gpt-4o', ...options });

/** Busy at first, and asks to come back then. */
function busy(retryAfter) {
  let sent = 0;
  const fetch = async () => {
    if (sent++) return Response.json({ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }], model: 'm' });
    return new Response('{}', { status: 503, headers: { 'retry-after': retryAfter } });
  };
  return { fetch, sent: () => sent };
}

test('seconds to wait', () =>
  withClock(async (clock) => {
    const { fetch, sent } = busy('1.5');
    const call = openai({ fetch, retry: { attempts: 2 } })(request(asking()));
    await comesBack({ clock, call, sent, afterMs: 1500 });
  }));

test('a date to wait for', ({ mock }) =>
  withClock(async (clock) => {
    const now = Date.UTC(2026, 0, 1);
    mock.method(Date, 'now', () => now + 500);
    const { fetch, sent } = busy(new Date(now + 2000).toUTCString());
    const call = openai({ fetch, retry: { attempts: 2 } })(request(asking()));
    await comesBack({ clock, call, sent, afterMs: 1500 });
  }));

async function comesBack({ clock, call, sent, afterMs }) {
  await clock.advance(afterMs - 1);
  assert.equal(sent(), 1);
  await clock.advance(1);
  assert.equal(sent(), 2);
  assert.equal((await call).content.text, 'Hi');
  assert.equal(clock.timers.size, 0);
}

test('a wait ends with the signal, and nothing is sent afterwards', () =>
  withClock(async (clock) => {
    const controller = new AbortController();
    const { fetch, sent } = busy('30');
    const call = rejection(openai({ fetch, retry: { maxDelayMs: Infinity } })(request(asking()), context(controller.signal)));
    await clock.advance(29_999);
    assert.equal(sent(), 1);
    controller.abort();
    assert.equal((await call).name, 'AbortError');
    await clock.advance(3_600_000);
    assert.deepEqual([sent(), clock.timers.size], [1, 0]);
  }));

test('attempts count the first one', async () => {
  let sent = 0;
  const fetch = async () => (sent++, new Response('{}', { status: 429, headers: { 'retry-after': '0' } }));
  for (const [retry, expected] of [[undefined, 1], [{ attempts: 1 }, 1], [{ attempts: 4 }, 4], [{}, 3]]) {
    sent = 0;
    await rejection(openai({ fetch, retry })(request(asking())));
    assert.equal(sent, expected);
  }
});
