// A hundred thousand progress notifications on one event stream, from the bytes to the progress callback: through our
// client, through the official one, and through nothing but `eventsource-parser` and `JSON.parse`, which that one reads
// streams with.

import assert from 'node:assert/strict';
import { Client as PeerClient, StreamableHTTPClientTransport as PeerTransport } from '@modelcontextprotocol/client';
import { createParser } from 'eventsource-parser';
import { Client, StreamableHTTPClientTransport } from '../../pkg/dist/index.js';
import { compared } from './statistics.mjs';

const EVENTS = 100_000;
const CHUNK = 16_384;
const RUNS = 7;
const INFO = { name: 'bench', version: '1.0.0' };
const ENDPOINT = new URL('http://mock.invalid/mcp');

/** Each resolves to its milliseconds. */
const READERS = {
  ours: () => throughClient(new Client(INFO), (fetch) => new StreamableHTTPClientTransport(ENDPOINT, { fetch })),
  client: () => throughClient(new PeerClient(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } }), (fetch) => new PeerTransport(ENDPOINT, { fetch })),
  parser: throughParser,
};

export async function stream() {
  const times = { ours: [], client: [], parser: [] };
  for (let run = 0; run < RUNS; run++) for (const [who, read] of Object.entries(READERS)) times[who].push(await read());
  const row = (name, peer) => compared(`event stream of ${EVENTS.toLocaleString('en')} events, ${name}`, { ours: times.ours, peer }, { unit: 'ms', target: 0.67 });
  return [row('to the callback, next to a bare parser', times.parser), row('to the callback of either client', times.client)];
}

const message = (token, index) => `event: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${index}}}\n\n`;

const kept = new Map();

/** The same for all but for the number that a client gave its call; made before the clock starts. */
function bytesOf(id, token) {
  const key = `${id} ${token}`;
  if (!kept.has(key)) kept.set(key, new TextEncoder().encode(textOf(id, token)));
  return kept.get(key);
}

function textOf(id, token) {
  const events = Array.from({ length: EVENTS }, (_, index) => message(token, index + 1)).join('');
  return `${events}data: {"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","content":[]}}\n\n`;
}

function* chunks(bytes) {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

/** The clock starts when the reply is handed over. */
async function throughClient(client, transport) {
  let start;
  const fetch = async (_url, init) => {
    const id = /"id":("[^"]*"|\d+)/.exec(init.body)[1];
    if (init.body.includes('server/discover')) return discovered(id);
    const token = /"progressToken":("[^"]*"|\d+)/.exec(init.body)[1];
    const body = ReadableStream.from(chunks(bytesOf(id, token)));
    start = performance.now();
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  await client.connect(transport(fetch));
  let count = 0;
  await client.callTool({ name: 'count', arguments: {} }, { onprogress: () => count++ });
  const time = performance.now() - start;
  assert.equal(count, EVENTS);
  return time;
}

function discovered(id) {
  const result = '{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"resultType":"complete","ttlMs":0}';
  return new Response(`{"jsonrpc":"2.0","id":${id},"result":${result}}`, { headers: { 'content-type': 'application/json' } });
}

function throughParser() {
  const bytes = bytesOf(1, 1);
  let count = 0;
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: ({ data }) => JSON.parse(data).method && count++ });
  const start = performance.now();
  for (const chunk of chunks(bytes)) parser.feed(decoder.decode(chunk, { stream: true }));
  const time = performance.now() - start;
  assert.equal(count, EVENTS);
  return time;
}
