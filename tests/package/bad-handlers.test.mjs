// What the host's own functions may do wrong: handlers that throw or return rubbish, watchers that throw.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asks, body, done, event, events, question, sampled } from '../support/scripted.mjs';
import { connected, pkg, rejection } from './support/installed.mjs';
import { GOOD, callTool, fails, nextCall, settled } from './support/failing.mjs';

const sampling = 'sampling/createMessage';
const round = asks({ ask: question() }, 'state');
const named = { says: [sampling, "'ask'"], data: { key: 'ask', method: sampling } };
const failsWith = (handler, code, more) => fails({ replies: [round], code, handlers: { [sampling]: handler }, ...named, ...more });
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const circular = {};
circular.self = circular;

describe('a handler throws', () => {
  const values = {
    'an Error': new Error('no model'),
    undefined: undefined,
    null: null,
    'a string': 'no model',
    'a number': 0,
    'a symbol': Symbol('no model'),
    'a frozen object': Object.freeze({ no: 'model' }),
    'a frozen Error': Object.freeze(new Error('no model')),
    'a DOMException': new DOMException('no model', 'AbortError'),
    'a function': () => {},
    'a revoked proxy': revoked(),
  };
  for (const [name, value] of Object.entries(values)) {
    for (const [how, handler] of Object.entries({
      'at once': () => {
        throw value;
      },
      later: async () => {
        throw value;
      },
    })) {
      test(`${name}, ${how}`, async () => {
        const error = await failsWith(handler, 'HANDLER_FAILED');
        assert.ok(Object.is(error.cause, value));
      });
    }
  }

  test('the error of a failed call inside it is the error of the call', async () => {
    const inner = new pkg.SdkError('REQUEST_TIMEOUT', 'the inner call took too long');
    const thrower = () => {
      throw inner;
    };
    assert.equal(await fails({ replies: [round], code: 'REQUEST_TIMEOUT', handlers: { [sampling]: thrower } }), inner);
  });

  test('an error that aborts the call when it is given its checkpoint', async () => {
    const controller = new AbortController();
    const mine = new pkg.SdkError('HANDLER_FAILED', 'mine');
    Object.defineProperty(mine, 'checkpoint', { set: () => controller.abort('from the setter') });
    const { client } = await connected([round, done()], { handlers: { [sampling]: () => Promise.reject(mine) } });
    client.onerror = (error) => assert.fail(error);
    assert.equal(await rejection(callTool(client, { signal: controller.signal })), mine);
    await nextCall(client);
  });

  test('SAMPLING_DECLINED says that somebody declined, and the watcher is told', async () => {
    const types = [];
    const decline = () => {
      throw new pkg.SdkError('SAMPLING_DECLINED', 'not today');
    };
    const call = (client) => callTool(client, { onround: ({ type }) => types.push(type) });
    await fails({ replies: [round], code: 'SAMPLING_DECLINED', handlers: { [sampling]: decline }, call });
    assert.deepEqual(types, ['sent', 'asked', 'declined', 'failed']);
  });
});

describe('a handler returns', () => {
  const noJson = {
    undefined: undefined,
    'a function': () => {},
    'a symbol': Symbol('x'),
    'a BigInt': 1n,
    'something circular': circular,
    'toJSON that throws': {
      toJSON() {
        throw new Error('no');
      },
    },
  };
  for (const [name, value] of Object.entries(noJson)) test(name, () => failsWith(() => value, 'INVALID_HANDLER_RESULT'));

  test('what cannot be written: the reason is the cause', async () => {
    assert.match((await failsWith(() => 1n, 'INVALID_HANDLER_RESULT')).cause.message, /BigInt/);
  });

  const rubbish = {
    null: null,
    'a string': 'An answer.',
    'a number': 1,
    'an array': [sampled()],
    'an empty object': {},
    'no model': { ...sampled(), model: undefined },
    'another role': { ...sampled(), role: 'user' },
    'no content': { ...sampled(), content: undefined },
    'content of no known type': { ...sampled(), content: { type: 'poem', text: 'x' } },
    'a JSON-RPC answer': { jsonrpc: '2.0', id: 1, result: sampled() },
  };
  for (const [name, value] of Object.entries(rubbish)) test(name, () => failsWith(() => value, 'INVALID_SAMPLING_RESULT'));

  test('a promise of a promise: that is fine', async () => {
    const { client } = await connected([round, done()], { handlers: { [sampling]: async () => Promise.resolve(sampled()) } });
    assert.equal((await callTool(client)).content[0].text, 'done');
  });
});

describe('elicitation and roots', () => {
  const schema = { type: 'object', properties: { age: { type: 'integer', minimum: 0 } }, required: ['age'] };
  const form = { method: 'elicitation/create', params: { message: 'How old?', requestedSchema: schema } };
  const rows = [
    ['elicitation/create', form, 'undefined', undefined],
    ['elicitation/create', form, 'no action', {}],
    ['elicitation/create', form, 'an unknown action', { action: 'maybe' }],
    ['elicitation/create', form, 'no content', { action: 'accept' }],
    ['elicitation/create', form, 'a missing field', { action: 'accept', content: {} }],
    ['elicitation/create', form, 'a field of another type', { action: 'accept', content: { age: '7' } }],
    ['elicitation/create', form, 'a field out of bounds', { action: 'accept', content: { age: -1 } }],
    ['elicitation/create', form, 'content though declined', { action: 'decline', content: { age: 7 } }],
    ['roots/list', { method: 'roots/list' }, 'an array', []],
    ['roots/list', { method: 'roots/list' }, 'no file', { roots: [{ uri: 'https://example.com' }] }],
  ];
  for (const [method, request, name, value] of rows) {
    test(`${method} returns ${name}`, () =>
      fails({
        replies: [asks({ ask: request })],
        code: 'INVALID_HANDLER_RESULT',
        handlers: { [method]: () => value },
        says: [method, "'ask'"],
        data: { key: 'ask', method },
      }));
  }
});

describe('several handlers', () => {
  const three = asks({ a: question('a'), b: question('b'), c: question('c') });

  test('the first failure is the error, the others are told and come too late', async () => {
    const reasons = [];
    const handler = ({ params }, { mcpReq }) => {
      const text = params.messages[0].content.text;
      if (text === 'b') throw new Error('b failed');
      return new Promise((_, reject) => {
        mcpReq.signal.addEventListener('abort', () => (reasons.push(mcpReq.signal.reason), reject(new Error(`${text} too`))));
      });
    };
    const error = await fails({
      replies: [three],
      code: 'HANDLER_FAILED',
      handlers: { [sampling]: handler },
      says: ["'b'"],
      data: { key: 'b' },
    });
    assert.equal(error.cause.message, 'b failed');
    assert.ok(reasons.length > 0 && reasons.every((reason) => reason === error));
  });

  test('no partial answers are sent', () => {
    const handler = ({ params }) => (params.messages[0].content.text === 'c' ? undefined : sampled());
    return fails({ replies: [three], code: 'INVALID_HANDLER_RESULT', handlers: { [sampling]: handler }, data: { key: 'c' } });
  });

  test('a handler taken away by another is missing', () => {
    const call = (client) => {
      client.setRequestHandler('elicitation/create', () => (client.removeRequestHandler(sampling), { action: 'cancel' }));
      return callTool(client);
    };
    const both = asks({
      first: { method: 'elicitation/create', params: { message: '?', requestedSchema: { type: 'object', properties: {} } } },
      ask: question(),
    });
    return fails({ replies: [both], code: 'CAPABILITY_NOT_SUPPORTED', call, ...named });
  });
});

describe('a watcher throws', () => {
  const progress = event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
  const script = () => [
    asks({ ask: question('?', { maxTokens: 5, futureThing: 1 }) }),
    events([progress, event('{"jsonrpc":"2.0","id":$id,"result":{"content":[]}}')]),
    done('next'),
  ];

  for (const [how, thrower] of [
    [
      'at once',
      () => {
        throw new Error('watcher');
      },
    ],
    [
      'later',
      async () => {
        throw new Error('watcher');
      },
    ],
  ]) {
    test(`${how}: the call goes on, and onerror is told`, async () => {
      const told = [];
      const { client } = await connected(script(), { handlers: GOOD, onWarning: thrower });
      client.onerror = (error) => told.push(error.message);
      client.setNotificationHandler('notifications/progress', thrower);
      const result = await callTool(client, { onround: thrower, onprogress: thrower });
      await settled();
      assert.deepEqual(result, { content: [] });
      // sent, asked, answered, retried, done; progress twice; a result without resultType.
      assert.deepEqual(told, Array(8).fill('watcher'));
      assert.equal(await nextCall(client), 'next');
    });
  }

  test('onerror that throws changes nothing', async () => {
    const { client } = await connected([done()], { handlers: GOOD });
    client.onerror = () => {
      throw new Error('onerror');
    };
    const result = await callTool(client, {
      onround: () => {
        throw new Error('watcher');
      },
    });
    assert.equal(result.content[0].text, 'done');
  });

  test('onclose that throws changes nothing', async () => {
    const { client } = await connected([]);
    client.onclose = () => {
      throw new Error('onclose');
    };
    await client.close();
    assert.equal((await rejection(callTool(client))).code, 'NOT_CONNECTED');
  });
});

test('a failing checkpoint store ends the call, and nothing is sent again', async () => {
  const reason = new Error('the disk is full');
  const { client, peer } = await connected([round, body('too much')], { handlers: GOOD });
  assert.equal(await rejection(callTool(client, { oncheckpoint: () => Promise.reject(reason) })), reason);
  await settled();
  assert.equal(peer.legs.length, 1);
});
