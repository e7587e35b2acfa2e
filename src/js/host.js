// What the Rust core cannot do by itself: timers, calling handlers and watchers, settling promises; endpoint.js has the
// rest. Each function does one such thing and tells the core what came of it; none decides anything, and none throws.

import { ANSWERED, FACT, SAVED, THREW, TICK, ask as question, lines, tell } from './enter.js';
import { codeOf, makeError } from './errors.js';
import { METHODS, endedOf, fail, keep, parsed, sideOf } from './registry.js';

export { told } from './enter.js';

export function now() {
  return performance.now();
}

/**
 * Calls a handler and brings back what it returned as JSON text, or what it threw. `within` is the call that the request
 * belongs to, 0 if that is not known; `key` is JSON text if the request was pushed.
 */
export function ask(client, call, round, index, method, within, key, text) {
  const side = sideOf(client);
  try {
    const request = { method: METHODS[method], params: text ? JSON.parse(text) : undefined };
    const stop = call ? roundOf(side.entry(call), round) : pushedRound(side, index);
    const asked = new Asked(call ? key : JSON.parse(key), request, stop);
    const context = new Context(asked, side, side.calls.get(within)?.about, round);
    const handler = side.find(`request ${request.method}`) ?? failing('CAPABILITY_NOT_SUPPORTED', 'The request handler was removed', context);
    bring(side, call, round, index, context, handler(request, context));
  } catch (error) {
    threw(side, call, round, index, error);
  }
}

// A function of its own: one that waits keeps all it was given, and all it made, as long as it waits.
async function bring(side, call, round, index, context, result) {
  try {
    tell(ANSWERED, side.number, call, round, index, resultText(await result, context));
    if (!call) side.pushed.delete(index);
  } catch (error) {
    threw(side, call, round, index, error);
  }
}

// What a handler is told besides the request. Few look at it all, so much of it is made when one does; by classes, since an
// object with a getter of its own takes a hundred times as long to make.
class Context {
  #side;
  #about;
  #round;

  constructor(mcpReq, side, about, round) {
    this.mcpReq = mcpReq;
    this.#side = side;
    this.#about = about;
    this.#round = round;
  }

  get server() {
    return parsed(question(FACT, this.#side.number, 0, 'serverInfo'));
  }

  get call() {
    if (!this.#about) return undefined;
    const { method, params } = this.#about;
    const name = params?.name ?? params?.uri;
    return { method, ...(name !== undefined && { name }), key: String(this.mcpReq.id), round: this.#round };
  }
}

class Asked {
  #stop;

  constructor(id, { method, params }, stop) {
    this.id = id;
    this.method = method;
    this._meta = params?._meta;
    this.#stop = stop;
  }

  get signal() {
    return this.#stop.signal;
  }
}

function threw(side, call, round, index, error) {
  if (!call && side.pushed.delete(index)) side.tell('onerror', error);
  const entry = side.calls.get(call);
  if (entry) entry.thrown ??= error;
  const code = codeOf(error);
  tell(THREW, side.number, call, round, index, lines(code, code && error.message));
}

/** What tells handlers to stop. Few of them look at the signal, so it is made when one does. */
class Round {
  #controller;
  #ended;

  constructor(number) {
    this.number = number;
  }

  get signal() {
    this.#controller ??= new AbortController();
    if (this.#ended) this.#controller.abort(this.#ended.reason);
    return this.#controller.signal;
  }

  abort(reason) {
    this.#ended ??= { reason };
    this.#controller?.abort(reason);
  }
}

function roundOf(entry, number) {
  if (entry.round?.number !== number) entry.round = new Round(number);
  return entry.round;
}

function pushedRound(side, index) {
  const round = new Round(0);
  side.pushed.set(index, round);
  return round;
}

/** The answer to a pushed request is no longer wanted. */
export function cancelAsk(client, index) {
  const pushed = sideOf(client)?.pushed;
  pushed?.get(index)?.abort();
  pushed?.delete(index);
}

function resultText(result, context) {
  try {
    return JSON.stringify(result);
  } catch (cause) {
    return failing('INVALID_HANDLER_RESULT', "The handler's result cannot be written as JSON; see cause", context, cause);
  }
}

function failing(code, what, { mcpReq: { id, method } }, cause) {
  const shown = String(id).slice(0, 60);
  throw makeError(code, `${what} (${method}, entry '${shown}')`, JSON.stringify({ key: shown, method }), cause);
}

export function setTimer(client, call, milliseconds) {
  const entry = sideOf(client)?.entry(call);
  if (!entry) return;
  clearTimeout(entry.timer);
  // Longer than this and the engine's timer fires at once; the core looks at the clock and sets the next one.
  entry.timer = setTimeout(() => tell(TICK, client, call), Math.min(milliseconds, 0x7fffffff));
}

/** Fulfils the promise of a call. A result loses `resultType`, which is the wire's affair; a request for input keeps it. */
export function resolve(client, call, text) {
  const entry = endedOf(client, call);
  const result = parsed(text);
  if (result?.resultType === 'complete') delete result.resultType;
  entry?.resolve?.(result);
}

/** Rejects the promise of a call. What a handler threw on purpose, as an error of ours, is that error. */
export function reject(client, call, code, message, data, withCause, checkpoint) {
  const entry = endedOf(client, call);
  if (!entry) return;
  const cause = withCause ? entry.thrown : undefined;
  const reason = codeOf(cause) === undefined ? errorOf(code, message, data, cause) : cause;
  if (checkpoint) keep(reason, 'checkpoint', parsed(checkpoint));
  fail(entry, reason);
}

/** The code of an error that the server sent is a number. */
function errorOf(code, message, data, cause) {
  return makeError(/^-?\d/.test(code) ? Number(code) : code, message, data, cause);
}

/** Rejects the promise of a call with what was thrown last in it. */
export function rejectThrown(client, call) {
  const entry = endedOf(client, call);
  if (entry) fail(entry, entry.last);
}

/** What was thrown last in a call, or in one that helps it, is why its leg fails. */
export function blame(client, call, from) {
  const calls = sideOf(client)?.calls;
  const entry = calls?.get(call);
  if (entry) entry.thrown = entry.last = calls.get(from)?.last;
}

export function failed(client, code, message, data) {
  sideOf(client)?.tell('onerror', errorOf(code, message, data));
}

export function closed(client) {
  sideOf(client)?.tell('onclose');
}

export function report(client, call, type, round, leg, timeMs, bytes, key, method) {
  const side = sideOf(client);
  const event = { type, round, leg, timeMs, ...(method && { key, method }), ...(bytes && { bytes }) };
  side?.notify(side.calls.get(call)?.options.onround, event);
}

export function progress(client, call, text) {
  const side = sideOf(client);
  const method = 'notifications/progress';
  const watcher = side?.find(`notification ${method}`);
  for (const params of parsed(text) ?? []) {
    // A watcher may give the call up.
    side?.notify(side.calls.get(call)?.options.onprogress, params);
    if (watcher) side.notify(watcher, { method, params });
  }
}

export function notification(client, method, text) {
  const side = sideOf(client);
  side?.notify(side.find(`notification ${method}`), parsed(text));
}

export function warn(client, code, message, path, key) {
  const side = sideOf(client);
  side?.notify(side.find('warning'), { code, message, ...(path && { path }), ...(key && { key }) });
}

/** Lets the host store a checkpoint, and says when it is done. */
export async function save(client, call, text) {
  const entry = sideOf(client).entry(call);
  let isSaved = 1;
  try {
    await entry.options.oncheckpoint(JSON.parse(text));
  } catch (error) {
    entry.last = error;
    isSaved = 0;
  }
  tell(SAVED, client, call, 0, isSaved);
}
