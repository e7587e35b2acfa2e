// A hundred thousand events of an event stream: through a call of ours to its progress callback, next to
// `eventsource-parser` and `JSON.parse`, which is what the official client reads streams with.

import assert from 'node:assert/strict';
import { createParser } from 'eventsource-parser';
import { Client, StreamableHTTPClientTransport } from '../../pkg/dist/index.js';
import { median } from './statistics.mjs';

const EVENTS = 100_000;
const CHUNK = 16_384;
const RUNS = 7;

export async function stream() {
  const times = { ours: [], peer: [] };
  for (let run = 0; run < RUNS; run++) {
    times.ours.push(await throughOurs());
    times.peer.push(throughPeer());
  }
  const [ours, peer] = [median(times.ours), median(times.peer)];
  return [{ name: `event stream of ${EVENTS.toLocaleString('en')} events, to the callback`, ours, peer, unit: 'ms', ratio: ours / peer, target: 0.67 }];
}

const message = (id, index) => `event: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${id},"progress":${index}}}\n\n`;

function bytesOf(id) {
  const events = Array.from({ length: EVENTS }, (_, index) => message(id, index + 1)).join('');
  return new TextEncoder().encode(`${events}data: {"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete","content":[]}}\n\n`);
}

function* chunks(bytes) {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

async function throughOurs() {
  let bytes;
  const fetch = async (_url, init) => {
    const id = /"id":(\d+)/.exec(init.body)[1];
    if (init.body.includes('server/discover')) {
      const discovered = `{"jsonrpc":"2.0","id":${id},"result":{"supportedVersions":["2026-07-28"],"capabilities":{},"resultType":"complete"}}`;
      return new Response(discovered, { headers: { 'content-type': 'application/json' } });
    }
    bytes ??= bytesOf(id);
    const body = ReadableStream.from(chunks(bytes));
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport('http://mock.invalid/mcp', { fetch }));
  bytes = bytesOf(1);
  let count = 0;
  const start = performance.now();
  await client.callTool({ name: 'count' }, { onprogress: () => count++ });
  const time = performance.now() - start;
  assert.equal(count, EVENTS);
  return time;
}

function throughPeer() {
  const bytes = bytesOf(1);
  let count = 0;
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: ({ data }) => JSON.parse(data).method && count++ });
  const start = performance.now();
  for (const chunk of chunks(bytes)) parser.feed(decoder.decode(chunk, { stream: true }));
  const time = performance.now() - start;
  assert.equal(count, EVENTS);
  return time;
}
