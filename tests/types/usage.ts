// Compiled, never run: what users write. The first lines are those of the README.

import { Client, StreamableHTTPClientTransport, isInputRequiredResult } from 'mcp-sampling';
import type {
  CallCheckpoint,
  CallToolResult,
  ClientCapabilities,
  ClientOptions,
  Implementation,
  InputMethod,
  Progress,
  RequestOptions,
  Result,
  RoundEvent,
  ServerTool,
  Warning,
} from 'mcp-sampling';
import { type ModuleSource, init, Client as SlimClient } from 'mcp-sampling/slim';

declare function askMyModel(systemPrompt: string | undefined, messages: unknown[], maxTokens: number): Promise<string>;

export async function readme(): Promise<CallToolResult> {
  const client = new Client({ name: 'my-host', version: '1.0.0' });

  client.setRequestHandler('sampling/createMessage', async ({ params }) => {
    const text = await askMyModel(params.systemPrompt, params.messages, params.maxTokens);
    return { role: 'assistant', model: 'my-model', stopReason: 'endTurn', content: { type: 'text', text } };
  });

  await client.connect('https://example.com/mcp');
  const result = await client.callTool({ name: 'summarize', arguments: { text: 'A long text.' } });
  return result;
}

const info: Implementation = { name: 'host', version: '1.0.0', title: 'Host', websiteUrl: 'https://example.com' };
const capabilities: ClientCapabilities = {
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  roots: {},
  experimental: { 'com.example': {} },
};

export const options: ClientOptions = {
  capabilities,
  inputRequired: { autoFulfill: true, maxRounds: 10, maxRequestsPerRound: 64, handlerTimeoutMs: 600_000 },
  lenient: false,
  strictResultType: true,
  onWarning(warning: Warning) {
    const place: string | undefined = warning.path ?? warning.key;
    console.warn(warning.code, warning.message, place);
  },
};

export async function everyMethod(signal: AbortSignal, checkpoint: CallCheckpoint): Promise<void> {
  const client = new Client(info, options);
  client.onclose = () => {};
  client.onerror = (error: unknown) => console.error(error);
  client.setNotificationHandler('notifications/message', ({ method, params }) => console.log(method, params));
  client.removeNotificationHandler('notifications/message');
  client.removeRequestHandler('roots/list');
  await client.connect(new URL('https://example.com/mcp'), { signal, timeout: 1000 });
  await client.connect(
    new StreamableHTTPClientTransport('https://example.com/mcp', {
      fetch,
      requestInit: { headers: { authorization: 'Bearer x' }, credentials: 'include' },
    }),
  );

  const call: RequestOptions = {
    signal,
    timeout: 60_000,
    maxTotalTimeout: Infinity,
    resetTimeoutOnProgress: true,
    allowInputRequired: false,
    headers: { 'x-request': '1' },
    onprogress: ({ progress, total, message }: Progress) => console.log(progress, total, message),
    onround,
    oncheckpoint: async (given) => localStorage.setItem('call', JSON.stringify(given)),
  };
  const { content, structuredContent, isError } = await client.callTool(
    { name: 't', arguments: { n: 1 }, _meta: { traceparent: '00' } },
    call,
  );
  console.log(content[0]?.text?.length, structuredContent, isError === true);
  const prompt: Result = await client.getPrompt({ name: 'p', arguments: { a: 'b' } }, call);
  const resource: Result = await client.readResource({ uri: 'file:///a' });
  const completion: Result = await client.complete({ ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: 'v' } });
  const tools: ServerTool[] = (await client.listTools()).tools;
  const page = await client.listTools({ cursor: 'c' }, { signal });
  const prompts: object[] = (await client.listPrompts()).prompts;
  const resources: object[] = (await client.listResources({})).resources;
  const templates: object[] = (await client.listResourceTemplates()).resourceTemplates;
  const custom: Result = await client.request({ method: 'com.example/custom', params: { a: 1 } });
  const resumed: unknown = await client.resumeCall(checkpoint, call);
  const version: string | undefined = client.getNegotiatedProtocolVersion();
  const server: Implementation | undefined = client.getServerVersion();
  const instructions: string | undefined = client.getInstructions();
  console.log(
    prompt,
    resource,
    completion,
    tools[0]?.inputSchema.type,
    page,
    prompts,
    resources,
    templates,
    custom,
    resumed,
    version,
    server,
    instructions,
    client.getServerCapabilities()?.tools,
  );
  await client.close();
}

function onround(event: RoundEvent): void {
  const method: InputMethod | undefined = event.method;
  switch (event.type) {
    case 'sent':
    case 'retried':
      return console.log(`leg ${event.leg} after ${event.timeMs} ms`);
    case 'asked':
    case 'answered':
    case 'declined':
      return console.log(`round ${event.round}: ${method} for ${event.key}, ${event.bytes ?? 0} bytes`);
    case 'waiting':
    case 'done':
    case 'failed':
      return console.log(event.type);
    default:
      return unreachable(event.type);
  }
}

const unreachable = (value: never): never => value;

export async function byHand(client: Client): Promise<string[]> {
  const result = await client.callTool({ name: 't' }, { allowInputRequired: true });
  if (!isInputRequiredResult(result)) return [];
  const kinds = Object.values(result.inputRequests ?? {}).map((request) => request.method);
  const state: string | undefined = result.requestState;
  const answers = { name: 't', inputResponses: {}, requestState: state };
  await client.callTool(answers, { allowInputRequired: true });
  return kinds;
}

export async function slim(module: WebAssembly.Module): Promise<SlimClient> {
  const sources: ModuleSource[] = [
    module,
    new ArrayBuffer(8),
    new Uint8Array(8),
    new URL('https://example.com/x.wasm'),
    'x.wasm',
    new Response(),
  ];
  for (const source of sources) await init(source);
  await init(fetch('x.wasm'));
  return new SlimClient({ name: 'a', version: '1' });
}
