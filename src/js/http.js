// HTTP by the host's `fetch`: sends, reads, follows, and tells the port what came. Decides nothing.

import { makeError } from './errors.js';

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

/** Ends a session. Servers may refuse that, or be gone; then it ends by itself. */
export async function endSession(endpoint, ours, limitMs) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), limitMs);
  try {
    const headers = merged(endpoint, undefined, ours);
    discard(await attempt(endpoint, { method: 'DELETE', headers, signal: controller.signal }));
  } catch {
    // As above.
  } finally {
    clearTimeout(timer);
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
  return new URL(url, pageLocation()?.href);
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
  try {
    const page = pageLocation()?.origin;
    return page === undefined ? undefined : [page, addressOf(endpoint).origin];
  } catch {
    return undefined; // No address: fetch says so.
  }
}

// Some runtimes without pages refuse to be asked.
function pageLocation() {
  try {
    return globalThis.location;
  } catch {
    return undefined;
  }
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

function ignore() {}
