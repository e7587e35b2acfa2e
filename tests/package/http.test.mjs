/** The servers that the demo and other tests stand on. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '../support/http.mjs';

async function served(handler, options, use) {
  const server = await serve(handler, options);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

test('method, path, headers and body arrive, and the answer goes back', async () => {
  const handler = async (request) => {
    const { pathname, search } = new URL(request.url);
    const seen = [request.method, pathname, search, request.headers.get('x-test'), await request.text()];
    return Response.json(seen, { status: 201, headers: { 'x-answer': 'yes' } });
  };
  await served({ fetch: handler }, {}, async ({ url }) => {
    const response = await fetch(`${url}/a/b?c=d`, { method: 'POST', headers: { 'x-test': 'é' }, body: '漢' });
    assert.equal(response.status, 201);
    assert.equal(response.headers.get('x-answer'), 'yes');
    assert.deepEqual(await response.json(), ['POST', '/a/b', '?c=d', 'é', '漢']);
  });
});

test('the body of an answer streams', { timeout: 20_000 }, async () => {
  let more;
  const stream = new ReadableStream({ start: (controller) => (more = controller) });
  await served(() => new Response(stream), {}, async ({ url }) => {
    const reader = (await fetch(url)).body.getReader();
    for (const part of ['first', 'second']) {
      more.enqueue(new TextEncoder().encode(part));
      assert.equal(new TextDecoder().decode((await reader.read()).value), part);
    }
    more.close();
    assert.ok((await reader.read()).done);
  });
});

test('a client that goes away aborts the signal of its request and cancels the body', { timeout: 20_000 }, async () => {
  const aborted = deferred();
  const cancelled = deferred();
  const handler = ({ signal }) => {
    signal.addEventListener('abort', () => aborted.resolve());
    return new Response(new ReadableStream({ cancel: () => cancelled.resolve() }));
  };
  await served(handler, {}, async ({ url }) => {
    const leaving = new AbortController();
    await fetch(url, { signal: leaving.signal });
    leaving.abort();
    await Promise.all([aborted.promise, cancelled.promise]);
  });
});

test('a finished exchange aborts nothing', async () => {
  let signal;
  const handler = (request) => {
    signal = request.signal;
    return new Response('done');
  };
  await served(handler, {}, async ({ url }) => {
    assert.equal(await (await fetch(url)).text(), 'done');
  });
  assert.equal(signal.aborted, false);
});

test('a handler that throws is answered with 500', async () => {
  const handler = () => {
    throw new Error('broken');
  };
  await served(handler, {}, async ({ url }) => {
    const response = await fetch(url);
    assert.equal(response.status, 500);
    assert.match(await response.text(), /broken/);
  });
});

test('files of the folder come first, and none from outside it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'static-'));
  await writeFile(join(folder, 'page.html'), '<p>é');
  await served(() => new Response('handler', { status: 404 }), { staticDir: folder }, async ({ url, port }) => {
    const page = await fetch(`${url}/page.html`);
    assert.equal(await page.text(), '<p>é');
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal((await fetch(`${url}/page.html`, { method: 'POST' })).status, 404);
    for (const path of ['/other', '/%', '/%00', '/', '/../package.json', '/..%2f..%2fetc/passwd', '/page.html/x']) {
      assert.match(await rawGet(port, path), /^HTTP\/1.1 404/, path);
    }
  });
  await rm(folder, { recursive: true });
});

test('with cors a page of any origin may ask', async () => {
  await served(() => new Response('x'), { cors: true }, async ({ url }) => {
    const headers = { 'access-control-request-headers': 'mcp-method' };
    const preflight = await fetch(url, { method: 'OPTIONS', headers });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-headers'), 'mcp-method');
    assert.equal((await fetch(url)).headers.get('access-control-allow-origin'), '*');
  });
});

function deferred() {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}

/** `fetch` would tidy the path. */
function rawGet(port, path) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`));
    let text = '';
    socket.on('data', (data) => (text += data));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}
