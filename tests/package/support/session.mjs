// Clients in a session with a scripted server of 2025.

import { INFO, pkg } from './installed.mjs';
import { legacyPeer, stream, until } from './legacy-peer.mjs';

const { Client, StreamableHTTPClientTransport } = pkg;

export const LEGACY = { versionNegotiation: { mode: 'legacy' } };
export const SAMPLED = { role: 'assistant', model: 'm', stopReason: 'endTurn', content: { type: 'text', text: 'Short.' } };
export const SAMPLING = { messages: [{ role: 'user', content: { type: 'text', text: 'Long.' } }], maxTokens: 50 };
export const CALL = { name: 'slow', arguments: {} };

/** A connected client of a scripted server. `handlers` by method. */
export async function connected(options, { handlers = {}, transport = {}, ...client } = {}) {
  const peer = legacyPeer(options);
  const connection = new Client(INFO, { ...LEGACY, ...client });
  const errors = [];
  connection.onerror = (error) => errors.push(error);
  for (const [method, handler] of Object.entries(handlers)) connection.setRequestHandler(method, handler);
  await connection.connect(new StreamableHTTPClientTransport('http://peer.test/mcp', { fetch: peer.fetch, ...transport }));
  return { client: connection, peer, errors };
}

/** A server whose tool calls are answered on a stream that the test holds. */
export async function streaming(options) {
  const streams = [];
  const post = (message) => {
    if (message.method !== 'tools/call') return undefined;
    streams.push({ id: message.id, ...stream() });
    return streams.at(-1).response;
  };
  const { client, peer, errors } = await connected({ post, ...options?.peer }, options);
  const call = async (callOptions) => {
    const before = streams.length;
    const result = client.callTool(CALL, callOptions);
    result.catch(() => {});
    await until(() => streams.length > before);
    const open = streams.at(-1);
    return { result, open, finish: () => (open.send({ id: open.id, result: { content: [] } }), result) };
  };
  const answers = () => peer.seen.map(({ message }) => message).filter((message) => message && !message.method);
  return { client, peer, errors, call, answers };
}
