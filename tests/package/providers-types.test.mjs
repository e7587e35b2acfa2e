// What is built for the vendors compiles against the types that they publish, and so does what the tests let them answer.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { spawnSync } from 'node:child_process';
import { inRoot } from '../../scripts/lib/project.mjs';
import { FOLDERS, asking, fixtures, providers } from './support/providers.mjs';
import { HELLO, LOOP } from './support/vendor-scripts.mjs';
import { VENDOR_TYPES } from './support/vendor-types.mjs';
import { Engine } from './support/webllm-engine.mjs';
import { VENDORS } from './support/vendors/index.mjs';

const AT_LEAST = 60;
const folder = inRoot('target/types/vendors');
const MODELS = {
  anthropic: 'claude-opus-5-5',
  openai: 'gpt-4o',
  openaiResponses: 'gpt-5.1',
  gemini: 'gemini-3.8-flash',
  workersAI: '@cf/moonshotai/kimi-k2.7-code',
  webllm: 'Hermes-3-Llama-3.1-8B-q4f16_1-MLC',
};

for (const [name, types] of Object.entries(VENDOR_TYPES)) {
  test(name, async () => {
    const used = new Set();
    const comparable = (value, kind, options = {}) => types.differences.every((difference) => mended(difference, used, value, kind, options));
    const bodies = bodiesOf(name).filter(({ body, options }) => comparable(body, 'body', options));
    assert.ok(bodies.length >= AT_LEAST, `${bodies.length} bodies`);
    const { replies, events } = name === 'webllm' ? await engineReplies() : repliesOf(name);
    const lines = [
      ...bodies.map(({ body, options, title }) => constant(title, types.body(options), written(name, body))),
      ...(types.reply ? replies.filter((reply) => comparable(reply, 'reply')) : []).map((reply) => constant('reply', types.reply, JSON.stringify(reply))),
      ...(types.event ? events.filter((event) => comparable(event, 'event')) : []).map((event) => constant('event', types.event, JSON.stringify(event))),
    ];
    lines.push(...fixtureLines(name, types, comparable));
    for (const difference of types.differences) assert.ok(used.has(difference), `no longer true: ${difference.why}`);
    compile(name, `${types.imports}\n\n${lines.map((line, index) => line.replace('$', `$${index}`)).join('\n')}\n\nexport {};\n`);
  });
}

/** What the core's tables let vendors answer, but for errors, which have other types. Of what does not matter, it lacks much. */
function fixtureLines(name, { reply, event, unlike = {} }, comparable) {
  const folder = name === 'webllm' ? undefined : FOLDERS[name];
  const deviating = new Set(Object.values(unlike).flat());
  const cases = (table) => (folder ? fixtures(`${folder}/${table}.json`) : []).filter((given) => !given.error && !deviating.has(given.name));
  const objects = (values, kind) => values.filter((value) => typeof value === 'object' && comparable(value, kind));
  const lines = (type, kind, { name: title }, values) => objects(values, kind).map((value) => constant(`${kind}: ${title}`, `Loose<${type}>`, JSON.stringify(value)));
  return [
    'type Loose<T> = T extends (infer U)[] ? Loose<U>[] : T extends object ? { [K in keyof T]?: Loose<T[K]> } : T; // $',
    ...(reply ? cases('replies').flatMap((given) => lines(reply, 'reply', given, [given.reply])) : []),
    ...(event ? cases('streams').flatMap((given) => lines(event, 'event', given, given.events)) : []),
  ];
}

/** Takes a difference out; false if nothing is left. */
function mended(difference, used, value, kind, options) {
  const before = JSON.stringify(value);
  const nothing = difference.mend(value, kind, options) === true;
  if (nothing || JSON.stringify(value) !== before) used.add(difference);
  return !nothing;
}

const constant = (title, type, value) => `// ${title}\nconst $: ${type} = ${value};`;

/** Bodies of the provider's table, and of what is common to all. */
function bodiesOf(name) {
  const cases = [...fixtures(`${FOLDERS[name] ?? 'openai'}/requests.json`), ...(name === 'webllm' ? fixtures('shared.json') : [])];
  return cases.flatMap(({ name: title, params, options }) => {
    const { profile, ...rest } = options ?? {};
    if (name === 'webllm' && profile && profile !== 'webllm') return [];
    if (name === 'openai' && profile === 'webllm') return [];
    const whole = { model: MODELS[name] ?? 'model', ...(name === 'webllm' ? rest : options) };
    // Fields that a host adds are its own.
    if (whole.extraBody || whole.omit) return [];
    const body = built(name, { ...asking(), ...params }, whole);
    return body ? [{ title, body, options: whole }] : [];
  });
}

function built(name, params, options) {
  try {
    return JSON.parse(new TextDecoder().decode(providers[name].build(params, options).body));
  } catch (error) {
    assert.ok(error.code, error.stack);
    return undefined;
  }
}

function repliesOf(name) {
  const vendor = VENDORS[name];
  if (!vendor) return { replies: [], events: [] };
  const said = [HELLO, ...LOOP, { text: 'I will not.', end: 'refusal' }, { text: 'Once', end: 'length' }];
  const whole = said.map((one, turn) => vendor.reply(one, ['a', 'b'], turn));
  const replies = structuredClone(name === 'workersAI' ? whole.map(({ result }) => result) : whole);
  const events = new Map();
  for (const text of whole.flatMap(vendor.events)) {
    const json = /^data: (\{.*)$/m.exec(text)?.[1];
    if (json) events.set(shape(JSON.parse(json)), JSON.parse(json));
  }
  return { replies, events: [...events.values()] };
}

async function engineReplies() {
  const calls = [{ index: 0, type: 'function', function: { name: 'add', arguments: '{}' } }];
  const engine = new Engine(() => ({ pieces: ['a'], calls }));
  const events = [];
  for await (const chunk of await engine.chat.completions.create({ model: 'm' })) events.push(chunk);
  return { replies: [], events };
}

/** Events that differ only in their texts and numbers are one. */
const shape = (event) => JSON.stringify(event, (name, value) => (name === 'type' || (value && typeof value === 'object') ? value : typeof value));

/** As TypeScript; the descriptor of the Prompt API is what page code makes of it. */
function written(name, body) {
  if (name !== 'promptApi') return JSON.stringify(body);
  const { prompt, responseConstraint, omitResponseConstraintInput, maxTokens, stream, ...create } = body;
  const text = JSON.stringify({ create, prompt, options: { responseConstraint, omitResponseConstraintInput } });
  return text.replace(/\{"base64":"[^"]*","mimeType":"[^"]*"\}|\{"mimeType":"[^"]*","base64":"[^"]*"\}/g, 'blob');
}

function compile(name, text) {
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'bodies.ts'), text);
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: true, target: 'es2022', lib: ['es2022', 'dom', 'dom.asynciterable'], types: [], module: 'esnext', moduleResolution: 'bundler' };
  writeFileSync(join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['bodies.ts'] }));
  const { status, stdout } = spawnSync(process.execPath, [inRoot('node_modules/typescript/bin/tsc'), '-p', own], { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
}
