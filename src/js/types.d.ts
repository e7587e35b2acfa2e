/**
 * The sampling model: what a server asks a client's language model, and what the model answers.
 *
 * Plain JSON values, named as in the schema of the Model Context Protocol, revision 2026-07-28. Members that a type does
 * not name are kept and never an error, so every type is open. Optional members are left out, never `null`.
 *
 * Sampling is deprecated in 2026-07-28 (SEP-2577) and stays in the specification for at least twelve months.
 */

/** A JSON value. Whole numbers beyond 2^53 lose digits in JavaScript; this library passes the text on as it was sent. */
export type JSONValue = string | number | boolean | null | JSONValue[] | JSONObject;

/** A JSON object. */
export interface JSONObject {
  [key: string]: JSONValue;
}

/** Metadata; keys carry a prefix, as `example.com/key`. Spec: basic, `_meta`. */
export interface MetaObject {
  [key: string]: unknown;
}

/** Who speaks: the server on behalf of a person, or the model. Spec: schema, Role. */
export type Role = 'user' | 'assistant';

/** Hints on how to use a block. Spec: schema, Annotations. */
export interface Annotations {
  [key: string]: unknown;
  /** For whom it is. Default: everyone. */
  audience?: Role[];
  /** Its weight, from 0 (optional) to 1 (required). */
  priority?: number;
  /** When it was last changed, in ISO 8601, as `2025-05-03T14:30:00Z`. Since 2025-06-18. */
  lastModified?: string;
}

/** A picture for a tool or resource. Spec: schema, Icon. Since 2025-11-25. */
export interface Icon {
  [key: string]: unknown;
  /** An `https:` or `data:` URI. */
  src: string;
  /** Its media type, where that of the source is missing or too broad. */
  mimeType?: string;
  /** Its sizes, as `48x48`, or `any` for scalable ones. Default: any size. */
  sizes?: string[];
  /** The background it is made for. Default: both. */
  theme?: 'light' | 'dark';
}

/** Text. Spec: schema, TextContent. */
export interface TextContent {
  [key: string]: unknown;
  type: 'text';
  text: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

/** An image. Spec: schema, ImageContent. */
export interface ImageContent {
  [key: string]: unknown;
  type: 'image';
  /** The bytes in base64, in the standard alphabet. */
  data: string;
  /** The media type, as `image/png`. */
  mimeType: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

/** Sound. Spec: schema, AudioContent. */
export interface AudioContent {
  [key: string]: unknown;
  type: 'audio';
  /** The bytes in base64, in the standard alphabet. */
  data: string;
  /** The media type, as `audio/wav`. */
  mimeType: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

/** The model wants a tool called. Only in messages of the assistant. Spec: schema, ToolUseContent. Since 2025-11-25. */
export interface ToolUseContent {
  [key: string]: unknown;
  type: 'tool_use';
  /** Names this use within its message; the result refers to it. */
  id: string;
  /** One of the tools of the request. */
  name: string;
  /** The arguments. */
  input: { [key: string]: unknown };
  /** To be kept in later requests: providers find their caches by it. */
  _meta?: MetaObject;
}

/**
 * What a tool answered. Only in messages of the user that hold nothing else, right after the message with the use.
 * Spec: schema, ToolResultContent. Since 2025-11-25.
 */
export interface ToolResultContent {
  [key: string]: unknown;
  type: 'tool_result';
  /** The use that this answers. */
  toolUseId: string;
  /** May be empty. */
  content: ContentBlock[];
  /** The result as data: any JSON value; before 2026-07-28 an object. */
  structuredContent?: unknown;
  /** The tool failed, and `content` says how. Default: false. */
  isError?: boolean;
  /** To be kept in later requests: providers find their caches by it. */
  _meta?: MetaObject;
}

/** Something the server can be asked to read. Spec: schema, ResourceLink. */
export interface ResourceLink {
  [key: string]: unknown;
  type: 'resource_link';
  uri: string;
  /** Its name for programs, and for people where there is no `title`. */
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  /** In bytes, before any encoding. */
  size?: number;
  icons?: Icon[];
  annotations?: Annotations;
  _meta?: MetaObject;
}

/** Text of a resource. Spec: schema, TextResourceContents. */
export interface TextResourceContents {
  [key: string]: unknown;
  uri: string;
  mimeType?: string;
  text: string;
  _meta?: MetaObject;
}

/** Bytes of a resource. Spec: schema, BlobResourceContents. */
export interface BlobResourceContents {
  [key: string]: unknown;
  uri: string;
  mimeType?: string;
  /** The bytes in base64, in the standard alphabet. */
  blob: string;
  _meta?: MetaObject;
}

/** Something read, sent along. Spec: schema, EmbeddedResource. */
export interface EmbeddedResource {
  [key: string]: unknown;
  type: 'resource';
  resource: TextResourceContents | BlobResourceContents;
  annotations?: Annotations;
  _meta?: MetaObject;
}

/** What a tool result may hold. Spec: schema, ContentBlock. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/** What a message may hold. Before 2025-11-25 only the first three. Spec: schema, SamplingMessageContentBlock. */
export type SamplingMessageContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent;

/** One message of the history. Spec: client/sampling, Message Content Constraints. */
export interface SamplingMessage {
  [key: string]: unknown;
  role: Role;
  /** One block or several; both mean the same. Before 2025-11-25 one block. */
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  _meta?: MetaObject;
}

/** Hints on what a tool does; not to be trusted. Spec: schema, ToolAnnotations. */
export interface ToolAnnotations {
  [key: string]: unknown;
  /** Its name for people; the `title` of the tool comes first. */
  title?: string;
  /** It changes nothing. Default: false. */
  readOnlyHint?: boolean;
  /** It may destroy something. Default: true. */
  destructiveHint?: boolean;
  /** Calling it again with the same arguments changes nothing more. Default: false. */
  idempotentHint?: boolean;
  /** It reaches the outside world. Default: true. */
  openWorldHint?: boolean;
}

/** A tool that the model may use in this one request. Spec: schema, Tool. */
export interface Tool {
  [key: string]: unknown;
  /** Its name for programs and the model. */
  name: string;
  /** Its name for people. */
  title?: string;
  description?: string;
  /** The JSON Schema of its arguments; 2020-12 unless `$schema` says otherwise. Passed on untouched. */
  inputSchema: {
    [key: string]: unknown;
    type: 'object';
    $schema?: string;
    properties?: JSONObject;
    required?: string[];
  };
  /** The JSON Schema of its structured result. Before 2026-07-28 of `type` object. */
  outputSchema?: { [key: string]: unknown; $schema?: string };
  annotations?: ToolAnnotations;
  icons?: Icon[];
  _meta?: MetaObject;
}

/** How the model chooses among the tools. Spec: client/sampling, Tool Choice Modes. */
export interface ToolChoice {
  [key: string]: unknown;
  /** The model decides, must use one, or must not. Default: `auto`. */
  mode?: 'auto' | 'required' | 'none';
}

/** A part of a model's name. Spec: schema, ModelHint. */
export interface ModelHint {
  [key: string]: unknown;
  /** As `claude-3-sonnet`, or just `sonnet`. */
  name?: string;
}

/** Which model the server would like; always advice. Spec: client/sampling, Model Preferences. */
export interface ModelPreferences {
  [key: string]: unknown;
  /** The most wanted first; they come before the priorities. */
  hints?: ModelHint[];
  /** How much low cost matters, from 0 to 1. */
  costPriority?: number;
  /** How much speed matters, from 0 to 1. */
  speedPriority?: number;
  /** How much intelligence matters, from 0 to 1. */
  intelligencePriority?: number;
}

/** What a server asks of a model. Spec: schema, CreateMessageRequestParams. */
export interface CreateMessageRequestParams {
  [key: string]: unknown;
  /** The history, oldest first. */
  messages: SamplingMessage[];
  modelPreferences?: ModelPreferences;
  /** The client may change it or leave it out. */
  systemPrompt?: string;
  /** Whose context to add. The client may ignore it. Default: `none`; the others are deprecated since 2026-07-28. */
  includeContext?: 'none' | 'thisServer' | 'allServers';
  /** How freely the model chooses its words; the range is the provider's. */
  temperature?: number;
  /** The most tokens to sample; fewer is allowed. */
  maxTokens: number;
  /** Texts that end the answer. */
  stopSequences?: string[];
  /** Passed on to the provider. */
  metadata?: JSONObject;
  /** Only for clients that declared `sampling.tools`. Since 2025-11-25. */
  tools?: Tool[];
  /** Only for clients that declared `sampling.tools`. Default: `{ mode: 'auto' }`. Since 2025-11-25. */
  toolChoice?: ToolChoice;
  _meta?: MetaObject;
}

/** A request to sample. Spec: schema, CreateMessageRequest. */
export interface CreateMessageRequest {
  method: 'sampling/createMessage';
  params: CreateMessageRequestParams;
}

/** Why the model stopped: one of the schema's words, or one of the provider's. Spec: schema, CreateMessageResult. */
export type StopReason = 'endTurn' | 'stopSequence' | 'maxTokens' | 'toolUse' | (string & {});

/** What the model answered. Spec: schema, CreateMessageResult. */
export interface CreateMessageResult {
  [key: string]: unknown;
  /** `assistant`. */
  role: Role;
  /** Before 2025-11-25 one text, image or audio block. */
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  /** The model that was really used. */
  model: string;
  /** `toolUse` if, and only if, the content has a tool use. */
  stopReason?: StopReason;
  /** `usage.outputTokens` or `usage.output_tokens`, this library's own, tells how many tokens the answer took. */
  _meta?: MetaObject;
}

/** One broken rule at one place. */
export interface Finding {
  /** The JSON-RPC code for an answer to a pushed request: -32602. */
  code: number;
  /** The name of the rule, in kebab case, as `results-alone`. Names stay. */
  rule: string;
  /** Where, as a JSON Pointer (RFC 6901) into the params or the result; `''` is the whole. */
  path: string;
  /** A sentence for people. It quotes no prompt. */
  message: string;
}
