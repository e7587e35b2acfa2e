/**
 * Serves a fetch-style handler over node:http: bodies stream both ways, and a client that goes away aborts
 * `request.signal`.
 */
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { staticFiles } from './static.mjs';

/**
 * @typedef {(request: Request) => Response | Promise<Response>} Handler
 * @param {Handler | { fetch: Handler }} handler answers what is not a file of `staticDir`
 * @param {{ staticDir?: string, port?: number, host?: string, cors?: boolean, onerror?: (error: Error) => void }} [options]
 *   `port` 0, the default, takes a free one; `cors` lets pages of every origin in
 * @returns {Promise<{ url: string, port: number, close(): Promise<void> }>} `url` has no slash at the end
 */
export async function serve(handler, { staticDir, port = 0, host = '127.0.0.1', cors = false, onerror = console.error } = {}) {
  let answer = typeof handler === 'function' ? handler : (request) => handler.fetch(request);
  if (staticDir !== undefined) answer = filesFirst(staticDir, answer);
  if (cors) answer = withCors(answer);
  const server = createServer((incoming, outgoing) => {
    exchange(answer, incoming, outgoing).catch((error) => {
      if (!isDisconnect(error)) onerror(error);
      outgoing.destroy();
    });
  });
  await listen(server, port, host);
  const bound = server.address().port;
  return { url: `http://${host}:${bound}`, port: bound, close: () => close(server) };
}

function listen(server, port, host) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server) {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function exchange(answer, incoming, outgoing) {
  const gone = new AbortController();
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) gone.abort(new DOMException('The client went away', 'AbortError'));
  });
  const response = await answerSafely(answer, toRequest(incoming, gone.signal));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null || incoming.method === 'HEAD') {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  await pipeline(Readable.fromWeb(response.body), outgoing);
}

async function answerSafely(answer, request) {
  try {
    return await answer(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    return new Response(`The handler failed: ${error.message}\n`, { status: 500, headers: { 'content-type': 'text/plain' } });
  }
}

function toRequest(incoming, signal) {
  const url = `http://${incoming.headers.host ?? 'localhost'}${incoming.url}`;
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values]) => values.map((value) => [name, value]));
  const init = { method: incoming.method, headers, signal };
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return new Request(url, init);
  return new Request(url, { ...init, body: Readable.toWeb(incoming), duplex: 'half' });
}

function isDisconnect(error) {
  return error.name === 'AbortError' || ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(error.code);
}

function filesFirst(staticDir, answer) {
  const files = staticFiles(staticDir);
  return async (request) => (await files(request)) ?? answer(request);
}

/** Adds what a browser wants to see before it lets a page of another origin send MCP headers. */
function withCors(answer) {
  return async (request) => {
    const response = request.method === 'OPTIONS' ? new Response(null, { status: 204 }) : await answer(request);
    const headers = new Headers(response.headers);
    headers.set('access-control-allow-origin', '*');
    headers.set('access-control-allow-methods', 'GET, POST, DELETE, OPTIONS');
    headers.set('access-control-allow-headers', request.headers.get('access-control-request-headers') ?? '*');
    headers.set('access-control-expose-headers', 'mcp-session-id, www-authenticate');
    return new Response(response.body, { status: response.status, headers });
  };
}
