// A web server for one test: the files of a folder, and an MCP endpoint at /mcp.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { install } from './install.mjs';

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.json': 'application/json', '.wasm': 'application/wasm' };

const IMPORTS = {
  'mcp-sampling': '/node_modules/mcp-sampling/dist/index.js',
  'mcp-sampling/providers': '/node_modules/mcp-sampling/dist/providers.js',
  'mcp-sampling/all': '/node_modules/mcp-sampling/dist/all.js',
};

const PAGE = `<!doctype html><meta charset="utf-8"><title>test</title><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`;

/**
 * @param {{ handler?: (request: Request) => Promise<Response> | Response, files?: string, pageHeaders?: Record<string, string> }} [options]
 *   `files` is the folder served, by default the project with the installed package. `pageHeaders` go with the empty page at /.
 * @returns {Promise<{ origin: string, endpoint: string, close(): Promise<void> }>}
 */
export async function serve({ handler, files = install(), pageHeaders = {} } = {}) {
  const server = createServer((req, res) => {
    answer(req, res, { handler, files, pageHeaders }).catch((error) => fail(res, error));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return { origin, endpoint: `${origin}/mcp`, close: () => closed(server) };
}

function answer(req, res, { handler, files, pageHeaders }) {
  const { pathname } = new URL(req.url, 'http://localhost');
  if (pathname === '/mcp' && handler) return call(handler, req, res);
  if (pathname === '/') return send(res, new Response(PAGE, { headers: { 'content-type': TYPES['.html'], ...pageHeaders } }));
  return sendFile(join(files, normalize(decodeURIComponent(pathname))), res);
}

async function call(handler, req, res) {
  await send(res, await handler(toRequest(req, res)));
}

function toRequest(req, res) {
  const gone = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  const body = req.method === 'GET' || req.method === 'HEAD' ? undefined : Readable.toWeb(req);
  const headers = Object.entries(req.headersDistinct).flatMap(([name, values]) => values.map((value) => [name, value]));
  return new Request(`http://${req.headers.host}${req.url}`, { method: req.method, headers, body, duplex: 'half', signal: gone.signal });
}

async function send(res, response) {
  res.writeHead(response.status, Object.fromEntries(response.headers));
  // An event stream must reach the client before its first event does.
  res.flushHeaders();
  if (!response.body) return res.end();
  await pipeline(Readable.fromWeb(response.body), res).catch((error) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

async function sendFile(path, res) {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return send(res, new Response('not found', { status: 404 }));
  res.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream', 'content-length': found.size });
  await pipeline(createReadStream(path), res);
}

function fail(res, error) {
  console.error(error);
  if (res.headersSent) return res.destroy();
  res.writeHead(500, { 'content-type': 'text/plain' }).end(String(error?.stack ?? error));
}

function closed(server) {
  const done = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  return done;
}
