// What a server may do wrong. Each row: the replies to the legs of one call, and how that call must fail.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asks, body, done, event, events, failure, question, result, scripted } from '../support/scripted.mjs';
import { connected, pkg, rejection } from './support/installed.mjs';
import { checkError, fails } from './support/failing.mjs';

const round = asks({ ask: question() }, 'state');
const input = (members) => result({ resultType: 'input_required', ...members });
const entry = (request) => asks({ ask: request });
const plain = (status) => body('no', { status, type: 'text/plain' });
const form = { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } };
const elicit = (params) => entry({ method: 'elicitation/create', params });
const decline = { 'elicitation/create': () => ({ action: 'decline' }) };
const call = { method: 'tools/call' };
const first = { says: ['tools/call'], data: { ...call, leg: 1 } };
const second = { says: ['tools/call'], data: { ...call, leg: 2 } };
const embedded = (method = 'sampling/createMessage') => ({ says: [method, "'ask'"], data: { method, key: 'ask' } });

/** Name, replies, code, and what else holds. */
const TABLES = {
  'the reply is no message': [
    ['text that is not JSON', [body('hello')], 'PARSE_ERROR', { ...first, says: ['tools/call', 'byte 0'] }],
    ['JSON that is cut off', [body('{"jsonrpc":"2.0","id":$id,"result":{"content":[')], 'PARSE_ERROR', first],
    ['JSON with something behind it', [body('{"jsonrpc":"2.0","id":$id,"result":{}} and more')], 'PARSE_ERROR', first],
    ['bytes that are not UTF-8', [body(new Uint8Array([0x22, 0xff, 0xfe, 0x22]))], 'PARSE_ERROR', first],
    ['a value that is no object', [body('[]')], 'PARSE_ERROR', first],
    ['another protocol', [body('{"jsonrpc":"1.0","id":$id,"result":{}}')], 'PARSE_ERROR', first],
    ['neither result nor error', [body('{"jsonrpc":"2.0","id":$id}')], 'PARSE_ERROR', first],
    ['result and error', [body('{"jsonrpc":"2.0","id":$id,"result":{},"error":{"code":1,"message":"x"}}')], 'PARSE_ERROR', first],
    ['an error without a code', [body('{"jsonrpc":"2.0","id":$id,"error":{"message":"x"}}')], 'PARSE_ERROR', first],
    ['the answer to another request', [body('{"jsonrpc":"2.0","id":4711,"result":{}}')], 'PARSE_ERROR', first],
    ['a result without an id', [body('{"jsonrpc":"2.0","id":null,"result":{}}')], 'PARSE_ERROR', first],
    ['a notification', [body('{"jsonrpc":"2.0","method":"notifications/message"}')], 'PARSE_ERROR', first],
    ['an event that is not JSON', [events(['data: hello\n\n'])], 'PARSE_ERROR', first],
    ['no message on the second leg', [round, body('hello')], 'PARSE_ERROR', second],
  ],
  'the connection breaks': [
    ['a stream ends at once', [events([])], 'CONNECTION_CLOSED', first],
    ['a stream ends before the answer', [events([': still here\n\n'])], 'CONNECTION_CLOSED', first],
    ['a stream that answers another request', [events([event('{"jsonrpc":"2.0","id":4711,"result":{}}')])], 'CONNECTION_CLOSED', first],
    ['a stream breaks', [events([': still here\n\n'], { then: 'break' })], 'CONNECTION_CLOSED', first],
    ['a stream breaks on the second leg', [round, events(['data: {'], { then: 'break' })], 'CONNECTION_CLOSED', second],
    ['a body breaks', [brokenBody], 'CONNECTION_CLOSED', first],
  ],
  'the status is no success': [
    ['401', [plain(401)], 'CLIENT_HTTP_AUTHENTICATION', { ...first, data: { ...first.data, status: 401, text: 'no' } }],
    ['403', [plain(403)], 'CLIENT_HTTP_FORBIDDEN', { ...first, data: { ...first.data, status: 403 } }],
    ['404', [plain(404)], 'CLIENT_HTTP_NOT_IMPLEMENTED', { ...first, data: { ...first.data, status: 404 } }],
    ['500', [plain(500)], 'CLIENT_HTTP_NOT_IMPLEMENTED', { ...first, data: { ...first.data, status: 500 } }],
    ['502 on the second leg', [round, plain(502)], 'CLIENT_HTTP_NOT_IMPLEMENTED', { ...second, data: { ...second.data, status: 502 } }],
    ['a web page', [body('<html>', { type: 'text/html' })], 'CLIENT_HTTP_UNEXPECTED_CONTENT', { ...first, says: ['tools/call', 'text/html'] }],
    ['no type at all', [body('{}', { type: '' })], 'CLIENT_HTTP_UNEXPECTED_CONTENT', first],
    ['200 without a body', [body('')], 'CLIENT_HTTP_UNEXPECTED_CONTENT', first],
    ['202', [() => new Response(null, { status: 202 })], 'CLIENT_HTTP_UNEXPECTED_CONTENT', first],
    ['204', [() => new Response(null, { status: 204 })], 'CLIENT_HTTP_UNEXPECTED_CONTENT', first],
  ],
  'the server says no': [
    ['on the first leg', [failure(-32603, 'sorry')], -32603, { says: ['sorry'] }],
    ['on the second leg', [round, failure(-32602, 'bad answers')], -32602, { says: ['bad answers'] }],
    ['in an event', [events([event('{"jsonrpc":"2.0","id":$id,"error":{"code":-5,"message":"x"}}')])], -5],
    ['with status 404', [failure(-32601, 'no such method', { status: 404 })], -32601],
    ['with status 400 and without an id', [body('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}', { status: 400 })], -32700],
    ['for a missing capability', [failure(-32021, 'x', { status: 400, data: { requiredCapabilities: {} } })], -32021, { data: { requiredCapabilities: {} } }],
  ],
  'the result is none': [
    ['an array', [result('[]')], 'INVALID_RESULT', { says: ['tools/call'], data: call }],
    ['resultType is a number', [result({ resultType: 1 })], 'INVALID_RESULT', { says: ['tools/call', 'resultType'], data: call }],
    ['resultType is null', [result({ resultType: null })], 'INVALID_RESULT', { says: ['resultType'], data: call }],
    ['resultType is unknown', [result({ resultType: 'task' })], 'UNSUPPORTED_RESULT_TYPE', { says: ['tools/call', "'task'"], data: { ...call, resultType: 'task' } }],
    ['resultType in another case', [result({ resultType: 'Input_Required' })], 'UNSUPPORTED_RESULT_TYPE', { data: call }],
    ['resultType is missing, strictly', [result({ content: [] })], 'INVALID_RESULT', { options: { strictResultType: true }, says: ['resultType'], data: call }],
    ['neither requests nor state', [input({})], 'INVALID_RESULT', { says: ['tools/call', 'inputRequests', 'requestState'], data: call }],
    ['no requests and no state', [input({ inputRequests: {} })], 'INVALID_RESULT', { data: call }],
    ['requests in an array', [input({ inputRequests: [question()] })], 'INVALID_RESULT', { says: ['inputRequests'], data: call }],
    ['requests are null', [input({ inputRequests: null, requestState: 's' })], 'INVALID_RESULT', { data: call }],
    ['the state is null', [input({ inputRequests: { ask: question() }, requestState: null })], 'INVALID_RESULT', { says: ['requestState'], data: call }],
    ['the state is an object', [input({ requestState: {} })], 'INVALID_RESULT', { says: ['requestState'], data: call }],
    ['the same key twice', [result(`{"resultType":"input_required","inputRequests":{"a":${JSON.stringify(question())},"\\u0061":${JSON.stringify(question())}}}`)], 'INVALID_RESULT', { data: call }],
  ],
  'an embedded request is wrong': [
    ['no object', [entry('ping')], 'INVALID_RESULT', { says: ["'ask'"], data: { ...call, key: 'ask' } }],
    ['no method', [entry({ params: {} })], 'INVALID_RESULT', { says: ["'ask'"], data: { ...call, key: 'ask' } }],
    ['an unknown method', [entry({ method: 'ping' })], 'INVALID_RESULT', { says: ["'ask'"], data: { ...call, key: 'ask', inputMethod: 'ping' } }],
    ['a method of every object', [entry({ method: 'constructor' })], 'INVALID_RESULT', { data: { key: 'ask', inputMethod: 'constructor' } }],
    ['params in an array', [entry({ method: 'roots/list', params: [] })], 'INVALID_RESULT', { data: { key: 'ask' } }],
    ['nobody answers it', [entry({ method: 'roots/list' })], 'CAPABILITY_NOT_SUPPORTED', embedded('roots/list')],
    ['tools that were not declared', [entry(question('?', { tools: [{ name: 't', inputSchema: { type: 'object' } }] }))], 'INVALID_SAMPLING_REQUEST', embedded()],
    ['a page that was not declared', [elicit({ mode: 'url', message: 'Go', url: 'https://example.com', elicitationId: '1' })], 'CAPABILITY_NOT_SUPPORTED', { ...embedded('elicitation/create'), handlers: decline }],
    ['sampling without params', [entry({ method: 'sampling/createMessage' })], 'INVALID_SAMPLING_REQUEST', embedded()],
    ['sampling without messages', [entry({ method: 'sampling/createMessage', params: { maxTokens: 1 } })], 'INVALID_SAMPLING_REQUEST', embedded()],
    ['a form without a schema', [elicit({ ...form, requestedSchema: undefined })], 'INVALID_INPUT_REQUEST', { ...embedded('elicitation/create'), handlers: decline }],
    ['a form of an unknown mode', [elicit({ ...form, mode: 'poem' })], 'INVALID_INPUT_REQUEST', { ...embedded('elicitation/create'), handlers: decline }],
    ['one of two', [asks({ good: question(), ask: { method: 'sampling/createMessage', params: {} } })], 'INVALID_SAMPLING_REQUEST', embedded()],
  ],
  'there is no end': [
    ['too many rounds', Array(3).fill(round), 'INPUT_REQUIRED_ROUNDS_EXCEEDED', { options: { inputRequired: { maxRounds: 2 } }, says: ['tools/call', 'maxRounds'], data: { ...call, rounds: 2 } }],
    ['too many states', Array(2).fill(asks(undefined, 's')), 'INPUT_REQUIRED_ROUNDS_EXCEEDED', { options: { inputRequired: { maxRounds: 1 } }, data: { ...call, rounds: 1 } }],
    ['too many requests', [asks({ a: question(), b: question(), c: question() })], 'INPUT_REQUIRED_REQUESTS_EXCEEDED', { options: { inputRequired: { maxRequestsPerRound: 2 } }, says: ['tools/call', 'maxRequestsPerRound'], data: { ...call, requests: 3 } }],
  ],
};

async function brokenBody() {
  const stream = new ReadableStream({ pull: (controller) => controller.error(new TypeError('the connection broke')) });
  return new Response(stream, { headers: { 'content-type': 'application/json' } });
}

for (const [title, rows] of Object.entries(TABLES)) {
  describe(title, () => {
    for (const [name, replies, code, more] of rows) test(name, () => fails({ replies, code, ...more }));
  });
}

describe('what only some methods may do', () => {
  for (const [method, params] of [['tools/list', {}], ['completion/complete', {}], ['custom/method', undefined]]) {
    test(`${method} may not ask`, () =>
      fails({ replies: [round], code: 'INVALID_RESULT', says: [method], data: { method }, call: (client) => client.request({ method, params }) }));
  }

  test('by hand, a request for input is an error where it was not expected', () =>
    fails({ replies: [round], code: 'UNSUPPORTED_RESULT_TYPE', options: { inputRequired: { autoFulfill: false } }, says: ['tools/call', 'allowInputRequired'], data: call }));

  test('a list without end is given up', async () => {
    const endless = result({ resultType: 'complete', tools: [], nextCursor: 'more' });
    await fails({ replies: Array(64).fill(endless), code: 'LIST_PAGINATION_EXCEEDED', says: ['tools/list'], call: (client) => client.listTools() });
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

test('a server of another revision is refused, and says what it speaks', async () => {
  const discover = result({ supportedVersions: ['2099-01-01'], capabilities: {} });
  const error = await rejection(connected([], { peer: { discover } }));
  checkError(error, { code: 'ERA_NEGOTIATION_FAILED', data: { supported: ['2099-01-01'] } });
});

test('a client whose connect failed may connect again', async () => {
  const client = new pkg.Client({ name: 'again', version: '1' });
  const reason = new TypeError('down');
  const down = { fetch: () => Promise.reject(reason) };
  const error = await rejection(client.connect(new pkg.StreamableHTTPClientTransport('http://peer.test', down)));
  checkError(error, { code: 'ERA_NEGOTIATION_FAILED', says: ['server/discover'] });
  assert.equal(error.cause, reason);
  const { fetch } = scripted([done('up')]);
  await client.connect(new pkg.StreamableHTTPClientTransport('http://peer.test', { fetch }));
  assert.equal((await client.callTool({ name: 'x' })).content[0].text, 'up');
});
