import type { CreateMessageRequestParams, CreateMessageResult } from './types.js';

/**
 * Language models as handlers of `sampling/createMessage`.
 *
 * ```js
 * import { Client } from 'mcp-sampling';
 * import { anthropic } from 'mcp-sampling/providers';
 *
 * const client = new Client({ name: 'my-host', version: '1.0.0' }, { capabilities: { sampling: { tools: {} } } });
 * client.setRequestHandler('sampling/createMessage', anthropic({ apiKey: key, model: 'claude-opus-5-5' }));
 * ```
 *
 * They work in the official client as well. What of a request a provider does not get as it was written goes to
 * `onWarning`; docs/providers.md has the fate of each field. Every failure is an `SdkError`: `INVALID_SAMPLING_REQUEST`
 * for a request that breaks the specification, `INVALID_ARGUMENT` for wrong options, and `PROVIDER_ERROR` for the rest,
 * whose {@link ProviderErrorData} says what to do.
 */

/** What a model does besides text. */
export type Ability = 'tools' | 'image' | 'audio';

/** A model: give it to `setRequestHandler`, or call it. */
export interface Model {
  /**
   * @param request The request of the server; only its params are read.
   * @param context Goes to the callbacks as it is. If its `mcpReq.signal` aborts, so does the provider's request, and the
   *   promise rejects with the signal's reason.
   */
  (request: { params: CreateMessageRequestParams }, context?: ModelContext): Promise<CreateMessageResult>;
  /** As other clients, whose types are their own, call their handlers. */
  (request: { method: 'sampling/createMessage'; params: object }, context?: ModelContext): Promise<CreateMessageResult>;
  /** The provider's id of the model. */
  readonly name: string;
  /** The function that made it, as `anthropic`. */
  readonly provider: string;
  /** What requests can be built with. Whether this model of the provider understands it, the host may know better. */
  readonly abilities: Ability[];
  /** As in the options; `selectModel` of this package chooses by them. */
  readonly cost?: number;
  readonly speed?: number;
  readonly intelligence?: number;
}

/** What a handler is told besides the request. */
export interface ModelContext {
  mcpReq?: { signal?: AbortSignal };
}

/** Something new in a running answer, for showing it. The result does not depend on them. */
export type Delta =
  /** More text of the answer. A stop sequence is never in it. */
  | { type: 'text'; text: string }
  /** More of what the model thinks, where the provider shows it. */
  | { type: 'reasoning'; text: string }
  /** The model begins to call a tool; the index counts the calls of the answer. */
  | { type: 'toolUse'; index: number; name: string }
  /** More of the arguments of a call, as a piece of JSON text. */
  | { type: 'toolInput'; index: number; json: string }
  /** A stop sequence was found here: the answer is complete. Who reads the stream should cancel it. */
  | { type: 'stop' };

/** What an answer took, as Anthropic counts it: `input_tokens` without what came from the cache. */
export interface Usage {
  input_tokens?: number;
  output_tokens?: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
  /** The provider's own object. */
  raw?: unknown;
  [key: string]: unknown;
}

/** One field that the provider does not get as it was written. */
export interface BuildWarning {
  /** Which, as a JSON Pointer into the params. */
  path: string;
  /**
   * `dropped`: the provider does not get it. `changed`: it gets another form or value. `moved`: it gets it at a place where
   * it means less. `emulated`: this library does it in place of the provider, and nothing is lost.
   */
  code: 'dropped' | 'changed' | 'moved' | 'emulated';
  /** Why, in a sentence for people. */
  message: string;
}

/** The `data` of a `PROVIDER_ERROR`. */
export interface ProviderErrorData {
  provider: string;
  /**
   * The provider's own name for it, as `overloaded_error`, or ours: `unsupported` and `lossy` (found before anything was
   * sent; `path` says where), `network_error`, `redirect`, `http_error`, `stream_ended`, `invalid_reply`,
   * `invalid_tool_input`.
   */
  type: string;
  /** The HTTP status; null if there was none. */
  status: number | null;
  /** Trying again later can help. */
  retryable: boolean;
  /** How long the provider asks to wait; in pages only if it lets them see that. */
  retryAfterMs?: number;
  /** The provider's sentence. */
  message?: string;
  /** The field of the body that the provider complains of: `omit` may leave it out. */
  param?: string;
  /** A JSON Pointer into the params. */
  path?: string;
  [key: string]: unknown;
}

/** What a model allows, over the package's own table; see docs/providers.md. */
export interface ModelRules {
  temperature?: boolean;
  forcedToolUse?: boolean;
  thinkingCanBeOff?: boolean;
  prefill?: boolean;
  reasoning?: boolean;
  temperatureWithEffortNone?: boolean;
  stop?: boolean;
  toolsNeedEffortNone?: boolean;
  chat?: boolean;
  responses?: boolean;
  tools?: boolean;
  thoughtSignatures?: boolean;
  resultParts?: boolean;
  callIds?: boolean;
  systemInstruction?: boolean;
  wholeSchemas?: boolean;
  chatInputs?: boolean;
  images?: boolean;
  audio?: boolean;
  streams?: boolean;
  [rule: string]: boolean | undefined;
}

/** How to build a request. */
export interface BuildOptions {
  /** The provider's id of the model. */
  model: string;
  /** Ask for a stream. Default: true, as long answers time out otherwise. */
  stream?: boolean;
  /** Fail where a field would be dropped, changed or moved, in place of a warning. Default: false. */
  strict?: boolean;
  /**
   * Take requests that break rules of the SHOULD level, and split messages that mix tool results with other blocks, as
   * servers of 2025-11-25 send them. Default: false.
   */
  lenient?: boolean;
  /** Fields of the body to leave out, for a second try after a 400 that names one. */
  omit?: string[];
  /** What the model allows, where the package's table is wrong. */
  rules?: ModelRules;
  /** Fields to add to the body; they replace the package's own. */
  extraBody?: Record<string, unknown>;
  /** What the user says after a last message of the assistant, where the model does not continue one. */
  continuation?: string;
  /** Show images and audio of the assistant in the next message of the user. Default: false. */
  hoistAssistantMedia?: boolean;
  /** Make an answer without content one empty text, not `[]`. Default: false. */
  emptyText?: boolean;
}

/** What every model is made with. */
export interface ModelOptions extends BuildOptions {
  /** Told what is new in a running answer; a promise is waited for. What it throws ends the request. */
  onDelta?(delta: Delta, context: ModelContext | undefined): unknown;
  /** Told what an answer took, before it is returned. */
  onUsage?(usage: Usage, context: ModelContext | undefined): unknown;
  /** Told of every field that the provider does not get as it was written, before anything is sent. */
  onWarning?(warning: BuildWarning, context: ModelContext | undefined): unknown;
  /** What the model does besides text. Default: whatever requests can be built with. */
  abilities?: Ability[];
  /** For `selectModel`: 0 is free, 1 the dearest. */
  cost?: number;
  /** For `selectModel`: 1 is the fastest. */
  speed?: number;
  /** For `selectModel`: 1 is the most intelligent. */
  intelligence?: number;
}

/** What models are made with that are reached by `fetch`. */
export interface HttpOptions extends ModelOptions {
  /**
   * The key, or what gives it for each request. It is only ever put into the provider's header for it. Without one none is
   * sent, as local servers and one's own proxy want it. A key in a page can be read by whoever uses the page.
   */
  apiKey?: string | (() => string | undefined | Promise<string | undefined>);
  /** In place of the global `fetch`. */
  fetch?: typeof fetch;
  /** Where the API is, up to the path that differs from request to request. Default: the vendor's. */
  baseURL?: string | URL;
  /** Headers to add; they replace the package's own. */
  headers?: HeadersInit;
  /**
   * Send the request again where the provider answers 429, 503 or 529 and says when (`retry-after`). Default: never.
   */
  retry?: {
    /** How often it is sent at most, the first time included. Default: 3. */
    attempts?: number;
    /** The longest wait to accept, in milliseconds; if the provider asks for more, the error is thrown. Default: 60000. */
    maxDelayMs?: number;
  };
}

/** A request for a provider, without the key. */
export interface BuiltRequest {
  /** What comes after the base URL. */
  path: string;
  headers: Record<string, string>;
  /** JSON in UTF-8. */
  body: Uint8Array<ArrayBuffer>;
  warnings: BuildWarning[];
  /** What reading the reply needs. Plain JSON: it may be stored, and read by another isolate. */
  state: ProviderState;
}

/** What reading a reply needs to know of its request. */
export interface ProviderState {
  /** The version of this form. */
  v: number;
  provider: string;
  model: string;
  [key: string]: unknown;
}

/** Puts a stream together. */
export interface Accumulator {
  /** Takes the next bytes, cut anywhere, and tells what is new. Throws what {@link PureFunctions.parse} throws. */
  push(chunk: Uint8Array | ArrayBuffer | string): Delta[];
  /** True once nothing more is needed: the provider is done, or a stop sequence was found. */
  readonly isDone: boolean;
  /** The whole, once the stream has ended or {@link isDone} is true; only once. */
  finish(): CreateMessageResult;
}

/** For those who send requests by themselves. Nothing here does any I/O. */
export interface PureFunctions<Options> {
  /**
   * Builds a request.
   *
   * ```js
   * const { path, headers, body, state } = anthropic.build(params, { model: 'claude-opus-5-5', stream: false });
   * const reply = await fetch(`https://my.proxy${path}`, { method: 'POST', headers, body });
   * const result = anthropic.parse(await reply.arrayBuffer(), state, reply.status);
   * ```
   *
   * @param params The params of `sampling/createMessage`, as an object or as the JSON text or bytes of one.
   */
  build(params: CreateMessageRequestParams | Uint8Array | ArrayBuffer | string, options: Options): BuiltRequest;
  /** Reads a reply that came in one piece. Throws `PROVIDER_ERROR` for one that is an error, or is not what it should be. */
  parse(reply: Uint8Array | ArrayBuffer | string, state: ProviderState | string, status?: number): CreateMessageResult;
  /**
   * Reads a stream, piece by piece.
   *
   * ```js
   * const answer = anthropic.accumulator(state);
   * for await (const chunk of reply.body) for (const delta of answer.push(chunk)) show(delta);
   * const result = answer.finish();
   * ```
   */
  accumulator(state: ProviderState | string): Accumulator;
}

/** Makes models, and has the functions they are made of. */
export interface Provider<Options, Build = BuildOptions> extends PureFunctions<Build> {
  (options: Options): Model;
}

/** How to build for {@link anthropic}. */
export interface AnthropicBuildOptions extends BuildOptions {
  /** The version of the API. From `2026-10-21` on, it knows no `temperature`. Default: `2023-06-01`. */
  apiVersion?: '2023-06-01' | '2026-10-21' | (string & {});
}

/**
 * Anthropic's Messages API. From a page, it says that the page may call (`anthropic-dangerous-direct-browser-access`).
 *
 * ```js
 * anthropic({ apiKey: () => secrets.get('anthropic'), model: 'claude-opus-5-5', retry: { attempts: 3 } });
 * anthropic({ baseURL: 'https://my.proxy/anthropic', model: 'claude-haiku-5-5' }); // the proxy has the key
 * ```
 */
export const anthropic: Provider<HttpOptions & AnthropicBuildOptions, AnthropicBuildOptions>;

/** A server that speaks OpenAI's formats. */
export type OpenAIServer =
  | 'openai'
  | 'ollama'
  | 'lmstudio'
  | 'vllm'
  | 'llamacpp'
  | 'deepseek'
  | 'gemini'
  | 'webllm'
  | 'generic';

/** What a server takes, where it is none of {@link OpenAIServer}; see docs/providers.md. */
export interface OpenAIProfile {
  /** What holds for the flags that are not given. Default: `generic`. */
  base?: OpenAIServer;
  maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  systemRole?: 'system' | 'developer';
  contentAsString?: boolean;
  nullContent?: 'null' | 'empty' | 'omit';
  toolChoice?: 'full' | 'stringOnly' | 'ignored';
  streamUsage?: boolean;
  images?: boolean;
  audio?: boolean;
  metadata?: boolean;
  stopMax?: number;
  reasoningField?: 'reasoning_content' | 'reasoning' | null;
}

/** How to build for {@link openai} and {@link openaiResponses}. */
export interface OpenAIBuildOptions extends BuildOptions {
  /** Which server it is; it also says where, for all but `generic` and `webllm`. Default: `openai`. */
  profile?: OpenAIServer | OpenAIProfile;
}

/**
 * OpenAI's Chat Completions, and every server that speaks them.
 *
 * ```js
 * openai({ apiKey, model: 'gpt-5' });
 * openai({ profile: 'ollama', model: 'qwen3:8b' });
 * openai({ profile: 'generic', baseURL: 'https://llm.example/v1', model: 'some-model' });
 * ```
 */
export const openai: Provider<HttpOptions & OpenAIBuildOptions, OpenAIBuildOptions>;

/** OpenAI's Responses API. */
export const openaiResponses: Provider<HttpOptions & OpenAIBuildOptions, OpenAIBuildOptions>;

/** Google's Gemini API. */
export const gemini: Provider<HttpOptions>;

/** How to build for {@link workersAI}. */
export interface WorkersAIBuildOptions extends BuildOptions {
  /** `run`, or the endpoint that is made like OpenAI's, which a binding does not have. Default: `run`. */
  profile?: 'run' | 'openai';
}

/** What {@link workersAI} models are made with: the binding, or an account with a token (`apiKey`). */
export interface WorkersAIOptions extends HttpOptions, WorkersAIBuildOptions {
  /** The binding, `env.AI`. */
  ai?: { run(model: any, inputs: any, options?: any): Promise<any> };
  /** With the binding: through which AI Gateway. */
  gateway?: { id: string; [option: string]: unknown };
  /** Without the binding: whose account. A page must not have its token. */
  accountId?: string;
}

/**
 * Cloudflare Workers AI.
 *
 * ```js
 * workersAI({ ai: env.AI, model: '@cf/moonshotai/kimi-k2.7-code' });
 * ```
 */
export const workersAI: Provider<WorkersAIOptions, WorkersAIBuildOptions>;

/** How to build for {@link promptApi}; `model` is only what the result says. Default: `prompt-api`. */
export type PromptApiBuildOptions = Omit<BuildOptions, 'model'> & { model?: string };

/** What {@link promptApi} models are made with. They always stream. */
export interface PromptApiOptions extends Omit<ModelOptions, 'model' | 'stream'> {
  model?: string;
  /** In place of the page's `LanguageModel`. */
  LanguageModel?: { create(options?: any): Promise<any> };
  /** Told of the download of the model; see `LanguageModel.create`. */
  monitor?(monitor: any): void;
}

/**
 * The browser's own model, by the Prompt API: pages only, and only some browsers. Downloading the model takes a gesture of
 * the person in front. Tools and `maxTokens` are done here, as the API has neither in a form that MCP could use.
 *
 * ```js
 * if (await LanguageModel.availability() !== 'unavailable') models.push(promptApi());
 * ```
 */
export const promptApi: PureFunctions<PromptApiBuildOptions> & ((options?: PromptApiOptions) => Model);

/** The part of WebLLM's engine that is used. */
export interface WebLLMEngine {
  chat: { completions: { create(request: any): Promise<any> } };
  interruptGenerate(): unknown;
}

/**
 * A model that runs in the page, by `@mlc-ai/web-llm`. Always streams.
 *
 * ```js
 * const model = 'Hermes-3-Llama-3.1-8B-q4f16_1-MLC'; // one of the few that take tools
 * webllm({ engine: await CreateMLCEngine(model), model });
 * ```
 */
export const webllm: Provider<Omit<ModelOptions, 'stream'> & { engine: WebLLMEngine }>;
