// The three that are measured: this package, the official client, and the floor: the same fetches with nothing but
// `JSON.parse` and `JSON.stringify` in between.

import { Client as PeerClient, StreamableHTTPClientTransport as PeerTransport } from '@modelcontextprotocol/client';
import { Client, StreamableHTTPClientTransport } from '../../pkg/dist/index.js';
import { ANSWER } from './payloads.mjs';

const INFO = { name: 'bench', version: '1.0.0' };
const URL_ = 'http://mock.invalid/mcp';
const CALL = { name: 'ask', arguments: { topic: 'anything' } };

/** Each returns `call()`, one two-leg call; `answer` is the handler. */
export const CONTESTANTS = {
  async ours(fetch, answer = async () => ANSWER) {
    const client = new Client(INFO, { capabilities: { sampling: {} } });
    client.setRequestHandler('sampling/createMessage', (request) => answer(request.params));
    await client.connect(new StreamableHTTPClientTransport(URL_, { fetch }));
    return () => client.callTool(CALL);
  },

  async peer(fetch, answer = async () => ANSWER) {
    const client = new PeerClient(INFO, { capabilities: { sampling: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } } });
    client.setRequestHandler('sampling/createMessage', (request) => answer(request.params));
    await client.connect(new PeerTransport(new URL(URL_), { fetch }));
    return () => client.callTool(CALL);
  },

  async floor(fetch, answer = async () => ANSWER) {
    let id = 0;
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo': INFO, 'io.modelcontextprotocol/clientCapabilities': { sampling: {} } };
    const leg = async (more) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: id++, method: 'tools/call', params: { ...CALL, ...more, _meta } });
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const response = await fetch(URL_, { method: 'POST', headers, body });
      return (await response.json()).result;
    };
    return async () => {
      const asked = await leg({});
      const entries = Object.entries(asked.inputRequests).map(async ([key, request]) => [key, await answer(request.params)]);
      return leg({ inputResponses: Object.fromEntries(await Promise.all(entries)), requestState: asked.requestState });
    };
  },
};
