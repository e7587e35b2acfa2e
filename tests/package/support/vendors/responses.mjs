// OpenAI's Responses API, as far as the tests need it: what it refuses, and how it answers.

import { answered, characters, isBase64, isText, isWord, need, only } from './checks.mjs';

export const openaiResponses = {
  name: 'openaiResponses',
  options: { model: 'gpt-5' },
  path: /^\/responses$/,
  keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
  headers: { 'content-type': 'application/json' },
  judge,
  toolNames: (body) => body.tools.map((tool) => tool.name),
  reply,
  events: (reply) => numbered(eventsOf(reply)).map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  error: (type, message) => ({ error: { message, type, param: 'input', code: null } }),
  midStream: 'event: error\ndata: {"type":"error","code":"server_error","message":"Overloaded","param":null,"sequence_number":9}\n\n',
  midStreamType: 'server_error',
  refusal: 'refusal',
};

const BODY = 'model instructions max_output_tokens stream store include input tools tool_choice temperature metadata';

function judge(body) {
  only(body, BODY, 'body');
  need(isText(body.model) && Number.isInteger(body.max_output_tokens) && body.max_output_tokens > 0, 'model and limit');
  need(body.store === false && body.include?.[0] === 'reasoning.encrypted_content', 'stateless');
  need(Array.isArray(body.input) && body.input.length > 0, 'no input');
  const open = [];
  let reasons = false;
  for (const item of body.input) {
    need(!reasons || item.type === 'function_call' || item.role === 'assistant', "'reasoning' was provided without its required following item");
    reasons = item.type === 'reasoning';
    judgeItem(item, open);
  }
  need(!reasons && open.length === 0, 'no tool output found for function call');
  judgeTools(body);
}

function judgeItem(item, open) {
  if (item.type === 'message') return judgeMessage(item, open);
  if (item.type === 'reasoning') {
    only(item, 'type id summary encrypted_content status', item.type);
    return need(isText(item.encrypted_content) && Array.isArray(item.summary), 'an id alone is not found with store: false');
  }
  if (item.type === 'function_call') {
    only(item, 'type call_id name arguments', item.type);
    need(isWord(item.call_id, 64) && isWord(item.name, 64) && !open.includes(item.call_id), 'id and name of a call');
    need(JSON.parse(item.arguments).constructor === Object, 'arguments');
    return open.push(item.call_id);
  }
  need(item.type === 'function_call_output', `item ${item.type}`);
  only(item, 'type call_id output', item.type);
  if (typeof item.output !== 'string') judgeParts(item.output);
  answered(open, item.call_id);
}

function judgeMessage(item, open) {
  only(item, 'type role content phase', 'message');
  need(open.length === 0, 'another message while calls wait for their output');
  if (item.role === 'assistant') return need(isText(item.content), 'input_text is no content of the assistant');
  need(item.role === 'user', item.role);
  if (typeof item.content === 'string') return need(isText(item.content), 'empty content');
  judgeParts(item.content);
}

function judgeParts(parts) {
  need(Array.isArray(parts) && parts.length > 0, 'no parts');
  for (const part of parts) {
    need(['input_text', 'input_image'].includes(part.type), `part ${part.type}`);
    only(part, part.type === 'input_text' ? 'type text' : 'type image_url detail', 'part');
    if (part.type === 'input_text') need(part.text !== '', 'empty part');
    else need(part.detail && isBase64(/^data:image\/(?:png|jpeg|gif|webp);base64,(.*)$/.exec(part.image_url)?.[1]), 'image_url');
  }
}

function judgeTools({ tools = [], tool_choice }) {
  for (const tool of tools) {
    only(tool, 'type name description parameters strict', 'tool');
    need(tool.type === 'function' && isWord(tool.name, 64) && tool.strict === false && tool.parameters.type === 'object', 'tool');
  }
  need(tool_choice === undefined || (tools.length > 0 && ['auto', 'required', 'none'].includes(tool_choice)), 'tool_choice');
}

function reply({ thought, text, calls = [], end }, names, turn) {
  const part = end === 'refusal' ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [], logprobs: [] };
  const output = [
    ...(thought ? [{ type: 'reasoning', id: `rs_${turn}`, summary: [{ type: 'summary_text', text: thought }], encrypted_content: `${thought} encrypted` }] : []),
    ...(text ? [{ type: 'message', id: `msg_${turn}`, role: 'assistant', status: 'completed', content: [part] }] : []),
    ...calls.map(({ tool, input }, index) => ({
      type: 'function_call',
      id: `fc_${turn}_${index}`,
      call_id: `call_${turn}_${index}`,
      name: names[tool],
      arguments: JSON.stringify(input),
      status: 'completed',
    })),
  ];
  const cut = end === 'length';
  const usage = { input_tokens: 12, input_tokens_details: { cached_tokens: 2, cache_write_tokens: 0 }, output_tokens: 7, output_tokens_details: { reasoning_tokens: 3 }, total_tokens: 19 };
  return {
    id: `resp_${turn}`,
    object: 'response',
    access_programs: null,
    created_at: 1,
    status: cut ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: cut ? { reason: 'max_output_tokens' } : null,
    instructions: null,
    model: 'gpt-5',
    output,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    temperature: null,
    top_p: null,
    metadata: {},
    usage,
  };
}

const numbered = (events) => events.map((event, sequence_number) => ({ ...event, sequence_number }));

function eventsOf(reply) {
  const begun = { ...reply, status: 'in_progress', output: [], incomplete_details: null, usage: undefined };
  return [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...reply.output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: begunItem(item) },
      ...itemEvents(item).map((event) => ({ ...event, output_index, item_id: item.id })),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: `response.${reply.status}`, response: reply },
  ];
}

function begunItem(item) {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] };
  if (item.type === 'reasoning') return { ...item, summary: [], encrypted_content: 'par' };
  return { ...item, status: 'in_progress', arguments: '' };
}

function itemEvents(item) {
  if (item.type === 'reasoning') {
    const part = item.summary[0];
    return [
      { type: 'response.reasoning_summary_part.added', summary_index: 0, part: { ...part, text: '' } },
      ...characters(part.text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', summary_index: 0, delta })),
      { type: 'response.reasoning_summary_text.done', summary_index: 0, text: part.text },
      { type: 'response.reasoning_summary_part.done', summary_index: 0, part },
    ];
  }
  if (item.type === 'function_call') {
    const deltas = characters(item.arguments).map((delta) => ({ type: 'response.function_call_arguments.delta', delta }));
    return [...deltas, { type: 'response.function_call_arguments.done', arguments: item.arguments }];
  }
  const part = item.content[0];
  const field = part.type === 'refusal' ? 'refusal' : 'text';
  const kind = part.type === 'refusal' ? 'response.refusal' : 'response.output_text';
  const more = field === 'text' ? { logprobs: [] } : {};
  return [
    { type: 'response.content_part.added', content_index: 0, part: { ...part, [field]: '' } },
    ...characters(part[field]).map((delta) => ({ type: `${kind}.delta`, content_index: 0, delta, ...more })),
    { type: `${kind}.done`, content_index: 0, [field]: part[field], ...more },
    { type: 'response.content_part.done', content_index: 0, part },
  ];
}
