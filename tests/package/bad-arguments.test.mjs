// What the caller may do wrong: arguments and options of other types, a fetch that is none, calls at the wrong moment.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asks, body, done, question } from '../support/scripted.mjs';
import { INFO, connected, pkg, rejection } from './support/installed.mjs';
import { callTool, checkError, fails, nextCall } from './support/failing.mjs';

const { Client, StreamableHTTPClientTransport } = pkg;
const circular = {};
circular.self = circular;
const thrower = {
  get name() {
    throw new Error('a getter');
  },
};
const invalid = (says) => ({ code: 'INVALID_ARGUMENT', says: [says] });

/** For what throws at once. */
function refused(run, says) {
  assert.throws(run, (error) => {
    checkError(error, invalid(says));
    return true;
  });
}

describe('parameters', () => {
  const rows = {
    null: null,
    'a number': 1,
    'a string': 'x',
    'an array': [],
    'a function': () => {},
    'a symbol': Symbol('x'),
    'a BigInt': 1n,
    'something circular': circular,
    'a getter that throws': thrower,
    'a BigInt inside': { name: 'x', arguments: { n: 1n } },
  };
  for (const [name, params] of Object.entries(rows)) {
    for (const method of [
      'callTool',
      'getPrompt',
      'readResource',
      'complete',
      'listTools',
      'listPrompts',
      'listResources',
      'listResourceTemplates',
    ]) {
      test(`${method}: ${name}`, () => fails({ replies: [], ...invalid('params'), call: (client) => client[method](params) }));
    }
    test(`request: ${name}`, () =>
      fails({ replies: [], ...invalid('params'), call: (client) => client.request({ method: 'tools/call', params }) }));
  }

  for (const method of ['callTool', 'getPrompt', 'readResource', 'complete']) {
    test(`${method}: none`, () => fails({ replies: [], ...invalid('params'), call: (client) => client[method]() }));
  }

  test('undefined members are left out, as JSON does', async () => {
    const { client, peer } = await connected([done()]);
    await client.callTool({ name: 'x', arguments: { a: undefined, b: [undefined], c: () => {}, d: 1 } });
    assert.deepEqual(peer.legs[0].message.params.arguments, { b: [null], d: 1 });
  });

  for (const request of [undefined, null, 'tools/call', {}, { method: 1 }, { method: Symbol('x') }, { method: null }]) {
    test(`request(${String(request?.method ?? request)}) has no method`, () =>
      fails({ replies: [], ...invalid('method'), call: (client) => client.request(request) }));
  }
});

describe('options of a call', () => {
  const rows = {
    timeout: ['5', -1, NaN, true, {}, 1n],
    maxTotalTimeout: ['5', -1, NaN],
    resetTimeoutOnProgress: [1, 'yes'],
    allowInputRequired: [1, 'yes'],
    signal: [1, {}, 'abort', { aborted: false }, new AbortController()],
    onround: [1, {}, 'x'],
    onprogress: [1, {}],
    oncheckpoint: [1, {}],
    headers: [1, 'x: y', { 'a name': 'x' }, { 'x-name': 'line\nbreak' }, { 'x-name': '漢' }],
  };
  for (const [option, values] of Object.entries(rows)) {
    for (const value of values) {
      const call = (client) => callTool(client, { [option]: value });
      const shown = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));
      test(`${option}: ${shown}`, () => fails({ replies: [], ...invalid(`options.${option}`), call }));
    }
  }

  for (const options of [1, 'x', true, () => {}, Symbol('x')]) {
    test(`${typeof options} in place of options`, () =>
      fails({ replies: [], ...invalid('options'), call: (client) => callTool(client, options) }));
  }

  test('null and undefined are as if the option were not there', async () => {
    const { client } = await connected([done()]);
    const none = {
      timeout: null,
      signal: undefined,
      onround: null,
      headers: null,
      maxTotalTimeout: undefined,
      resetTimeoutOnProgress: null,
    };
    assert.equal((await callTool(client, none)).content[0].text, 'done');
    assert.equal((await connected([done()]).then((made) => callTool(made.client, null))).content[0].text, 'done');
  });

  test('infinity is no limit', async () => {
    const { client } = await connected([done()]);
    assert.equal((await callTool(client, { timeout: Infinity, maxTotalTimeout: Infinity })).content[0].text, 'done');
  });
});

describe('new Client', () => {
  for (const info of [undefined, null, 'name', 1, [], circular])
    test(`info: ${typeof info}`, () => refused(() => new Client(info), 'info'));
  for (const options of [1, 'x', true]) test(`options: ${typeof options}`, () => refused(() => new Client(INFO, options), 'options'));
  const rows = {
    capabilities: [1, true, 'sampling', []],
    inputRequired: [1, true, 'x'],
    onWarning: [1, {}],
    lenient: [1, 'x'],
    strictResultType: [1, 'x'],
  };
  for (const [option, values] of Object.entries(rows)) {
    for (const value of values)
      test(`${option}: ${JSON.stringify(value)}`, () => refused(() => new Client(INFO, { [option]: value }), option));
  }
  const input = { autoFulfill: [1, 'x'], maxRounds: ['1', -1, NaN], maxRequestsPerRound: ['1', -1], handlerTimeoutMs: ['1', -1] };
  for (const [option, values] of Object.entries(input)) {
    for (const value of values)
      test(`${option}: ${String(value)}`, () => refused(() => new Client(INFO, { inputRequired: { [option]: value } }), option));
  }
});

describe('handlers', () => {
  const client = new Client(INFO);
  for (const method of ['ping', 'constructor', '__proto__', '', 1, null, undefined, Symbol('x')]) {
    test(`no handler can be set for ${String(method)}`, () => refused(() => client.setRequestHandler(method, () => {}), 'method'));
    test(`none can be taken away for ${String(method)}`, () => refused(() => client.removeRequestHandler(method), 'method'));
  }
  for (const handler of [undefined, null, {}, 'x', Promise.resolve()]) {
    test(`a handler cannot be ${String(handler)}`, () => refused(() => client.setRequestHandler('roots/list', handler), 'function'));
    test(`a notification handler cannot be ${String(handler)}`, () =>
      refused(() => client.setNotificationHandler('x', handler), 'function'));
  }
  test('a notification needs a name', () => refused(() => client.setNotificationHandler(undefined, () => {}), 'method'));
});

describe('connect', () => {
  for (const transport of [undefined, null, 1, {}, [], Symbol('x')]) {
    test(`to ${String(transport)}`, async () =>
      checkError(await rejection(new Client(INFO).connect(transport)), { code: 'INVALID_ARGUMENT', says: ['transport'] }));
  }
  for (const url of [undefined, null, 1, {}])
    test(`a transport to ${String(url)}`, () => refused(() => new StreamableHTTPClientTransport(url), 'url'));
  for (const fetch of [1, {}, 'x'])
    test(`a fetch that is a ${typeof fetch}`, () => refused(() => new StreamableHTTPClientTransport('http://x', { fetch }), 'fetch'));
  for (const requestInit of [1, { headers: 1 }, { headers: { 'a name': 'x' } }]) {
    test(`requestInit: ${JSON.stringify(requestInit)}`, () =>
      refused(() => new StreamableHTTPClientTransport('http://x', { requestInit }), 'requestInit'));
  }

  test('to what is no URL', async () => {
    const error = await rejection(new Client(INFO).connect('not a url'));
    assert.ok(error instanceof pkg.SdkError && error.cause instanceof TypeError);
  });

  test('twice', async () => {
    const { client } = await connected([done('next')]);
    checkError(await rejection(client.connect('http://peer.test')), { code: 'ALREADY_CONNECTED', says: ['close'] });
    assert.equal(await nextCall(client), 'next');
  });

  test('calls before it and after close are refused, and it may connect again', async () => {
    const notYet = new Client(INFO);
    checkError(await rejection(callTool(notYet)), { code: 'NOT_CONNECTED', says: ['connect'] });
    const { client, peer } = await connected([done()]);
    await client.close();
    checkError(await rejection(callTool(client)), { code: 'NOT_CONNECTED', says: ['connect'] });
    await client.close();
    await client.connect(new StreamableHTTPClientTransport('http://peer.test', { fetch: peer.fetch }));
    assert.equal((await callTool(client)).content[0].text, 'done');
  });
});

describe('a fetch that misbehaves', () => {
  const reason = new TypeError('the network is down');
  const rows = {
    'throws at once': [
      () => {
        throw reason;
      },
      'SEND_FAILED',
      reason,
    ],
    'throws undefined': [
      () => {
        throw undefined;
      },
      'SEND_FAILED',
      undefined,
    ],
    rejects: [() => Promise.reject(reason), 'SEND_FAILED', reason],
    'resolves with nothing': [async () => undefined, 'SEND_FAILED', TypeError],
    'resolves with null': [async () => null, 'SEND_FAILED', TypeError],
    'resolves with text': [async () => 'hello', 'SEND_FAILED', TypeError],
    'resolves with half a response': [async () => ({ status: 200 }), 'SEND_FAILED', TypeError],
    'resolves with a response that cannot be read': [
      async () => ({ status: 200, headers: new Headers({ 'content-type': 'application/json' }) }),
      'CONNECTION_CLOSED',
      TypeError,
    ],
    'resolves with a body that was read': [readBefore, 'CONNECTION_CLOSED', TypeError],
  };
  for (const [name, [reply, code, cause]] of Object.entries(rows)) {
    for (const leg of [1, 2]) {
      test(`${name}, leg ${leg}`, async () => {
        const replies = leg === 1 ? [reply] : [asks({ ask: question() }), reply];
        const error = await fails({ replies, code, says: ['tools/call', `leg ${leg}`], data: { method: 'tools/call', leg } });
        assert.ok(cause === TypeError ? error.cause instanceof TypeError : error.cause === cause);
      });
    }
  }

  async function readBefore(leg) {
    const response = await body('{}')(leg);
    await response.text();
    return response;
  }

  test('headers that turn bad later fail the call', async () => {
    const requestInit = { headers: {} };
    const { client } = await connected([done('next')], { transport: { requestInit } });
    requestInit.headers['a name'] = 'x';
    checkError(await rejection(callTool(client)), { code: 'SEND_FAILED', says: ['tools/call'] });
    delete requestInit.headers['a name'];
    assert.equal(await nextCall(client), 'next');
  });
});
