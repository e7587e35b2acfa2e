// What is given to fetch: headers and fields, on each leg.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asks, done, question, result } from '../support/scripted.mjs';
import { connected, pkg, rejection } from './support/installed.mjs';
import { GOOD, callTool, checkError } from './support/failing.mjs';

const legsOf = async (call, { transport, script = [asks({ ask: question() }, 's'), done()] } = {}) => {
  const { client, peer } = await connected(script, { handlers: GOOD, transport });
  await call(client);
  return peer.legs;
};
const header = (legs, name) => legs.map((leg) => leg.headers.get(name));
const both = (value) => [value, value];

describe('headers that say what the message is', () => {
  test('revision, method, name and type are on each leg', async () => {
    const legs = await legsOf(callTool);
    assert.deepEqual(header(legs, 'mcp-protocol-version'), both('2026-07-28'));
    assert.deepEqual(header(legs, 'mcp-method'), both('tools/call'));
    assert.deepEqual(header(legs, 'mcp-name'), both('slow'));
    assert.deepEqual(header(legs, 'content-type'), both('application/json'));
    assert.deepEqual(header(legs, 'accept'), both('application/json, text/event-stream'));
    for (const { message } of legs) assert.equal(message.params._meta['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
  });

  const named = {
    getPrompt: [{ name: 'greet' }, 'prompts/get', 'greet'],
    readResource: [{ uri: 'file:///a b' }, 'resources/read', 'file:///a b'],
    listTools: [{}, 'tools/list', null],
    complete: [{ ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: 'v' } }, 'completion/complete', null],
  };
  for (const [method, [params, wire, name]] of Object.entries(named)) {
    test(`${method} sends ${wire} for ${name}`, async () => {
      const legs = await legsOf((client) => client[method](params), { script: [done()] });
      assert.deepEqual([header(legs, 'mcp-method'), header(legs, 'mcp-name')], [[wire], [name]]);
    });
  }

  const encoded = (text) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
  for (const name of ['漢字', 'é', 'a\nb', ' edge', 'edge ', '=?base64?eA==?=', '\u0000', '🦀', '\t']) {
    test(`a name such as ${JSON.stringify(name)} is encoded, and stays as it is in the body`, async () => {
      const legs = await legsOf((client) => client.callTool({ name, arguments: {} }));
      assert.deepEqual(header(legs, 'mcp-name'), both(encoded(name)));
      assert.ok(legs.every(({ message }) => message.params.name === name));
    });
  }
  for (const name of ['plain', 'with blank', 'a=b;c/d', '~!*']) {
    test(`a name such as ${name} is not`, async () => {
      assert.deepEqual(header(await legsOf((client) => client.callTool({ name, arguments: {} })), 'mcp-name'), both(name));
    });
  }
});

describe('headers of the host', () => {
  test('those of requestInit are on each leg, authorization too', async () => {
    for (const headers of [
      { Authorization: 'Bearer x', 'X-Host': 'é' },
      new Headers({ authorization: 'Bearer x', 'x-host': 'é' }),
      [
        ['authorization', 'Bearer x'],
        ['x-host', 'é'],
      ],
    ]) {
      const legs = await legsOf(callTool, { transport: { requestInit: { headers } } });
      assert.deepEqual(header(legs, 'authorization'), both('Bearer x'));
      assert.deepEqual(header(legs, 'x-host'), both('é'));
    }
  });

  test('they are read anew for each leg: a call may outlive a token', async () => {
    const requestInit = { headers: { authorization: 'Bearer 1' } };
    const refreshed = (leg) => ((requestInit.headers.authorization = 'Bearer 2'), asks({ ask: question() })(leg));
    assert.deepEqual(header(await legsOf(callTool, { transport: { requestInit }, script: [refreshed, done()] }), 'authorization'), [
      'Bearer 1',
      'Bearer 2',
    ]);
  });

  test('those of the protocol win over them', async () => {
    const headers = { 'MCP-Protocol-Version': '1', 'Mcp-Method': 'x', 'Mcp-Name': 'x', 'Content-Type': 'text/plain' };
    const legs = await legsOf(callTool, { transport: { requestInit: { headers } } });
    assert.deepEqual(header(legs, 'mcp-protocol-version'), both('2026-07-28'));
    assert.deepEqual(header(legs, 'mcp-method'), both('tools/call'));
    assert.deepEqual(header(legs, 'mcp-name'), both('slow'));
    assert.deepEqual(header(legs, 'content-type'), both('application/json'));
  });

  test('Accept is added to, without repeating', async () => {
    for (const [given, merged] of [
      ['text/html', 'text/html, application/json, text/event-stream'],
      ['Application/JSON, text/event-stream', 'application/json, text/event-stream'],
    ]) {
      assert.deepEqual(
        header(await legsOf(callTool, { transport: { requestInit: { headers: { accept: given } } } }), 'accept'),
        both(merged),
      );
    }
  });
});

describe('headers of one call', () => {
  const forms = { 'an object': { 'X-Call': 'yes' }, Headers: new Headers({ 'x-call': 'yes' }), 'an array': [['x-call', 'yes']] };
  for (const [form, headers] of Object.entries(forms)) {
    test(`as ${form} are on each leg of it, and on no other`, async () => {
      const { client, peer } = await connected([asks({ ask: question() }), done(), done()], { handlers: GOOD });
      await callTool(client, { headers });
      await callTool(client);
      assert.deepEqual(header(peer.legs, 'x-call'), ['yes', 'yes', null]);
    });
  }

  test('they win over those of the host, but cannot say who asks or what the message is', async () => {
    const reserved = {
      Authorization: 'Bearer evil',
      'Content-Type': 'text/evil',
      'MCP-Protocol-Version': 'evil',
      'Mcp-Method': 'evil',
      'Mcp-Name': 'evil',
      'Mcp-Session-Id': 'evil',
    };
    const transport = { requestInit: { headers: { authorization: 'Bearer good', 'x-both': 'host' } } };
    const legs = await legsOf((client) => callTool(client, { headers: { ...reserved, 'x-both': 'call' } }), { transport });
    assert.deepEqual(header(legs, 'authorization'), both('Bearer good'));
    assert.deepEqual(header(legs, 'x-both'), both('call'));
    for (const { headers } of legs) assert.ok(![...headers.values()].some((value) => value.includes('evil')));
  });
});

describe('fields of fetch', () => {
  test('are method, headers, body and signal, and nothing else', async () => {
    for (const { init, url } of await legsOf(callTool)) {
      assert.deepEqual(Object.keys(init).sort(), ['body', 'headers', 'method', 'signal']);
      assert.equal(init.method, 'POST');
      assert.equal(typeof init.body, 'string');
      assert.ok(init.signal instanceof AbortSignal);
      assert.equal(url, 'http://peer.test/mcp');
    }
  });

  test('those of requestInit are added, but cannot replace ours', async () => {
    const own = new AbortController().signal;
    const requestInit = { credentials: 'include', cache: 'no-store', keepalive: true, method: 'PUT', body: 'x', signal: own };
    for (const { init } of await legsOf(callTool, { transport: { requestInit } })) {
      assert.deepEqual([init.credentials, init.cache, init.keepalive, init.method], ['include', 'no-store', true, 'POST']);
      assert.ok(init.body !== 'x' && init.signal !== own);
    }
  });

  test('fetch is called without a receiver, be it the host’s or the global one', async () => {
    for (const { receiver } of await legsOf(callTool)) assert.equal(receiver, undefined);
    const real = globalThis.fetch;
    const receivers = [];
    globalThis.fetch = async function (url, init) {
      'use strict';
      receivers.push(this);
      return (
        init.body.includes('discover') ? result({ resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} }) : done()
      )({ message: JSON.parse(init.body) });
    };
    try {
      const client = new pkg.Client({ name: 'x', version: '1' });
      await client.connect('http://peer.test/mcp');
      await callTool(client);
    } finally {
      globalThis.fetch = real;
    }
    assert.deepEqual(receivers, both(undefined));
  });
});

test('each leg has an id of its own, and one JSON-RPC request in its body', async () => {
  const { client, peer } = await connected(() => done(), { handlers: GOOD });
  await Promise.all(Array.from({ length: 50 }, () => callTool(client)));
  const ids = peer.legs.map(({ message }) => message.id);
  assert.equal(new Set(ids).size, 50);
  for (const { message } of peer.legs) {
    assert.ok(Number.isInteger(message.id));
    assert.deepEqual(Object.keys(message), ['jsonrpc', 'id', 'method', 'params']);
  }
});

test('two clients, and a client that connects again, do not share anything', async () => {
  const [one, two] = await Promise.all([connected([done('one')]), connected([done('two')])]);
  assert.equal((await callTool(one.client)).content[0].text, 'one');
  await one.client.close();
  assert.equal((await callTool(two.client)).content[0].text, 'two');
  checkError(await rejection(callTool(one.client)), { code: 'NOT_CONNECTED' });
});
