// The way to a server: what kind of endpoint it is, and the messages that go there. Decides nothing, and never throws.

import * as channel from './channel.js';
import * as http from './http.js';
import { sideOf } from './registry.js';

export const HTTP = 0;
export const SHARED = 1;
export const FUNCTION = 2;

/** A URL to post to, one channel for all messages, or a function from bytes to bytes. */
export function kindOf(endpoint) {
  if (typeof endpoint === 'function') return FUNCTION;
  return typeof endpoint?.send === 'function' ? SHARED : HTTP;
}

/** Sends a leg; what comes of it is told to the core. */
export function send(client, call, leg, lines, body) {
  const side = sideOf(client);
  const entry = side?.entry(call);
  if (!entry) return;
  entry.round = undefined;
  const { signal } = (entry.controller = new AbortController());
  const way = { side, endpoint: side.endpoint, client, call, leg, signal };
  if (side.kind === HTTP) http.send(way, entry.options.headers, lines, body);
  else if (side.kind === SHARED) channel.transmit(way, body, http.joined(entry.options.headers, lines));
  else channel.pass(way, body);
}

/** Sends a message that has no answer and that nobody waits for. */
export function post(client, lines, body) {
  const side = sideOf(client);
  if (!side) return;
  const way = { side, endpoint: side.endpoint, client, call: 0, leg: 0, signal: new AbortController().signal };
  if (side.kind === HTTP) http.post(way, lines, body);
  else if (side.kind === SHARED) channel.transmit(way, body);
  else channel.pass(way, body);
}

/** Opens a stream to listen to, or takes one up again after the event with this id. */
export function listen(client, call, leg, lines, lastEventId, delayMs) {
  const side = sideOf(client);
  const entry = side?.entry(call);
  if (!entry) return;
  const { signal } = (entry.controller = new AbortController());
  http.listen({ side, endpoint: side.endpoint, client, call, leg, signal }, lines, lastEventId, delayMs);
}

/** Aborts the leg of a call, or the stream that is listened to. */
export function abortLeg(client, call) {
  const side = sideOf(client);
  const entry = side?.calls.get(call);
  if (call === 0) side?.calls.delete(0);
  entry?.controller?.abort();
}

/** Tells the endpoint what was agreed on. */
export function agreed(client, revision) {
  const { kind, endpoint } = sideOf(client) ?? {};
  if (kind === HTTP) return keep(endpoint, 'protocolVersion', revision);
  try {
    if (kind === SHARED) endpoint.setProtocolVersion?.(revision);
  } catch {
    // It need not care.
  }
}

/** A session has begun. */
export function session(client, id) {
  const { kind, endpoint } = sideOf(client) ?? {};
  if (kind === HTTP) keep(endpoint, 'sessionId', id);
}

/** On a transport of ours, what the host may keep to go on with the session elsewhere. */
function keep(endpoint, name, value) {
  try {
    endpoint[name] = value;
  } catch {
    // A frozen transport stays as it is.
  }
}

/** Lets go of the endpoint; ends the session if there are headers for that. */
export function detach(client, lines, limitMs) {
  const side = sideOf(client);
  if (!side) return;
  const { kind, endpoint } = side;
  if (kind === SHARED) side.ending = channel.detach(endpoint);
  if (lines === undefined) return;
  side.ending = http.endSession(endpoint, lines, limitMs);
  keep(endpoint, 'sessionId', undefined);
}

/** Lets go of a transport that ended by itself. */
export function release(client) {
  const endpoint = sideOf(client)?.endpoint;
  if (endpoint) channel.release(endpoint);
}
