// Which types of the vendors hold for what we send and for what the tests let vendors answer, and where they do not.

/**
 * @typedef {object} Vendor
 * @property {string} imports what the generated file begins with
 * @property {(options: object) => string} body the type of a body that was built with these options
 * @property {string} [reply] the type of a whole reply
 * @property {string} [event] the type of an event
 * @property {Difference[]} differences
 * @property {Record<string, string[]>} [unlike] cases of the core's tables whose answers the types do not allow, by why
 *   they are tested all the same
 *
 * @typedef {object} Difference what the vendor's types do not know, and why it is sent or answered all the same
 * @property {string} why
 * @property {(value: object, kind: 'body' | 'reply' | 'event', options: object) => boolean | void} mend takes it out;
 *   true if there is nothing left to compare
 */

const JSON_OF = `
// Enumerations are their texts in JSON, and what only the SDK computes is not there.
type Json<T> = T extends string ? \`\${T}\` : T extends (...args: any[]) => any ? never : T extends object ? { [K in keyof T]: Json<T[K]> } : T;`;

/** Takes members out of an object. */
const without = (object, ...names) => names.forEach((name) => delete object?.[name]);

const each = (list, change) => (Array.isArray(list) ? list.forEach(change) : undefined);

const OLDER = /llama-/;

/** @type {Record<string, Vendor>} */
export const VENDOR_TYPES = {
  anthropic: {
    imports: "import type Anthropic from '@anthropic-ai/sdk';",
    body: () => 'Anthropic.MessageCreateParams',
    reply: 'Anthropic.Message',
    event: 'Anthropic.RawMessageStreamEvent',
    differences: [
      { why: 'the types are those of API version 2026-10-21, which dropped the sampling parameters', mend: (body) => without(body, 'temperature') },
      { why: 'the SDK drops keep-alives before it gives events their type', mend: (event) => event.type === 'ping' },
    ],
    unlike: { 'what the types may have tomorrow': ['a reason of tomorrow', 'events of tomorrow'] },
  },
  openai: {
    imports: "import type OpenAI from 'openai';",
    body: () => 'OpenAI.ChatCompletionCreateParams',
    reply: 'OpenAI.ChatCompletion',
    event: 'OpenAI.ChatCompletionChunk',
    differences: [
      {
        why: "reasoning and signatures return to servers that are not OpenAI's in members that OpenAI does not have",
        mend: ({ messages = [], choices = [] }) =>
          each([...messages, ...choices.map(({ message, delta }) => message ?? delta)], (message) => {
            without(message, 'reasoning_content', 'reasoning');
            each(message.tool_calls, (call) => without(call, 'extra_content'));
          }),
      },
    ],
    unlike: {
      'servers that are made like the vendor say it otherwise': [
        'a message in place of a delta',
        'arguments as an object',
        'azure begins with no choice',
        'nulls in the last fragment',
        'a reason of another server',
        'an abort',
        'arguments that are blank, null, an object',
        'model_length',
        'no ids, repeated ids',
        'no reason',
        'no usage',
        'parts in place of a text',
        'webllm: interrupted calls',
      ],
    },
  },
  openaiResponses: {
    imports: "import type OpenAI from 'openai';",
    body: () => 'OpenAI.Responses.ResponseCreateParams',
    reply: 'OpenAI.Responses.Response',
    event: 'OpenAI.Responses.ResponseStreamEvent',
    differences: [
      {
        why: 'the SDK computes output_text, and the vendor sends it not',
        mend: (value, kind) => void (kind === 'body' || Object.assign(kind === 'reply' ? value : (value.response ?? {}), { output_text: '' })),
      },
      {
        why: 'the vendor fills events up to one length, and has no usage before the end',
        mend: (value) => void (without(value, 'obfuscation'), value.response?.usage === null && without(value.response, 'usage')),
      },
    ],
    unlike: {
      'what the types may have tomorrow': ['a reason of tomorrow', 'events of tomorrow'],
      'proxies say it otherwise': ['the end with null for items'],
    },
  },
  gemini: {
    imports: `import type { Content, GenerateContentResponse, GenerationConfig, Tool, ToolConfig } from '@google/genai';
${JSON_OF}
// The SDK has no type for the body itself, only for its parts.
type Body = Json<{ contents: Content[]; systemInstruction?: Content; generationConfig?: GenerationConfig; tools?: Tool[]; toolConfig?: ToolConfig }>;
type Reply = Json<Pick<GenerateContentResponse, 'candidates' | 'promptFeedback' | 'usageMetadata' | 'modelVersion' | 'responseId' | 'createTime'>>;`,
    body: () => 'Body',
    reply: 'Reply',
    event: 'Reply',
    differences: [],
    unlike: {
      'what the types may have tomorrow': ['a reason of tomorrow', 'a reason of tomorrow beside a call', 'a tool of the server'],
      'the vendor says it otherwise at times': ['a call without arguments', 'a list of chunks'],
    },
  },
  workersAI: {
    imports: `import type { AiModels, AiTextGenerationOutput, AiTextGenerationToolLegacyOutput, AiTextGenerationToolOutput, ChatCompletionsMessagesInput, ChatCompletionsOutput } from '@cloudflare/workers-types';
// The vendor's type of the calls is an intersection of two lists, which no list is.
type Older = Omit<AiTextGenerationOutput, 'tool_calls'> & { tool_calls?: AiTextGenerationToolLegacyOutput[] | AiTextGenerationToolOutput[] };
type Answer = ChatCompletionsOutput | Older;
type Reply = Answer | { result: Answer; success: boolean; errors: unknown[]; messages: unknown[] };
type Inputs<M extends string> = M extends keyof AiModels ? AiModels[M]['inputs'] : ChatCompletionsMessagesInput;`,
    body: ({ model, profile, rules }) => (profile === 'openai' || rules?.chatInputs ? 'ChatCompletionsMessagesInput' : `Inputs<${JSON.stringify(model)}>`),
    reply: 'Reply',
    differences: [
      {
        why: 'the types have no place for the reasoning of the history, which prompt templates read',
        mend: ({ messages, choices }) => each(messages ?? choices?.map(({ message }) => message), (message) => without(message, 'reasoning', 'reasoning_content')),
      },
      {
        why: 'those of older models know calls and results neither, which the vendor documents and its own provider sends',
        mend: (body, kind, { model }) => OLDER.test(model) && each(body.messages, (message) => without(message, 'tool_calls', 'tool_call_id', 'name')),
      },
      {
        why: 'and they show one level of the schema of a tool, where any is taken',
        mend: (body, kind, { model }) => OLDER.test(model) && each(body.tools, (tool) => void (tool.function.parameters = { type: 'object', properties: {} })),
      },
      {
        why: 'a host may say that an older model sees images, or takes newer inputs',
        mend: (body, kind, { rules }) => rules?.images,
      },
    ],
    unlike: {
      'models of the vendor say it otherwise': [
        'chat: a list of calls that is null',
        'chat: arguments as an object',
        'chat: call without a function',
        'chat: length of the model',
        'chat: no reason',
        'chat: other',
        'chat: parts',
        'chat: unknown',
        'forced: call in a response that is an object',
        'native: a list',
        'native: a number',
        'native: a reason',
        'native: an object',
        'native: calls with a function',
        'native: null',
        'wrapped: a text',
      ],
      'beside calls, the response is null': ['native: arguments as a text', 'native: calls alone', 'native: ids that were there before', 'native: name that was changed', 'native: no arguments'],
    },
  },
  promptApi: {
    imports: `/// <reference types="dom-chromium-ai" />
declare const blob: Blob;
interface Body { create: LanguageModelCreateOptions; prompt: LanguageModelPrompt; options: LanguageModelPromptOptions }`,
    body: () => 'Body',
    differences: [],
  },
  webllm: {
    imports: "import type { ChatCompletion, ChatCompletionChunk, ChatCompletionRequest } from '@mlc-ai/web-llm';",
    body: () => 'ChatCompletionRequest',
    reply: 'ChatCompletion',
    event: 'ChatCompletionChunk',
    differences: [],
  },
};
