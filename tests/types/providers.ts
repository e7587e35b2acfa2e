// What the declarations of the providers accept and refuse.

import type { MLCEngineInterface } from '@mlc-ai/web-llm';
import * as official from '@modelcontextprotocol/client';
import { Client, SdkError, selectModel, type CreateMessageRequestParams, type CreateMessageResult } from 'mcp-sampling';
import {
  anthropic,
  gemini,
  openai,
  openaiResponses,
  promptApi,
  webllm,
  workersAI,
  type Delta,
  type Model,
  type ProviderErrorData,
  type Usage,
} from 'mcp-sampling/providers';
import { init } from 'mcp-sampling/providers/slim';

declare const engine: MLCEngineInterface;
declare const key: () => Promise<string>;
declare const params: CreateMessageRequestParams;
declare const bytes: Uint8Array;

const models: Model[] = [
  anthropic({ model: 'm', apiKey: 'k' }),
  anthropic({ model: 'm', apiKey: key, apiVersion: '2026-10-21', retry: { attempts: 2, maxDelayMs: 1 }, strict: true }),
  openai({ model: 'm', profile: 'ollama', baseURL: new URL('http://localhost'), headers: { a: 'b' } }),
  openai({ model: 'm', profile: { base: 'vllm', stopMax: 2 }, fetch, extraBody: { seed: 1 }, omit: ['stop'] }),
  openaiResponses({ model: 'm', rules: { reasoning: true }, cost: 0.5 }),
  gemini({ model: 'm', onDelta: (delta: Delta) => console.log(delta.type) }),
  promptApi(),
  promptApi({ LanguageModel: { create: async () => ({}) }, onUsage: async (usage: Usage) => console.log(usage.output_tokens) }),
  webllm({ engine, model: 'm' }),
  workersAI({ model: 'm', ai: { run: async (_model: string, _inputs: object) => ({}) } }),
  workersAI({ model: 'm', accountId: 'a', apiKey: 'k', profile: 'openai' }),
];

// @ts-expect-error a model is needed
anthropic({ apiKey: 'k' });
// @ts-expect-error there is no such profile
openai({ model: 'm', profile: 'olama' });
// @ts-expect-error an engine is needed
webllm({ model: 'm' });
// @ts-expect-error profiles are not Anthropic's
anthropic({ model: 'm', profile: 'ollama' });
// @ts-expect-error keys are not options of bare requests
openai.build(params, { model: 'm', apiKey: 'k' });
// @ts-expect-error a name cannot be changed
models[0]!.name = 'n';

// As handlers, here and there.
const ours = new Client({ name: 'a', version: '1' });
const theirs = new official.Client({ name: 'a', version: '1' });
for (const model of models) {
  ours.setRequestHandler('sampling/createMessage', model);
  theirs.setRequestHandler('sampling/createMessage', model);
}
const chosen: Model | undefined = selectModel({}, models, params)?.entry;
const answer: Promise<CreateMessageResult> | undefined = chosen?.({ params }, { mcpReq: { signal: AbortSignal.timeout(1) } });

// Bare.
const { path, headers, body, warnings, state } = anthropic.build(params, { model: 'm', stream: false });
const sent: Promise<Response> = fetch(`https://a${path}`, { method: 'POST', headers, body });
const fates: 'dropped' | 'changed' | 'moved' | 'emulated' | undefined = warnings[0]?.code;
const result: CreateMessageResult = openai.parse(bytes, JSON.stringify(state), 200);
const accumulator = gemini.accumulator(state);
for (const delta of accumulator.push(bytes)) if (delta.type === 'toolInput') console.log(delta.index, delta.json);
const whole: CreateMessageResult = accumulator.isDone ? accumulator.finish() : result;

try {
  anthropic.parse('{}', state);
} catch (error) {
  const data = error instanceof SdkError && error.code === 'PROVIDER_ERROR' ? (error.data as unknown as ProviderErrorData) : undefined;
  if (data?.retryable && data.retryAfterMs !== undefined) console.log(data.provider, data.type, data.status);
}

const ready: Promise<void> = init(fetch('/x.wasm'));

export { answer, fates, ready, sent, whole };
