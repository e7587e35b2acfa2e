// A server of 2025 that does exactly what a test wants: the `fetch` of a transport. `server/discover` is refused as old
// servers do, `initialize` opens a session.

import { setTimeout as delay } from 'node:timers/promises';

/**
 * @param {{ version?: string, session?: string | null, post?: Function, listen?: Function, discover?: Function }} [options]
 *   `post` answers what else is posted: it is given the message and the request, and nothing it returns means 202.
 *   `listen` answers GET.
 */
export function legacyPeer({ version = '2025-11-25', session = 'session-1', post = () => {}, listen, discover, initialize } = {}) {
  const seen = [];
  const fetch = async (url, init) => {
    const headers = new Headers(init.headers);
    const message = init.body === undefined ? undefined : JSON.parse(init.body);
    const request = { method: init.method, headers, message, signal: init.signal, url: String(url) };
    seen.push(request);
    return respond(request);
  };
  const respond = async (request) => {
    const { method, message } = request;
    if (method === 'DELETE') return new Response(null, { status: 200 });
    if (method === 'GET') return (await listen?.(request)) ?? new Response('', { status: 405 });
    if (message.method === 'server/discover') return (await discover?.(request)) ?? rpcError(message.id, -32601, 'Method not found', 400);
    if (message.method === 'initialize') return (await initialize?.(request)) ?? welcome(message.id);
    return (await post(message, request)) ?? new Response(null, { status: 202 });
  };
  const welcome = (id) => {
    const result = { protocolVersion: version, capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } };
    return Response.json({ jsonrpc: '2.0', id, result }, { headers: session === null ? {} : { 'mcp-session-id': session } });
  };
  /** The messages of a method, or those without one: the answers. */
  const sent = (name) => seen.map((request) => request.message).filter((message) => message && message.method === name);
  return { fetch, seen, sent };
}

export const rpcResult = (id, result, init) => Response.json({ jsonrpc: '2.0', id, result }, init);

export const rpcError = (id, code, message, status = 200) => Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status });

export const toolResult = (id, text = 'done') => rpcResult(id, { content: [{ type: 'text', text }] });

/** An event stream that a test writes to as it goes. */
export function stream() {
  let controller;
  const body = new ReadableStream({ start: (given) => void (controller = given) });
  const write = (text) => controller.enqueue(new TextEncoder().encode(text));
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    write,
    send: (message, fields = '') => write(`${fields}data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`),
    end: () => controller.close(),
    break: () => controller.error(new TypeError('the connection broke')),
  };
}

/** Waits until it holds, whatever a test does to its clock. */
export async function until(holds, what = 'it') {
  for (let turns = 0; turns < 1000; turns++) {
    if (holds()) return;
    await delay(5);
  }
  throw new Error(`${what} did not happen within 5 s`);
}
