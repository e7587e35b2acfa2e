// Many calls and many clients, against a peer in the same place that remembers nothing. For any runtime; tests look at
// the memory in between.

import { Client, StreamableHTTPClientTransport } from 'mcp-sampling';

const BATCH = 50;
const memories = [];
const { Instance } = WebAssembly;

// The package makes its instance at first use, which is later.
WebAssembly.Instance = function (module, imports) {
  const instance = new Instance(module, imports);
  memories.push(instance.exports.memory);
  return instance;
};

export const wasmBytes = () => memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0);

// Long-lived, as that of a page or a server is.
const controller = new AbortController();
let client;

/** Calls of every outcome: answered in JSON and in events, refused, failed, aborted. */
export async function makeCalls(count) {
  client ??= await connectedClient();
  for (let made = 0; made < count; made += BATCH) {
    await Promise.all(Array.from({ length: BATCH }, (_, index) => makeCall(index % 10)));
  }
}

async function makeCall(outcome) {
  const own = new AbortController();
  const signal = outcome === 3 ? own.signal : controller.signal;
  const call = client.callTool({ name: String(outcome), arguments: { text: 'x'.repeat(200) } }, { signal, onround() {}, onprogress() {} });
  if (outcome === 3) own.abort();
  const failed = await call.then(
    () => false,
    () => true,
  );
  if (failed !== outcome < 4) throw new Error(`outcome ${outcome} was not as expected`);
}

const kept = new Set();
let collected = 0;
const registry = globalThis.FinalizationRegistry && new FinalizationRegistry(() => collected++);

/** Clients that nobody holds after one call, each with handlers that refer to it; some of them closed. */
export async function makeClients(count) {
  for (let made = 0; made < count; made++) {
    const own = await connectedClient();
    own.setNotificationHandler('notifications/message', () => own);
    await own.callTool({ name: '5', arguments: {} });
    if (made % 2) await own.close();
    registry?.register(own);
  }
}

export const clientsCollected = () => collected;

/** A client that only its own call still refers to. Resolves to what that call says. */
export function forgotten(text) {
  return connectedClient()
    .then((own) => own.callTool({ name: 'slow', arguments: { text } }))
    .then((result) => result.content[0].text);
}

/** Lets the calls of forgotten clients go on. */
export function release() {
  for (const go of kept) go();
  kept.clear();
}

/** A client that only its open stream still refers to. Resolves to what is then sent on that stream. */
export async function listening() {
  const own = new Client({ name: 'listens', version: '1.0.0' });
  const heard = new Promise((resolve) => own.setNotificationHandler('notifications/message', ({ params }) => resolve(params.data)));
  await own.connect(new StreamableHTTPClientTransport('http://load.test/mcp', { fetch: fetchOf2025 }));
  return { heard };
}

/** As a server of 2025 does, which has a stream for what belongs to no call. */
async function fetchOf2025(_url, { method, body }) {
  if (method === 'GET') return notificationsLater();
  const { id, method: called } = JSON.parse(body);
  if (called === 'server/discover') return new Response('what?', { status: 400 });
  if (called !== 'initialize') return new Response(null, { status: 202 });
  return json(id, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'old', version: '1.0.0' } });
}

function notificationsLater() {
  const message = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'heard' } };
  const start = (controller) => kept.add(() => controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(message)}\n\n`)));
  return new Response(new ReadableStream({ start }), { headers: { 'content-type': 'text/event-stream' } });
}

async function connectedClient() {
  const own = new Client({ name: 'load', version: '1.0.0' }, { onWarning: () => own });
  own.setRequestHandler('sampling/createMessage', ({ params }) => answer(params.messages[0].content.text, own));
  own.onerror = () => own;
  await own.connect(new StreamableHTTPClientTransport('http://load.test/mcp', { fetch }));
  return own;
}

function answer(text) {
  if (text === '1') throw new Error('no model');
  return { role: 'assistant', model: 'none', content: { type: 'text', text: `answer to ${text}` } };
}

async function fetch(_url, { body, signal }) {
  const { id, method, params } = JSON.parse(body);
  if (method === 'server/discover') return json(id, { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} });
  if (params.name === '0') return new Response('no', { status: 500 });
  if (params.name === '2') return events(id, undefined);
  if (params.name === 'slow') await new Promise((resolve) => kept.add(resolve));
  signal.throwIfAborted();
  const { inputResponses } = params;
  const result = inputResponses
    ? { resultType: 'complete', content: [{ type: 'text', text: inputResponses.ask.content.text }] }
    : {
        resultType: 'input_required',
        inputRequests: { ask: question(params.name === 'slow' ? params.arguments.text : params.name) },
        requestState: 's'.repeat(100),
      };
  return params.name === '7' ? events(id, result) : json(id, result);
}

const question = (text) => ({
  method: 'sampling/createMessage',
  params: { maxTokens: 10, messages: [{ role: 'user', content: { type: 'text', text } }] },
});

const json = (id, result) =>
  new Response(JSON.stringify({ jsonrpc: '2.0', id, result }), { headers: { 'content-type': 'application/json' } });

function events(id, result) {
  const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: id, progress: 1 } };
  const messages = [progress, ...(result ? [{ jsonrpc: '2.0', id, result }] : [])];
  return new Response(messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });
}
