// What may be wrong with what a server asks in a round: the requests themselves, their number, and that they do not end.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asks, done, question, result } from '../support/scripted.mjs';
import { connected } from './support/installed.mjs';
import { fails } from './support/failing.mjs';

const round = asks({ ask: question() }, 'state');
const entry = (request) => asks({ ask: request });
const form = { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
const elicit = (params) => entry({ method: 'elicitation/create', params });
const decline = { 'elicitation/create': () => ({ action: 'decline' }) };
const call = { method: 'tools/call' };
const embedded = (method = 'sampling/createMessage') => ({ says: [method, "'ask'"], data: { method, key: 'ask' } });

/** Name, replies, code, and what else holds. */
const TABLES = {
  'an embedded request is wrong': [
    ['no object', [entry('ping')], 'INVALID_RESULT', { says: ["'ask'"], data: { ...call, key: 'ask' } }],
    ['no method', [entry({ params: {} })], 'INVALID_RESULT', { says: ["'ask'"], data: { ...call, key: 'ask' } }],
    [
      'an unknown method',
      [entry({ method: 'ping' })],
      'INVALID_RESULT',
      { says: ["'ask'"], data: { ...call, key: 'ask', inputMethod: 'ping' } },
    ],
    [
      'a method of every object',
      [entry({ method: 'constructor' })],
      'INVALID_RESULT',
      { data: { key: 'ask', inputMethod: 'constructor' } },
    ],
    ['params in an array', [entry({ method: 'roots/list', params: [] })], 'INVALID_RESULT', { data: { key: 'ask' } }],
    ['nobody answers it', [entry({ method: 'roots/list' })], 'CAPABILITY_NOT_SUPPORTED', embedded('roots/list')],
    [
      'tools that were not declared',
      [entry(question('?', { tools: [{ name: 't', inputSchema: { type: 'object' } }] }))],
      'INVALID_SAMPLING_REQUEST',
      embedded(),
    ],
    [
      'a page that was not declared',
      [elicit({ mode: 'url', message: 'Go', url: 'https://example.com', elicitationId: '1' })],
      'CAPABILITY_NOT_SUPPORTED',
      { ...embedded('elicitation/create'), handlers: decline },
    ],
    ['sampling without params', [entry({ method: 'sampling/createMessage' })], 'INVALID_SAMPLING_REQUEST', embedded()],
    [
      'sampling without messages',
      [entry({ method: 'sampling/createMessage', params: { maxTokens: 1 } })],
      'INVALID_SAMPLING_REQUEST',
      embedded(),
    ],
    [
      'a form without a schema',
      [elicit({ ...form, requestedSchema: undefined })],
      'INVALID_INPUT_REQUEST',
      { ...embedded('elicitation/create'), handlers: decline },
    ],
    [
      'a form of an unknown mode',
      [elicit({ ...form, mode: 'poem' })],
      'INVALID_INPUT_REQUEST',
      { ...embedded('elicitation/create'), handlers: decline },
    ],
    [
      'one of two',
      [asks({ good: question(), ask: { method: 'sampling/createMessage', params: {} } })],
      'INVALID_SAMPLING_REQUEST',
      embedded(),
    ],
  ],
  'there is no end': [
    [
      'too many rounds',
      Array(3).fill(round),
      'INPUT_REQUIRED_ROUNDS_EXCEEDED',
      { options: { inputRequired: { maxRounds: 2 } }, says: ['tools/call', 'maxRounds'], data: { ...call, rounds: 2 } },
    ],
    [
      'too many states',
      Array(2).fill(asks(undefined, 's')),
      'INPUT_REQUIRED_ROUNDS_EXCEEDED',
      { options: { inputRequired: { maxRounds: 1 } }, data: { ...call, rounds: 1 } },
    ],
    [
      'too many requests',
      [asks({ a: question(), b: question(), c: question() })],
      'INPUT_REQUIRED_REQUESTS_EXCEEDED',
      {
        options: { inputRequired: { maxRequestsPerRound: 2 } },
        says: ['tools/call', 'maxRequestsPerRound'],
        data: { ...call, requests: 3 },
      },
    ],
  ],
};

for (const [title, rows] of Object.entries(TABLES)) {
  describe(title, () => {
    for (const [name, replies, code, more] of rows) test(name, () => fails({ replies, code, ...more }));
  });
}

describe('what only some methods may do', () => {
  for (const [method, params] of [
    ['tools/list', {}],
    ['completion/complete', {}],
    ['custom/method', undefined],
  ]) {
    test(`${method} may not ask`, () =>
      fails({
        replies: [round],
        code: 'INVALID_RESULT',
        says: [method],
        data: { method },
        call: (client) => client.request({ method, params }),
      }));
  }

  test('by hand, a request for input is an error where it was not expected', () =>
    fails({
      replies: [round],
      code: 'UNSUPPORTED_RESULT_TYPE',
      options: { inputRequired: { autoFulfill: false } },
      says: ['tools/call', 'allowInputRequired'],
      data: call,
    }));

  test('a list without end is given up', async () => {
    const endless = result({ resultType: 'complete', tools: [], nextCursor: 'more' });
    await fails({
      replies: Array(64).fill(endless),
      code: 'LIST_PAGINATION_EXCEEDED',
      says: ['tools/list'],
      call: (client) => client.listTools(),
    });
  });
});

test('no handler is asked when one request of the round is wrong', async () => {
  let count = 0;
  const handlers = { 'sampling/createMessage': () => count++ };
  await fails({ replies: [asks({ good: question(), bad: { method: 'ping' } })], code: 'INVALID_RESULT', handlers });
  assert.equal(count, 0);
});

test('too many rounds: the last result is in the error', async () => {
  const error = await fails({ replies: [round], code: 'INPUT_REQUIRED_ROUNDS_EXCEEDED', options: { inputRequired: { maxRounds: 0 } } });
  assert.deepEqual(error.data.lastResult, { resultType: 'input_required', inputRequests: { ask: question() }, requestState: 'state' });
});

test('what breaks the rules is listed with rule and place', async () => {
  const bad = { method: 'sampling/createMessage', params: { messages: [{ role: 'system', content: [] }], maxTokens: 0 } };
  const { data } = await fails({ replies: [entry(bad)], code: 'INVALID_SAMPLING_REQUEST' });
  const paths = data.findings.errors.map((finding) => finding.path);
  assert.ok(paths.includes('/messages/0/role') && paths.includes('/maxTokens'), paths.join());
  for (const finding of data.findings.errors) assert.ok(finding.rule && finding.message);
});

test('a very deep document is an error or a value, never the end of the instance', async () => {
  const deep = result(`{"resultType":"complete","content":[],"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  const { client } = await connected([deep, done('next')]);
  await client.callTool({ name: 'deep', arguments: {} }).catch((error) => assert.ok(error instanceof Error));
  assert.equal((await client.callTool({ name: 'next', arguments: {} })).content[0].text, 'next');
});
