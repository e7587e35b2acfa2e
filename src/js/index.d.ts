import type { InputMethod, RequestHandler } from './handlers.js';
import type { PriorDiscovery, SendFunction, StreamableHTTPClientTransport, Transport } from './transports.js';
import type { CreateMessageRequestParams, CreateMessageResult, Finding, ModelPreferences } from './types.js';

export * from './handlers.js';
export * from './transports.js';
export * from './types.js';

/** Name and version of a program. Specification: basic, `Implementation`. */
export interface Implementation {
  name: string;
  version: string;
  title?: string;
  [key: string]: unknown;
}

/**
 * What the client can answer. Specification: `ClientCapabilities`.
 *
 * A capability that is not named here is declared as soon as a handler for it is registered, in its plain form; tools
 * and context in sampling and URL mode in elicitation are only declared if they are named.
 */
export interface ClientCapabilities {
  sampling?: { tools?: object; context?: object };
  elicitation?: { form?: object; url?: object };
  roots?: object;
  [key: string]: unknown;
}

/** Options of {@link Client}. */
export interface ClientOptions {
  /** What to declare. Default: what handlers are registered for. */
  capabilities?: ClientCapabilities;
  /** How client and server agree on a protocol revision. Specification: basic/versioning. */
  versionNegotiation?: {
    /**
     * `auto` speaks 2026-07-28 with servers that know it, and opens a session of 2025 with all others; `legacy` only
     * does the latter; `{ pin }` takes this revision and no other. Default: `auto`.
     */
    mode?: 'auto' | 'legacy' | { pin: '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28' };
    /** The first question, `server/discover`. */
    probe?: {
      /** How long to wait for its answer, in milliseconds. Over a channel, silence means a server of 2025. Default: 60000. */
      timeoutMs?: number;
      /** How often to ask again when there is none. Default: 0. */
      maxRetries?: number;
    };
  };
  /**
   * Send arguments that tools mark with `x-mcp-header` as `Mcp-Param-*` headers too, which revision 2026-07-28 demands
   * over HTTP. Default: true, except in a page or worker of a browser that calls a server of another origin: there the
   * server must allow each of these headers by name (CORS), and calls to servers that do not would fail.
   * Specification: basic/transports/streamable-http.
   */
  mirrorToolHeaders?: boolean;
  /** How requests for input are fulfilled. Specification: basic/patterns/mrtr. */
  inputRequired?: {
    /** Call the registered handlers and send the call again with their answers. Default: true. */
    autoFulfill?: boolean;
    /** How often a call is sent again at most; the first time is not counted. Default: 10. */
    maxRounds?: number;
    /** How many requests the server may put into one round. Default: 64. */
    maxRequestsPerRound?: number;
    /** How long the handlers of one round may take, in milliseconds. Default: no limit. */
    handlerTimeoutMs?: number;
  };
  /** Let SHOULD-level and advice-level sampling rules warn only. Default: false. */
  lenient?: boolean;
  /** Refuse results without `resultType`, which revision 2026-07-28 demands. Default: false, with a warning. */
  strictResultType?: boolean;
  /** Told of what was let pass or dropped. */
  onWarning?(warning: Warning): void;
}

/** Something that was let pass or dropped. */
export interface Warning {
  /** The stable name of the rule. */
  code: string;
  /** A sentence for people. */
  message: string;
  /** A JSON Pointer into the request it is about. */
  path?: string;
  /** The server's key of that request. */
  key?: string;
}

/** Options of one call. */
export interface RequestOptions {
  /** Aborting it rejects the call with the signal's own reason. */
  signal?: AbortSignal;
  /** How long one leg may be on the wire, in milliseconds; handlers do not count. Default: 60000. */
  timeout?: number;
  /** How long everything together may take, in milliseconds. Default: no limit. */
  maxTotalTimeout?: number;
  /** Start the leg's clock anew whenever the server reports progress. Default: false. */
  resetTimeoutOnProgress?: boolean;
  /** Told of the server's progress, and of nothing else. */
  onprogress?(progress: Progress): void;
  /** Told of every step of the call: what a person watching it wants to see. */
  onround?(event: RoundEvent): void;
  /** Return a request for input as it came, in place of fulfilling it. Default: false. */
  allowInputRequired?: boolean;
  /**
   * Given a checkpoint after each answered round, before the next leg leaves, and awaited: store it, and
   * {@link Client.resumeCall} goes on from there, in another process or isolate if need be.
   */
  oncheckpoint?(checkpoint: CallCheckpoint): void | Promise<void>;
  /** Headers for each leg of this call; those of the protocol cannot be replaced. */
  headers?: Record<string, string> | Headers | [string, string][];
}

/** Options of {@link Client.callTool}. */
export interface CallToolRequestOptions extends RequestOptions {
  /**
   * The tool as `tools/list` gives it, if it was not listed by this client: it says which arguments go out as headers. The
   * client finds that out by itself when the server asks for them, which takes two requests more.
   */
  toolDefinition?: ServerTool;
}

/** Options of {@link Client.connect}. */
export interface ConnectOptions extends RequestOptions {
  /** What {@link Client.getPriorDiscovery} gave on an earlier connection to the same server: saves the first question. */
  prior?: PriorDiscovery;
}

/**
 * A call between two legs, as plain JSON: store it as it is and hand it to {@link Client.resumeCall}. Members that end
 * in `Json` are JSON texts, kept byte for byte.
 */
export interface CallCheckpoint {
  version: 1;
  method: string;
  paramsJson?: string;
  /** The round it belongs to, from 1. */
  round: number;
  /** The JSON-RPC id of the leg that was sent last. */
  lastId: number;
  /** What the server asked; those with a `resultJson` have been answered. */
  requests: { method: InputMethod; key: string; paramsJson?: string; resultJson?: string }[];
  requestStateJson?: string;
  /** Tells a checkpoint that was changed by hand. */
  checksum: string;
}

/** The server's progress. Specification: basic/patterns/progress. */
export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/** One step of a call. */
export interface RoundEvent {
  /**
   * `sent`: the first leg left. `asked`: a request was handed to its handler. `answered`: its answer is good.
   * `declined`: a person or policy said no. `waiting`: the server wants to be asked again after a pause.
   * `retried`: a further leg left. `done` and `failed`: the call is over.
   */
  type: 'sent' | 'asked' | 'answered' | 'declined' | 'waiting' | 'retried' | 'done' | 'failed';
  /** 0 until the server asks for input, then 1, 2, … */
  round: number;
  /** The leg that was sent last, from 1. */
  leg: number;
  /** Milliseconds since the call began. */
  timeMs: number;
  /** The server's key of the request. */
  key?: string;
  /** The method of the request. */
  method?: InputMethod;
  /** Size in bytes of JSON: of the leg sent, the request asked, the answer given, the result. */
  bytes?: number;
}

/** A result with whatever members its method has. */
export interface Result {
  _meta?: Record<string, unknown>;
  [key: string]: unknown;
}

/** What a tool returned. Specification: server/tools. */
export interface CallToolResult extends Result {
  content: { type: string; text?: string; [key: string]: unknown }[];
  structuredContent?: unknown;
  isError?: boolean;
}

/** A tool of the server; its schemas as the server wrote them. Specification: server/tools. */
export interface ServerTool {
  name: string;
  description?: string;
  inputSchema: { type: 'object'; [key: string]: unknown };
  [key: string]: unknown;
}

/**
 * An MCP client that answers what servers ask in the middle of a call.
 *
 * ```js
 * const client = new Client({ name: 'my-host', version: '1.0.0' });
 * client.setRequestHandler('sampling/createMessage', async ({ params }) => myModel(params));
 * await client.connect('https://example.com/mcp');
 * const result = await client.callTool({ name: 'summarize', arguments: { text } });
 * ```
 *
 * Every promise rejects with an {@link SdkError}, a {@link ProtocolError} for errors the server sent, or the abort
 * signal's own reason. The client stays usable for the next call.
 */
export class Client {
  constructor(info: Implementation, options?: ClientOptions);

  /** Called after {@link Client.close}. */
  onclose?: () => void;
  /** Told what a callback of the host threw where nobody else would see it. */
  onerror?: (error: unknown) => void;

  /**
   * Agrees with the server on a protocol revision. Rejects when it cannot be reached, wants authorization or speaks no
   * revision that this client speaks; it may then be called again.
   */
  connect(
    transport: StreamableHTTPClientTransport | Transport | SendFunction | URL | string,
    options?: ConnectOptions,
  ): Promise<void>;
  /** Ends the connection. Calls under way reject with `CONNECTION_CLOSED`. */
  close(): Promise<void>;

  /** Registers what answers the server's requests of this method, and declares the capability for it. */
  setRequestHandler<M extends InputMethod>(method: M, handler: RequestHandler<M>): void;
  /** Takes a handler away, and its capability with it. */
  removeRequestHandler(method: InputMethod): void;
  /** Registers what is called with the server's notifications of this method. */
  setNotificationHandler(method: string, handler: (notification: { method: string; params?: unknown }) => void): void;
  /** Takes a notification handler away. */
  removeNotificationHandler(method: string): void;

  /** Calls a tool, answering what the server asks until the result is there. Specification: server/tools. */
  callTool(
    params: { name: string; arguments?: object; _meta?: object },
    options?: CallToolRequestOptions,
  ): Promise<CallToolResult>;
  /** Gets a prompt. Specification: server/prompts. */
  getPrompt(params: { name: string; arguments?: Record<string, string>; _meta?: object }, options?: RequestOptions): Promise<Result>;
  /** Reads a resource. Specification: server/resources. */
  readResource(params: { uri: string; _meta?: object }, options?: RequestOptions): Promise<Result>;
  /** Asks for completions of an argument. Specification: server/utilities/completion. */
  complete(params: object, options?: RequestOptions): Promise<Result>;
  /** Lists tools: all pages without a cursor, one page with it. */
  listTools(params?: { cursor?: string; _meta?: object }, options?: RequestOptions): Promise<Result & { tools: ServerTool[] }>;
  /** Lists prompts: all pages without a cursor, one page with it. */
  listPrompts(params?: { cursor?: string; _meta?: object }, options?: RequestOptions): Promise<Result & { prompts: object[] }>;
  /** Lists resources: all pages without a cursor, one page with it. */
  listResources(params?: { cursor?: string; _meta?: object }, options?: RequestOptions): Promise<Result & { resources: object[] }>;
  /** Lists resource templates: all pages without a cursor, one page with it. */
  listResourceTemplates(
    params?: { cursor?: string; _meta?: object },
    options?: RequestOptions,
  ): Promise<Result & { resourceTemplates: object[] }>;
  /**
   * Goes on with a call from its checkpoint, on this client or any other that is connected to the same server. What was
   * answered is not asked again. Rejects with `INVALID_CHECKPOINT` if it is of another version or was changed.
   */
  resumeCall(checkpoint: CallCheckpoint, options?: RequestOptions): Promise<unknown>;
  /** Sends any other request. */
  request(request: { method: string; params?: object }, options?: RequestOptions): Promise<Result>;

  /** The server's capabilities; undefined until connected. */
  getServerCapabilities(): Record<string, unknown> | undefined;
  /** The server's name and version, if it says. */
  getServerVersion(): Implementation | undefined;
  /** The server's instructions for models, if it has any. */
  getInstructions(): string | undefined;
  /** The protocol revision in use; undefined until connected. */
  getNegotiatedProtocolVersion(): string | undefined;
  /** `modern` for 2026-07-28, `legacy` for a session of 2025; undefined until connected. */
  getProtocolEra(): 'modern' | 'legacy' | undefined;
  /** What is known of the server now, for the `prior` of a later {@link Client.connect}; undefined until connected. */
  getPriorDiscovery(): PriorDiscovery | undefined;
  /** The server's answer to `server/discover`; undefined in a session of 2025. */
  getDiscoverResult(): { supportedVersions: string[]; capabilities: object; [key: string]: unknown } | undefined;
  /** Asks a server of 2025 whether it is there. Rejects with `METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION` for others. */
  ping(options?: RequestOptions): Promise<Result>;
  /** Tells a server of 2025 what to log. Rejects with `METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION` for others. */
  setLoggingLevel(level: string, options?: RequestOptions): Promise<Result>;
}

/** What a local failure says for programs. */
export interface ErrorData {
  method?: string;
  key?: string;
  findings?: { errors: Finding[]; warnings: Finding[] };
  [key: string]: unknown;
}

/** A failure that was found here. `instanceof` holds across copies of this package and the official client. */
export class SdkError extends Error {
  constructor(code: string, message: string, data?: ErrorData, options?: { cause?: unknown });
  static isInstance(value: unknown): value is SdkError;
  /** Stable: see docs/errors.md. */
  readonly code: string;
  readonly data?: ErrorData;
  /** What a handler threw, or why the network failed. */
  readonly cause?: unknown;
  /** Where the call can be resumed, if it had come to a round. */
  checkpoint?: CallCheckpoint;
}

/** An HTTP status that carries no reply. */
export class SdkHttpError extends SdkError {
  static isInstance(value: unknown): value is SdkHttpError;
  readonly status: number;
  readonly statusText?: string;
}

/** A JSON-RPC error that the server sent. */
export class ProtocolError extends Error {
  constructor(code: number, message: string, data?: unknown);
  static isInstance(value: unknown): value is ProtocolError;
  readonly code: number;
  readonly data?: unknown;
  /** Where the call can be resumed, if it had come to a round. */
  checkpoint?: CallCheckpoint;
}

/** How {@link validateRequest} and {@link validateResult} check. */
export interface ValidateOptions {
  /** What the client declares. Default: plain sampling, without tools and context. */
  capabilities?: ClientCapabilities;
  /** The revision whose rules hold. Default: 2026-07-28. */
  protocolVersion?: '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28';
  /** Let SHOULD-level and advice-level rules warn only. Default: false. */
  lenient?: boolean;
}

/** What was found: reasons to refuse, and reasons to look twice. */
export interface Findings {
  errors: Finding[];
  warnings: Finding[];
}

/**
 * Checks a sampling request, given as an object, as its JSON text or as the bytes of that, against every rule of the specification.
 *
 * ```js
 * const { errors } = validateRequest({ messages: [], maxTokens: 100 });
 * errors[0].path; // '/messages'
 * ```
 */
export function validateRequest(params: unknown, options?: ValidateOptions): Findings;

/** Checks a sampling result against every rule, given the request it answers; each as an object, as JSON text or as bytes. */
export function validateResult(result: unknown, params: unknown, options?: ValidateOptions): Findings;

/** A model that the host has. Scores are from 0 to 1; a score left out counts as 0. */
export interface ModelEntry {
  name: string;
  /** 0 is free, 1 the dearest. */
  cost?: number;
  /** 1 is the fastest. */
  speed?: number;
  /** 1 is the most intelligent. */
  intelligence?: number;
  /** What it does besides text. */
  abilities?: ('tools' | 'image' | 'audio')[];
}

/**
 * Chooses a model by a server's preferences: hints first, in order, as parts of names whatever their case; then the
 * weighted priorities. Given the request's params, models that cannot do what it needs are out. The same input gives
 * the same choice everywhere. Specification: client/sampling, "Model Preferences".
 *
 * @returns The choice and why; undefined if no model will do.
 */
export function selectModel<E extends ModelEntry>(
  preferences: ModelPreferences | undefined,
  catalogue: readonly E[],
  params?: CreateMessageRequestParams,
): { name: string; reason: string; entry: E } | undefined;

/** Tells a request for input from a finished result, where `allowInputRequired` lets both through. */
export function isInputRequiredResult(result: unknown): result is {
  resultType: 'input_required';
  inputRequests?: Record<string, { method: InputMethod; params?: object }>;
  requestState?: string;
};
