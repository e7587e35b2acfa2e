// A call that outlives its client: stored as plain JSON after each round, taken up by another client.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asked, asks, body, done, question, result, sampled, throws } from '../support/scripted.mjs';
import { connected, rejection } from './support/installed.mjs';
import { GOOD, callTool, checkError, fails, settled } from './support/failing.mjs';

const sampling = 'sampling/createMessage';
const STATE = String.raw`"a\/b\u0041\ud800 "`;
const round = result(
  `{"resultType":"input_required","inputRequests":{"a":${JSON.stringify(question('qa'))},"__proto__":${JSON.stringify(question('qb'))}},"requestState":${STATE}}`,
);
const stored = (checkpoint) => JSON.parse(JSON.stringify(checkpoint));

/** The error of a call whose second leg is lost. */
async function interrupted(handler = () => sampled()) {
  const { client } = await connected([round, throws(new TypeError('the network is down'))], { handlers: { [sampling]: handler } });
  return rejection(client.callTool({ name: 'slow', arguments: { n: 1 } }));
}

describe('what was paid for is not asked again', () => {
  test('after a leg that was lost, on another client', async () => {
    const error = await interrupted(({ params }) => sampled(`answer to ${asked(params)}`));
    checkError(error, { code: 'SEND_FAILED', data: { leg: 2 } });
    let count = 0;
    const { client, peer } = await connected([done('resumed')], { handlers: { [sampling]: () => (count++, sampled()) } });
    const reply = await client.resumeCall(stored(error.checkpoint));
    assert.equal(reply.content[0].text, 'resumed');
    assert.equal(count, 0);
    const [{ text, message }] = peer.legs;
    assert.ok(text.includes(`"requestState":${STATE}`));
    assert.deepEqual(message.params.arguments, { n: 1 });
    assert.equal(message.params.inputResponses.a.content.text, 'answer to qa');
    assert.equal(Object.getOwnPropertyDescriptor(message.params.inputResponses, '__proto__').value.content.text, 'answer to qb');
  });

  test('after a handler that failed, only its question is asked again', async () => {
    let release;
    const handler = ({ params }) => (asked(params) === 'qa' ? sampled('paid') : new Promise((_, reject) => (release = reject)));
    const { client } = await connected([round], { handlers: { [sampling]: handler } });
    const told = [];
    const failing = rejection(callTool(client, { onround: ({ type }) => told.push(type) }));
    while (!told.includes('answered')) await settled();
    release(new Error('no model'));
    const { checkpoint } = await failing;
    const questions = [];
    const other = await connected([done('resumed')], {
      handlers: { [sampling]: ({ params }) => (questions.push(asked(params)), sampled('new')) },
    });
    await other.client.resumeCall(stored(checkpoint));
    assert.deepEqual(questions, ['qb']);
    assert.equal(other.peer.legs[0].message.params.inputResponses.a.content.text, 'paid');
  });

  test('oncheckpoint is given each round and awaited before the next leg leaves', async () => {
    let stores;
    const store = new Promise((resolve) => (stores = resolve));
    const given = [];
    const { client, peer } = await connected([round, done()], { handlers: GOOD });
    const call = callTool(client, { oncheckpoint: (checkpoint) => (given.push(checkpoint), store) });
    while (!given.length) await settled();
    assert.equal(peer.legs.length, 1);
    stores();
    await call;
    assert.equal(given.length, 1);
    const { version, method, round: number, requests } = given[0];
    assert.deepEqual([version, method, number, requests.length], [1, 'tools/call', 1, 2]);
    assert.deepEqual(stored(given[0]), given[0]);
  });

  test('before the first round there is nothing to resume', async () => {
    const { client } = await connected([body('hello')]);
    assert.equal((await rejection(callTool(client))).checkpoint, undefined);
  });
});

describe('a checkpoint that cannot be used', () => {
  const changed = {
    'no object': () => 'x',
    nothing: () => undefined,
    'an empty object': () => ({}),
    'of a later version': (good) => ({ ...good, version: 2 }),
    'without a checksum': ({ checksum, ...rest }) => rest,
    'with other parameters': (good) => ({ ...good, paramsJson: '{"name":"other"}' }),
    'with another state': (good) => ({ ...good, requestStateJson: '"forged"' }),
    'with another round': (good) => ({ ...good, round: 2 }),
    'with an answer less': (good) => ({ ...good, requests: good.requests.map(({ resultJson, ...rest }) => rest) }),
    'with a request less': (good) => ({ ...good, requests: good.requests.slice(1) }),
    'with a text that is not JSON': (good) => ({ ...good, requestStateJson: '"' }),
  };
  for (const [name, change] of Object.entries(changed)) {
    test(name, async () => {
      const bad = change(stored((await interrupted()).checkpoint));
      const code = typeof bad === 'object' ? 'INVALID_CHECKPOINT' : 'INVALID_ARGUMENT';
      await fails({ replies: [], code, says: ['checkpoint'], call: (client) => client.resumeCall(bad) });
    });
  }
});
