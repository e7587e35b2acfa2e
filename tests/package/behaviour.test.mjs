// What a call does when all goes well: nesting, isolation, keys, parameters, the manual way.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asked, asks, done, question, result, sampled } from '../support/scripted.mjs';
import { connected, pkg, rejection } from './support/installed.mjs';
import { GOOD, callTool, settled } from './support/failing.mjs';

const sampling = 'sampling/createMessage';
const textOf = (reply) => reply.content[0].text;
const params = (leg) => leg.message.params;

describe('calls in flight', () => {
  test('a handler may call the same client, which asks the same handler', async () => {
    const script = (leg) => {
      const {
        name,
        arguments: { depth },
        inputResponses,
      } = params(leg);
      return inputResponses ? done(`${name}(${inputResponses.ask.content.text})`) : asks({ ask: question(String(depth)) });
    };
    const handler = async ({ params: { messages } }) => {
      const depth = Number(messages[0].content.text);
      if (depth === 0) return sampled('end');
      return sampled(textOf(await client.callTool({ name: `t${depth - 1}`, arguments: { depth: depth - 1 } })));
    };
    const { client, peer } = await connected(script, { handlers: { [sampling]: handler } });
    assert.equal(textOf(await client.callTool({ name: 't5', arguments: { depth: 5 } })), 't5(t4(t3(t2(t1(t0(end))))))');
    assert.equal(new Set(peer.legs.map((leg) => leg.message.id)).size, 12);
  });

  test('two thousand at once keep their states and answers apart', async () => {
    const count = 2000;
    const open = [];
    const script = (leg) => {
      const { name, requestState, inputResponses } = params(leg);
      if (!inputResponses) return asks({ [`key ${name}`]: question(name) }, `state ${name}`);
      return done(JSON.stringify([name, requestState, Object.entries(inputResponses).map(([key, { content }]) => [key, content.text])]));
    };
    const handler = ({ params: given }) => new Promise((resolve) => open.push(() => resolve(sampled(`answer ${asked(given)}`))));
    const { client } = await connected(script, { handlers: { [sampling]: handler } });
    const names = Array.from({ length: count }, (_, index) => `t${index}`);
    const calls = Promise.all(names.map((name) => client.callTool({ name, arguments: {} })));
    while (open.length < count) await settled();
    // All of them are waiting for their handlers now. 1,237 and 2,000 have no common divisor, so this order meets each.
    for (let index = 0; index < count; index++) open[(index * 1237) % count]();
    const expected = names.map((name) => JSON.stringify([name, `state ${name}`, [[`key ${name}`, `answer ${name}`]]]));
    assert.deepEqual((await calls).map(textOf), expected);
  });

  test('calls of one client do not wait for each other', async () => {
    const never = () => new Promise(() => {});
    const script = (leg) => (params(leg).name === 'slow' ? asks({ ask: question() }) : done('quick'));
    const { client } = await connected(script, { handlers: { [sampling]: never } });
    const slow = rejection(callTool(client));
    assert.equal(textOf(await client.callTool({ name: 'quick', arguments: {} })), 'quick');
    await client.close();
    assert.equal((await slow).code, 'CONNECTION_CLOSED');
  });
});

describe('keys of requests', () => {
  // As JSON tokens, in an order that neither sorting nor a JavaScript object keeps.
  const keys = [
    ...[
      'zebra',
      '10',
      '2',
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      '',
      ' ',
      'a b',
      '漢字',
      '🦀',
      'line\nbreak',
      'quote"d',
      'back\\slash',
      '\u2028',
      'x'.repeat(1 << 20),
    ].map((key) => JSON.stringify(key)),
    String.raw`"\u0061\/\u0000"`,
    String.raw`"\ud800"`,
  ];

  test('hostile ones come back as own properties, as they were written and in their order', async () => {
    const requests = keys.map((key, index) => `${key}:${JSON.stringify(question(`q${index}`))}`);
    const script = [result(`{"resultType":"input_required","inputRequests":{${requests.join()}}}`), done()];
    const started = [];
    const handler = ({ params: given }, { mcpReq }) => (started.push([mcpReq.id, asked(given)]), sampled(`a${asked(given)}`));
    const { client, peer } = await connected(script, { handlers: { [sampling]: handler } });
    await callTool(client);
    const { inputResponses } = params(peer.legs[1]);
    assert.deepEqual(
      started.map(([, text]) => text),
      keys.map((_, index) => `q${index}`),
    );
    keys.forEach((token, index) => {
      const key = JSON.parse(token);
      assert.ok(Object.hasOwn(inputResponses, key), `own: ${token.slice(0, 40)}`);
      assert.equal(inputResponses[key].content.text, `aq${index}`);
      // Half a surrogate pair does not survive as text inside, and is shown as a replacement character.
      assert.equal(started[index][0], key.toWellFormed?.() ?? key);
    });
    assert.equal(Object.getPrototypeOf(inputResponses), Object.prototype);
    const places = keys.map((key) => peer.legs[1].text.indexOf(`${key}:{"role"`));
    assert.ok(
      places.every((place, index) => place > (places[index - 1] ?? 0)),
      String(places),
    );
  });

  test('the same key in a later round is a new question', async () => {
    const texts = [];
    const handler = ({ params: given }) => (texts.push(asked(given)), sampled(`re: ${asked(given)}`));
    const { client, peer } = await connected([asks({ k: question('1') }, 's1'), asks({ k: question('2') }), done()], {
      handlers: { [sampling]: handler },
    });
    await callTool(client);
    assert.deepEqual(texts, ['1', '2']);
    assert.deepEqual(
      peer.legs.map((leg) => params(leg).inputResponses?.k.content.text),
      [undefined, 're: 1', 're: 2'],
    );
    assert.deepEqual(
      peer.legs.map((leg) => params(leg).requestState),
      [undefined, 's1', undefined],
    );
  });
});

const frozen = (value) => (typeof value === 'object' && value !== null && Object.values(Object.freeze(value)).forEach(frozen), value);

describe('the caller’s parameters', () => {
  const given = () => ({
    name: 't',
    arguments: { text: 'é', list: [1, { a: null }] },
    _meta: { 'com.example/trace': 'abc' },
    custom: true,
  });

  test('are never changed, and go out with every leg', async () => {
    const { client, peer } = await connected([asks({ ask: question() }, 's'), asks(undefined, 's'), done()], { handlers: GOOD });
    const own = frozen(given());
    await client.callTool(own, frozen({ onround() {}, headers: { 'x-a': 'b' } }));
    assert.deepEqual(own, given());
    for (const leg of peer.legs) {
      const { inputResponses, requestState, _meta, ...rest } = params(leg);
      assert.deepEqual({ ...rest, _meta: { 'com.example/trace': _meta['com.example/trace'] } }, given());
    }
  });

  test('are taken as they were when the call began', async () => {
    const { client, peer } = await connected([asks({ ask: question() }), done()], { handlers: GOOD });
    const own = given();
    const call = client.callTool(own);
    own.name = 'other';
    own.arguments.text = 'other';
    await call;
    assert.ok(peer.legs.every((leg) => params(leg).name === 't' && params(leg).arguments.text === 'é'));
  });

  test('stale answers and states among them do not go out', async () => {
    const { client, peer } = await connected([asks({ ask: question() }), asks(undefined, 'fresh'), done()], { handlers: GOOD });
    await client.callTool({ ...given(), inputResponses: { old: {} }, requestState: 'stale' });
    const seen = peer.legs.map((leg) => [Object.keys(params(leg).inputResponses ?? {}), params(leg).requestState]);
    assert.deepEqual(seen, [
      [[], undefined],
      [['ask'], undefined],
      [[], 'fresh'],
    ]);
    assert.ok(!('inputResponses' in params(peer.legs[0])) && !('inputResponses' in params(peer.legs[2])));
  });
});

describe('by hand', () => {
  const state = 'a/b \ud800 é "';
  const raw = { resultType: 'input_required', inputRequests: { ask: question() }, requestState: state };

  for (const [how, options, callOptions] of [
    ['for one call', {}, { allowInputRequired: true }],
    ['always', { inputRequired: { autoFulfill: false } }, { allowInputRequired: true }],
  ]) {
    test(`${how}: the request comes as it is, the answers go out as they are`, async () => {
      const { client, peer } = await connected([result(raw), done()], { handlers: GOOD, ...options });
      const first = await callTool(client, callOptions);
      assert.ok(pkg.isInputRequiredResult(first));
      assert.deepEqual(first, raw);
      const answers = { name: 'slow', arguments: {}, inputResponses: { ask: { role: 'whatever' } }, requestState: first.requestState };
      const last = await client.callTool(answers, callOptions);
      assert.ok(!pkg.isInputRequiredResult(last));
      assert.deepEqual(params(peer.legs[1]).inputResponses, { ask: { role: 'whatever' } });
      assert.equal(params(peer.legs[1]).requestState, state);
      assert.notEqual(peer.legs[0].message.id, peer.legs[1].message.id);
    });
  }
});
