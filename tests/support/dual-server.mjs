/**
 * One server for both eras and every way to reach it. Its tools are the same functions everywhere; how a question gets to
 * the client is the official package's affair.
 */
import { randomUUID } from 'node:crypto';
import { McpServer, WebStandardStreamableHTTPServerTransport, createMcpHandler, fromJsonSchema, inputRequired, inputResponse } from '@modelcontextprotocol/server';

export const SERVER = { name: 'dual', version: '1.0.0' };

const TEXT = { type: 'object', properties: { text: { type: 'string' } } };
const REGION = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, at: { type: 'object', properties: { zone: { type: 'integer', 'x-mcp-header': 'Zone' } } } } };

export function buildServer() {
  const server = new McpServer(SERVER, { capabilities: { logging: {} } });
  server.registerTool('summarize', { inputSchema: fromJsonSchema(TEXT) }, summarize);
  server.registerTool('ask', { inputSchema: fromJsonSchema(TEXT) }, ask);
  server.registerTool('count', { inputSchema: fromJsonSchema({ type: 'object' }) }, count);
  server.registerTool('hang', { inputSchema: fromJsonSchema({ type: 'object' }) }, hang);
  server.registerTool('route', { inputSchema: fromJsonSchema(REGION) }, (input, context) => route(input, context));
  return server;
}

/** Asks for a summary. */
function summarize({ text }, { mcpReq }) {
  const reply = inputResponse(mcpReq.inputResponses, 'summary');
  if (reply.kind === 'sampling') return said(`${[reply.result.content].flat()[0].text} (${mcpReq.requestState()})`);
  const summary = inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 50 });
  return inputRequired({ inputRequests: { summary }, requestState: `of ${text}` });
}

/** Asks a person, and for the roots. */
function ask(_input, { mcpReq }) {
  const form = inputResponse(mcpReq.inputResponses, 'form');
  const roots = inputResponse(mcpReq.inputResponses, 'roots');
  if (form.kind === 'elicit') return said(JSON.stringify([form.action, form.content, roots.roots]));
  const schema = { type: 'object', properties: { size: { type: 'integer', default: 3 }, name: { type: 'string' } } };
  const requests = { form: inputRequired.elicit({ message: 'How many?', requestedSchema: schema }), roots: inputRequired.listRoots() };
  return inputRequired({ inputRequests: requests });
}

/** Reports progress three times. */
async function count(_input, { mcpReq }) {
  const { progressToken } = mcpReq._meta ?? {};
  for (const progress of [1, 2, 3]) {
    if (progressToken !== undefined) await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } });
  }
  return said('counted');
}

/** Which calls of `hang` were cancelled. */
export const hanging = { begun: 0, cancelled: 0 };

function hang(_input, { mcpReq }) {
  hanging.begun++;
  return new Promise((resolve) => {
    mcpReq.signal.addEventListener('abort', () => {
      hanging.cancelled++;
      resolve(said('too late'));
    });
  });
}

function route({ region, at }, { mcpReq }) {
  const reply = inputResponse(mcpReq.inputResponses, 'why');
  if (reply.kind === 'sampling') return said(`${region} ${at?.zone}: ${[reply.result.content].flat()[0].text}`);
  const why = inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: 'why?' } }], maxTokens: 50 });
  return inputRequired({ inputRequests: { why }, requestState: 'kept' });
}

const said = (text) => ({ content: [{ type: 'text', text }] });

/** The server over HTTP of 2026. */
export const modern = (options) => createMcpHandler(buildServer, { legacy: 'reject', ...options });

/**
 * The server over HTTP of 2025, with sessions; `open` has those that there are. `seen` hears of every request.
 *
 * @param {{ build?: () => McpServer, seen?: (request: Request) => unknown, transport?: object }} [options]
 */
export function sessions({ build = buildServer, seen = () => {}, ...options } = {}) {
  const open = new Map();
  return {
    open,
    async fetch(request) {
      await seen(request);
      const id = request.headers.get('mcp-session-id');
      if (id !== null && !open.has(id)) return new Response('no such session', { status: 404 });
      return (open.get(id)?.transport ?? (await begin())).handleRequest(request);
    },
    async close() {
      for (const { server } of open.values()) await server.close();
    },
  };

  async function begin() {
    const server = build();
    const transport = new WebStandardStreamableHTTPServerTransport({
      ...options.transport,
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void open.set(id, { server, transport }),
      onsessionclosed: (id) => void open.delete(id),
    });
    await server.connect(transport);
    return transport;
  }
}
