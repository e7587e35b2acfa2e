// Transports of the host and functions from bytes to bytes. Decides nothing.

import { BODY, CLOSED, HEAD, MESSAGE, SENT, tell } from './enter.js';
import { lost } from './http.js';
import { encoder } from './text.js';

const EVENTS = ['onmessage', 'onclose', 'onerror'];
const watched = new WeakMap();

/** Makes a transport report to a client, and starts it. Who listened before still does. */
export async function attach(transport, side) {
  const before = EVENTS.map((name) => transport[name]);
  watched.set(transport, before);
  const listeners = [
    (message) => tell(MESSAGE, side.number, 0, 0, 0, '', encoder.encode(JSON.stringify(message))),
    () => tell(CLOSED, side.number),
    (error) => side.tell('onerror', error),
  ];
  EVENTS.forEach((name, index) => {
    transport[name] = (...told) => {
      try {
        before[index]?.apply(transport, told);
      } finally {
        listeners[index](...told);
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

/** Sends a message over a transport, and says when it is gone. */
export function transmit(way, text, headers) {
  const options = { headers, requestSignal: way.signal };
  const sent = async () => way.endpoint.send(JSON.parse(text), options);
  outcome(way, sent(), () => tell(SENT, way.client, way.call, way.leg));
}

/** Has a function turn request bytes into reply bytes. */
export function pass(way, text) {
  const { endpoint, client, call, leg, signal } = way;
  const sent = async () => endpoint(encoder.encode(text), { signal });
  outcome(way, sent(), (bytes) => {
    const body = typeof bytes === 'string' ? encoder.encode(bytes) : (bytes ?? new Uint8Array());
    tell(SENT, client, call, leg);
    tell(HEAD, client, call, leg, 200, 'application/json');
    tell(BODY, client, call, leg, 0, '', body);
  });
}

function outcome(way, promise, take) {
  promise.then((value) => way.call && take(value)).catch((error) => way.signal.aborted || failed(way, error));
}

function failed(way, error) {
  if (way.call) lost(way, error, '');
  else way.side.tell('onerror', error);
}
