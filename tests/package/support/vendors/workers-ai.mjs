// Cloudflare Workers AI over its REST API, as far as the tests need it: what it refuses, and how it answers.

import { answered, isBase64, isText, isWord, need, only } from './checks.mjs';
import { openai } from './openai.mjs';

const MODEL = '@cf/moonshotai/kimi-k2.7-code';

export const workersAI = {
  name: 'workersAI',
  options: { model: MODEL },
  path: /^\/ai\/run\/@cf\/moonshotai\/kimi-k2\.7-code$/,
  keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
  headers: { 'content-type': 'application/json' },
  judge,
  toolNames: openai.toolNames,
  reply: (...said) => ({ result: { ...openai.reply(...said), model: MODEL }, success: true, errors: [], messages: [] }),
  events: (reply) => openai.events(reply.result),
  error: (type, message) => ({ result: null, success: false, errors: [{ code: 5006, message: `${type}: ${message}` }], messages: [] }),
  midStream: 'data: {"errors":[{"code":3040,"message":"Capacity temporarily exceeded, please try again."}],"success":false,"result":null,"messages":[]}\n\n',
  midStreamType: '3040',
  refusal: 'refusal',
};

function judge(body) {
  only(body, 'messages max_tokens stream stream_options temperature stop tools tool_choice metadata', 'inputs');
  need(Number.isInteger(body.max_tokens) && body.max_tokens > 0, 'max_tokens');
  need(!body.stop || body.stop.length <= 4, 'stop');
  let open = [];
  body.messages.forEach((message, index) => (open = judgeMessage(message, index, open)));
  need(body.messages.length > 0 && open.length === 0, 'messages');
  judgeTools(body);
}

function judgeMessage(message, index, open) {
  const { role, content } = message;
  need(open.length === 0 || role === 'tool', 'another message while calls wait');
  need(typeof content === 'string' || (role === 'user' && content.some((part) => part.type === 'image_url')), `content of ${role}`);
  if (role === 'assistant') return judgeAssistant(message);
  only(message, role === 'tool' ? 'role content tool_call_id' : 'role content', role);
  if (role === 'tool') answered(open, message.tool_call_id);
  else need(role === 'user' || (role === 'system' && index === 0 && isText(content)), role);
  for (const part of Array.isArray(content) ? content : []) judgePart(part);
  return open;
}

function judgePart(part) {
  only(part, `type ${part.type}`, 'part');
  if (part.type === 'text') return need(isText(part.text), 'text');
  need(isBase64(/^data:image\/\w+;base64,(.*)$/.exec(part.image_url.url)?.[1]), 'image_url');
}

function judgeAssistant(message) {
  only(message, 'role content tool_calls reasoning', 'assistant');
  const calls = message.tool_calls ?? [];
  for (const call of calls) {
    only(call, 'id type function', 'tool_call');
    only(call.function, 'name arguments', 'function');
    need(isWord(call.id, 64) && isWord(call.function.name, 64) && JSON.parse(call.function.arguments).constructor === Object, 'tool_call');
  }
  return calls.map((call) => call.id);
}

function judgeTools({ tools = [], tool_choice }) {
  for (const tool of tools) {
    only(tool, 'type function', 'tool');
    only(tool.function, 'name description parameters', 'function');
    need(isWord(tool.function.name, 64) && tool.function.parameters.type === 'object', 'tool');
  }
  need(tool_choice === undefined || tools.length > 0, 'tool_choice');
}
