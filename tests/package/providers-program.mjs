// One program for every runtime: asks every provider, over HTTP and by the pure functions. Returns plain JSON.

import * as providers from 'mcp-sampling/providers';

const KEY = 'test-key-0123456789';
const OPTIONS = {
  anthropic: { model: 'claude-opus-5-5' },
  openai: { model: 'deepseek-reasoner', profile: 'deepseek' },
  openaiResponses: { model: 'gpt-5' },
  gemini: { model: 'gemini-3-pro' },
  workersAI: { model: '@cf/moonshotai/kimi-k2.7-code' },
};
const TOOLS = [
  { name: 'fs.read', inputSchema: { type: 'object' } },
  { name: 'add', inputSchema: { type: 'object' } },
];
const REPLY = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-opus-5-5',
  content: [{ type: 'text', text: 'é😀' }],
  stop_reason: 'end_turn',
};

/** @param {string} url the vendors' server, and what makes its conversations new */
export async function main(url) {
  const results = {};
  for (const name of Object.keys(OPTIONS)) results[name] = await conversation(new URL(url), name);
  const exports = Object.keys(providers).filter((name) => name !== 'default').sort();
  return JSON.parse(JSON.stringify({ results, pure: pure(), exports }));
}

async function conversation({ origin, hash }, name) {
  const seen = { deltas: [], usages: [], warnings: [] };
  const callbacks = {
    onDelta: (delta) => seen.deltas.push(delta),
    onUsage: (usage) => seen.usages.push(usage),
    onWarning: (warning) => seen.warnings.push(warning),
  };
  const model = (script, options) =>
    providers[name]({ apiKey: async () => KEY, baseURL: `${origin}/${name}/${script}/${hash.slice(1)}`, ...OPTIONS[name], ...callbacks, ...options });
  const { signal } = new AbortController();
  const ask = (script, params, options) => model(script, options)({ params }, { mcpReq: { signal } });
  const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi é😀' } }], maxTokens: 100 };
  return {
    facts: { ...model('hello') },
    hello: await ask('hello', params),
    whole: await ask('hello', params, { stream: false }),
    tools: await ask('loop', { ...params, tools: TOOLS, temperature: 0.5, metadata: { other: [1] } }),
    refused: await failure(ask('hello', params, { apiKey: 'wrong-key-0123456789' })),
    // What was shown before an error depends on how the network cuts the stream.
    broken: await failure(ask('broken', params, { onDelta: undefined })),
    aborted: await aborted(model, params),
    ...seen,
  };
}

async function aborted(model, params) {
  const controller = new AbortController();
  const asked = model('endless', { onDelta: () => controller.abort() });
  return failure(asked({ params }, { mcpReq: { signal: controller.signal } }));
}

// The engines' own errors differ in their words.
const failure = (promise) => promise.then(JSON.stringify, (error) => (error.name === 'SdkError' ? { ...error, message: error.message } : { name: error.name }));

function pure() {
  const image = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' };
  const params = { messages: [{ role: 'user', content: [image] }], maxTokens: 100, systemPrompt: 'é😀\ud800', temperature: 1 };
  const { body, ...built } = providers.anthropic.build(params, OPTIONS.anthropic);
  const result = providers.anthropic.parse(JSON.stringify(REPLY), built.state);
  return { built, body: new TextDecoder().decode(body), result };
}
