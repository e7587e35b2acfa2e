// The classes that users see. Every method hands its arguments to the Rust core as text, under the client's number.

import { attach, detach } from './channel.js';
import { CLOSE, CONNECT, DROP, FACT, HANDLERS, IS_CONNECTED, OPEN, REQUEST, RESUME, ask, enter, lines } from './enter.js';
import { invalid, makeError } from './errors.js';
import { origins } from './http.js';
import { onBroken } from './instance.js';
import { HTTP, SHARED, kindOf } from './kind.js';
import { bits, callOptions, clientOptions, toolText, transportOptions, unknownMode } from './options.js';
import { METHODS, Side, endAll, forget, parsed, sideOf } from './registry.js';
import { expect, optionsOf, textOf } from './text.js';

export class StreamableHTTPClientTransport {
  constructor(url, options) {
    expect(typeof url === 'string' || isURL(url), 'url', 'a URL or a string');
    this.url = String(url);
    Object.assign(this, transportOptions(options));
  }
}

const dropped = globalThis.FinalizationRegistry && new FinalizationRegistry(drop);

function drop(number) {
  if (sideOf(number)) enter(DROP, number);
  forget(number);
}

export class Client {
  #side;
  // What makes another client of the core, should the module have to be replaced.
  #made;
  // The host's functions stand here, and the side holds the client only while something is under way: what it held for
  // good, together with all that they refer to, would never be collected.
  #functions = new Map();
  #self = globalThis.WeakRef ? new WeakRef(this) : strongRef();

  static #find = (client, name) => client?.#functions.get(name);

  constructor(info, options) {
    const { capabilities } = optionsOf(options);
    const declared = capabilities == null ? undefined : textOf(capabilities, 'options.capabilities');
    const { onWarning, made } = clientOptions(options, declared, textOf(info, 'info'));
    this.#keep('warning', onWarning);
    this.#made = made;
    this.#open();
  }

  #open() {
    onBroken(endAll);
    this.#side = new Side(this.#self, Client.#find);
    const { number } = this.#side;
    dropped?.register(this, number);
    if (!enter(OPEN, number, 0, 0, ...this.#made)) throw unknownMode();
    this.#declare();
  }

  /** The number by which the core knows this client. */
  get #number() {
    if (this.#side.isOver) this.#open();
    return this.#side.number;
  }

  /** Tells the core which requests and notifications have handlers. */
  #declare() {
    const has = METHODS.map((method) => this.#functions.has(`request ${method}`));
    const watched = [...this.#functions.keys()].filter((name) => name.startsWith('notification '));
    enter(HANDLERS, this.#number, 0, 0, bits(...has), lines(...watched.map((name) => name.slice(13)), ''));
  }

  async connect(transport, options) {
    const endpoint = endpointOf(transport);
    const checked = callOptions(options);
    this.#self.hold?.(this);
    const prior = checked.prior === undefined ? undefined : textOf(checked.prior, 'options.prior');
    this.#expectUnconnected();
    const detached = kindOf(endpoint) === SHARED ? () => detach(endpoint).catch(() => {}) : undefined;
    if (detached) await attach(endpoint, this.#side);
    this.#side.letGo = detached;
    try {
      this.#expectUnconnected();
      await this.#agree(endpoint, checked, prior);
    } catch (error) {
      // A transport that nobody uses would keep its process alive.
      await detached?.();
      throw error;
    }
  }

  #expectUnconnected() {
    if (!enter(IS_CONNECTED, this.#number)) return;
    throw makeError('ALREADY_CONNECTED', 'The client is connected already: close it first');
  }

  #agree(endpoint, options, prior) {
    const kind = kindOf(endpoint);
    Object.assign(this.#side, { endpoint, kind });
    return this.#begin(CONNECT, options, lines(...factsOf(endpoint, kind), prior), undefined, endpointFlags(endpoint, kind));
  }

  async close() {
    enter(CLOSE, this.#number);
    this.#self.hold?.(undefined);
    const { ending } = this.#side;
    this.#side.ending = undefined;
    await ending;
  }

  setRequestHandler(method, handler) {
    expect(typeof handler === 'function', 'the request handler', 'a function');
    this.#handle(method, handler);
  }

  removeRequestHandler(method) {
    this.#handle(method);
  }

  #handle(method, handler) {
    expectMethod(method);
    if (!METHODS.includes(method)) throw invalid(`expected the method to be ${METHODS.join(' or ')}`, { method });
    this.#keep(`request ${method}`, handler);
    this.#declare();
  }

  setNotificationHandler(method, handler) {
    expect(typeof handler === 'function', 'the notification handler', 'a function');
    this.#watch(method, handler);
  }

  removeNotificationHandler(method) {
    this.#watch(method);
  }

  #watch(method, handler) {
    expectMethod(method);
    this.#keep(`notification ${method}`, handler);
    this.#declare();
  }

  #keep(name, run) {
    if (run) this.#functions.set(name, run);
    else this.#functions.delete(name);
  }

  resumeCall(checkpoint, options) {
    return promised(() => {
      const text = textOf(checkpoint, 'checkpoint');
      const { method, paramsJson } = checkpoint;
      return this.#begin(RESUME, callOptions(options), text, undefined, 0, { method, params: parsed(paramsJson) });
    });
  }

  request(request, options) {
    return this.#call(request?.method, request?.params, options);
  }

  callTool(params, options) {
    return this.#call('tools/call', params ?? null, options);
  }

  getPrompt(params, options) {
    return this.#call('prompts/get', params ?? null, options);
  }

  readResource(params, options) {
    return this.#call('resources/read', params ?? null, options);
  }

  complete(params, options) {
    return this.#call('completion/complete', params ?? null, options);
  }

  listTools(params, options) {
    return this.#list('tools/list', params, options, 'tools');
  }

  listPrompts(params, options) {
    return this.#list('prompts/list', params, options, 'prompts');
  }

  listResources(params, options) {
    return this.#list('resources/list', params, options, 'resources');
  }

  listResourceTemplates(params, options) {
    return this.#list('resources/templates/list', params, options, 'resourceTemplates');
  }

  getServerCapabilities() {
    return this.#parsedFact('capabilities');
  }

  getServerVersion() {
    return this.#parsedFact('serverInfo');
  }

  getInstructions() {
    return this.#parsedFact('instructions');
  }

  getProtocolEra() {
    return this.#fact('era');
  }

  getPriorDiscovery() {
    return this.#parsedFact('prior');
  }

  getDiscoverResult() {
    return this.getPriorDiscovery()?.discover;
  }

  ping(options) {
    return this.#call('ping', undefined, options);
  }

  setLoggingLevel(level, options) {
    return this.#call('logging/setLevel', { level }, options);
  }

  getNegotiatedProtocolVersion() {
    return this.#fact('protocolVersion');
  }

  /** One page with a cursor, all of them without. */
  #list(method, params, options, member) {
    return this.#call(method, params, options, params?.cursor === undefined ? member : '');
  }

  /** `params` are left out if they are undefined. */
  #call(method, params, options, pages = '') {
    return promised(() => {
      expectMethod(method);
      const text = params === undefined ? undefined : textOf(params, 'params');
      const checked = callOptions(options);
      const tool = toolText(checked.toolDefinition);
      return this.#begin(REQUEST, checked, lines(pages, tool, method), text, 0, { method, params });
    });
  }

  #begin(what, options, text, bytes, more, about) {
    const number = this.#number;
    const [timeoutMs, totalMs, flags] = options.limits;
    return this.#side.begin(options, about, (call) => enter(what, number, call, 0, flags | more, text, bytes, timeoutMs, totalMs));
  }

  /** What is known of the server, as text. */
  #fact(name) {
    return ask(FACT, this.#number, 0, name);
  }

  #parsedFact(name) {
    const text = this.#fact(name);
    return text === undefined ? undefined : JSON.parse(text);
  }
}

/** In place of a WeakRef where the engine has none, as Workers before the compatibility date 2025-05-05: until close(). */
function strongRef() {
  let target;
  return { hold: (client) => (target = client), deref: () => target };
}

const expectMethod = (method) => expect(typeof method === 'string', 'method', 'a string');

/** Whatever promises something fails by rejecting, never at once. */
function promised(start) {
  try {
    return start();
  } catch (error) {
    return Promise.reject(error);
  }
}

function endpointOf(transport) {
  if (typeof transport === 'string' || isURL(transport)) return new StreamableHTTPClientTransport(transport);
  const known = kindOf(transport) !== HTTP || typeof transport?.url === 'string';
  expect(known, 'transport', 'a URL, a string, a transport, or a function from bytes to bytes');
  return transport;
}

// Not by `instanceof`: the URL may come from another realm.
const isURL = (value) => typeof value?.href === 'string';

/** Bits beside those of calls: what the endpoint is. */
function endpointFlags(endpoint, kind) {
  const isPipe = 'stderr' in endpoint && 'pid' in endpoint;
  return kind | (isPipe ? 128 : 0) | (endpoint.hasPerRequestStream ? 256 : 0);
}

/** A session to go on with, the URL unless the host's own fetch goes there, and the origins of the page and of it. */
function factsOf(endpoint, kind) {
  const text = (value) => (typeof value === 'string' ? value : undefined);
  const url = kind === HTTP && !endpoint.fetch ? text(endpoint.url) : undefined;
  const pages = kind === HTTP ? origins(endpoint) : [];
  return [text(endpoint.sessionId), text(endpoint.protocolVersion), url, pages[0], pages[1]];
}
