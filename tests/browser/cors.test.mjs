/**
 * A page that calls a server of another origin, in Chromium: let in, and kept out in each way there is. A browser does not
 * tell a page why; our error has to.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromium } from 'playwright-core';
import { CHROME_FLAGS, chromePath } from '../../scripts/lib/chrome.mjs';
import { distDir } from '../../scripts/lib/project.mjs';
import { modern, sessions } from '../support/dual-server.mjs';
import { serve } from '../support/http.mjs';
import { staticFiles } from '../support/static.mjs';

/** What a server of 2026 must allow, and one of 2025. */
const NEW_HEADERS = 'content-type, mcp-protocol-version, mcp-method, mcp-name';
const OLD_HEADERS = 'content-type, mcp-protocol-version, mcp-session-id, last-event-id';

let browser;
let page;
let own;
let other;
/** How the other server answers; each test says. */
let rules;
let servers;
/** What reached it besides OPTIONS. */
let reached;

before(async () => {
  const files = staticFiles(distDir, '/dist/');
  own = await serve(async (request) => (await files(request)) ?? sameOrigin(request));
  other = await serve(crossOrigin);
  browser = await chromium.launch({ executablePath: chromePath(), headless: true, args: CHROME_FLAGS });
  page = await browser.newPage();
  await page.goto(`${own.url}/`);
});

after(async () => {
  await browser?.close();
  await Promise.all([own?.close(), other?.close()]);
});

function sameOrigin(request) {
  if (new URL(request.url).pathname === '/') return new Response('<!doctype html><meta charset="utf-8">', { headers: { 'content-type': 'text/html' } });
  reached.push(request.headers.get('mcp-param-region'));
  return servers.now.fetch(request);
}

async function crossOrigin(request) {
  const { origin, headers = '', expose, credentials, options = 204, wall, redirect } = rules;
  const allowed = new Headers();
  if (origin) allowed.set('access-control-allow-origin', origin);
  if (credentials) allowed.set('access-control-allow-credentials', 'true');
  if (request.method === 'OPTIONS') {
    allowed.set('access-control-allow-headers', headers);
    allowed.set('access-control-allow-methods', 'POST, GET, DELETE');
    return new Response(null, { status: options, headers: allowed });
  }
  reached.push([request.method, request.headers.get('authorization'), request.headers.get('mcp-param-region')]);
  if (expose) allowed.set('access-control-expose-headers', expose);
  const response = wall ?? (redirect ? new Response(null, { status: 307, headers: { location: redirect } }) : await servers.behind.fetch(request));
  for (const [name, value] of response.headers) allowed.set(name, value);
  return new Response(response.body, { status: response.status, headers: allowed });
}

/** Browsers remember what a URL allows, and clients which era it is of: each test has its own. */
let number = 0;
const fresh = () => `${other.url}/mcp/${++number}`;

/** Connects from the page and calls a tool. Resolves to what came of it. */
async function fromPage({ server = modern(), ...rest }, { client, transport, call = { name: 'count', arguments: {} }, url = fresh() } = {}) {
  rules = rest;
  reached = [];
  servers = { behind: server, now: modern() };
  const [given, options, clientOptions] = [url, transport ?? {}, client ?? {}];
  return page.evaluate(
    async ({ given, options, clientOptions, call }) => {
      const { Client, StreamableHTTPClientTransport } = await import('/dist/index.js');
      const client = new Client({ name: 'page', version: '1' }, clientOptions);
      client.setRequestHandler('sampling/createMessage', () => ({ role: 'assistant', model: 'm', stopReason: 'endTurn', content: { type: 'text', text: 'because' } }));
      try {
        const { token, ...rest } = options;
        if (token) rest.authProvider = { token: () => token };
        await client.connect(new StreamableHTTPClientTransport(given, rest));
        if (call.name === 'route') await client.listTools();
        const { content } = await client.callTool(call);
        const era = client.getProtocolEra();
        await client.close();
        return { era, text: content[0].text };
      } catch (error) {
        return { code: error.code, message: error.message, data: error.data, cause: error.cause?.name };
      }
    },
    { given, options, clientOptions, call },
  );
}

function isKeptOut(outcome, { code = 'SEND_FAILED', headers = NEW_HEADERS.replace(', mcp-name', '') } = {}) {
  assert.equal(outcome.code, code, JSON.stringify(outcome));
  assert.equal(outcome.cause, 'TypeError');
  assert.ok(outcome.message.includes(`Access-Control-Allow-Origin: ${own.url}`), outcome.message);
  assert.ok(outcome.message.includes(`${other.url} cannot be reached, or it does not allow pages of ${own.url} (CORS)`), outcome.message);
  assert.deepEqual(outcome.data.allowHeaders.split(', ').sort(), headers.split(', ').sort());
  assert.equal(outcome.data.exposeHeaders, 'Mcp-Session-Id, WWW-Authenticate');
  for (const name of headers.split(', ')) assert.ok(outcome.message.includes(name), `${name}: ${outcome.message}`);
}

describe('a page is let in', { timeout: 60_000 }, () => {
  test('by a server of 2026 that allows its headers', async () => {
    assert.deepEqual(await fromPage({ origin: own.url, headers: NEW_HEADERS }), { era: 'modern', text: 'counted' });
  });

  test('by one that lets everybody in', async () => {
    assert.deepEqual(await fromPage({ origin: '*', headers: '*' }), { era: 'modern', text: 'counted' });
  });

  test('by one with credentials, if it names the headers', async () => {
    const transport = { requestInit: { credentials: 'include' } };
    const outcome = await fromPage({ origin: own.url, headers: NEW_HEADERS, credentials: true }, { transport });
    assert.deepEqual(outcome, { era: 'modern', text: 'counted' });
  });

  test('by a server of 2025 that exposes its sessions', async () => {
    const server = sessions();
    assert.deepEqual(await fromPage({ server, origin: own.url, headers: `${OLD_HEADERS}, mcp-method`, expose: 'mcp-session-id' }), { era: 'legacy', text: 'counted' });
    assert.equal(server.open.size, 0);
  });

  test('by one that has never heard of the new headers', async () => {
    assert.deepEqual(await fromPage({ server: sessions(), origin: own.url, headers: OLD_HEADERS, expose: 'mcp-session-id' }), { era: 'legacy', text: 'counted' });
  });
});

describe('a page is kept out, and told what to allow,', { timeout: 60_000 }, () => {
  test('by a server that says nothing', async () => isKeptOut(await fromPage({})));

  test('by one that lets another origin in', async () => isKeptOut(await fromPage({ origin: 'https://elsewhere.test', headers: NEW_HEADERS })));

  test('by one that does not answer OPTIONS', async () => {
    for (const options of [404, 405, 500]) isKeptOut(await fromPage({ origin: own.url, headers: NEW_HEADERS, options }));
  });

  test('by one of 2026 that does not allow its headers', async () => {
    isKeptOut(await fromPage({ origin: own.url, headers: 'content-type' }));
    isKeptOut(await fromPage({ origin: own.url, headers: 'content-type, mcp-protocol-version' }));
    isKeptOut(await fromPage({ origin: own.url }));
  });

  test('by one that does not allow the header of one method, in the middle', async () => {
    const outcome = await fromPage({ origin: own.url, headers: NEW_HEADERS.replace(', mcp-name', '') });
    isKeptOut(outcome, { headers: NEW_HEADERS });
    assert.match(outcome.message, /\(tools\/call, leg 1\)/);
  });

  test('by one that does not allow the host’s own header, or its token', async () => {
    const own = await fromPage({ origin: '*', headers: NEW_HEADERS }, { transport: { requestInit: { headers: { 'X-Key': 'secret' } } } });
    isKeptOut(own, { headers: 'content-type, mcp-method, mcp-protocol-version, x-key' });
    const token = await fromPage({ origin: '*', headers: NEW_HEADERS }, { transport: { token: 'secret' } });
    isKeptOut(token, { headers: 'authorization, content-type, mcp-method, mcp-protocol-version' });
    assert.ok(!JSON.stringify([own, token]).includes('secret'));
  });

  test('by one that lets everybody in, but not with credentials', async () => {
    isKeptOut(await fromPage({ origin: '*', headers: '*', credentials: true }, { transport: { requestInit: { credentials: 'include' } } }));
  });

  test('by one that is not there', async () => {
    const gone = await serve(() => new Response());
    await gone.close();
    const outcome = await fromPage({}, { url: `${gone.url}/mcp` });
    assert.equal(outcome.code, 'SEND_FAILED');
    assert.ok(outcome.message.includes(`either ${gone.url} cannot be reached`), outcome.message);
  });

  test('by a pinned one', async () => {
    isKeptOut(await fromPage({}, { client: { versionNegotiation: { mode: { pin: '2026-07-28' } } } }));
  });
});

describe('a page cannot read', { timeout: 60_000 }, () => {
  test('the session of a server that does not expose it, and is told so', async () => {
    const outcome = await fromPage({ server: sessions(), origin: own.url, headers: OLD_HEADERS });
    assert.equal(outcome.code, 'CLIENT_HTTP_NOT_IMPLEMENTED');
    assert.match(outcome.message, /this page cannot read its id: the server must answer with Access-Control-Expose-Headers: Mcp-Session-Id/);
    assert.equal(outcome.data.exposeHeaders, 'Mcp-Session-Id, WWW-Authenticate');
  });

  test('the challenge of a wall that does not expose it', async () => {
    const wall = () => new Response('', { status: 401, headers: { 'www-authenticate': 'Bearer realm="x"' } });
    const hidden = await fromPage({ origin: own.url, headers: NEW_HEADERS, wall: wall() });
    assert.deepEqual([hidden.code, hidden.data.wwwAuthenticate], ['CLIENT_HTTP_AUTHENTICATION', undefined]);
    const shown = await fromPage({ origin: own.url, headers: NEW_HEADERS, wall: wall(), expose: 'www-authenticate' });
    assert.deepEqual([shown.code, shown.data.wwwAuthenticate], ['CLIENT_HTTP_AUTHENTICATION', 'Bearer realm="x"']);
  });

  test('where a redirect leads, which is not followed with a token', async () => {
    const elsewhere = await serve((request) => (reached.push(['elsewhere', request.headers.get('authorization')]), modern().fetch(request)), { cors: true });
    const outcome = await fromPage({ origin: own.url, headers: `${NEW_HEADERS}, authorization`, redirect: `${elsewhere.url}/mcp` }, { transport: { token: 'secret' } });
    await elsewhere.close();
    assert.match(outcome.message, /a redirect that is not followed, so that no credentials leave the origin of the server/);
    assert.deepEqual(reached, [['POST', 'Bearer secret', null]]);
  });
});

describe('arguments of tools go out as headers', { timeout: 60_000 }, () => {
  const call = { name: 'route', arguments: { region: 'x' } };
  const regions = () => reached.map((request) => (Array.isArray(request) ? request[2] : request)).slice(-2);

  test('to the own origin', async () => {
    assert.equal((await fromPage({}, { call, url: '/mcp' })).text, 'x undefined: because');
    assert.deepEqual(regions(), ['x', 'x']);
  });

  test('to another one only if the host says so', async () => {
    const refused = await fromPage({ origin: own.url, headers: NEW_HEADERS }, { call });
    assert.equal(refused.code, -32020);
    const outcome = await fromPage({ origin: own.url, headers: `${NEW_HEADERS}, mcp-param-region` }, { call, client: { mirrorToolHeaders: true } });
    assert.equal(outcome.text, 'x undefined: because');
    assert.deepEqual(regions(), ['x', 'x']);
  });

  test('and must be allowed there', async () => {
    isKeptOut(await fromPage({ origin: own.url, headers: NEW_HEADERS }, { call, client: { mirrorToolHeaders: true } }), { headers: `${NEW_HEADERS}, mcp-param-region` });
  });
});

test('fetch is called as browsers want it, in a worker too', { timeout: 60_000 }, async () => {
  rules = { origin: '*', headers: '*' };
  reached = [];
  servers = { behind: modern() };
  const text = await page.evaluate(
    (url) =>
      new Promise((resolve, reject) => {
        const code = `import { Client } from '${location.origin}/dist/index.js';
          const client = new Client({ name: 'worker', version: '1' });
          await client.connect('${url}');
          postMessage((await client.callTool({ name: 'count', arguments: {} })).content[0].text);`;
        const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => reject(new Error(event.message));
      }),
    fresh(),
  );
  assert.equal(text, 'counted');
});
