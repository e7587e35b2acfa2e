// The classes that users see. Every method hands its arguments to the Rust core as text and returns its promise.

import { core } from './instance.js';
import { textOf } from './text.js';

export class StreamableHTTPClientTransport {
  constructor(url, options = {}) {
    this.url = String(url);
    this.fetch = options.fetch;
    this.requestInit = options.requestInit;
  }
}

export class Client {
  #core;

  constructor(info, options = {}) {
    const { Core } = core();
    this.#core = new Core(textOf(info, 'info'), options.capabilities && textOf(options.capabilities, 'capabilities'), options);
    this.#core.watch({ error: (error) => this.onerror?.(error), close: () => this.onclose?.() });
  }

  connect(transport, options) {
    const endpoint = typeof transport === 'string' || transport instanceof URL
      ? new StreamableHTTPClientTransport(transport)
      : transport;
    return this.#core.connect(endpoint, options ?? {});
  }

  async close() {
    this.#core.close();
  }

  setRequestHandler(method, handler) {
    this.#core.setRequestHandler(method, handler);
  }

  removeRequestHandler(method) {
    this.#core.removeRequestHandler(method);
  }

  setNotificationHandler(method, handler) {
    this.#core.setNotificationHandler(method, handler);
  }

  removeNotificationHandler(method) {
    this.#core.setNotificationHandler(method, undefined);
  }

  resumeCall(checkpoint, options) {
    try {
      return this.#core.resume(textOf(checkpoint, 'checkpoint'), options ?? {});
    } catch (error) {
      return Promise.reject(error);
    }
  }

  request(request, options) {
    return this.#call(request.method, request.params, options, '');
  }

  callTool(params, options) {
    return this.#call('tools/call', params, options, '');
  }

  getPrompt(params, options) {
    return this.#call('prompts/get', params, options, '');
  }

  readResource(params, options) {
    return this.#call('resources/read', params, options, '');
  }

  complete(params, options) {
    return this.#call('completion/complete', params, options, '');
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

  getNegotiatedProtocolVersion() {
    return this.#core.protocolVersion();
  }

  /** One page with a cursor, all of them without. */
  #list(method, params, options, member) {
    return this.#call(method, params, options, params?.cursor === undefined ? member : '');
  }

  #call(method, params, options, pages) {
    try {
      const text = params === undefined ? undefined : textOf(params, 'params');
      return this.#core.request(String(method), text, options ?? {}, pages);
    } catch (error) {
      return Promise.reject(error);
    }
  }
}

function parsed(text) {
  return text === undefined ? undefined : JSON.parse(text);
}
