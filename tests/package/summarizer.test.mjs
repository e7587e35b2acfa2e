/** The stand-in for a language model: what it picks, what bounds it, what shape its answers have. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLE_TEXT } from '../../www/sample.js';
import { splitSentences } from '../support/sentences.mjs';
import { MODEL, answerSampling, countTokens, summarize } from '../support/summarizer.mjs';

const split = (text) => splitSentences(text).map((sentence) => sentence.text);
const ask = (text, rest = {}) =>
  answerSampling({ params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 1000, ...rest } });

test('sentences end where a reader would end them', () => {
  assert.deepEqual(split('Dr. J. Smith paid 3.14 at 5 p.m. The shop, e.g. that at example.org, was shut. “Why?” he asked. He left… and came!'), [
    'Dr. J. Smith paid 3.14 at 5 p.m.',
    'The shop, e.g. that at example.org, was shut.',
    '“Why?” he asked.',
    'He left… and came!',
  ]);
  assert.deepEqual(split('A title\n\nOne line\nand its end. Next.\r\n\r\n- first\n- second'), ['A title', 'One line and its end.', 'Next.', 'first', 'second']);
  assert.deepEqual(split('東京は首都です。大阪は？「はい。」そうです。'), ['東京は首都です。', '大阪は？', '「はい。」', 'そうです。']);
  assert.deepEqual(split('यह एक है। वह दो है।'), ['यह एक है।', 'वह दो है।']);
  assert.deepEqual(split(' \n\t '), []);
});

test('the summary is made of whole sentences of the text, in their order', () => {
  const sentences = split(SAMPLE_TEXT);
  const { text, cut } = summarize(SAMPLE_TEXT, { sentences: 5 });
  const picked = split(text);
  const places = picked.map((sentence) => sentences.indexOf(sentence));
  assert.equal(picked.length, 5);
  assert.ok(!places.includes(-1));
  assert.deepEqual(places, places.toSorted((a, b) => a - b));
  assert.equal(cut, false);
});

test('the same text gives the same summary', () => {
  assert.deepEqual(summarize(SAMPLE_TEXT), summarize(SAMPLE_TEXT));
});

test('what carries the text is picked before what does not', () => {
  const text = `Bees dance to show where flowers are. Lunch was late. The dance of the bees gives direction and distance of the flowers.
    Someone sneezed. Distance is in how long the dance of bees lasts.`;
  assert.doesNotMatch(summarize(text, { sentences: 3 }).text, /Lunch|sneezed/);
});

test('nothing is said twice', () => {
  const said = 'The harbour of the old town was closed by the storm for three days.';
  const other = 'Fishing boats from the north waited outside until the wind had dropped.';
  assert.equal(summarize(`${said} ${said} ${said} ${other}`, { sentences: 2 }).text, `${said} ${other}`);
});

test('maxTokens is kept, whatever it is', () => {
  for (const maxTokens of [1, 2, 5, 17, 40, 99, 250]) {
    const { text, cut } = summarize(SAMPLE_TEXT, { sentences: 10, maxTokens });
    assert.ok(countTokens(text) <= maxTokens, `${countTokens(text)} of ${maxTokens}`);
    assert.equal(cut, true);
  }
  assert.equal(summarize('東京は日本の首都であり世界最大の都市の一つです。', { maxTokens: 4 }).text, '東京は日…');
});

test('scripts without spaces are summarised too', () => {
  const text = '東京は日本の首都です。今日は寒いです。日本の首都の東京には人が多いです。猫がいます。東京は大きい首都です。';
  const summary = summarize(text, { sentences: 2 }).text;
  assert.match(summary, /東京/);
  assert.doesNotMatch(summary, /猫|寒/);
  assert.doesNotMatch(summary, / /);
});

test('a sampling request gets a sampling result', () => {
  const result = ask(SAMPLE_TEXT, { systemPrompt: 'Answer with at most 1 sentence.' });
  assert.deepEqual(Object.keys(result), ['role', 'content', 'model', 'stopReason']);
  assert.equal(result.role, 'assistant');
  assert.equal(result.model, MODEL);
  assert.equal(result.stopReason, 'endTurn');
  assert.equal(split(result.content.text).length, 1);
  assert.equal(ask(SAMPLE_TEXT, { maxTokens: 20 }).stopReason, 'maxTokens');
});

test('the last message of the user is the text, also in several blocks', () => {
  const messages = [
    { role: 'user', content: { type: 'text', text: 'Whales sing in the deep.' } },
    { role: 'assistant', content: { type: 'text', text: 'Whales sing.' } },
    { role: 'user', content: [{ type: 'image', data: '', mimeType: 'image/png' }, { type: 'text', text: 'Owls hunt by ear.' }] },
  ];
  assert.equal(answerSampling({ params: { messages, maxTokens: 100 } }).content.text, 'Owls hunt by ear.');
});

test('no text at all gets a plain answer', () => {
  const { content, stopReason } = ask('  \n ');
  assert.equal(content.text, 'There is no text to summarise.');
  assert.equal(stopReason, 'endTurn');
  assert.equal(answerSampling({ params: { messages: [], maxTokens: 9 } }).content.text, content.text);
});

test('a long text', { timeout: 60_000 }, () => {
  const { text } = summarize(SAMPLE_TEXT.replaceAll('\n', ' ').repeat(300), { sentences: 20 });
  assert.equal(split(text).length, 20);
});
