// The way to a server: what kind of endpoint it is, and the messages that go there. Decides nothing, and never throws.

import * as channel from './channel.js';
import { tell } from './enter.js';
import * as http from './http.js';
import { HTTP, SHARED } from './kind.js';
import { cut, keep, sideOf } from './registry.js';

/** Sends a leg; what comes of it is told to the core. */
export function send(client, call, leg, lines, body) {
  const side = sideOf(client);
  if (!side) return;
  const entry = side.entry(call);
  entry.round = undefined;
  deliver(wayOf(side, call, leg, entry), lines, body);
}

/** Sends a message that has no answer and that nobody waits for. */
export function post(client, lines, body) {
  const side = sideOf(client);
  if (side) deliver(wayOf(side, 0, 0), lines, body);
}

/** Opens a stream to listen to, or takes one up again after the event with this id. */
export function listen(client, call, leg, lines, lastEventId, delayMs) {
  const side = sideOf(client);
  if (side) http.listen(wayOf(side, call, leg, side.entry(call)), lines, lastEventId, delayMs);
}

/** What a message needs on its way: the endpoint of now, what aborts it, and how the core is told of it. */
function wayOf(side, call, leg, entry) {
  const { endpoint, number } = side;
  let controller = entry?.controller;
  if (!controller || controller.signal.aborted) controller = new AbortController();
  if (entry) entry.controller = controller;
  return { side, endpoint, call, entry, signal: controller.signal, tell: (what, ...more) => tell(what, number, call, leg, ...more) };
}

function deliver(way, lines, body) {
  const { side, entry } = way;
  const headers = entry?.options.headers;
  if (side.kind === HTTP) http.send(way, headers, lines, body);
  else if (side.kind === SHARED) channel.transmit(way, body, entry && http.joined(headers, lines));
  else channel.pass(way, body);
}

/** Aborts the leg of a call, or the stream that is listened to. */
export function abortLeg(client, call) {
  const side = sideOf(client);
  const entry = side?.calls.get(call);
  if (call === 0) side?.calls.delete(0);
  if (entry) cut(entry);
}

/** Tells the endpoint what was agreed on. */
export function agreed(client, revision) {
  const { kind, endpoint } = sideOf(client) ?? {};
  if (kind === HTTP) keep(endpoint, 'protocolVersion', revision);
  try {
    if (kind === SHARED) endpoint.setProtocolVersion?.(revision);
  } catch {
    // It need not care.
  }
}

/** A session has begun. On a transport of ours, so that the host may go on with it elsewhere. */
export function session(client, id) {
  const { kind, endpoint } = sideOf(client) ?? {};
  if (kind === HTTP) keep(endpoint, 'sessionId', id);
}

/** Lets go of the endpoint; ends the session if there are headers for that. */
export function detach(client, lines, limitMs) {
  const side = sideOf(client);
  if (!side) return;
  const { kind, endpoint } = side;
  if (kind === SHARED) side.ending = channel.detach(endpoint);
  if (!lines) return;
  side.ending = http.endSession(endpoint, lines, limitMs);
  keep(endpoint, 'sessionId', undefined);
}

/** Lets go of a transport that ended by itself. */
export function release(client) {
  const { endpoint } = sideOf(client) ?? {};
  if (endpoint) channel.release(endpoint);
}
