/**
 * The MCP server of the demo and the tests, made with the official server package. It runs wherever that runs: behind
 * node:http (see http.mjs), in a worker, or inside a page with no network at all.
 *
 * It keeps nothing between requests. What it must know when a call comes back is in `requestState`. A server whose
 * state decides anything of worth has to sign it; this one only checks that it came back unchanged.
 */
import { McpServer, createMcpHandler, fromJsonSchema, inputRequired, inputResponse } from '@modelcontextprotocol/server';

/** Name and version the server gives. */
export const SERVER_INFO = { name: 'mcp-sampling-demo', version: '1.0.0' };

/**
 * The state of `state_only`: characters that a client which decodes and encodes it again is likely to change.
 * The last one but the blank is half of a surrogate pair.
 */
export const ODD_STATE = '{"not": "for you"} a/b \\ "quoted" \t é 漢 \u{1F30A} \u2028 \ud800 ';

/**
 * @param {{ onerror?: (error: Error) => void, responseMode?: 'auto' | 'sse' | 'json' }} [options]
 * @returns {{ fetch(request: Request): Promise<Response>, close(): Promise<void> }}
 */
export function createDemoServer(options) {
  return createMcpHandler(buildServer, options);
}

function buildServer() {
  const server = new McpServer(SERVER_INFO, {
    instructions: 'Tools that ask the client for a completion, for a decision or for its folders in the middle of a call.',
  });
  for (const { name, run, input, ...about } of TOOLS) {
    const inputSchema = fromJsonSchema({ type: 'object', ...input });
    server.registerTool(name, { ...about, inputSchema }, run);
  }
  return server;
}

const TEXT = { type: 'string', title: 'Text' };

const TOOLS = [
  {
    name: 'summarize',
    title: 'Summarise a text',
    description: 'Asks the client’s model for a summary of the text, then returns it. Two legs.',
    input: {
      properties: { text: TEXT, sentences: { type: 'integer', title: 'Sentences at most', minimum: 1, maximum: 20, default: 3 } },
      required: ['text'],
    },
    run: summarize,
  },
  {
    name: 'three_at_once',
    title: 'Three questions in one round',
    description: 'Asks for a completion, for a form and for the folders at the same time. Two legs.',
    input: { properties: { topic: { type: 'string', title: 'Topic', default: 'the tide' } } },
    run: threeAtOnce,
  },
  {
    name: 'five_rounds',
    title: 'Five rounds in a row',
    description: 'Asks for a completion five times; each request holds the answer before it. Six legs.',
    input: { properties: { text: TEXT }, required: ['text'] },
    run: fiveRounds,
  },
  {
    name: 'state_only',
    title: 'A state and no question',
    description: 'Asks for nothing but to be called again with its state. Two legs.',
    input: { properties: {} },
    run: stateOnly,
  },
  {
    name: 'echo',
    title: 'Echo',
    description: 'Returns the text. One leg.',
    input: { properties: { text: TEXT }, required: ['text'] },
    run: ({ text }) => answer(text),
  },
];

function summarize({ text, sentences = 3 }, ctx) {
  if (text.trim() === '') return refusal('There is no text to summarise.');
  const state = JSON.stringify({ tool: 'summarize', characters: text.length });
  const reply = inputResponse(ctx.mcpReq.inputResponses, 'summary');
  if (reply.kind !== 'sampling') {
    const summary = ask(text, `You summarise texts. Answer with at most ${sentences} sentences of the text itself and nothing else.`, {
      maxTokens: 60 * sentences,
      temperature: 0,
      modelPreferences: { hints: [{ name: 'extractive' }], costPriority: 0.8, speedPriority: 0.6, intelligencePriority: 0.3 },
    });
    return inputRequired({ inputRequests: { summary }, requestState: state });
  }
  if (ctx.mcpReq.requestState() !== state) return refusal('The state did not come back as it was sent.');
  return answer(textOf(reply.result), { model: reply.result.model, stopReason: reply.result.stopReason });
}

function threeAtOnce({ topic = 'the tide' }, ctx) {
  const { inputResponses } = ctx.mcpReq;
  if (!inputResponses) return inputRequired({ inputRequests: threeRequests(topic), requestState: topic });
  const [sentence, choice, folders] = ['sentence', 'choice', 'folders'].map((key) => inputResponse(inputResponses, key));
  const kinds = [sentence, choice, folders].map(({ kind }) => kind).join(', ');
  if (kinds !== 'sampling, elicit, roots') return refusal(`The answers are of the kinds ${kinds}.`);
  if (ctx.mcpReq.requestState() !== topic) return refusal('The state did not come back as it was sent.');
  const roots = folders.roots.map(({ uri }) => uri);
  const form = choice.action === 'accept' ? choice.content : choice.action;
  const lines = [`Sentence: ${textOf(sentence.result)}`, `Form: ${JSON.stringify(form)}`, `Folders: ${roots.join(', ') || 'none'}`];
  return answer(lines.join('\n'), { sentence: textOf(sentence.result), form, roots });
}

function threeRequests(topic) {
  return {
    sentence: ask(`Write about ${topic}. Keep it to one line.`, 'Answer in 1 sentence.', { maxTokens: 60 }),
    choice: inputRequired.elicit({
      message: `How should the text about ${topic} sound?`,
      requestedSchema: {
        type: 'object',
        properties: {
          tone: { type: 'string', title: 'Tone', enum: ['plain', 'friendly', 'formal'], default: 'plain' },
          lines: { type: 'integer', title: 'Lines', minimum: 1, maximum: 10, default: 3 },
          title: { type: 'boolean', title: 'With a title', default: false },
        },
        required: ['tone'],
      },
    }),
    folders: inputRequired.listRoots(),
  };
}

const ROUNDS = 5;

function fiveRounds({ text }, ctx) {
  const reply = inputResponse(ctx.mcpReq.inputResponses, 'step');
  const done = reply.kind === 'sampling' ? Number(ctx.mcpReq.requestState()?.slice('round '.length)) : 0;
  if (!Number.isInteger(done) || done < 0 || done > ROUNDS) return refusal('The state did not come back as it was sent.');
  const last = reply.kind === 'sampling' ? textOf(reply.result) : text;
  if (done === ROUNDS) return answer(last, { rounds: done });
  const wanted = ROUNDS - done;
  const step = ask(last, `Shorten the text. Answer with at most ${wanted} sentences of the text itself and nothing else.`, {
    maxTokens: 60 * wanted,
    metadata: { round: done + 1, of: ROUNDS },
  });
  return inputRequired({ inputRequests: { step }, requestState: `round ${done + 1}` });
}

function stateOnly(_input, ctx) {
  const state = ctx.mcpReq.requestState();
  if (state === undefined) return inputRequired({ requestState: ODD_STATE });
  return state === ODD_STATE ? answer('The state came back unchanged.') : refusal('The state did not come back as it was sent.');
}

function ask(text, systemPrompt, rest) {
  return inputRequired.createMessage({ systemPrompt, messages: [{ role: 'user', content: { type: 'text', text } }], ...rest });
}

function textOf({ content }) {
  return [content]
    .flat()
    .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join('\n');
}

function answer(text, structuredContent) {
  return { content: [{ type: 'text', text }], ...(structuredContent && { structuredContent }) };
}

function refusal(text) {
  return { content: [{ type: 'text', text }], isError: true };
}
