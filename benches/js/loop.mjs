// A tool that asks fifty times, with a history that grows each time: our overhead per byte in round 5 and in round 50.

import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '../../pkg/dist/index.js';
import { ANSWER, history } from './payloads.mjs';
import { compared } from './statistics.mjs';

const ROUNDS = 50;
const REPEATS = 15;

export async function loop() {
  const perByte = Array.from({ length: ROUNDS + 1 }, () => []);
  for (let repeat = 0; repeat < REPEATS; repeat++) await once(perByte);
  const taken = { ours: around(perByte, ROUNDS - 2), peer: around(perByte, 5) };
  return [compared('tool loop with growing history: time per byte, round 50 against round 5', taken, { unit: 'ns/byte', target: 1.2 })];
}

const around = (perByte, round) => [round - 2, round - 1, round, round + 1, round + 2].flatMap((at) => perByte[at] ?? []);

async function once(perByte) {
  let round = 0;
  let leftAt;
  const replies = Array.from({ length: ROUNDS }, (_, index) => reply(index + 1));
  const fetch = async (_url, init) => {
    const id = /"id":(\d+)/.exec(init.body)[1];
    const result = init.body.includes('server/discover') ? DISCOVERED : (replies[round++] ?? DONE);
    const response = new Response(`{"jsonrpc":"2.0","id":${id},"result":${result}}`, { headers: { 'content-type': 'application/json' } });
    leftAt = performance.now();
    return response;
  };
  const client = new Client({ name: 'bench', version: '1.0.0' }, { inputRequired: { maxRounds: ROUNDS } });
  client.setRequestHandler('sampling/createMessage', () => {
    perByte[round].push(((performance.now() - leftAt) * 1e6) / replies[round - 1].length);
    return ANSWER;
  });
  await client.connect(new StreamableHTTPClientTransport('http://mock.invalid/mcp', { fetch }));
  const result = await client.callTool({ name: 'ask', arguments: {} });
  assert.equal(result.content[0].text, 'done');
}

function reply(round) {
  const params = { messages: history(round * 4 + 1, round * 4000), maxTokens: 100 };
  return JSON.stringify({ resultType: 'input_required', inputRequests: { next: { method: 'sampling/createMessage', params } }, requestState: String(round) });
}

const DISCOVERED = '{"supportedVersions":["2026-07-28"],"capabilities":{},"resultType":"complete"}';
const DONE = '{"content":[{"type":"text","text":"done"}],"resultType":"complete"}';
