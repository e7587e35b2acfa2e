// HTTP by the host's `fetch`: sends, reads, follows, and tells the core what came. Decides nothing.

import { BODY, CHUNK, END, FOLLOWS, HEAD, LOST, REFUSED, UNDELIVERED, lines, tell } from './enter.js';
import { codeOf, invalid } from './errors.js';
import { ignore } from './registry.js';
import { concat } from './text.js';

/** Sends one request and hands the reply to the core as it comes. */
export function send(way, callHeaders, lines, body) {
  const prepare = () => {
    const headers = merged(way.endpoint, callHeaders, lines);
    headers.set('content-type', 'application/json');
    return initOf(way, 'POST', headers, body);
  };
  exchange(way, prepare);
}

/** Opens a stream to listen to, or takes one up again after the event with this id. */
export function listen(way, lines, lastEventId, delayMs) {
  const prepare = () => {
    const headers = merged(way.endpoint, undefined, lines);
    headers.set('accept', 'text/event-stream');
    if (lastEventId) headers.set('last-event-id', lastEventId);
    return initOf(way, 'GET', headers);
  };
  exchange(way, prepare, delayMs);
}

/** Ends a session. Servers may refuse that, or be gone; then it ends by itself. */
export async function endSession(endpoint, lines, limitMs) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), limitMs);
  try {
    const headers = merged(endpoint, undefined, lines);
    discard(await attempt(endpoint, initOf({ endpoint, signal: controller.signal }, 'DELETE', headers)));
  } catch {
    // As above.
  } finally {
    clearTimeout(timer);
  }
}

// `prepare` may fail, as everything that belongs to the host may; so it is called where that is told to the core.
async function exchange(way, prepare, delayMs) {
  const { endpoint, signal } = way;
  let init;
  try {
    if (delayMs > 0) await pause(delayMs, signal);
    if (signal.aborted) return;
    init = prepare();
    await reply(way, await attempt(endpoint, init));
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof HostError) refused(way, error.cause);
    else lost(way, error, init?.headers);
  }
}

/** The host's own code threw. What is only listened to has no call that could fail. */
function refused({ side, call, entry, tell }, error) {
  if (!call) return side.tell('onerror', error);
  entry.last = error;
  tell(REFUSED);
}

/** Sending or reading failed. The host's own code may report a reply that is no success by throwing it. */
export function lost(way, error, headers = []) {
  const { side, entry, tell } = way;
  if (!entry) return side.tell('onerror', error);
  // What the official client's OAuth functions throw when a person has to do something.
  if (error?.name === 'UnauthorizedError') return refused(way, error);
  entry.last = error;
  const { status, text } = (codeOf(error)?.startsWith('CLIENT_HTTP_') && error.data) || {};
  tell(LOST, status, lines([...headers.keys()].join(' '), text));
}

async function reply({ entry, signal, tell }, response) {
  const { status, statusText, headers } = response;
  if (!entry && !response.ok) tell(UNDELIVERED, status);
  if (!entry) return discard(response);
  const told = (name) => headers.get(name);
  const about = response.ok ? undefined : (told('www-authenticate') ?? told('location'));
  const how = tell(HEAD, status, lines(told('content-type'), told('mcp-session-id'), about, statusText));
  if (!how) return discard(response);
  const body = (bytes) => tell(BODY, 0, '', bytes);
  if (!response.body) return body(new Uint8Array(await response.arrayBuffer()));
  const reader = (entry.reader = response.body.getReader());
  // Gathering takes half the time of `arrayBuffer()`, which copies once more.
  const chunks = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (signal.aborted) return;
    if (!done && how === 1) chunks.push(value);
    else if (done || tell(CHUNK, 0, '', value)) {
      // The call may go on for long.
      entry.reader = undefined;
      if (!done) return void reader.cancel().catch(ignore);
      return how === 1 ? body(concat(chunks)) : tell(END);
    }
  }
}

const initOf = ({ endpoint, signal }, method, headers, body) => ({ ...endpoint.requestInit, method, headers, body, signal });

function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)));
  });
}

/** One fetch, or some more where a provider or a redirect wants that. */
function attempt(endpoint, init) {
  return endpoint.authProvider ? authorized(endpoint, init) : routed(endpoint, init);
}

/** With a fresh token; where the server wants another one, the provider gets one chance to find it. */
async function authorized(endpoint, init) {
  const { authProvider } = endpoint;
  for (let isFirst = true; ; isFirst = false) {
    const token = await byHost(() => authProvider.token());
    init.signal.throwIfAborted();
    if (token) authorize(init.headers, token);
    const response = await routed(endpoint, init, token);
    if (response.status !== 401 || !authProvider.onUnauthorized || !isFirst) return response;
    const context = { response, serverUrl: addressOf(endpoint), fetchFn: fetchOf(endpoint) };
    await byHost(() => authProvider.onUnauthorized(context));
    discard(response);
  }
}

/** Where a token or headers of the host are sent, redirects are followed by hand. */
function routed(endpoint, init, token) {
  const { requestInit, redirectPolicy, url } = endpoint;
  const isOpen = !token && !requestInit?.headers;
  if (isOpen || redirectPolicy === 'follow' || ['error', 'manual'].includes(init.redirect)) return fetched(endpoint, url, init);
  return followed(endpoint, { ...init, redirect: 'manual' });
}

// Without a cause, which would repeat the token.
function authorize(headers, token) {
  try {
    headers.set('authorization', `Bearer ${token}`);
  } catch {
    throw invalid('authProvider.token() gave a token with characters that no HTTP header may have');
  }
}

/** Follows redirects as far as the core allows. Browsers do not show where they lead. */
async function followed(endpoint, init) {
  let url = endpoint.url;
  for (let hops = 0; ; hops++) {
    const response = await fetched(endpoint, url, init);
    const location = response.headers.get('location');
    if (!location || response.status < 300 || response.status > 399) return response;
    const from = addressOf(endpoint, url);
    const to = new URL(location, from);
    if (to.username || to.password || !tell(FOLLOWS, 0, 0, hops, response.status, lines(init.method, from.origin, to.origin))) return response;
    discard(response);
    url = to.href;
  }
}

// Called without a receiver: the browser's fetch refuses any other than the window.
const fetched = (endpoint, url, init) => fetchOf(endpoint)(url, init);

const fetchOf = (endpoint) => endpoint.fetch ?? globalThis.fetch;

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
    const page = globalThis.location?.origin;
    return page === undefined ? [] : [page, addressOf(endpoint).origin];
  } catch {
    return []; // No address: fetch says so.
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
const RESERVED = /^(authorization|dpop|content-type|mcp-(protocol-version|method|name|session-id))$/;

const ACCEPTED = 'application/json, text/event-stream';

/** The host's headers, then the call's, then ours, which win. `Accept` is the one that is added to. */
function merged({ requestInit }, callHeaders, lines) {
  const headers = new Headers(requestInit?.headers);
  for (const [name, value] of callHeaders ?? []) {
    if (!RESERVED.test(name)) headers.set(name, value);
  }
  const accepted = headers.get('accept');
  const types = () => new Set(`${accepted},${ACCEPTED}`.toLowerCase().split(/\s*,\s*/));
  headers.set('accept', accepted === null ? ACCEPTED : [...types()].join(', '));
  for (const [name, value] of pairs(lines)) headers.set(name, value);
  return headers;
}

/** Names and values stand on lines of their own, in turn. */
function pairs(lines) {
  const parts = lines.split('\n');
  const found = [];
  for (let at = 1; at < parts.length; at += 2) found.push([parts[at - 1], parts[at]]);
  return found;
}

/** Headers of a call as a plain object, with more of them. */
export function joined(callHeaders, lines) {
  return Object.fromEntries([...(callHeaders ?? []), ...pairs(lines)]);
}
