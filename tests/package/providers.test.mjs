// Each provider against a server that checks what the vendor checks: conversations, and the ways an answer can end.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { rejection } from './support/installed.mjs';
import { PNG, TOOLS, asking, context, fixtures, modelOf, request } from './support/providers.mjs';
import { plain, resultsOf } from './support/tool-loop.mjs';
import { vendorServer } from './support/vendor-server.mjs';
import { LOOP } from './support/vendor-scripts.mjs';
import { VENDORS } from './support/vendors/index.mjs';

const STATE_KEY = 'io.github.mcp-sampling/state';

let server;
before(async () => (server = await vendorServer()));
after(() => server.close());

for (const [name, vendor] of Object.entries(VENDORS)) {
  describe(name, () => {
    const ask = (script, params = asking(), options = {}) => modelOf(server, name, script, options)(request(params), context());
    const text = (result) => [result.content].flat().map((block) => block.text).join('');

    test('text, streamed and not', async () => {
      const deltas = [];
      const result = await ask('hello', asking(), { onDelta: (delta) => deltas.push(delta) });
      assert.equal(text(result), 'Hello é😀.');
      assert.deepEqual([result.role, result.stopReason, result.content.type], ['assistant', 'endTurn', 'text']);
      assert.ok(deltas.length > 1 && deltas.every(({ type }) => type === 'text'));
      assert.equal(deltas.map((delta) => delta.text).join(''), 'Hello é😀.');
      assert.deepEqual(await ask('hello', asking(), { stream: false }), result);
      assert.deepEqual(await ask('whole'), result);
    });

    test('usage, in the words the reference server reads', async () => {
      const usages = [];
      const result = await ask('hello', asking(), { onUsage: (usage, ctx) => usages.push([usage, ctx]) });
      const { raw, ...usage } = result._meta.usage;
      assert.deepEqual(usage, { input_tokens: 10, output_tokens: 7, cache_creation_input_tokens: 0, cache_read_input_tokens: 2 });
      assert.ok(raw);
      assert.deepEqual(usages, [[result._meta.usage, context()]]);
    });

    test('images', async () => {
      const image = { type: 'image', mimeType: 'image/png', data: PNG };
      const result = await ask('hello', asking([{ type: 'text', text: 'What is this?' }, image]), vendor.imageOptions && { profile: undefined, ...vendor.imageOptions });
      assert.equal(text(result), 'Hello é😀.');
      assert.ok(JSON.stringify(server.log.at(-1).body).includes(PNG));
    });

    for (const stream of [true, false]) test(`three rounds with tools, ${stream ? 'streamed' : 'in one piece'}`, () => loop(name, { stream }));

    test('a refusal is told, and is no end of turn', async () => {
      const result = await ask('refusal');
      assert.equal(result.stopReason, vendor.refusal);
      assert.equal(text(result), 'I will not.');
      assert.equal(result._meta['io.github.mcp-sampling/answer'].provider, name);
    });

    test('a limit', async () => {
      const result = await ask('length');
      assert.deepEqual([result.stopReason, text(result)], ['maxTokens', 'Once upon']);
    });

    test('an empty answer', async () => {
      const result = await ask('nothing');
      assert.deepEqual([result.content, result.stopReason], [[], 'endTurn']);
      assert.deepEqual((await ask('nothing', asking(), { emptyText: true })).content, { type: 'text', text: '' });
    });

    test('an error in the middle of a stream', async () => {
      const error = await rejection(ask('broken'));
      assert.equal(error.code, 'PROVIDER_ERROR', error.stack);
      assert.deepEqual([error.data.provider, error.data.type, error.data.retryable], [name, vendor.midStreamType, true]);
    });

    test('a stream that ends too early', async () => {
      const error = await rejection(ask('cut'));
      assert.deepEqual([error.code, error.data.type, error.data.retryable], ['PROVIDER_ERROR', 'stream_ended', true]);
    });

    test('a connection that breaks', async () => {
      const error = await rejection(ask('lost'));
      assert.deepEqual([error.code, error.data.type, error.data.retryable], ['PROVIDER_ERROR', 'network_error', true]);
      assert.ok(error.cause instanceof Error);
    });

    test('stop sequences end the answer', async () => {
      // More than all but one of the vendors take.
      const stopSequences = [...Array.from({ length: 16 }, (_, index) => `stop ${index}`), 'o é'];
      const shown = [];
      const params = asking('Hi', { stopSequences });
      const result = await ask('hello', params, { onDelta: (delta) => shown.push(delta) });
      if (name === 'anthropic') return assert.equal(result.stopReason, 'endTurn', 'the vendor does it');
      assert.deepEqual([result.stopReason, text(result)], ['stopSequence', 'Hell']);
      assert.deepEqual(shown.at(-1), { type: 'stop' });
      assert.equal(shown.map((delta) => delta.text ?? '').join(''), 'Hell');
    });
  });
}

/** Goes through the conversation as a server does that keeps what it is given. */
async function loop(name, options) {
  const model = modelOf(server, name, 'loop', options);
  const params = asking('What is in a?', TOOLS);
  for (let round = 0; round < LOOP.length; round++) {
    const { content, stopReason } = await model(request(params), context());
    assert.ok(Array.isArray(content), 'a list, as the request had tools');
    const calls = content.filter((block) => block.type === 'tool_use');
    assert.equal(stopReason, calls.length ? 'toolUse' : 'endTurn');
    params.messages.push({ role: 'assistant', content });
    if (calls.length) params.messages.push({ role: 'user', content: resultsOf(round, calls) });
  }
  assert.deepEqual(plain(params.messages), fixtures('loop.json'));
  checkRecall(name, params);
}

function checkRecall(name, { messages }) {
  const last = JSON.stringify(server.log.findLast(({ vendor }) => vendor === name).body);
  for (const thought of ['thought one', 'thought two']) {
    const recalled = [thought, Buffer.from(thought).toString('base64')].some((text) => last.includes(text));
    assert.ok(recalled, `${thought} does not come back`);
  }
  assert.ok(JSON.stringify(messages).includes(STATE_KEY));
}
