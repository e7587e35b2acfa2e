// What the adapters cost: a large request from bytes to bytes, next to the same in plain JavaScript, and a stream of twice
// the length.

import assert from 'node:assert/strict';
import { anthropic } from '../../pkg/dist/providers.js';
import { image } from './payloads.mjs';
import { compared } from './statistics.mjs';

const MODEL = 'claude-opus-5-5';
const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];

/** @param {{ budgetMs?: number }} options */
export function providers({ budgetMs = 4000 } = {}) {
  return [imageRow(budgetMs), streamRow(budgetMs)];
}

function imageRow(budgetMs) {
  const params = encoder.encode(JSON.stringify({ messages: image(5_000_000), maxTokens: 100, systemPrompt: 'Be short.' }));
  const runs = { ours: () => anthropic.build(params, { model: MODEL }).body, peer: () => inPlainJavaScript(params) };
  assert.deepEqual(JSON.parse(decoder.decode(runs.ours())), JSON.parse(decoder.decode(runs.peer())));
  return compared('request with a 5 MB image to an Anthropic body, bytes to bytes', taken(runs, budgetMs), { unit: 'µs', target: 0.5 });
}

/** What a host writes by hand; nothing is checked. */
function inPlainJavaScript(bytes) {
  const { messages, maxTokens, systemPrompt } = JSON.parse(decoder.decode(bytes));
  const block = (given) =>
    given.type === 'image' ? { type: 'image', source: { type: 'base64', media_type: given.mimeType, data: given.data } } : { type: 'text', text: given.text };
  const turns = messages.map(({ role, content }) => ({ role, content: [content].flat().map(block) }));
  return encoder.encode(JSON.stringify({ model: MODEL, max_tokens: maxTokens, stream: true, system: systemPrompt, messages: turns }));
}

function streamRow(budgetMs) {
  const streams = { ours: chunksOf(20_000), peer: chunksOf(10_000) };
  const runs = Object.fromEntries(Object.entries(streams).map(([who, chunks]) => [who, () => accumulate(chunks)]));
  const times = taken(runs, budgetMs);
  for (const [who, chunks] of Object.entries(streams)) times[who] = times[who].map((time) => time / chunks.length);
  return compared('a stream of 20,000 deltas, next to one of 10,000', times, { unit: 'µs per delta', target: 1.2 });
}

function accumulate(chunks) {
  const { state } = anthropic.build({ messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 100 }, { model: MODEL });
  const accumulator = anthropic.accumulator(state);
  let shown = 0;
  for (const chunk of chunks) for (const delta of accumulator.push(chunk)) shown += delta.text.length;
  assert.equal(accumulator.finish().content.text.length, shown);
}

function chunksOf(count) {
  const usage = { input_tokens: 10, output_tokens: 1 };
  const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a word ' } };
  const events = [
    { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: MODEL, content: [], stop_reason: null, usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...Array.from({ length: count }, () => delta),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: count } },
    { type: 'message_stop' },
  ];
  return events.map((event) => encoder.encode(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
}

/** Microseconds of each run; the two take turns. */
function taken(runs, budgetMs) {
  const times = { ours: [], peer: [] };
  for (const end = performance.now() + budgetMs; performance.now() < end || times.ours.length < 5; ) {
    for (const [who, run] of Object.entries(runs)) {
      const start = performance.now();
      run();
      times[who].push((performance.now() - start) * 1000);
    }
  }
  return times;
}
