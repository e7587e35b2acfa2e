// Transports of the host and functions from bytes to bytes. Decides nothing.

import { encoder } from './host.js';

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

/** Headers of a call as a plain object, with more of them. */
export function joined(callHeaders, more) {
  const headers = Object.fromEntries(new Headers(callHeaders));
  for (let index = 0; index < more.length; index += 2) headers[more[index]] = more[index + 1];
  return headers;
}
