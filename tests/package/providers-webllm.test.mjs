// WebLLM, with an engine that behaves as the real one: one generation at a time, and the request is its to write into.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rejection } from './support/installed.mjs';
import { TOOLS, asking, context, providers, request } from './support/providers.mjs';
import { Engine } from './support/webllm-engine.mjs';

const HERMES = 'Hermes-3-Llama-3.1-8B-q4f16_1-MLC';

const model = (engine, options) => providers.webllm({ engine, model: HERMES, ...options });

test('text', async () => {
  const engine = new Engine(() => ({ pieces: ['Hel', 'lo'] }));
  const deltas = [];
  const result = await model(engine, { onDelta: (delta) => deltas.push(delta.text) })(request(asking('Hi', { systemPrompt: 'S' })), context());
  assert.deepEqual([result.content, result.stopReason, result.model], [{ type: 'text', text: 'Hello' }, 'endTurn', HERMES]);
  assert.deepEqual(deltas, ['Hel', 'lo']);
  assert.equal(result._meta.usage.output_tokens, 3);
  const [sent] = engine.requests;
  assert.deepEqual(sent.messages.map(({ role }) => role), ['system', 'user']);
  assert.deepEqual([sent.stream, sent.max_tokens, sent.stream_options], [true, 100, { include_usage: true }]);
  assert.deepEqual([engine.interrupts, engine.ended], [0, 1]);
});

test('calls: the text that the engine streams before them is not shown', async () => {
  const text = '[{"name":"add","arguments":{"a":1}}]';
  const calls = [{ index: 0, type: 'function', function: { name: 'add', arguments: '{"a":1}' } }];
  const deltas = [];
  const engine = new Engine(() => ({ pieces: [...text], calls }));
  const result = await model(engine, { onDelta: (delta) => deltas.push(delta) })(request(asking('Hi', TOOLS)));
  assert.equal(result.stopReason, 'toolUse');
  const [{ _meta, id, ...call }] = result.content;
  assert.deepEqual(call, { type: 'tool_use', name: 'add', input: { a: 1 } });
  assert.ok(id && deltas.every(({ type }) => type !== 'text'), JSON.stringify(deltas));
  assert.ok(engine.requests[0].messages.every(({ role }) => role !== 'system'), 'no system message beside tools');
});

test('an abort interrupts the engine, which then serves the next request', async () => {
  let first = true;
  const engine = new Engine(() => ({ pieces: ['x'], endless: first && !(first = false) }));
  const controller = new AbortController();
  const onDelta = () => controller.abort(new Error('enough'));
  const error = await rejection(model(engine, { onDelta })(request(asking()), context(controller.signal)));
  assert.equal(error, controller.signal.reason);
  assert.equal((await model(engine)(request(asking()))).content.text, 'x');
  assert.deepEqual([engine.interrupts, engine.ended], [1, 2]);
});

test('an abort of a request that waits its turn leaves the running one alone', async () => {
  const engine = new Engine(() => ({ pieces: ['a', 'b', 'c'] }));
  const controller = new AbortController();
  const running = model(engine)(request(asking()));
  const waiting = rejection(model(engine)(request(asking()), context(controller.signal)));
  await sleep(1);
  controller.abort();
  assert.equal((await waiting).name, 'AbortError');
  assert.equal((await running).content.text, 'abc');
});

test('a callback that throws interrupts the engine', async () => {
  const mine = new Error('mine');
  const engine = new Engine(() => ({ pieces: ['x'], endless: true }));
  const onDelta = () => {
    throw mine;
  };
  assert.equal(await rejection(model(engine, { onDelta })(request(asking()))), mine);
  while (!engine.ended) await sleep(1);
  assert.equal(engine.interrupts, 1);
});

test('what the engine throws', async () => {
  const mine = Object.assign(new Error('This model does not support tools'), { name: 'UnsupportedModelIdError' });
  const create = async () => {
    throw mine;
  };
  const error = await rejection(model({ chat: { completions: { create } }, interruptGenerate() {} })(request(asking())));
  assert.equal(error.code, 'PROVIDER_ERROR');
  assert.deepEqual(error.data, { provider: 'webllm', type: 'UnsupportedModelIdError', status: null, retryable: false, message: mine.message });
  assert.equal(error.cause, mine);
});

test('what a model is', () => {
  const engine = new Engine(() => ({}));
  assert.deepEqual([model(engine).name, model(engine).provider], [HERMES, 'webllm']);
  assert.ok(model(engine).abilities.includes('tools'));
  assert.ok(!providers.webllm({ engine, model: 'Llama-3.2-1B-Instruct-q4f16_1-MLC' }).abilities.includes('tools'));
  assert.throws(() => providers.webllm({ model: HERMES }), { code: 'INVALID_ARGUMENT', message: /engine/ });
  assert.equal(JSON.parse(new TextDecoder().decode(providers.webllm.build(asking(), { model: HERMES }).body)).max_tokens, 100);
});
