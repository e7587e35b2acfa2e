// Anthropic's Messages API, as far as the tests need it: what it refuses, and how it answers.

import { answered, characters, isBase64, isText, isWord, need, only } from './checks.mjs';

export const anthropic = {
  name: 'anthropic',
  options: { model: 'claude-opus-5-5' },
  path: /^\/v1\/messages$/,
  keyHeader: (key) => ({ 'x-api-key': key }),
  headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
  pageHeaders: { 'anthropic-dangerous-direct-browser-access': 'true' },
  judge,
  toolNames: (body) => body.tools.map((tool) => tool.name),
  reply,
  events: (reply) => eventsOf(reply).map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  error: (type, message) => ({ type: 'error', error: { type, message }, request_id: 'req_1' }),
  midStream: 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
  midStreamType: 'overloaded_error',
  refusal: 'refusal',
};

const BODY = 'model max_tokens stream system messages tools tool_choice temperature stop_sequences metadata thinking';

function judge(body) {
  only(body, BODY, 'body');
  need(isText(body.model) && Number.isInteger(body.max_tokens) && body.max_tokens > 0, 'model, max_tokens');
  need(body.system === undefined || isText(body.system), 'system');
  const open = [];
  const seen = [];
  let before;
  for (const message of body.messages) {
    only(message, 'role content', 'message');
    need(message.role !== before && ['user', 'assistant'].includes(message.role), 'roles take turns');
    before = message.role;
    const blocks = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
    need(blocks.length > 0, 'empty content');
    blocks.forEach((block, index) => judgeBlock(message.role, block, { index, open, seen }));
    need(message.role === 'assistant' || open.length === 0, 'a call without its result');
  }
  need(before === 'user', 'this model does not support assistant message prefill');
  need(seen.length === 0 || body.tools?.length > 0, 'calls in the history, but no tools');
  judgeTools(body);
}

function judgeBlock(role, block, { index, open, seen }) {
  const { type } = block;
  if (role === 'user' && type === 'tool_result') {
    only(block, 'type tool_use_id content is_error', type);
    need(index === 0 || open.length > 0, 'results come first');
    for (const part of block.content ?? []) judgeContent(part, ['text', 'image', 'document']);
    return answered(open, block.tool_use_id);
  }
  need(role === 'assistant' || open.length === 0, 'other content while calls wait for their results');
  if (role === 'user') return judgeContent(block, ['text', 'image', 'document']);
  if (type === 'thinking') return need(isText(block.thinking) && isText(block.signature), type);
  if (type !== 'tool_use') return judgeContent(block, ['text']);
  only(block, 'type id name input', type);
  need(isWord(block.id, 64) && !seen.includes(block.id) && isWord(block.name, 64), 'id and name of a call');
  need(typeof block.input === 'object' && !Array.isArray(block.input), 'input of a call');
  seen.push(block.id);
  open.push(block.id);
}

function judgeContent(block, types) {
  need(types.includes(block.type), `no ${block.type} here`);
  if (block.type === 'text') {
    only(block, 'type text', 'text');
    return need(isText(block.text), 'text content blocks must be non-empty');
  }
  only(block, 'type source', block.type);
  only(block.source, 'type media_type data', 'source');
  const allowed = block.type === 'image' ? ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] : ['application/pdf'];
  need(allowed.includes(block.source.media_type) && isBase64(block.source.data), 'source');
}

function judgeTools({ tools = [], tool_choice }) {
  const names = tools.map((tool) => tool.name);
  need(new Set(names).size === names.length, 'tool names must be unique');
  for (const tool of tools) {
    only(tool, 'name description input_schema', 'tool');
    need(isWord(tool.name, 64) && tool.input_schema?.type === 'object', 'tool');
  }
  need(tool_choice === undefined || names.length > 0, 'tool_choice without tools');
}

const STOPS = { done: 'end_turn', calls: 'tool_use', length: 'max_tokens', refusal: 'refusal' };

function reply({ thought, text, calls = [], end }, names, turn) {
  const content = [
    ...(thought ? [{ type: 'thinking', thinking: thought, signature: 'c2lnbmF0dXJl' }] : []),
    ...(text ? [{ type: 'text', text, citations: null }] : []),
    ...calls.map(({ tool, input }, index) => ({ type: 'tool_use', id: `toolu_${turn}_${index}`, caller: { type: 'direct' }, name: names[tool], input })),
  ];
  const stop = STOPS[end ?? (calls.length ? 'calls' : 'done')];
  const details = end === 'refusal' ? { type: 'refusal', category: 'cyber', explanation: null } : null;
  return { id: `msg_${turn}`, type: 'message', role: 'assistant', model: 'claude-opus-5-5', content, stop_reason: stop, stop_sequence: null, stop_details: details, container: null, diagnostics: null, usage: USAGE };
}

const COUNTS = { input_tokens: 10, output_tokens: 7, cache_creation_input_tokens: 0, cache_read_input_tokens: 2, output_tokens_details: null, server_tool_use: null };
const USAGE = { ...COUNTS, cache_creation: null, inference_geo: null, service_tier: 'standard', speed: null };

function eventsOf({ content, stop_reason, stop_details, ...message }) {
  const start = { ...message, content: [], stop_reason: null, stop_details: null, usage: { ...USAGE, output_tokens: 1 } };
  return [
    { type: 'message_start', message: start },
    { type: 'ping' },
    ...content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: begun(block) },
      ...deltas(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null, stop_details, container: null }, usage: { ...COUNTS, input_tokens: null } },
    { type: 'message_stop' },
  ];
}

function begun(block) {
  if (block.type === 'text') return { ...block, text: '' };
  return block.type === 'thinking' ? { ...block, thinking: '', signature: '' } : { ...block, input: {} };
}

function deltas({ type, text, thinking, signature, input }) {
  if (type === 'text') return characters(text).map((text) => ({ type: 'text_delta', text }));
  if (type === 'thinking') {
    return [...characters(thinking).map((thinking) => ({ type: 'thinking_delta', thinking })), { type: 'signature_delta', signature }];
  }
  return characters(JSON.stringify(input)).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
}
