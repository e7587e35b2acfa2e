/** Shows a sampling request so that a person can judge it, with the messages and the token limit open to change. */
import { freshId, h, pretty } from './dom.js';

/**
 * @param {object} params of `sampling/createMessage`
 * @returns {{ element: HTMLElement, read(): object }} `read` returns a copy of the params with the changes made
 */
export function samplingForm(params) {
  const edits = [];
  const messages = params.messages.map((message, index) => messageView(message, index, edits));
  const limit = h('input', { type: 'number', id: freshId('limit'), min: 1, step: 1, required: true, value: params.maxTokens });
  edits.push((copy) => (copy.maxTokens = Number(limit.value)));
  const element = h(
    'div',
    { className: 'request' },
    params.systemPrompt && quoted('System prompt', params.systemPrompt),
    h('div', { role: 'group', 'aria-label': 'Messages' }, ...messages),
    h('div', { className: 'field short' }, h('label', { for: limit.id }, 'Most tokens to answer with (maxTokens)'), limit),
    factsOf(params),
    toolsOf(params),
  );
  return { element, read };

  function read() {
    const copy = structuredClone(params);
    for (const edit of edits) edit(copy);
    return copy;
  }
}

function messageView({ role, content }, index, edits) {
  const blocks = [content].flat().map((block, place) => blockView(block, role, index, place, edits));
  return h('div', { className: 'message', 'data-role': role }, ...blocks);
}

function blockView(block, role, index, place, edits) {
  const id = freshId('message');
  const who = `Message ${index + 1}, ${role}`;
  if (block.type !== 'text') return h('div', { className: 'field' }, h('p', { className: 'label' }, `${who}: ${block.type}`), mediaView(block));
  const rows = Math.min(10, Math.max(2, Math.ceil(block.text.length / 70)));
  const area = h('textarea', { id, rows, value: block.text });
  edits.push((copy) => ([copy.messages[index].content].flat()[place].text = area.value));
  return h('div', { className: 'field' }, h('label', { for: id }, who), area);
}

/** Pictures and sound as such; calls of tools, their results and anything else as JSON. */
export function mediaView(block) {
  const source = `data:${block.mimeType};base64,${block.data}`;
  if (block.type === 'image') return h('img', { src: source, alt: `An image of the type ${block.mimeType}` });
  if (block.type === 'audio') return h('audio', { src: source, controls: true });
  return h('pre', { tabIndex: 0 }, pretty(block));
}

function quoted(label, text) {
  return h('div', { className: 'field' }, h('p', { className: 'label' }, label), h('blockquote', {}, text));
}

function factsOf({ temperature, stopSequences, modelPreferences = {}, includeContext, metadata }) {
  const { hints, costPriority, speedPriority, intelligencePriority } = modelPreferences;
  const facts = {
    'Model hints': hints?.map(({ name }) => name).filter(Boolean).join(', '),
    'Cost priority': costPriority,
    'Speed priority': speedPriority,
    'Intelligence priority': intelligencePriority,
    Temperature: temperature,
    'Stop sequences': stopSequences?.map((sequence) => JSON.stringify(sequence)).join(', '),
    'Include context': includeContext,
    Metadata: metadata && JSON.stringify(metadata),
  };
  const given = Object.entries(facts).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return null;
  return h('dl', { className: 'facts' }, ...given.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, String(value)))));
}

function toolsOf({ tools, toolChoice }) {
  if (!tools?.length) return null;
  const items = tools.map(({ name, description }) => h('li', {}, h('code', {}, name), description && ` ${description}`));
  const choice = toolChoice?.mode && ` (${toolChoice.mode})`;
  return h('details', { open: true }, h('summary', {}, `Tools the model may use${choice || ''}`), h('ul', { className: 'tools' }, ...items));
}
