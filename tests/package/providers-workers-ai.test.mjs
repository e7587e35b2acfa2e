// Workers AI by its binding: called in this process, and in a worker.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settled } from './support/failing.mjs';
import { rejection } from './support/installed.mjs';
import { TOOLS, asking, context, providers, request, streamOf } from './support/providers.mjs';
import { VENDORS } from './support/vendors/index.mjs';
import { install } from './support/install.mjs';
import { runWorker } from './support/workerd.mjs';

const MODEL = '@cf/moonshotai/kimi-k2.7-code';
const vendor = VENDORS.workersAI;

/** @param {(inputs: object, options: object) => unknown} run */
function binding(run) {
  const calls = [];
  const ai = {
    async run(model, inputs, options) {
      assert.equal(this, ai);
      calls.push({ model, inputs, options });
      return run(inputs, options);
    },
  };
  return { ai, calls };
}

const streamed = (said, names) => ReadableStream.from([streamOf(vendor, said, names)]);

test('a stream', async () => {
  const { ai, calls } = binding(() => streamed({ text: 'Hello' }));
  const deltas = [];
  const model = providers.workersAI({ ai, model: MODEL, gateway: { id: 'mine' }, onDelta: (delta) => deltas.push(delta.text) });
  const { signal } = new AbortController();
  const result = await model(request(asking('Hi', { systemPrompt: 'S' })), context(signal));
  assert.deepEqual([result.content.text, result.stopReason, deltas.join('')], ['Hello', 'endTurn', 'Hello']);
  assert.deepEqual(Object.keys(calls[0].options), ['gateway', 'signal']);
  assert.deepEqual([calls[0].model, calls[0].inputs.stream, calls[0].options.signal], [MODEL, true, signal]);
  vendor.judge(calls[0].inputs);
});

test('answers in one piece, in both forms', async () => {
  const call = { name: 'add', arguments: { a: 1 } };
  const older = binding(() => ({ response: null, tool_calls: [call], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }));
  const result = await providers.workersAI({ ai: older.ai, model: '@cf/meta/llama-3.3-70b-instruct-fp8-fast' })(request(asking('Hi', TOOLS)));
  assert.equal(result.stopReason, 'toolUse');
  const [{ id, ...block }] = result.content;
  assert.deepEqual(block, { type: 'tool_use', name: 'add', input: { a: 1 } });
  const newer = binding(() => vendor.reply({ text: 'Hi' }, [], 0).result);
  assert.equal((await providers.workersAI({ ai: newer.ai, model: MODEL, stream: false })(request(asking()))).content.text, 'Hi');
  assert.equal(newer.calls[0].inputs.stream, undefined);
});

test('an abort cancels the stream', async () => {
  const controller = new AbortController();
  let cancelled;
  const bytes = streamOf(vendor, { text: 'Hello' });
  const stream = new ReadableStream({ start: (to) => to.enqueue(bytes.subarray(0, 400)), cancel: (reason) => void (cancelled = reason) });
  const model = providers.workersAI({ ai: binding(() => stream).ai, model: MODEL });
  const call = model(request(asking()), context(controller.signal));
  await settled();
  controller.abort(new Error('enough'));
  assert.equal(await rejection(call), controller.signal.reason);
  assert.equal(cancelled, controller.signal.reason);
});

test('what the binding throws', async () => {
  const mine = Object.assign(new Error('3040: Capacity temporarily exceeded, please try again.'), { name: 'InferenceUpstreamError' });
  const { ai } = binding(() => {
    throw mine;
  });
  const error = await rejection(providers.workersAI({ ai, model: MODEL })(request(asking())));
  assert.deepEqual([error.code, error.data.provider, error.data.status, error.data.retryable], ['PROVIDER_ERROR', 'workersAI', 429, true]);
  assert.equal(error.cause, mine);
});

test('options', () => {
  assert.throws(() => providers.workersAI({ model: MODEL }), { code: 'INVALID_ARGUMENT', message: /accountId/ });
  assert.throws(() => providers.workersAI({ model: MODEL, ai: {} }), { code: 'INVALID_ARGUMENT', message: /options\.ai/ });
});

test('over REST: where it goes', async () => {
  const urls = [];
  const fetch = async (url) => (urls.push(url), Response.json({}, { status: 500 }));
  for (const options of [{}, { profile: 'openai' }]) {
    await rejection(providers.workersAI({ accountId: 'abc', model: MODEL, fetch, ...options })(request(asking())));
  }
  const base = 'https://api.cloudflare.com/client/v4/accounts/abc/ai';
  assert.deepEqual(urls, [`${base}/run/${MODEL}`, `${base}/v1/chat/completions`]);
});

test('in a worker, with a binding that streams', async () => {
  const events = new TextDecoder().decode(streamOf(vendor, { text: 'é😀' }));
  const worker = `import { workersAI } from 'mcp-sampling/providers';
    const events = new TextEncoder().encode(${JSON.stringify(events)});
    const AI = { async run(model, inputs) {
      const { readable, writable } = new IdentityTransformStream();
      const writer = writable.getWriter();
      (async () => { for (let at = 0; at < events.length; at += 5) await writer.write(events.subarray(at, at + 5)); await writer.close(); })();
      return readable;
    } };
    export default { async fetch() {
      const model = workersAI({ ai: AI, model: '${MODEL}' });
      const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 9 };
      return Response.json(await model({ params }, { mcpReq: { signal: new AbortController().signal } }));
    } };`;
  const result = await runWorker(worker, { from: install() });
  assert.equal(result.content.text, 'é😀');
});
