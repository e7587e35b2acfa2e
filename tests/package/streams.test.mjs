// Replies that come as event streams in odd pieces, and JSON replies with odd edges.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asks, body, done, event, events, question, resultMessage } from '../support/scripted.mjs';
import { connected } from './support/installed.mjs';
import { GOOD, callTool } from './support/failing.mjs';

const value = { resultType: 'complete', content: [{ type: 'text', text: 'é 漢 🦀 \u2028' }], structuredContent: { n: 1e-7 } };
const expected = { content: value.content, structuredContent: value.structuredContent };
const message = resultMessage(value);
const encode = (text) => new TextEncoder().encode(text);
const inPiecesOf = (size, text) => {
  const bytes = encode(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.slice(index * size, (index + 1) * size));
};

/** A reply whose bytes depend on the id of the request, in pieces. */
const streamed = (text, size, options) => (leg) => events(inPiecesOf(size, text.replaceAll('$id', leg.message.id)), options)(leg);

async function arrives(reply) {
  const warnings = [];
  const { client, peer } = await connected([reply], { onWarning: (warning) => warnings.push(warning.code) });
  assert.deepEqual(await callTool(client), expected);
  return { warnings, leg: peer.legs[0] };
}

describe('pieces', () => {
  for (const size of [1, 2, 3, 5, 7, 64, 4096]) {
    test(`of ${size} bytes`, () => arrives(streamed(event(message), size)));
  }
  test('of nothing', () =>
    arrives((leg) => events(['', event(message), ''].map((text) => encode(text.replaceAll('$id', leg.message.id))))(leg)));
});

describe('lines', () => {
  const forms = {
    'CR LF': `event: message\r\ndata: ${message}\r\n\r\n`,
    'CR alone': `event: message\rdata: ${message}\r\r`,
    'a mark at the start': `\uFEFFdata: ${message}\n\n`,
    'no blank after the colon': `data:${message}\n\n`,
    'comments, ids, retries and unknown fields': `: hello\nid: 7\nretry: 10\nfoo: bar\nbaz\ndata: ${message}\n\n`,
    'data over several lines': `data: {"jsonrpc":"2.0",\ndata: "id":$id,\ndata: "result":${JSON.stringify(value)}}\n\n`,
    'events of other names': `event: other\ndata: not JSON\n\nevent: message\ndata: ${message}\n\n`,
    'events without data': `id: 1\ndata:\n\nid: 2\ndata\n\ndata: ${message}\n\n`,
    'no blank line at the end': `data: ${message}\n`,
    'no line end at the end': `data: ${message}`,
  };
  for (const [name, text] of Object.entries(forms)) {
    test(name, () => arrives(streamed(text, 5)));
    test(`${name}, at once`, () => arrives(streamed(text, 1 << 20)));
  }
});

describe('what else is on the stream', () => {
  test('once the answer is there, nothing more is read', async () => {
    const { leg } = await arrives(
      streamed(event(message) + event('{"jsonrpc":"2.0","id":$id,"result":{"late":true}}'), 1 << 20, { then: 'hang' }),
    );
    await leg.cancelled;
  });

  test('a break after the answer changes nothing', () => arrives(streamed(event(message), 1 << 20, { then: 'break' })));

  test('requests and answers to others are dropped, with a warning', async () => {
    const foreign = event('{"jsonrpc":"2.0","id":4711,"result":{}}');
    const pushed = event('{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}');
    const { warnings } = await arrives(streamed(foreign + pushed + event(message), 16));
    assert.deepEqual(warnings, ['dropped-message', 'dropped-message']);
  });

  test('notifications nobody asked for are dropped in silence', async () => {
    const { warnings } = await arrives(streamed(event('{"jsonrpc":"2.0","method":"notifications/whatever"}') + event(message), 16));
    assert.deepEqual(warnings, []);
  });
});

describe('every leg', () => {
  test('may come as a stream or as JSON', async () => {
    const round = (key) => resultMessage({ resultType: 'input_required', inputRequests: { [key]: question() }, requestState: key });
    const script = [streamed(event(round('one')), 3), asks({ two: question() }), streamed(event(round('three')), 9), body(message)];
    const { client, peer } = await connected(script, { handlers: GOOD });
    assert.deepEqual(await callTool(client), expected);
    assert.deepEqual(
      peer.legs.map(({ message: { params } }) => Object.keys(params.inputResponses ?? {})[0]),
      [undefined, 'one', 'two', 'three'],
    );
  });
});

describe('JSON replies', () => {
  const forms = {
    'with a charset': [message, 'application/json; charset=utf-8'],
    'in capitals': [message, 'Application/JSON'],
    'with a mark at the start': [`\uFEFF${message}`],
    'with blanks around': [` \r\n\t${message}\n `],
    'whose id is the number as text': [message.replace('$id', '"$id"')],
    'with members nobody knows': [message.replace('{', '{"x-new":[1,{}],')],
  };
  for (const [name, [text, type]] of Object.entries(forms)) test(name, () => arrives(body(text, { type })));

  test('of five megabytes', async () => {
    const text = 'x'.repeat(5 << 20);
    const { client } = await connected([done(text)]);
    assert.equal((await callTool(client)).content[0].text, text);
  });
});
