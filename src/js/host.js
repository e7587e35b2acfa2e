// What the Rust core cannot do by itself: fetch, timers, listeners, calling handlers. Each function does one such thing
// and tells the port what came of it; none decides anything.

/** A promise with its two ends; `Promise.withResolvers`, which Node 20 lacks. */
export function deferred() {
  const ends = {};
  ends.promise = new Promise((resolve, reject) => Object.assign(ends, { resolve, reject }));
  return ends;
}

/** Sends one request and hands the reply to the port as it comes. Returns what aborts it. */
export function send(endpoint, headers, callHeaders, body, port, call, leg) {
  const controller = new AbortController();
  const reply = exchange(endpoint, headers, callHeaders, body, controller.signal, port, call, leg);
  reply.catch((error) => port.lost(call, leg, error));
  return controller;
}

async function exchange(endpoint, ours, callHeaders, body, signal, port, call, leg) {
  const headers = merged(endpoint.requestInit?.headers, callHeaders, ours);
  const init = { ...endpoint.requestInit, method: 'POST', headers, body, signal };
  // Called without a receiver: the browser's fetch refuses any other than the window.
  const fetch = endpoint.fetch ?? globalThis.fetch;
  const response = await fetch(endpoint.url, init);
  const how = port.head(call, leg, response.status, response.headers.get('content-type') ?? '');
  if (how === 0) return void response.body?.cancel().catch(ignore);
  if (how === 1 || !response.body) return port.body(call, leg, new Uint8Array(await response.arrayBuffer()));
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return port.end(call, leg);
    if (port.chunk(call, leg, value)) return void reader.cancel().catch(ignore);
  }
}

/** A call may add headers, but not say who is asking or what the message is. */
const RESERVED = new Set(
  ['authorization', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'],
);

/** The host's headers, then the call's, then ours, which win. `Accept` is the one that is added to. */
function merged(hostHeaders, callHeaders, ours) {
  const headers = new Headers(hostHeaders);
  for (const [name, value] of Object.entries(callHeaders ?? {})) {
    if (!RESERVED.has(name.toLowerCase())) headers.set(name, value);
  }
  const accepted = headers.get('accept')?.split(',').map((type) => type.trim().toLowerCase()) ?? [];
  for (let index = 0; index < ours.length; index += 2) headers.set(ours[index], ours[index + 1]);
  headers.set('content-type', 'application/json');
  headers.set('accept', [...new Set([...accepted, 'application/json', 'text/event-stream'])].join(', '));
  return headers;
}

/** Calls a handler and brings back what it returned as JSON text, or what it threw. */
export async function ask(handler, method, text, about, signal, port, call, round, index) {
  try {
    const params = text === undefined ? undefined : JSON.parse(text);
    const mcpReq = { id: about.key, method, signal, _meta: params?._meta };
    const result = await handler({ method, params }, { mcpReq, server: about.server, call: about.call });
    port.answered(call, round, index, JSON.stringify(result));
  } catch (error) {
    port.threw(call, round, index, error);
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
    callback(value);
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
