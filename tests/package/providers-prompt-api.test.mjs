// The browser's own model, with a LanguageModel that behaves as the specification says: every word is a token.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rejection } from './support/installed.mjs';
import { PNG, TOOLS, asking, context, providers, request } from './support/providers.mjs';

const words = (text) => text.split(/(?<=\s)/).filter(Boolean).length;

/** What a prompt takes: its texts, and three tokens around each message. */
function sizeOf(input) {
  if (typeof input === 'string') return words(input) + 3;
  return input.reduce((sum, { content }) => sum + 3 + (typeof content === 'string' ? words(content) : content.length), 0);
}

/** @param {{ chunks?: string[], window?: number, endless?: boolean, fails?: Error, old?: boolean }} script */
function browser({ chunks = [], window = 1000, endless, fails, old } = {}) {
  const seen = { created: [], prompted: [], destroyed: 0, cancelled: 0, measured: 0 };
  const session = (options) => ({
    [old ? 'inputUsage' : 'contextUsage']: sizeOf(options.initialPrompts ?? []),
    [old ? 'inputQuota' : 'contextWindow']: window,
    async [old ? 'measureInputUsage' : 'measureContextUsage'](input) {
      seen.measured++;
      return sizeOf(input);
    },
    promptStreaming(prompt, options) {
      seen.prompted.push({ prompt, options });
      let next = 0;
      return new ReadableStream(
        {
          async pull(controller) {
            await sleep(1);
            if (fails && next === 1) return controller.error(fails);
            if (next >= chunks.length && !endless) return controller.close();
            controller.enqueue(chunks[next++ % chunks.length]);
          },
          cancel: () => void seen.cancelled++,
        },
        { highWaterMark: 0 },
      );
    },
    destroy: () => void seen.destroyed++,
  });
  const create = async (options) => {
    seen.created.push(options);
    options.signal.throwIfAborted();
    return session(options);
  };
  return { LanguageModel: { create }, seen };
}

const ask = (LanguageModel, params = asking(), options = {}, ctx = undefined) => providers.promptApi({ LanguageModel, ...options })(request(params), ctx);

test('text', async () => {
  const { LanguageModel, seen } = browser({ chunks: ['Hel', 'lo ', 'you é', '😀'] });
  const deltas = [];
  const usages = [];
  const callbacks = { onDelta: (delta) => deltas.push(delta.text), onUsage: ({ input_tokens, output_tokens }) => usages.push([input_tokens, output_tokens]) };
  const monitor = () => {};
  const result = await ask(LanguageModel, asking('Hi', { systemPrompt: 'Be brief.' }), { ...callbacks, monitor });
  assert.deepEqual([result.content, result.stopReason, result.model], [{ type: 'text', text: 'Hello you é😀' }, 'endTurn', 'prompt-api']);
  assert.deepEqual(deltas, ['Hel', 'lo ', 'you é', '😀']);
  assert.deepEqual(usages, [[9, 3]]);
  const [{ signal, ...created }] = seen.created;
  assert.deepEqual(created, { initialPrompts: [{ role: 'system', content: 'Be brief.' }], monitor });
  assert.deepEqual(seen.prompted[0].prompt, [{ role: 'user', content: 'Hi' }]);
  assert.equal(seen.destroyed, 1);
});

test('images are blobs', async () => {
  const { LanguageModel, seen } = browser({ chunks: ['A dot.'] });
  await ask(LanguageModel, asking([{ type: 'text', text: 'What?' }, { type: 'image', mimeType: 'image/png', data: PNG }]));
  const [{ content }] = seen.prompted[0].prompt;
  const image = content.find(({ type }) => type === 'image').value;
  assert.ok(image instanceof Blob);
  assert.equal(image.type, 'image/png');
  assert.equal(Buffer.from(await image.arrayBuffer()).toString('base64'), PNG);
  assert.deepEqual(seen.created[0].expectedInputs, [{ type: 'image' }]);
});

test('tools are asked for by a constraint, and read back', async () => {
  const answer = '{"text":"I look.","tool_calls":[{"name":"add","arguments":{"a":1}}]}';
  const { LanguageModel, seen } = browser({ chunks: [...answer] });
  const deltas = [];
  const result = await ask(LanguageModel, asking('Hi', TOOLS), { onDelta: (delta) => deltas.push(delta) });
  assert.equal(result.stopReason, 'toolUse');
  const [text, { id, ...call }] = result.content;
  assert.deepEqual([text, call], [{ type: 'text', text: 'I look.' }, { type: 'tool_use', name: 'add', input: { a: 1 } }]);
  assert.equal(deltas.filter(({ type }) => type === 'text').map((delta) => delta.text).join(''), 'I look.');
  const [{ options }] = seen.prompted;
  assert.ok(options.responseConstraint && options.omitResponseConstraintInput);
});

for (const old of [false, true]) {
  test(`the limit is kept${old ? ', with the names of older browsers' : ''}`, async () => {
    const { LanguageModel, seen } = browser({ chunks: ['one ', 'two three ', 'four five six '], endless: true, old });
    const result = await ask(LanguageModel, asking('Hi', { maxTokens: 5 }));
    assert.deepEqual([result.content.text, result.stopReason], ['one two three four five ', 'maxTokens']);
    assert.equal(result._meta.usage.output_tokens, 5);
    assert.deepEqual([seen.cancelled, seen.destroyed], [1, 1]);
  });
}

test('little is measured while the limit is far', async () => {
  const { LanguageModel, seen } = browser({ chunks: Array.from({ length: 200 }, () => 'word ') });
  const result = await ask(LanguageModel, asking('Hi', { maxTokens: 400 }));
  assert.equal(result.stopReason, 'endTurn');
  assert.ok(seen.measured < 12, `${seen.measured} times`);
});

test('a stop sequence', async () => {
  const { LanguageModel, seen } = browser({ chunks: ['one E', 'ND two'], endless: true });
  const result = await ask(LanguageModel, asking('Hi', { stopSequences: ['END'] }));
  assert.deepEqual([result.content.text, result.stopReason], ['one ', 'stopSequence']);
  assert.equal(seen.destroyed, 1);
});

test('a history that does not fit is an error, not a loss', async () => {
  const { LanguageModel, seen } = browser({ window: 3 });
  const error = await rejection(ask(LanguageModel));
  assert.deepEqual([error.code, error.data.type, error.data.retryable], ['PROVIDER_ERROR', 'QuotaExceededError', false]);
  assert.match(error.message, /4 tokens.*room for 3/);
  assert.deepEqual([seen.prompted.length, seen.destroyed], [0, 1]);
});

test('an abort ends the session', async () => {
  const { LanguageModel, seen } = browser({ chunks: ['x '], endless: true });
  const controller = new AbortController();
  const onDelta = () => controller.abort(new Error('enough'));
  const error = await rejection(ask(LanguageModel, asking(), { onDelta }, context(controller.signal)));
  assert.equal(error, controller.signal.reason);
  while (!seen.destroyed) await sleep(1);
  assert.ok(seen.prompted[0].options.signal.aborted);
});

test('what the browser throws', async () => {
  const create = async () => {
    throw new DOMException('a gesture is needed', 'NotAllowedError');
  };
  const error = await rejection(ask({ create }));
  assert.deepEqual([error.code, error.data.type, error.data.message], ['PROVIDER_ERROR', 'NotAllowedError', 'a gesture is needed']);
  assert.equal(error.cause.name, 'NotAllowedError');
  const filtered = browser({ chunks: ['some'], fails: new DOMException('filtered', 'NotReadableError') });
  assert.equal((await ask(filtered.LanguageModel)).stopReason, 'contentFilter');
  assert.equal(filtered.seen.destroyed, 1);
});

test('what a callback throws', async () => {
  const mine = new Error('mine');
  const { LanguageModel, seen } = browser({ chunks: ['x '], endless: true });
  const onDelta = () => {
    throw mine;
  };
  assert.equal(await rejection(ask(LanguageModel, asking(), { onDelta })), mine);
  assert.equal(seen.destroyed, 1);
});

test('where there is no model', async () => {
  const error = await rejection(ask(undefined));
  assert.deepEqual([error.code, error.data.type], ['PROVIDER_ERROR', 'unavailable']);
});

test('where tokens cannot be counted', async () => {
  const { LanguageModel } = browser({ chunks: ['Hi'] });
  const create = async (options) => ({ ...(await LanguageModel.create(options)), measureContextUsage: undefined });
  const error = await rejection(ask({ create }));
  assert.equal(error.data.type, 'unsupported');
  const result = await ask({ create }, asking(), { omit: ['maxTokens'] });
  assert.equal(result.content.text, 'Hi');
});
