/** Tokens, walls and redirects. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ClientCredentialsProvider, UnauthorizedError, auth, extractWWWAuthenticateParams, withOAuth } from '@modelcontextprotocol/client';
import { buildServer, modern, sessions } from '../support/dual-server.mjs';
import { serve } from '../support/http.mjs';
import { INFO, pkg, rejection } from './support/installed.mjs';
import { legacyPeer, rpcResult, toolResult } from './support/legacy-peer.mjs';

const { Client, StreamableHTTPClientTransport } = pkg;

const ADDRESS = 'http://peer.test/mcp';
const DISCOVERED = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
const SAMPLED = { role: 'assistant', model: 'm', stopReason: 'endTurn', content: { type: 'text', text: 'Short.' } };
const DONE = { resultType: 'complete', content: [] };
const WALL = () => new Response('{"error":"invalid_token"}', { status: 401, statusText: 'Unauthorized', headers: { 'www-authenticate': 'Bearer realm="x"' } });

/** A server of 2026 behind `guard`, which may answer in its place. */
function guarded(guard = () => undefined) {
  const seen = [];
  const fetch = async (_url, init) => {
    const message = JSON.parse(init.body);
    seen.push({ method: message.method, authorization: init.headers.get('authorization'), redirect: init.redirect });
    return guard(init, message) ?? rpcResult(message.id, message.method === 'server/discover' ? DISCOVERED : DONE);
  };
  return { fetch, seen, tokens: () => seen.map(({ authorization }) => authorization) };
}

const transport = (fetch, options) => new StreamableHTTPClientTransport(ADDRESS, { fetch, ...options });

describe('a token', () => {
  test('is asked for before each leg', async () => {
    let count = 0;
    const { fetch, tokens } = guarded();
    const client = new Client(INFO);
    await client.connect(transport(fetch, { authProvider: { token: () => `t${++count}` } }));
    await client.callTool({ name: 'x' });
    await client.callTool({ name: 'x' });
    assert.deepEqual(tokens(), ['Bearer t1', 'Bearer t2', 'Bearer t3']);
  });

  test('need not be there', async () => {
    const { fetch, tokens } = guarded();
    const client = new Client(INFO);
    await client.connect(transport(fetch, { authProvider: { token: async () => undefined } }));
    assert.deepEqual(tokens(), [null]);
  });

  test('is on every request of a session: notices, listening, answers and the end', async () => {
    const peer = legacyPeer({ post: ({ id }) => (id === undefined ? undefined : toolResult(id)) });
    const client = new Client(INFO);
    await client.connect(transport(peer.fetch, { authProvider: { token: async () => 'secret' } }));
    await client.callTool({ name: 'x' });
    await client.close();
    assert.deepEqual(peer.seen.map(({ method }) => method), ['POST', 'POST', 'POST', 'GET', 'POST', 'DELETE']);
    assert.ok(peer.seen.every(({ headers }) => headers.get('authorization') === 'Bearer secret'));
  });

  test('N29: that no header may have is an argument, and is not repeated', async () => {
    for (const token of ['secret\nSet-Cookie: a', 'geheim Đ']) {
      const { fetch, seen } = guarded();
      const error = await rejection(new Client(INFO).connect(transport(fetch, { authProvider: { token: () => token } })));
      assert.equal(error.code, 'INVALID_ARGUMENT');
      assert.ok(error.message.includes('token') && !`${error.stack}${error.cause?.stack}`.includes(token));
      assert.deepEqual(seen, []);
    }
  });

  test('whose provider throws is the reason as it is', async () => {
    const reason = new RangeError('the key store is locked');
    const { fetch } = guarded();
    const failing = { token: () => { throw reason; } };
    assert.equal(await rejection(new Client(INFO).connect(transport(fetch, { authProvider: failing }))), reason);
    const client = new Client(INFO);
    let locked = false;
    await client.connect(transport(fetch, { authProvider: { token: async () => (locked ? Promise.reject(reason) : 't') } }));
    locked = true;
    assert.equal(await rejection(client.callTool({ name: 'x' })), reason);
    locked = false;
    await client.callTool({ name: 'x' });
  });

  test('whose provider is none is refused at once', () => {
    for (const authProvider of [{}, 'token', { tokens: () => ({}) }]) {
      assert.throws(() => transport(undefined, { authProvider }), { code: 'INVALID_ARGUMENT', message: /withOAuth/ });
    }
  });
});

describe('a header of the host', () => {
  test('N29: that no header may have is an argument that names it, and not its value', () => {
    for (const headers of [{ 'x-user': 'Đ' }, [['x-user', 'secret\r\nx: y']]]) {
      assert.throws(() => transport(undefined, { requestInit: { headers } }), (error) => {
        assert.equal(error.code, 'INVALID_ARGUMENT');
        assert.equal(error.data.header, 'x-user');
        return error.message.includes('options.requestInit.headers') && !error.message.includes('secret') && !error.message.includes('Đ');
      });
    }
  });

  test('N29: of one call likewise', async () => {
    const { fetch } = guarded();
    const client = new Client(INFO);
    await client.connect(transport(fetch));
    const error = await rejection(client.callTool({ name: 'x' }, { headers: { baggage: 'wo=Đ' } }));
    assert.deepEqual([error.code, error.data.header], ['INVALID_ARGUMENT', 'baggage']);
  });
});

describe('a 401', () => {
  test('gives the provider one chance, and then the request goes out again', async () => {
    const contexts = [];
    let token = 'old';
    const { fetch, tokens } = guarded((init) => (init.headers.get('authorization') === 'Bearer new' ? undefined : WALL()));
    const authProvider = {
      token: () => token,
      onUnauthorized(context) {
        contexts.push(context);
        token = 'new';
      },
    };
    const client = new Client(INFO);
    await client.connect(transport(fetch, { authProvider }));
    await client.callTool({ name: 'x' });
    assert.deepEqual(tokens(), ['Bearer old', 'Bearer new', 'Bearer new']);
    assert.equal(contexts.length, 1);
    const [{ response, serverUrl, fetchFn }] = contexts;
    assert.deepEqual([response.status, serverUrl.href, fetchFn], [401, ADDRESS, fetch]);
  });

  test('that comes again is the error, with its challenge', async () => {
    let chances = 0;
    const { fetch, seen } = guarded((_init, { method }) => (method === 'tools/call' ? WALL() : undefined));
    const client = new Client(INFO);
    await client.connect(transport(fetch, { authProvider: { token: () => 't', onUnauthorized: () => void chances++ } }));
    const error = await rejection(client.callTool({ name: 'x' }));
    assert.ok(error instanceof pkg.SdkHttpError);
    assert.deepEqual([error.code, error.status, error.statusText, error.data.wwwAuthenticate], ['CLIENT_HTTP_AUTHENTICATION', 401, 'Unauthorized', 'Bearer realm="x"']);
    assert.deepEqual([chances, seen.length], [1, 3]);
  });

  test('that the provider cannot mend is its own error', async () => {
    const reason = new UnauthorizedError('a person must log in');
    const { fetch } = guarded(WALL);
    const authProvider = { token: () => 't', onUnauthorized: () => Promise.reject(reason) };
    assert.equal(await rejection(new Client(INFO).connect(transport(fetch, { authProvider }))), reason);
  });

  test('in the middle of a session is mended too', async () => {
    let token = 'old';
    const post = ({ id }, { headers }) => (id === undefined ? undefined : headers.get('authorization') === 'Bearer old' ? WALL() : toolResult(id));
    const peer = legacyPeer({ post });
    const client = new Client(INFO);
    await client.connect(transport(peer.fetch, { authProvider: { token: () => token, onUnauthorized: () => void (token = 'new') } }));
    await client.callTool({ name: 'x' });
    await client.close();
  });
});

describe('a redirect', () => {
  /** Two servers of different origins; the first sends everything to the other, or to another path of itself. */
  async function twoServers(status, target) {
    const reached = [];
    const mcp = modern();
    const other = await serve(async (request) => {
      reached.push(`other ${request.headers.get('authorization')} ${request.headers.get('x-key')}`);
      return mcp.fetch(request);
    });
    const first = await serve(async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname !== '/mcp') {
        reached.push(`first ${request.headers.get('authorization')} ${request.headers.get('x-key')}`);
        return mcp.fetch(request);
      }
      return new Response(null, { status, headers: { location: target === 'other' ? `${other.url}/mcp?secret=1` : '/moved/mcp' } });
    });
    return { url: `${first.url}/mcp`, other: other.url, reached, close: () => Promise.all([first.close(), other.close()]) };
  }

  const credentials = { token: { authProvider: { token: () => 'secret' } }, headers: { requestInit: { headers: { authorization: 'Bearer secret', 'x-key': 'secret' } } } };
  for (const [kind, options] of Object.entries(credentials)) {
    for (const status of [301, 302, 303, 307, 308]) {
      test(`${status} to another origin never carries the ${kind}`, async () => {
        const { url, other, reached, close } = await twoServers(status, 'other');
        const error = await rejection(new Client(INFO).connect(new StreamableHTTPClientTransport(url, options)));
        await close();
        assert.deepEqual(reached, []);
        assert.equal(error.code, 'ERA_NEGOTIATION_FAILED');
        assert.equal(error.data.status, status);
        assert.ok(error.message.includes(`connect to ${other}/mcp`) && !error.message.includes('secret'), error.message);
      });
    }
  }

  test('307 and 308 within the origin are followed, with the token', async () => {
    for (const status of [307, 308]) {
      const { url, reached, close } = await twoServers(status, 'itself');
      const client = new Client(INFO);
      await client.connect(new StreamableHTTPClientTransport(url, credentials.token));
      await close();
      assert.deepEqual(reached, ['first Bearer secret null']);
    }
  });

  test('that turns the request into another one is not followed', async () => {
    const { url, reached, close } = await twoServers(302, 'itself');
    assert.equal((await rejection(new Client(INFO).connect(new StreamableHTTPClientTransport(url, credentials.token)))).code, 'ERA_NEGOTIATION_FAILED');
    await close();
    assert.deepEqual(reached, []);
  });

  test('is the runtime’s affair where there is nothing to protect, or the host says so', async () => {
    for (const options of [{}, { ...credentials.token, redirectPolicy: 'follow' }]) {
      const { fetch, seen } = guarded();
      await new Client(INFO).connect(transport(fetch, options));
      assert.equal(seen[0].redirect, undefined);
    }
    const { fetch, seen } = guarded();
    await new Client(INFO).connect(transport(fetch, { ...credentials.token, requestInit: { redirect: 'error' } }));
    assert.equal(seen[0].redirect, 'error');
  });
});

describe('the official OAuth provider', () => {
  /** A server of both eras behind tokens, and the authorization server that gives them. */
  async function protectedServer(server) {
    const issued = new Set();
    const asked = [];
    const { url, close } = await serve(async (request) => {
      const { pathname, origin } = new URL(request.url);
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      if (pathname === '/.well-known/oauth-protected-resource/mcp') return Response.json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
      if (pathname === '/.well-known/oauth-authorization-server') return Response.json(issuer(origin));
      if (pathname === '/token') return token(request);
      if (issued.has(request.headers.get('authorization'))) return server.fetch(request);
      return new Response('', { status: 401, headers: { 'www-authenticate': `Bearer resource_metadata="${metadata}"` } });
    });
    const token = async (request) => {
      const basic = `Basic ${btoa('me:my secret')}`;
      asked.push(Object.fromEntries(new URLSearchParams(await request.text())));
      if (request.headers.get('authorization') !== basic) return Response.json({ error: 'invalid_client' }, { status: 401 });
      const access_token = `token-${issued.size + 1}`;
      issued.add(`Bearer ${access_token}`);
      return Response.json({ access_token, token_type: 'Bearer', expires_in: 3600 });
    };
    return { url: `${url}/mcp`, asked, issued, close };
  }

  const issuer = (origin) => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    response_types_supported: ['code'],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
  });

  const provider = (clientSecret = 'my secret') => new ClientCredentialsProvider({ clientId: 'me', clientSecret });

  const PLUGS = {
    'as fetch': (oauth, url) => ({ fetch: withOAuth(oauth, url)(fetch) }),
    'as authProvider': (oauth) => ({
      authProvider: {
        token: async () => (await oauth.tokens())?.access_token,
        onUnauthorized: ({ response, serverUrl, fetchFn }) => auth(oauth, { serverUrl, fetchFn, ...extractWWWAuthenticateParams(response) }),
      },
    }),
  };

  for (const [plug, plugged] of Object.entries(PLUGS)) {
    for (const [year, make] of Object.entries({ 2026: modern, 2025: () => sessions({ build: buildServer }) })) {
      test(`plugs in ${plug}, for a server of ${year}`, async () => {
        const { url, asked, issued, close } = await protectedServer(make());
        const client = new Client(INFO);
        client.setRequestHandler('sampling/createMessage', async () => {
          // The token runs out while a person is asked.
          issued.clear();
          return SAMPLED;
        });
        if (year === '2025') client.setRequestHandler('sampling/createMessage', () => SAMPLED);
        await client.connect(new StreamableHTTPClientTransport(url, plugged(provider(), url)));
        assert.equal((await client.callTool({ name: 'summarize', arguments: { text: 'Long.' } })).content[0].text, 'Short. (of Long.)');
        assert.equal(asked.length, year === '2025' ? 1 : 2);
        assert.equal(asked[0].grant_type, 'client_credentials');
        await client.close();
        await close();
      });
    }

    test(`plugged in ${plug} says what is wrong`, async () => {
      const { url, close } = await protectedServer(modern());
      const error = await rejection(new Client(INFO).connect(new StreamableHTTPClientTransport(url, plugged(provider('wrong'), url))));
      await close();
      assert.match(`${error.name} ${error.message} ${error.code}`, /invalid_client|UnauthorizedError/);
      assert.notEqual(error.code, 'SEND_FAILED');
    });
  }
});
