// What the Rust core cannot do by itself: fetch, timers, listeners, calling handlers. Each function does one such thing
// and tells the port what came of it; none decides anything.

import { makeError } from './errors.js';

/** A promise with its two ends; `Promise.withResolvers`, which Node 20 lacks. */
export function deferred() {
  const ends = {};
  ends.promise = new Promise((resolve, reject) => Object.assign(ends, { resolve, reject }));
  return ends;
}

/** Sends one request and hands the reply to the port as it comes. Returns what aborts it. */
export function send(endpoint, ours, callHeaders, body, port, call, leg) {
  const prepare = () => {
    const headers = merged(endpoint.requestInit?.headers, callHeaders, ours);
    headers.set('content-type', 'application/json');
    return { method: 'POST', headers, body };
  };
  return exchange(endpoint, prepare, 0, port, call, leg);
}

/** Opens a stream to listen to, or takes one up again after the event with this id. Returns what aborts it. */
export function listen(endpoint, ours, lastEventId, delayMs, port, call, leg) {
  const prepare = () => {
    const headers = merged(endpoint.requestInit?.headers, undefined, ours);
    headers.set('accept', 'text/event-stream');
    if (lastEventId !== undefined) headers.set('last-event-id', lastEventId);
    return { method: 'GET', headers };
  };
  return exchange(endpoint, prepare, delayMs, port, call, leg);
}

/** Sends a message that has no answer. */
export function post(endpoint, ours, body, port) {
  if (typeof endpoint === 'function') return pass(endpoint, body, port, 0, 0);
  const headers = merged(endpoint.requestInit?.headers, undefined, ours);
  headers.set('content-type', 'application/json');
  attempt(endpoint, { method: 'POST', headers, body }).then(
    (response) => response.body?.cancel().catch(ignore),
    (error) => port.hostThrew(error),
  );
}

/** Ends a session. Servers may refuse that; then it ends by itself. */
export async function endSession(endpoint, ours) {
  const headers = merged(endpoint.requestInit?.headers, undefined, ours);
  const response = await attempt(endpoint, { method: 'DELETE', headers }).catch(ignore);
  await response?.body?.cancel().catch(ignore);
}

// `prepare` may fail, as everything that belongs to the host may; so it is called where that becomes a rejection.
function exchange(endpoint, prepare, delayMs, port, call, leg) {
  const controller = new AbortController();
  const { signal } = controller;
  reply(endpoint, prepare, signal, delayMs, port, call, leg).catch((error) => {
    if (!signal.aborted) port.lost(call, leg, error);
  });
  return controller;
}

async function reply(endpoint, prepare, signal, delayMs, port, call, leg) {
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  if (signal.aborted) return;
  const response = await attempt(endpoint, { ...prepare(), signal });
  const { status, headers } = response;
  const how = port.head(call, leg, status, headers.get('content-type') ?? '', headers.get('mcp-session-id') ?? undefined);
  if (how === 0) return void response.body?.cancel().catch(ignore);
  if (how === 1 || !response.body) return port.body(call, leg, new Uint8Array(await response.arrayBuffer()));
  const reader = response.body.getReader();
  // A fetch of the host's own may forget about the signal once the head of the reply is there.
  signal.addEventListener('abort', () => reader.cancel(signal.reason).catch(ignore));
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return port.end(call, leg);
    if (port.chunk(call, leg, value)) return void reader.cancel().catch(ignore);
  }
}

/** One fetch, with a fresh token; where the server wants another one, the provider gets one chance to find it. */
async function attempt(endpoint, init) {
  const response = await authorized(endpoint, init);
  const provider = endpoint.authProvider;
  if (response.status !== 401 || !provider?.onUnauthorized) return response;
  await provider.onUnauthorized({ response, serverUrl: new URL(endpoint.url), fetchFn: fetchOf(endpoint) });
  await response.body?.cancel().catch(ignore);
  return authorized(endpoint, init);
}

async function authorized(endpoint, init) {
  const token = await endpoint.authProvider?.token();
  if (token) init.headers.set('authorization', `Bearer ${token}`);
  // Called without a receiver: the browser's fetch refuses any other than the window.
  const fetch = fetchOf(endpoint);
  return fetch(endpoint.url, { ...endpoint.requestInit, ...init });
}

function fetchOf(endpoint) {
  return endpoint.fetch ?? globalThis.fetch;
}

/** Makes a transport report to the port, and starts it. */
export async function attach(transport, port) {
  transport.onmessage = (message) => port.message(JSON.stringify(message));
  transport.onclose = () => port.closed();
  transport.onerror = (error) => port.hostThrew(error);
  await transport.start();
}

export async function detach(transport) {
  transport.onmessage = transport.onclose = undefined;
  await transport.close();
}

/** Sends a message over a transport. Its failure is that of the leg. */
export function transmit(transport, text, port, call, leg) {
  const failed = (error) => (call ? port.lost(call, leg, error) : port.hostThrew(error));
  try {
    Promise.resolve(transport.send(JSON.parse(text))).catch(failed);
  } catch (error) {
    failed(error);
  }
}

/** Has a function turn request bytes into reply bytes. */
export async function pass(send, text, port, call, leg) {
  try {
    const bytes = await send(new TextEncoder().encode(text));
    if (!call) return;
    port.head(call, leg, 200, 'application/json', undefined);
    port.body(call, leg, bytes);
  } catch (error) {
    if (call) port.lost(call, leg, error);
    else port.hostThrew(error);
  }
}

/** A call may add headers, but not say who is asking or what the message is. */
const RESERVED = new Set(
  ['authorization', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'],
);

/** The host's headers, then the call's, then ours, which win. `Accept` is the one that is added to. */
function merged(hostHeaders, callHeaders, ours) {
  const headers = new Headers(hostHeaders);
  for (const [name, value] of new Headers(callHeaders)) {
    if (!RESERVED.has(name)) headers.set(name, value);
  }
  const accepted = headers.get('accept')?.split(',').map((type) => type.trim().toLowerCase()) ?? [];
  for (let index = 0; index < ours.length; index += 2) headers.set(ours[index], ours[index + 1]);
  headers.set('accept', [...new Set([...accepted, 'application/json', 'text/event-stream'])].join(', '));
  return headers;
}

/** Calls a handler and brings back what it returned as JSON text, or what it threw. */
export async function ask(handler, method, text, about, signal, port, call, round, index) {
  try {
    const params = text === undefined ? undefined : JSON.parse(text);
    const mcpReq = { id: about.key, method, signal, _meta: params?._meta };
    const result = await handler({ method, params }, { mcpReq, server: about.server, call: about.call });
    port.answered(call, round, index, resultText(result, method, about.key));
  } catch (error) {
    port.threw(call, round, index, error);
  }
}

function resultText(result, method, key) {
  try {
    return JSON.stringify(result);
  } catch (cause) {
    const shown = key.slice(0, 60);
    const message = `The handler's result cannot be written as JSON; see cause (${method}, entry '${shown}')`;
    throw makeError('INVALID_HANDLER_RESULT', message, JSON.stringify({ key: shown, method }), cause);
  }
}

export function setTimer(port, call, milliseconds) {
  // Longer than this and the engine's timer fires at once; the core looks at the clock and sets the next one.
  return setTimeout(() => port.tick(call), Math.min(milliseconds, 0x7fffffff));
}

export function clearTimer(timer) {
  clearTimeout(timer);
}

export function now() {
  return performance.now();
}

/** Listens for an abort. Returns the function that stops listening. */
export function onAbort(signal, port, call) {
  const listener = () => port.abort(call);
  signal.addEventListener('abort', listener);
  return () => signal.removeEventListener('abort', listener);
}

/** Calls a watcher of the host. What it throws must not end the call; it is handed to `onerror`. */
export function notify(callback, value, port) {
  try {
    // It may be asynchronous; nobody waits for it, but its failure is told as well.
    callback(value)?.then?.(undefined, (error) => port.hostThrew(error));
  } catch (error) {
    port.hostThrew(error);
  }
}

/** Lets the host store a checkpoint, and says when it is done. */
export async function save(callback, text, port, call) {
  try {
    await callback(JSON.parse(text));
    port.saved(call, undefined);
  } catch (error) {
    port.saved(call, error);
  }
}

function ignore() {}
