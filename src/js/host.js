// What the Rust core cannot do by itself: fetch, timers, listeners, calling handlers. Each function does one such thing
// and tells the port what came of it; none decides anything.

import { makeError } from './errors.js';

// Strings cross into the module letter by letter; bytes cross at once.
const encoder = new TextEncoder();

/** A promise with its two ends; `Promise.withResolvers`, which Node 20 lacks. */
export function deferred() {
  const ends = {};
  ends.promise = new Promise((resolve, reject) => Object.assign(ends, { resolve, reject }));
  return ends;
}

/** Sends one request and hands the reply to the port as it comes. Returns what aborts it. */
export function send(endpoint, ours, callHeaders, body, port, call, leg) {
  return exchange(endpoint, () => posted(endpoint, ours, callHeaders, body), 0, port, call, leg);
}

/** Opens a stream to listen to, or takes one up again after the event with this id. Returns what aborts it. */
export function listen(endpoint, ours, lastEventId, delayMs, port, call, leg) {
  const prepare = () => {
    const headers = merged(endpoint, undefined, ours);
    headers.set('accept', 'text/event-stream');
    if (lastEventId) headers.set('last-event-id', lastEventId);
    return { method: 'GET', headers };
  };
  return exchange(endpoint, prepare, delayMs, port, call, leg);
}

/** Sends a message that has no answer and that nobody waits for. */
export async function post(endpoint, ours, body, port) {
  try {
    const response = await attempt(endpoint, posted(endpoint, ours, undefined, body), port);
    if (!response.ok) port.undelivered(response.status);
    discard(response);
  } catch (error) {
    port.hostThrew(error instanceof HostError ? error.cause : error);
  }
}

/** Ends a session. Servers may refuse that; then it ends by itself. */
export async function endSession(endpoint, ours) {
  try {
    discard(await attempt(endpoint, { method: 'DELETE', headers: merged(endpoint, undefined, ours) }));
  } catch {
    // So it does when nobody is there.
  }
}

function posted(endpoint, ours, callHeaders, body) {
  const headers = merged(endpoint, callHeaders, ours);
  headers.set('content-type', 'application/json');
  return { method: 'POST', headers, body };
}

// `prepare` may fail, as everything that belongs to the host may; so it is called where that becomes a rejection.
function exchange(endpoint, prepare, delayMs, port, call, leg) {
  const controller = new AbortController();
  const { signal } = controller;
  const sent = {};
  reply(endpoint, () => Object.assign(sent, prepare(), { signal }), signal, delayMs, port, call, leg).catch((error) => {
    if (signal.aborted) return;
    if (error instanceof HostError) port.refused(call, leg, error.cause);
    else port.lost(call, leg, error, [...(sent.headers?.keys() ?? [])].join(' '));
  });
  return controller;
}

async function reply(endpoint, prepare, signal, delayMs, port, call, leg) {
  if (delayMs > 0) await pause(delayMs, signal);
  if (signal.aborted) return;
  const response = await attempt(endpoint, prepare(), port);
  const { status, statusText, headers } = response;
  const told = (name) => headers.get(name) ?? undefined;
  const about = told('www-authenticate') ?? told('location');
  const type = told('content-type') ?? '';
  const how = port.head(call, leg, status, String(statusText ?? ''), about, type, told('mcp-session-id'));
  if (how === 0) return discard(response);
  if (!response.body) return port.body(call, leg, new Uint8Array(await response.arrayBuffer()));
  const reader = response.body.getReader();
  // A fetch of the host's own may forget about the signal once the head of the reply is there.
  signal.addEventListener('abort', () => reader.cancel(signal.reason).catch(ignore));
  if (how === 1) {
    const bytes = await whole(reader);
    return signal.aborted ? undefined : port.body(call, leg, bytes);
  }
  for (;;) {
    const { done, value } = await reader.read();
    if (signal.aborted) return;
    if (done) return port.end(call, leg);
    if (port.chunk(call, leg, value)) return void reader.cancel().catch(ignore);
  }
}

/** Every byte that is left. Takes half the time of `arrayBuffer()`, which copies once more. */
async function whole(reader) {
  const chunks = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
  }
  if (chunks.length === 1) return chunks[0];
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  chunks.reduce((at, chunk) => (bytes.set(chunk, at), at + chunk.length), 0);
  return bytes;
}

function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)));
  });
}

/** One fetch, with a fresh token; where the server wants another one, the provider gets one chance to find it. */
async function attempt(endpoint, init, port) {
  const response = await authorized(endpoint, init, port);
  const provider = endpoint.authProvider;
  if (response.status !== 401 || !provider?.onUnauthorized) return response;
  const context = { response, serverUrl: addressOf(endpoint), fetchFn: fetchOf(endpoint) };
  await byHost(() => provider.onUnauthorized(context));
  discard(response);
  return authorized(endpoint, init, port);
}

async function authorized(endpoint, init, port) {
  const { authProvider, requestInit } = endpoint;
  const token = authProvider && (await byHost(() => authProvider.token()));
  init.signal?.throwIfAborted();
  if (token) authorize(init.headers, token);
  const full = { ...requestInit, ...init };
  const guarded = token || requestInit?.headers;
  if (!guarded || endpoint.redirectPolicy === 'follow' || full.redirect === 'error' || full.redirect === 'manual') {
    return fetched(endpoint, endpoint.url, full);
  }
  return followed(endpoint, { ...full, redirect: 'manual' }, port);
}

// Without a cause, which would repeat the token.
function authorize(headers, token) {
  try {
    headers.set('authorization', `Bearer ${token}`);
  } catch {
    throw makeError('INVALID_ARGUMENT', 'authProvider.token() gave a token with characters that no HTTP header may have', '');
  }
}

/** Follows redirects as far as the port allows. Browsers do not show where they lead. */
async function followed(endpoint, init, port) {
  let url = endpoint.url;
  for (let hops = 0; ; hops++) {
    const response = await fetched(endpoint, url, init);
    const location = response.headers.get('location');
    if (!location || response.status < 300 || response.status > 399) return response;
    const from = addressOf(endpoint, url);
    const to = new URL(location, from);
    if (to.username || to.password || !port?.follows(init.method, response.status, from.origin, to.origin, hops)) return response;
    discard(response);
    url = to.href;
  }
}

function fetched(endpoint, url, init) {
  // Called without a receiver: the browser's fetch refuses any other than the window.
  const fetch = fetchOf(endpoint);
  return fetch(url, init);
}

function fetchOf(endpoint) {
  return endpoint.fetch ?? globalThis.fetch;
}

function addressOf(endpoint, url = endpoint.url) {
  return new URL(url, globalThis.location?.href);
}

/** What the host's own code threw, which is the host's to see as it is. */
class HostError extends Error {}

async function byHost(act) {
  try {
    return await act();
  } catch (cause) {
    throw new HostError('', { cause });
  }
}

function discard(response) {
  response.body?.cancel().catch(ignore);
}

/** The origins of the page and of the endpoint, where there is a page. */
export function origins(endpoint) {
  const page = globalThis.location?.origin;
  return page === undefined ? undefined : [page, addressOf(endpoint).origin];
}

/** Nobody waits for this promise: what becomes of it is told elsewhere. */
export function hush(promise) {
  promise.catch(ignore);
}

const EVENTS = ['onmessage', 'onclose', 'onerror'];
const watched = new WeakMap();

/** Makes a transport report to the port, and starts it. Who listened before still does. */
export async function attach(transport, port) {
  const before = EVENTS.map((name) => transport[name]);
  watched.set(transport, before);
  const tell = [(message) => port.message(encoder.encode(JSON.stringify(message))), () => port.closed(), (error) => port.hostThrew(error)];
  EVENTS.forEach((name, index) => {
    transport[name] = (...told) => {
      try {
        before[index]?.apply(transport, told);
      } finally {
        tell[index](...told);
      }
    };
  });
  try {
    await transport.start();
  } catch (error) {
    release(transport);
    throw error;
  }
}

/** Lets go of a transport that ended by itself. */
export function release(transport) {
  watched.get(transport)?.forEach((listener, index) => (transport[EVENTS[index]] = listener));
  watched.delete(transport);
}

/** Ends a transport. */
export async function detach(transport) {
  release(transport);
  await transport.close();
}

/** Sends a message over a transport, and says when it is gone. Returns what aborts it, where the transport can. */
export function transmit(transport, text, headers, port, call, leg) {
  const controller = new AbortController();
  const options = { headers, requestSignal: controller.signal };
  const sent = async () => transport.send(JSON.parse(text), options);
  outcome(sent(), () => port.sent(call, leg), controller.signal, port, call, leg);
  return controller;
}

/** Has a function turn request bytes into reply bytes. Returns what aborts it. */
export function pass(send, text, port, call, leg) {
  const controller = new AbortController();
  const { signal } = controller;
  const sent = async () => send(encoder.encode(text), { signal });
  const take = (bytes) => {
    port.sent(call, leg);
    port.head(call, leg, 200, '', undefined, 'application/json', undefined);
    port.body(call, leg, typeof bytes === 'string' ? encoder.encode(bytes) : (bytes ?? new Uint8Array()));
  };
  outcome(sent(), take, signal, port, call, leg);
  return controller;
}

function outcome(promise, take, signal, port, call, leg) {
  const failed = (error) => (call ? port.lost(call, leg, error, '') : port.hostThrew(error));
  promise.then((value) => call && take(value)).catch((error) => signal.aborted || failed(error));
}

/** A call may add headers, but not say who is asking or what the message is. */
const RESERVED = new Set(
  ['authorization', 'dpop', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'],
);

/** The host's headers, then the call's, then ours, which win. `Accept` is the one that is added to. */
function merged(endpoint, callHeaders, ours) {
  const headers = new Headers(endpoint.requestInit?.headers);
  for (const [name, value] of new Headers(callHeaders)) {
    if (!RESERVED.has(name)) headers.set(name, value);
  }
  const accepted = headers.get('accept')?.split(',').map((type) => type.trim().toLowerCase()) ?? [];
  for (let index = 0; index < ours.length; index += 2) headers.set(ours[index], ours[index + 1]);
  headers.set('accept', [...new Set([...accepted, 'application/json', 'text/event-stream'])].join(', '));
  return headers;
}

/** Headers of a call as a plain object, with more of them. */
export function joined(callHeaders, more) {
  const headers = Object.fromEntries(new Headers(callHeaders));
  for (let index = 0; index < more.length; index += 2) headers[more[index]] = more[index + 1];
  return headers;
}

/** Calls a handler and brings back what it returned as JSON text, or what it threw. */
export async function ask(handler, method, text, about, round, port, call, number, index) {
  try {
    const params = text === undefined ? undefined : JSON.parse(text);
    const mcpReq = { id: about.key, method, get signal() { return round.signal; }, _meta: params?._meta };
    const result = await handler({ method, params }, { mcpReq, server: about.server, call: about.call });
    const answer = resultText(result, method, about.key);
    port.answered(call, number, index, answer === undefined ? undefined : encoder.encode(answer));
  } catch (error) {
    port.threw(call, number, index, error);
  }
}

/** What tells the handlers of a round to stop. Few of them look at the signal, so it is made when one does. */
export class Round {
  #controller;
  #aborted = false;
  #reason;

  get signal() {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  abort(reason) {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
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

/** The client of the core with these watchers; nothing once it has been collected. */
export function owner(watchers) {
  return watchers?.owner.deref();
}

function ignore() {}
