// The classes that users see. Every method hands its arguments to the Rust core as text and returns its promise.

import { core } from './instance.js';
import { callOptions, expect, headersOf, optionsOf, textOf } from './text.js';

export class StreamableHTTPClientTransport {
  constructor(url, options) {
    const { fetch, requestInit, authProvider } = optionsOf(options, 'options');
    expect(typeof url === 'string' || isURL(url), 'url', 'a URL or a string');
    expect(fetch == null || typeof fetch === 'function', 'options.fetch', 'a function');
    headersOf(optionsOf(requestInit, 'options.requestInit').headers, 'options.requestInit.headers');
    this.url = String(url);
    this.fetch = fetch;
    this.requestInit = requestInit;
    this.authProvider = authProvider;
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

  constructor(info, options) {
    const { Core } = core();
    const { capabilities, inputRequired } = optionsOf(options, 'options');
    optionsOf(inputRequired, 'options.inputRequired');
    const declared = capabilities == null ? undefined : textOf(capabilities, 'options.capabilities');
    this.#core = new Core(textOf(info, 'info'), declared, options ?? {});
    this.#core.watch({ error: (error) => this.onerror?.(error), close: () => this.onclose?.() });
  }

  async connect(transport, options) {
    const endpoint = endpointOf(transport);
    const kind = kindOf(endpoint);
    const checked = callOptions(options);
    if (kind === SHARED) await this.#core.attach(endpoint);
    await this.#core.connect(endpoint, kind, checked);
  }

  async close() {
    await this.#core.close();
  }

  setRequestHandler(method, handler) {
    expect(typeof method === 'string', 'method', 'a string');
    this.#core.setRequestHandler(method, handler);
  }

  removeRequestHandler(method) {
    expect(typeof method === 'string', 'method', 'a string');
    this.#core.removeRequestHandler(method);
  }

  setNotificationHandler(method, handler) {
    expect(typeof method === 'string', 'method', 'a string');
    expect(typeof handler === 'function', 'the notification handler', 'a function');
    this.#core.setNotificationHandler(method, handler);
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

  ping(options) {
    return this.#call('ping', undefined, options);
  }

  getNegotiatedProtocolVersion() {
    return this.#core.protocolVersion();
  }

  /** One page with a cursor, all of them without. */
  #list(method, params, options, member) {
    return this.#call(method, params, options, params?.cursor === undefined ? member : '');
  }

  /** `params` are left out if they are undefined. */
  #call(method, params, options, pages = '') {
    return promised(() => {
      expect(typeof method === 'string', 'method', 'a string');
      const text = params === undefined ? undefined : textOf(params, 'params');
      return this.#core.request(method, text, callOptions(options), pages);
    });
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
