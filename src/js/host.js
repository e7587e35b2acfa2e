// What the Rust core cannot do by itself: timers, listeners, calling handlers; http.js and channel.js have the rest. Each
// function does one such thing and tells the port what came of it; none decides anything.

import { makeError } from './errors.js';

// Strings cross into the module letter by letter; bytes cross at once.
export const encoder = new TextEncoder();

/** A promise with its two ends; `Promise.withResolvers`, which Node 20 lacks. */
export function deferred() {
  const ends = {};
  ends.promise = new Promise((resolve, reject) => Object.assign(ends, { resolve, reject }));
  return ends;
}

/** Nobody waits for this promise: what becomes of it is told elsewhere. */
export function hush(promise) {
  promise.catch(ignore);
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
