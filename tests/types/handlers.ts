// Compiled, never run: handlers, the sampling model, errors.

import { Client, ProtocolError, SdkError, SdkHttpError, selectModel, validateRequest, validateResult } from 'mcp-sampling';
import type {
  AudioContent,
  CallCheckpoint,
  ContentBlock,
  CreateMessageRequest,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  ErrorData,
  Finding,
  Findings,
  HandlerContext,
  HandlerTypes,
  ImageContent,
  ListRootsResult,
  ModelEntry,
  ModelPreferences,
  RequestHandler,
  SamplingMessage,
  SamplingMessageContentBlock,
  StopReason,
  TextContent,
  Tool,
  ToolChoice,
  ToolResultContent,
  ToolUseContent,
  ValidateOptions,
} from 'mcp-sampling';

declare const client: Client;

const sample: RequestHandler<'sampling/createMessage'> = ({ method, params }, context) => {
  const fixed: 'sampling/createMessage' = method;
  const wanted: [number, string[] | undefined, ModelPreferences | undefined, Tool[] | undefined, ToolChoice | undefined] = [
    params.maxTokens,
    params.stopSequences,
    params.modelPreferences,
    params.tools,
    params.toolChoice,
  ];
  console.log(fixed, wanted, params.temperature, params.includeContext, shown(context));
  return {
    role: 'assistant',
    model: 'm',
    content: params.messages.flatMap(blocksOf).filter((block): block is TextContent => block.type === 'text'),
  };
};

function shown({ mcpReq, server, call }: HandlerContext): string {
  mcpReq.signal.throwIfAborted();
  return `${server?.name ?? 'a server'} asks ${mcpReq.method} (${mcpReq.id}) in ${call?.method} ${call?.name ?? ''}, round ${call?.round}, ${call?.key}`;
}

const blocksOf = (message: SamplingMessage): SamplingMessageContentBlock[] =>
  Array.isArray(message.content) ? message.content : [message.content];

function texts(block: SamplingMessageContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `${block.mimeType}: ${block.data.length}`;
    case 'tool_use':
      return `${block.name}(${JSON.stringify(block.input)})`;
    case 'tool_result':
      return block.content.map((inner: ContentBlock) => inner.type).join();
  }
}

const elicit: RequestHandler<'elicitation/create'> = async ({ params }: { params: ElicitRequestParams }): Promise<ElicitResult> => {
  if (params.mode === 'url') return { action: params.url?.startsWith('https:') ? 'accept' : 'decline' };
  const names = Object.keys(params.requestedSchema?.properties ?? {});
  return names.length ? { action: 'accept', content: { name: 'x', age: 7, sure: true, tags: ['a'] } } : { action: 'cancel' };
};

const roots: RequestHandler<'roots/list'> = (): ListRootsResult => ({ roots: [{ uri: 'file:///a', name: 'A' }] });

client.setRequestHandler('sampling/createMessage', sample);
client.setRequestHandler('elicitation/create', elicit);
client.setRequestHandler('roots/list', roots);
client.setRequestHandler('roots/list', async () => ({ roots: [] }));

export const request: CreateMessageRequest = {
  method: 'sampling/createMessage',
  params: {
    messages: [
      { role: 'user', content: { type: 'text', text: 'Hi', annotations: { audience: ['user'], priority: 1 } } },
      { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'add', input: { a: 1 } } satisfies ToolUseContent] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', toolUseId: '1', content: [{ type: 'text', text: '2' }], isError: false } satisfies ToolResultContent,
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'image', data: '', mimeType: 'image/png' } satisfies ImageContent,
          { type: 'audio', data: '', mimeType: 'audio/wav' } satisfies AudioContent,
        ],
      },
    ],
    maxTokens: 100,
    systemPrompt: 'Be brief.',
    tools: [{ name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }],
    toolChoice: { mode: 'required' },
    modelPreferences: { hints: [{ name: 'sonnet' }], costPriority: 0.5 },
    'com.example/unknown': true,
  },
};

const stop: StopReason[] = ['endTurn', 'maxTokens', 'toolUse', 'stopSequence', 'a provider’s own'];
export const result: CreateMessageResult = {
  role: 'assistant',
  model: 'm',
  stopReason: stop[0] ?? 'endTurn',
  content: { type: 'text', text: 'Hello' },
};
export const types: HandlerTypes['sampling/createMessage']['params'] = request.params satisfies CreateMessageRequestParams;
export const spoken = blocksOf(request.params.messages[0]!).map(texts);

export function checks(options: ValidateOptions): Finding[] {
  const found: Findings = validateRequest(request.params, options);
  return [...found.errors, ...validateResult(result, request.params).warnings];
}

interface OwnEntry extends ModelEntry {
  endpoint: string;
}

export function choice(catalogue: OwnEntry[]): string | undefined {
  const chosen = selectModel(request.params.modelPreferences, catalogue, request.params);
  return chosen && `${chosen.name} at ${chosen.entry.endpoint}: ${chosen.reason}`;
}

export async function errors(): Promise<CallCheckpoint | undefined> {
  try {
    await client.callTool({ name: 't' });
  } catch (error) {
    if (error instanceof SdkHttpError) console.log(error.status, error.statusText);
    if (SdkError.isInstance(error)) {
      const data: ErrorData | undefined = error.data;
      console.log(
        error.code === 'REQUEST_TIMEOUT',
        error.cause,
        data?.method,
        data?.key,
        data?.findings?.errors[0]?.rule,
        data?.['anything'],
      );
      return error.checkpoint;
    }
    if (ProtocolError.isInstance(error)) {
      const code: number = error.code;
      console.log(code, error.data);
    }
  }
  throw new SdkError('SAMPLING_DECLINED', 'not today', { key: 'k' }, { cause: new Error('policy') });
}
