/** Arguments of tools that go out as headers too. Rule ids are those of the facts (N, H). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { modern } from '../support/dual-server.mjs';
import { asks, done, failure, question, result, sampled } from '../support/scripted.mjs';
import { serve } from '../support/http.mjs';
import { INFO, connected, pkg, rejection } from './support/installed.mjs';

const { Client, StreamableHTTPClientTransport } = pkg;

const TOOL = { name: 'route', inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } } };
const CALL = { name: 'route', arguments: { region: 'us-west1' } };
const tools = (...list) => result({ resultType: 'complete', tools: list });
const params = (peer, name) => peer.legs.map(({ headers }) => headers.get(name));
const methods = (peer) => peer.legs.map(({ message }) => message.method);
const mismatch = failure(-32020, 'Header mismatch', { status: 400 });

describe('the official server, which insists on the headers', () => {
  async function serving(act, options) {
    const seen = [];
    const handler = modern();
    const { url, close } = await serve(async (request) => {
      const { method, params: sent } = await request.clone().json();
      seen.push([method, request.headers.get('mcp-param-region'), request.headers.get('mcp-param-zone'), Object.keys(sent).includes('inputResponses')]);
      return handler.fetch(request);
    });
    const client = new Client(INFO, options);
    client.setRequestHandler('sampling/createMessage', () => sampled('because'));
    await client.connect(`${url}/mcp`);
    await act(client, seen);
    await client.close();
    await close();
  }

  test('gets them on each leg, from the arguments alone', () =>
    serving(async (client, seen) => {
      await client.listTools();
      const { content } = await client.callTool({ name: 'route', arguments: { region: 'Ä b', at: { zone: 7 } } });
      assert.equal(content[0].text, 'Ä b 7: because');
      assert.deepEqual(seen.slice(2), [
        ['tools/call', '=?base64?w4QgYg==?=', '7', false],
        ['tools/call', '=?base64?w4QgYg==?=', '7', true],
      ]);
    }));

  test('H14: may be called without a list: then it is fetched when the server asks for it', () =>
    serving(async (client, seen) => {
      const rounds = [];
      await client.callTool({ name: 'route', arguments: { region: 'x' } }, { onround: ({ type, leg }) => rounds.push(`${type} ${leg}`) });
      assert.deepEqual(seen.slice(1).map(([method, region]) => [method, region]), [['tools/call', null], ['tools/list', null], ['tools/call', 'x'], ['tools/call', 'x']]);
      assert.deepEqual(rounds, ['sent 1', 'sent 2', 'asked 2', 'answered 2', 'retried 3', 'done 3']);
    }));

  test('needs no list from who knows the tool', () =>
    serving(async (client, seen) => {
      await client.callTool({ name: 'route', arguments: { region: 'x' } }, { toolDefinition: { ...TOOL, inputSchema: TOOL.inputSchema } });
      assert.deepEqual(seen.slice(1).map(([method, region]) => [method, region]), [['tools/call', 'x'], ['tools/call', 'x']]);
    }));

  test('is not satisfied with none, which is told', () => {
    const warnings = [];
    return serving(
      async (client, seen) => {
        await client.listTools();
        assert.equal((await rejection(client.callTool({ name: 'route', arguments: { region: 'x' } }))).code, -32020);
        assert.deepEqual(seen.slice(2), [['tools/call', null, null, false]]);
        assert.deepEqual(warnings, ['headers-not-mirrored']);
      },
      { mirrorToolHeaders: false, onWarning: ({ code }) => warnings.push(code) },
    );
  });
});

describe('a mismatch', () => {
  test('H14: on a later leg does not ask anybody twice', async () => {
    let asked = 0;
    const script = [tools(TOOL), asks({ q: question() }, 'state'), mismatch, tools({ ...TOOL, inputSchema: { properties: { region: { type: 'string', 'x-mcp-header': 'Place' } } } }), done()];
    const { client, peer } = await connected(script, { handlers: { 'sampling/createMessage': () => (asked++, sampled()) } });
    await client.listTools();
    await client.callTool(CALL);
    assert.equal(asked, 1);
    assert.deepEqual(methods(peer), ['tools/list', 'tools/call', 'tools/call', 'tools/list', 'tools/call']);
    assert.deepEqual(params(peer, 'mcp-param-region').slice(1), ['us-west1', 'us-west1', null, null]);
    assert.equal(params(peer, 'mcp-param-place').at(-1), 'us-west1');
    const [before, , again] = peer.legs.slice(2).map(({ message }) => message);
    assert.deepEqual(again.params.inputResponses, before.params.inputResponses);
    assert.deepEqual([again.params.requestState, again.params.arguments], ['state', CALL.arguments]);
    assert.notEqual(again.id, before.id);
  });

  test('is mended once', async () => {
    const { client, peer } = await connected([mismatch, tools(TOOL), mismatch, done()]);
    assert.equal((await rejection(client.callTool(CALL))).code, -32020);
    assert.deepEqual(methods(peer), ['tools/call', 'tools/list', 'tools/call']);
  });

  test('that cannot be mended stands', async () => {
    for (const list of [failure(-32603, 'broken'), result('{}'), tools()]) {
      const { client, peer } = await connected([mismatch, list, mismatch]);
      assert.equal((await rejection(client.callTool(CALL))).message, 'Header mismatch');
      assert.ok(peer.legs.length <= 3);
    }
  });

  test('that the host’s own code does not let us mend is its error', async () => {
    const reason = new Error('the key store is locked');
    let locked = false;
    const authProvider = { token: () => { if (locked) throw reason; return 't'; } };
    const { client } = await connected([(leg) => ((locked = true), mismatch(leg))], { transport: { authProvider } });
    assert.equal(await rejection(client.callTool(CALL)), reason);
  });

  test('about a tool that the caller described stands', async () => {
    const { client, peer } = await connected([mismatch]);
    assert.equal((await rejection(client.callTool(CALL, { toolDefinition: TOOL }))).code, -32020);
    assert.equal(peer.legs.length, 1);
  });

  test('is not mended for a call that is given up meanwhile', async () => {
    const controller = new AbortController();
    let cancelled = false;
    const hang = ({ signal }) => (setImmediate(() => controller.abort()), new Promise((_, reject) => signal.addEventListener('abort', () => ((cancelled = true), reject(signal.reason)))));
    const { client, peer } = await connected([mismatch, hang]);
    await rejection(client.callTool(CALL, { signal: controller.signal }));
    assert.ok(cancelled);
    assert.equal(peer.legs.length, 2);
  });
});

describe('N18: a tool with a wrong annotation', () => {
  const bad = (name) => ({ name, inputSchema: { properties: { a: { type: 'number', 'x-mcp-header': 'A' } } } });

  test('is left out of the list, with a warning', async () => {
    const warnings = [];
    const script = [result({ resultType: 'complete', tools: [bad('one'), TOOL], nextCursor: 'c' }), tools(bad('two'), { name: 'plain', inputSchema: {} })];
    const { client } = await connected(script, { onWarning: ({ code, message }) => warnings.push([code, message.split(':')[0]]) });
    const { tools: found } = await client.listTools();
    assert.deepEqual(found.map(({ name }) => name), ['route', 'plain']);
    assert.deepEqual(found[0], TOOL);
    assert.deepEqual(warnings, [['tool-left-out', "the tool 'one' was left out of the list"], ['tool-left-out', "the tool 'two' was left out of the list"]]);
  });

  test('and of single pages, and of the raw method', async () => {
    const { client } = await connected([tools(bad('x'), TOOL), tools(bad('x'), TOOL)]);
    assert.deepEqual((await client.listTools({ cursor: 'c' })).tools, [TOOL]);
    assert.deepEqual((await client.request({ method: 'tools/list' })).tools, [TOOL]);
  });

  test('stays where nothing is mirrored', async () => {
    const client = new Client(INFO);
    const send = (bytes) => {
      const { id, method } = JSON.parse(new TextDecoder().decode(bytes));
      const about = method === 'tools/list' ? { tools: [bad('x')] } : { supportedVersions: ['2026-07-28'], capabilities: {} };
      return JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...about } });
    };
    await client.connect(send);
    assert.equal((await client.listTools()).tools.length, 1);
  });

  test('is not called by its description', async () => {
    const { client, peer } = await connected([done()]);
    const error = await rejection(client.callTool({ name: 'x' }, { toolDefinition: bad('x') }));
    assert.deepEqual([error.code, error.data.option], ['INVALID_ARGUMENT', 'toolDefinition']);
    assert.equal(peer.legs.length, 0);
  });
});

test('mirrored headers win over those of the host', async () => {
  const { client, peer } = await connected([tools(TOOL), done()], { transport: { requestInit: { headers: { 'mcp-param-region': 'evil' } } } });
  await client.listTools();
  await client.callTool(CALL, { headers: { 'Mcp-Param-Region': 'evil too' } });
  assert.equal(params(peer, 'mcp-param-region').at(-1), 'us-west1');
});

test('options of the wrong kind are refused', () => {
  assert.throws(() => new Client(INFO, { mirrorToolHeaders: 'yes' }), { code: 'INVALID_ARGUMENT', message: /mirrorToolHeaders/ });
  assert.ok(new StreamableHTTPClientTransport('http://peer.test/'));
});
