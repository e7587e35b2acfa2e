// A web server that stands in for the vendors: it checks what they check, and answers as a script says. Pages of other
// origins may call it as they may call the vendors: only with the headers that those let in.
//
// Base URLs are `<origin>/<vendor>/<script>/<conversation>`; each conversation begins its script anew.

import { createServer } from 'node:http';
import { SCRIPTS } from './vendor-scripts.mjs';
import { Refused, parsed, sentHeaders } from './vendors/checks.mjs';
import { VENDORS } from './vendors/index.mjs';

export const KEY = 'test-key-0123456789';

/**
 * @returns {Promise<{ origin: string, log: Exchange[], close(): Promise<void> }>} `log` has what came in, in order
 *
 * @typedef {object} Exchange
 * @property {string} vendor
 * @property {string} script
 * @property {number} turn
 * @property {Record<string, string>} headers those that the host or the package sent
 * @property {any} body
 * @property {number} port of the client, which tells connections apart
 * @property {Promise<void>} gone settled when the client goes away before the reply is complete
 */
export async function vendorServer() {
  const log = [];
  const turns = new Map();
  const server = createServer((req, res) => {
    answer(req, res, { log, turns }).catch((error) => {
      res.destroy();
      if (!(error instanceof Refused)) console.error(error);
    });
  });
  // Else a test that keeps this thread busy loses its connections.
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, log, close: () => close(server) };
}

function close(server) {
  const done = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  return done;
}

async function answer(req, res, { log, turns }) {
  const [, name, script, conversation] = req.url.split('/', 4);
  const vendor = VENDORS[name];
  const path = req.url.slice(`/${name}/${script}/${conversation}`.length);
  allow(req, res, vendor);
  if (req.method === 'OPTIONS') return res.writeHead(204).end();
  const turn = turns.get(`${name}/${script}/${conversation}`) ?? 0;
  turns.set(`${name}/${script}/${conversation}`, turn + 1);
  const body = parsed(await textOf(req));
  const gone = new Promise((resolve) => res.once('close', () => res.writableFinished || resolve()));
  log.push({ vendor: name, script, turn, headers: sentHeaders(req.headers), body, port: req.socket.remotePort, gone });
  try {
    check(vendor, req, path, body);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return json(res, error.status ?? 400, vendor.error(error.type ?? 'invalid_request_error', error.message));
  }
  const streamed = body.stream === true || path.includes('stream');
  await SCRIPTS[script](turn, { res, vendor, body, streamed, json: (status, value, headers) => json(res, status, value, headers) });
}

/** As the vendors answer preflights: any origin, and no header but those that the API has. */
function allow(req, res, vendor) {
  if (!req.headers.origin) return;
  const headers = Object.keys({ ...vendor.headers, ...vendor.keyHeader(''), ...vendor.pageHeaders });
  res.setHeader('access-control-allow-origin', '*');
  res.setHeader('access-control-allow-headers', headers.join(', '));
  res.setHeader('access-control-expose-headers', 'retry-after');
}

function check(vendor, req, path, body) {
  const expected = { ...vendor.headers, ...vendor.keyHeader(KEY), ...(req.headers.origin && vendor.pageHeaders) };
  const sent = sentHeaders(req.headers);
  for (const name of Object.keys(vendor.keyHeader(''))) {
    if (sent[name] !== expected[name]) throw Object.assign(new Refused(`invalid key ${sent[name]}`), { status: 401, type: 'authentication_error' });
  }
  for (const name of new Set([...Object.keys(sent), ...Object.keys(expected)])) {
    if (sent[name] !== expected[name]) throw new Refused(`header ${name} is ${sent[name]}`);
  }
  if (req.method !== 'POST' || !vendor.path.test(path)) throw new Refused(`${req.method} ${path}`);
  vendor.judge(body);
}

async function textOf(req) {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function json(res, status, value, headers = {}) {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}
