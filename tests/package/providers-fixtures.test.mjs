// The tables that the core is tested with, through the package: what crosses into the module and back comes out the same.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { inRoot } from '../../scripts/lib/project.mjs';
import { FOLDERS, asking, elements, fixtures, providers } from './support/providers.mjs';

/** The model where a case does not say, as in tests/provider. */
const MODELS = {
  anthropic: 'claude-opus-5-5',
  openai: 'gpt-4o',
  openaiResponses: 'gpt-5.1',
  gemini: 'gemini-3.8-flash',
  promptApi: 'chrome/gemini-nano',
  workersAI: '@cf/moonshotai/kimi-k2.7-code',
};

const decoder = new TextDecoder();

for (const [name, folder] of Object.entries(FOLDERS)) {
  if (!existsSync(inRoot('tests/fixtures/provider', folder))) continue;
  const provider = providers[name];
  describe(name, () => {
    test('requests', () => each(`${folder}/requests.json`, (given) => built(provider, name, given)));
    test('replies', () => each(`${folder}/replies.json`, (given) => answered(provider, name, given)));
    test('streams', () => each(`${folder}/streams.json`, (given) => streamed(provider, name, given)));
  });
}

function each(table, outcome) {
  const cases = fixtures(table);
  assert.ok(cases.length > 0, table);
  for (const given of cases) {
    const found = outcome(given);
    for (const [member, value] of Object.entries(found)) assert.deepEqual(value, given[member], `${given.name}: ${member}`);
  }
}

/** An error with the facts that the tables have. */
function errorOf({ code, data = {} }) {
  const facts = { code };
  for (const name of ['type', 'status', 'retryable', 'path', 'message', 'param', 'option', 'rule']) {
    if (data[name] != null) facts[name] = data[name];
  }
  const first = data.findings?.errors[0];
  return { error: first ? { ...facts, rule: first.rule, path: first.path } : facts };
}

function attempt(run) {
  try {
    return run();
  } catch (error) {
    assert.ok(error.code, error.stack);
    return errorOf(error);
  }
}

function built(provider, name, { params, options, raw }) {
  return attempt(() => {
    const { body, warnings } = provider.build(whole(params, raw.params), { model: MODELS[name], ...options });
    return { body: JSON.parse(decoder.decode(body)), warnings: warnings.map(({ path, code }) => [path, code]) };
  });
}

/** As the table has them, spelling and all, with the members that do not matter to the case. */
function whole(params, text) {
  const missing = Object.entries(asking()).filter(([name]) => !(name in params));
  const more = missing.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  const own = text.slice(1, -1);
  return `{${[...(own ? [own] : []), ...more].join()}}`;
}

const stateOf = (name, { state }) => ({ v: 1, provider: name, model: MODELS[name], turn: 1, ...state });

function answered(provider, name, given) {
  const text = typeof given.reply === 'string' ? given.reply : given.raw.reply;
  return attempt(() => ({ result: provider.parse(text, stateOf(name, given), given.status) }));
}

function streamed(provider, name, given) {
  return attempt(() => {
    const accumulator = provider.accumulator(stateOf(name, given));
    const texts = elements(given.raw.events);
    const deltas = given.events.flatMap((event, index) => accumulator.push(textOf(event, texts[index])));
    return { deltas, result: accumulator.finish() };
  });
}

function textOf(event, text) {
  if (typeof event === 'string') return event;
  return `${event.type ? `event: ${event.type}\n` : ''}data: ${text}\n\n`;
}
