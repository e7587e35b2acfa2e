// Chat Completions, as far as the tests need them: what servers refuse, and how they answer.

import { answered, characters, data, isBase64, isText, isWord, need, only } from './checks.mjs';

export const openai = {
  name: 'openai',
  // A server whose reasoning can be seen, and must come back.
  options: { model: 'deepseek-reasoner', profile: 'deepseek' },
  // A model that takes images.
  imageOptions: { model: 'gpt-4o' },
  path: /^\/chat\/completions$/,
  keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
  headers: { 'content-type': 'application/json' },
  judge,
  toolNames: (body) => body.tools.map((tool) => tool.function.name),
  reply,
  events: (reply) => [...chunksOf(reply).map(data), 'data: [DONE]\n\n'],
  error: (type, message) => ({ error: { message, type, param: 'messages', code: null } }),
  midStream: 'data: {"error":{"message":"The server is overloaded","type":"server_error","code":503}}\n\n',
  midStreamType: 'server_error',
  refusal: 'refusal',
};

const BODY = 'model messages stream stream_options max_tokens max_completion_tokens temperature stop tools tool_choice metadata';

function judge(body) {
  only(body, BODY, 'body');
  const limit = body.max_completion_tokens ?? body.max_tokens;
  need(isText(body.model) && Number.isInteger(limit) && limit > 0, 'model and limit');
  need(!(body.max_tokens && body.max_completion_tokens), 'both limits at once');
  need(body.messages.length > 0, 'no messages');
  let open = [];
  body.messages.forEach((message, index) => (open = judgeMessage(message, index, open)));
  need(open.length === 0, "an assistant message with 'tool_calls' must be followed by tool messages");
  judgeTools(body);
}

function judgeMessage(message, index, open) {
  const { role, content } = message;
  need(open.length === 0 || role === 'tool', "an assistant message with 'tool_calls' must be followed by tool messages");
  if (role === 'assistant') return judgeAssistant(message);
  only(message, role === 'tool' ? 'role content tool_call_id' : 'role content', role);
  if (role === 'tool') {
    need(typeof content === 'string', 'content of a tool message');
    answered(open, message.tool_call_id);
    return open;
  }
  if (role === 'user') return judgeContent(content), open;
  need(['system', 'developer'].includes(role) && index === 0 && isText(content), role);
  return open;
}

function judgeAssistant(message) {
  only(message, 'role content tool_calls reasoning_content', 'assistant');
  const calls = message.tool_calls ?? [];
  need(!message.tool_calls || calls.length > 0, 'empty tool_calls');
  need(calls.length > 0 || isText(message.content), 'nothing said');
  for (const call of calls) {
    only(call, 'id type function', 'tool_call');
    only(call.function, 'name arguments', 'function');
    need(call.type === 'function' && isWord(call.function.name, 64) && isWord(call.id, 40), 'id and name of a call');
    need(JSON.parse(call.function.arguments).constructor === Object, 'arguments');
  }
  const ids = calls.map((call) => call.id);
  need(new Set(ids).size === ids.length, 'two calls of one id');
  return ids;
}

function judgeContent(content) {
  if (typeof content === 'string') return need(content !== '', 'empty content');
  need(content.length > 0, 'no parts');
  for (const part of content) {
    only(part, `type ${part.type}`, 'part');
    need(['text', 'image_url'].includes(part.type), part.type);
    if (part.type === 'text') need(isText(part.text), 'empty part');
    else need(isBase64(/^data:image\/(?:png|jpeg|gif|webp);base64,(.*)$/.exec(part.image_url.url)?.[1]), 'image_url');
  }
}

function judgeTools({ tools = [], tool_choice }) {
  for (const tool of tools) {
    only(tool, 'type function', 'tool');
    only(tool.function, 'name description parameters', 'function');
    need(isWord(tool.function.name, 64) && tool.function.parameters.type === 'object', 'tool');
  }
  need(tool_choice === undefined || (tools.length > 0 && ['auto', 'required', 'none'].includes(tool_choice)), 'tool_choice');
}

const STOPS = { done: 'stop', calls: 'tool_calls', length: 'length', refusal: 'stop' };

function reply({ thought, text, calls = [], end }, names, turn) {
  const refused = end === 'refusal';
  const message = {
    role: 'assistant',
    content: refused ? null : (text ?? null),
    refusal: refused ? text : null,
    ...(thought && { reasoning_content: thought }),
    ...(calls.length > 0 && { tool_calls: calls.map((call, index) => callOf(call, names, `call_${turn}_${index}`)) }),
  };
  const finish_reason = STOPS[end ?? (calls.length ? 'calls' : 'done')];
  const usage = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19, prompt_tokens_details: { cached_tokens: 2 } };
  return { id: `chatcmpl-${turn}`, object: 'chat.completion', created: 1, model: 'gpt-4o', service_tier: 'default', choices: [{ index: 0, message, logprobs: null, finish_reason }], usage };
}

function callOf({ tool, input }, names, id) {
  return { id, type: 'function', function: { name: names[tool], arguments: typeof input === 'string' ? input : JSON.stringify(input) } };
}

function chunksOf({ choices: [{ message, finish_reason }], usage, ...rest }) {
  const base = { ...rest, object: 'chat.completion.chunk' };
  const chunk = (delta, reason = null) => ({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }], usage: null });
  const pieces = (name) => characters(message[name] ?? '').map((piece) => chunk({ [name]: piece }));
  return [
    chunk({ role: 'assistant', content: '', refusal: null }),
    ...['reasoning_content', 'content', 'refusal'].flatMap(pieces),
    ...(message.tool_calls ?? []).flatMap(({ id, type, function: { name, arguments: text } }, index) => [
      chunk({ tool_calls: [{ index, id, type, function: { name, arguments: '' } }] }),
      ...characters(text).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    chunk({}, finish_reason),
    { ...base, choices: [], usage },
  ];
}
