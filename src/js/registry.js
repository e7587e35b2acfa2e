// What the host gave, under the numbers by which the core knows it: clients, and their calls. Decides nothing.

import { ABORT, tell } from './enter.js';

/** The requests of servers, by their numbers. */
export const METHODS = ['sampling/createMessage', 'elicitation/create', 'roots/list'];

const sides = new Map();
let lastClient = 0;

/** The host's side of one client. The client itself is only held while something is under way. */
export class Side {
  number = ++lastClient;
  /** By their numbers; 0 is the stream that is only listened to. */
  calls = new Map();
  /** What tells the handlers of pushed requests to stop. */
  pushed = new Map();
  endpoint;
  kind;
  #nextCall = 1;

  /**
   * @param {{ deref(): object | undefined }} self the client, weakly
   * @param {(client: object, name: string) => Function | undefined} find a function of the host
   */
  constructor(self, find) {
    this.self = self;
    this.find = (name) => find(self.deref(), name);
    sides.set(this.number, this);
  }

  /**
   * Begins a call. Odd numbers: the core gives even ones to calls of its own. What cannot begin, rejects. `about` says what
   * is called, for handlers.
   */
  begin(options, about, start) {
    const { signal } = options;
    const call = this.#nextCall;
    this.#nextCall += 2;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw signal.reason;
      const aborted = () => {
        entry.last = signal.reason;
        tell(ABORT, this.number, call);
      };
      const entry = { owner: this.self.deref(), options, about, resolve, reject, aborted };
      this.calls.set(call, entry);
      signal?.addEventListener('abort', aborted);
      start(call);
    });
  }

  /** What belongs to a call. */
  entry(call) {
    let entry = this.calls.get(call);
    if (!entry) this.calls.set(call, (entry = { owner: this.self.deref(), options: {} }));
    return entry;
  }

  /** Lets go of what belongs to a call, and returns it. */
  ended(call) {
    const entry = this.calls.get(call);
    this.calls.delete(call);
    clearTimeout(entry?.timer);
    entry?.options.signal?.removeEventListener('abort', entry.aborted);
    return entry;
  }

  /** Calls `onerror` or `onclose`. One that throws has nobody left to tell. */
  tell(watcher, value) {
    try {
      this.self.deref()?.[watcher]?.(value);
    } catch {
      // As above.
    }
  }

  /** Calls a watcher of the host. What it throws must not end the call; it is handed to `onerror`. */
  notify(callback, value) {
    try {
      // It may be asynchronous; nobody waits for it, but its failure is told as well.
      callback?.(value)?.then?.(undefined, (error) => this.tell('onerror', error));
    } catch (error) {
      this.tell('onerror', error);
    }
  }
}

/** Nothing if the client is gone. */
export const sideOf = (client) => sides.get(client);

/** Lets go of what belongs to a call, and returns it; nothing if it is gone. */
export const endedOf = (client, call) => sideOf(client)?.ended(call);

/** Nobody has the client any more. */
export const forget = (client) => sides.delete(client);

/** Ends the leg of a call. A fetch of the host's own may forget about the signal once the head of the reply is there. */
export function cut({ controller, reader }) {
  controller?.abort();
  reader?.cancel(controller.signal.reason).catch(ignore);
}

export function ignore() {}

/** Rejects the promise of a call, and tells the handlers of its round to stop. */
export function fail(entry, reason) {
  entry.round?.abort(reason);
  entry.reject?.(reason);
}

/** The module stopped, and a fresh one takes its place: whatever was under way is over. */
export function endAll(error) {
  const ended = [...sides.values()];
  sides.clear();
  for (const side of ended) end(side, error);
}

function end(side, error) {
  const { calls, pushed, endpoint } = side;
  side.isOver = true;
  for (const call of [...calls.keys()]) {
    const entry = side.ended(call);
    cut(entry);
    fail(entry, error);
  }
  for (const round of pushed.values()) round.abort(error);
  side.tell('onerror', error);
  side.letGo?.();
  if (endpoint) side.tell('onclose');
}

/** Adds to an object of the host, which may be frozen; then it stays as it is. */
export function keep(object, name, value) {
  try {
    object[name] = value;
  } catch {
    // As above.
  }
}

/** JSON text that the core has read already. */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
