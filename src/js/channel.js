// Transports of the host and functions from bytes to bytes. Decides nothing.

import { BODY, CLOSED, HEAD, MESSAGE, SENT, tell } from './enter.js';
import { lost } from './http.js';
import { encoder } from './text.js';

/** The listeners that transports had before. */
const watched = new WeakMap();

/** Makes a transport report to a client, and starts it. Who listened before still does. */
export async function attach(transport, side) {
  const listeners = {
    onmessage: (message) => tell(MESSAGE, side.number, 0, 0, 0, '', JSON.stringify(message)),
    onclose: () => tell(CLOSED, side.number),
    onerror: (error) => side.tell('onerror', error),
  };
  const before = {};
  watched.set(transport, before);
  for (const name in listeners) {
    before[name] = transport[name];
    transport[name] = (...told) => {
      try {
        before[name]?.apply(transport, told);
      } finally {
        listeners[name](...told);
      }
    };
  }
  try {
    await transport.start();
  } catch (error) {
    release(transport);
    throw error;
  }
}

/** Lets go of a transport that ended by itself. */
export function release(transport) {
  Object.assign(transport, watched.get(transport));
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
  outcome(way, () => way.endpoint.send(JSON.parse(text), options), () => way.tell(SENT));
}

/** Has a function turn request bytes into reply bytes. */
export function pass(way, text) {
  const { endpoint, signal } = way;
  outcome(way, () => endpoint(encoder.encode(text), { signal }), (bytes) => {
    way.tell(SENT);
    way.tell(HEAD, 200, 'application/json');
    way.tell(BODY, 0, '', bytes ?? undefined);
  });
}

async function outcome(way, act, take) {
  try {
    const value = await act();
    if (way.entry) take(value);
  } catch (error) {
    if (!way.signal.aborted) lost(way, error);
  }
}
