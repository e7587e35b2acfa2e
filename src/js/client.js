// The classes that users see. Every method hands its arguments to the Rust core as text and returns its promise.

import { detach } from './channel.js';
import { core } from './instance.js';
import { callOptions, bytesOf, expect, headersOf, optionsOf, textOf } from './text.js';

export class StreamableHTTPClientTransport {
  constructor(url, options) {
    const { fetch, requestInit, authProvider, redirectPolicy, sessionId, protocolVersion } = optionsOf(options, 'options');
    expect(typeof url === 'string' || isURL(url), 'url', 'a URL or a string');
    expect(fetch == null || typeof fetch === 'function', 'options.fetch', 'a function');
    const provides = authProvider == null || typeof authProvider.token === 'function';
    expect(provides, 'options.authProvider', 'an object with token(); an OAuth provider of the official client goes into withOAuth()');
    expect([undefined, null, 'same-origin', 'follow'].includes(redirectPolicy), 'options.redirectPolicy', "'same-origin' or 'follow'");
    for (const [name, value] of Object.entries({ sessionId, protocolVersion })) {
      expect(value == null || typeof value === 'string', `options.${name}`, 'a string');
    }
    headersOf(optionsOf(requestInit, 'options.requestInit').headers, 'options.requestInit.headers');
    this.url = String(url);
    Object.assign(this, { fetch, requestInit, authProvider, redirectPolicy, sessionId, protocolVersion });
  }
}

const HTTP = 0;
const SHARED = 1;
const FUNCTION = 2;

/** A URL to post to, one channel for all messages, or a function from bytes to bytes. */
function kindOf(endpoint) {
  if (typeof endpoint === 'function') return FUNCTION;
  return typeof endpoint?.send === 'function' ? SHARED : HTTP;
}

export class Client {
  #core;
  // The host's functions. The core holds relays to them, and the client itself only while a call is under way: what it
  // held for good, together with all that it refers to, would never be collected.
  #functions = new Map();
  #self = globalThis.WeakRef ? new WeakRef(this) : new StrongRef();

  constructor(info, options) {
    const { Core } = core();
    const { capabilities, inputRequired, onWarning } = optionsOf(options, 'options');
    optionsOf(inputRequired, 'options.inputRequired');
    expect(onWarning == null || typeof onWarning === 'function', 'options.onWarning', 'a function');
    const declared = capabilities == null ? undefined : textOf(capabilities, 'options.capabilities');
    const relayed = Object.create(options ?? {}, { onWarning: { value: onWarning && this.#relay('warning', onWarning) } });
    this.#core = new Core(textOf(info, 'info'), declared, relayed);
    this.#core.watch({
      owner: this.#self,
      error: this.#relay('error', (error) => this.onerror?.(error)),
      close: this.#relay('close', () => this.onclose?.()),
    });
  }

  async connect(transport, options) {
    const endpoint = endpointOf(transport);
    const kind = kindOf(endpoint);
    const checked = callOptions(options);
    this.#self.hold?.(this);
    const prior = checked.prior == null ? undefined : textOf(checked.prior, 'options.prior');
    if (kind === SHARED) await this.#core.attach(endpoint);
    try {
      await this.#core.connect(endpoint, kind, checked, prior);
    } catch (error) {
      // A transport that nobody uses would keep its process alive.
      if (kind === SHARED) await detach(endpoint).catch(() => {});
      throw error;
    }
  }

  async close() {
    const ended = this.#core.close();
    this.#self.hold?.(undefined);
    await ended;
  }

  setRequestHandler(method, handler) {
    expect(typeof method === 'string', 'method', 'a string');
    expect(typeof handler === 'function', 'the request handler', 'a function');
    this.#core.setRequestHandler(method, this.#relay(`request ${method}`, handler));
  }

  removeRequestHandler(method) {
    expect(typeof method === 'string', 'method', 'a string');
    this.#core.removeRequestHandler(method);
  }

  setNotificationHandler(method, handler) {
    expect(typeof method === 'string', 'method', 'a string');
    expect(typeof handler === 'function', 'the notification handler', 'a function');
    this.#core.setNotificationHandler(method, this.#relay(`notification ${method}`, handler));
  }

  removeNotificationHandler(method) {
    expect(typeof method === 'string', 'method', 'a string');
    this.#core.setNotificationHandler(method, undefined);
  }

  resumeCall(checkpoint, options) {
    return promised(() => this.#core.resume(textOf(checkpoint, 'checkpoint'), callOptions(options)));
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
    return parsed(this.#core.serverFact('capabilities'));
  }

  getServerVersion() {
    return parsed(this.#core.serverFact('serverInfo'));
  }

  getInstructions() {
    return parsed(this.#core.serverFact('instructions'));
  }

  getProtocolEra() {
    return this.#core.protocolEra();
  }

  getPriorDiscovery() {
    return parsed(this.#core.prior());
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
    return this.#core.protocolVersion();
  }

  /** What the core is given in place of a function of the host. */
  #relay(name, run) {
    const self = this.#self;
    this.#functions.set(name, run);
    return (...given) => self.deref()?.#functions.get(name)(...given);
  }

  /** One page with a cursor, all of them without. */
  #list(method, params, options, member) {
    return this.#call(method, params, options, params?.cursor === undefined ? member : '');
  }

  /** `params` are left out if they are undefined. */
  #call(method, params, options, pages = '') {
    return promised(() => {
      expect(typeof method === 'string', 'method', 'a string');
      const text = params === undefined ? undefined : bytesOf(params, 'params');
      return this.#core.request(method, text, callOptions(options), pages);
    });
  }
}

/** In place of a WeakRef where the engine has none, as Workers before the compatibility date 2025-05-05: until close(). */
class StrongRef {
  #target;

  hold(target) {
    this.#target = target;
  }

  deref() {
    return this.#target;
  }
}

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

function parsed(text) {
  return text === undefined ? undefined : JSON.parse(text);
}
