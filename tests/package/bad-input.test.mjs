// What a server may do wrong. Each row: the replies to the legs of one call, and how that call must fail.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asks, body, done, event, events, failure, question, result, scripted } from '../support/scripted.mjs';
import { connected, pkg, rejection } from './support/installed.mjs';
import { checkError, fails } from './support/failing.mjs';

const round = asks({ ask: question() }, 'state');
const input = (members) => result({ resultType: 'input_required', ...members });
const plain = (status) => body('no', { status, type: 'text/plain' });
const call = { method: 'tools/call' };
const first = { says: ['tools/call'], data: { ...call, leg: 1 } };
const second = { says: ['tools/call'], data: { ...call, leg: 2 } };

const mismatch = failure(-32020, 'headers do not match', { status: 400 });
const listed = result({
  resultType: 'complete',
  tools: [{ name: 'slow', inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'A' } } } }],
});

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
    ['a stream ends in the middle of an event', [events(['data: {"jsonrpc":"2.0","id'])], 'CONNECTION_CLOSED', first],
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
    [
      'a web page',
      [body('<html>', { type: 'text/html' })],
      'CLIENT_HTTP_UNEXPECTED_CONTENT',
      { ...first, says: ['tools/call', 'text/html'] },
    ],
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
    [
      'with status 400 and without an id',
      [body('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}', { status: 400 })],
      -32700,
    ],
    ['to headers, also after the tools were listed anew', [mismatch, listed, mismatch], -32020],
    [
      'for a missing capability',
      [failure(-32021, 'x', { status: 400, data: { requiredCapabilities: {} } })],
      -32021,
      { data: { requiredCapabilities: {} } },
    ],
  ],
  'the result is none': [
    ['an array', [result('[]')], 'INVALID_RESULT', { says: ['tools/call'], data: call }],
    ['resultType is a number', [result({ resultType: 1 })], 'INVALID_RESULT', { says: ['tools/call', 'resultType'], data: call }],
    ['resultType is null', [result({ resultType: null })], 'INVALID_RESULT', { says: ['resultType'], data: call }],
    [
      'resultType is unknown',
      [result({ resultType: 'task' })],
      'UNSUPPORTED_RESULT_TYPE',
      { says: ['tools/call', "'task'"], data: { ...call, resultType: 'task' } },
    ],
    ['resultType in another case', [result({ resultType: 'Input_Required' })], 'UNSUPPORTED_RESULT_TYPE', { data: call }],
    [
      'resultType is missing, strictly',
      [result({ content: [] })],
      'INVALID_RESULT',
      { options: { strictResultType: true }, says: ['resultType'], data: call },
    ],
    ['neither requests nor state', [input({})], 'INVALID_RESULT', { says: ['tools/call', 'inputRequests', 'requestState'], data: call }],
    ['no requests and no state', [input({ inputRequests: {} })], 'INVALID_RESULT', { data: call }],
    ['requests in an array', [input({ inputRequests: [question()] })], 'INVALID_RESULT', { says: ['inputRequests'], data: call }],
    ['requests are null', [input({ inputRequests: null, requestState: 's' })], 'INVALID_RESULT', { data: call }],
    [
      'the state is null',
      [input({ inputRequests: { ask: question() }, requestState: null })],
      'INVALID_RESULT',
      { says: ['requestState'], data: call },
    ],
    ['the state is an object', [input({ requestState: {} })], 'INVALID_RESULT', { says: ['requestState'], data: call }],
    [
      'the same key twice',
      [
        result(
          `{"resultType":"input_required","inputRequests":{"a":${JSON.stringify(question())},"\\u0061":${JSON.stringify(question())}}}`,
        ),
      ],
      'INVALID_RESULT',
      { data: call },
    ],
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

test('a server of another revision is refused, and says what it speaks', async () => {
  const discover = result({ supportedVersions: ['2099-01-01'], capabilities: {} });
  const error = await rejection(connected([], { peer: { discover } }));
  checkError(error, { code: 'ERA_NEGOTIATION_FAILED', data: { supported: ['2099-01-01'] } });
});

test('a refused revision is offered once more, and then no longer', async () => {
  const refusal = failure(-32022, 'not this one', { status: 400, data: { supported: ['2026-07-28'] } });
  let asked = 0;
  const error = await rejection(connected([], { peer: { discover: (leg) => (asked++, refusal(leg)) } }));
  checkError(error, { code: -32022, data: { supported: ['2026-07-28'] } });
  assert.equal(asked, 2);
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
