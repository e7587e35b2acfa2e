// Sampling requests and results from a seed: valid ones, mutated ones, hostile ones. The same seed gives the same list.

/** Numbers from a seed, and what is made with them. */
export function random(seed) {
  let state = seed >>> 0;
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count) => Math.floor(next() * count);
  const pick = (list) => list[below(list.length)];
  const chance = (share) => next() < share;
  const list = (most, make) => Array.from({ length: below(most + 1) }, make);
  /** The object, with each of the optional members at random. */
  const some = (object, optional) => {
    for (const [name, make] of Object.entries(optional)) if (chance(0.3)) object[name] = make();
    return object;
  };
  return { below, pick, chance, list, some };
}

/** `{ kind: 'request' | 'result', value }` */
export function generate(r) {
  const kind = r.pick(['request', 'result']);
  const value = kind === 'request' ? request(r) : result(r);
  const how = r.below(4);
  if (how === 0) return { kind, value };
  if (how === 3) return { kind, value: hostile(r, value) };
  let mutated = value;
  for (let times = r.below(3); times >= 0; times -= 1) mutated = mutate(r, mutated);
  return { kind, value: mutated };
}

const TEXTS = ['', 'Hi', 'é\u0000\ufeff', '\ud800', '😀', 'a\n"b"\\', '__proto__', 'user', 'object'];
const DATA = ['', 'YQ==', 'YWI', 'YW Jj', 'aB+9/w=='];
const DATES = ['2025-05-03T14:30:00Z', '2025-05-03T14:30:00.123+02:00'];

const text = (r) => r.pick(TEXTS);
const flag = (r) => r.chance(0.5);
const meta = (r) => r.pick([{}, { 'example.com/a': [1, { b: null }] }, { progressToken: 'a' }, { usage: { outputTokens: 1 } }]);
const json = (r) => r.pick([null, true, 1.5, 'x', [], {}, [[{ a: [] }]], { a: { b: 1 } }]);
const unit = (r) => r.pick([0, 1, 0.5, 0.123456, 1e-9]);

function annotations(r) {
  return r.some({}, { audience: () => r.list(2, () => r.pick(['user', 'assistant'])), priority: () => unit(r), lastModified: () => r.pick(DATES) });
}

function icon(r) {
  const optional = { mimeType: () => text(r), sizes: () => r.list(2, () => '48x48'), theme: () => r.pick(['light', 'dark']) };
  return r.some({ src: 'data:,' }, optional);
}

function plain(r) {
  const common = { annotations: () => annotations(r), _meta: () => meta(r) };
  const type = r.pick(['text', 'image', 'audio']);
  if (type === 'text') return r.some({ type, text: text(r) }, common);
  return r.some({ type, data: r.pick(DATA), mimeType: text(r) }, common);
}

function contentBlock(r) {
  const common = { annotations: () => annotations(r), _meta: () => meta(r) };
  const type = r.pick(['plain', 'resource_link', 'resource']);
  if (type === 'plain') return plain(r);
  if (type === 'resource_link') {
    const more = { title: () => text(r), description: () => text(r), mimeType: () => text(r), size: () => r.below(9), icons: () => r.list(2, () => icon(r)) };
    return r.some({ type, uri: 'file:///a', name: text(r) }, { ...common, ...more });
  }
  const bytes = r.chance(0.5) ? { text: text(r) } : { blob: r.pick(DATA) };
  const resource = r.some({ uri: 'file:///a', ...bytes }, { mimeType: () => text(r), _meta: () => meta(r) });
  return r.some({ type, resource }, common);
}

function toolUse(r) {
  return r.some({ type: 'tool_use', id: text(r), name: text(r), input: r.pick([{}, { a: json(r) }]) }, { _meta: () => meta(r) });
}

function toolResult(r) {
  const block = { type: 'tool_result', toolUseId: text(r), content: r.list(3, () => contentBlock(r)) };
  return r.some(block, { structuredContent: () => json(r), isError: () => flag(r), _meta: () => meta(r) });
}

function block(r) {
  return r.pick([plain, plain, toolUse, toolResult])(r);
}

function content(r) {
  return r.chance(0.5) ? block(r) : r.list(3, () => block(r));
}

function message(r) {
  return r.some({ role: r.pick(['user', 'assistant']), content: content(r) }, { _meta: () => meta(r) });
}

function tool(r) {
  const schema = { $schema: () => 'https://json-schema.org/draft/2020-12/schema', properties: () => ({ a: json(r) }), required: () => ['a'], $defs: () => ({}) };
  const hints = { title: () => text(r), readOnlyHint: () => flag(r), destructiveHint: () => flag(r), idempotentHint: () => flag(r), openWorldHint: () => flag(r) };
  const optional = {
    title: () => text(r),
    description: () => text(r),
    outputSchema: () => r.pick([{}, { type: 'array' }, { $schema: 'x' }]),
    annotations: () => r.some({}, hints),
    icons: () => r.list(2, () => icon(r)),
    execution: () => ({ taskSupport: 'optional' }),
    _meta: () => meta(r),
  };
  return r.some({ name: text(r), inputSchema: r.some({ type: 'object' }, schema) }, optional);
}

function request(r) {
  const preferences = {
    hints: () => r.list(2, () => r.pick([{}, { name: text(r) }, { name: 'a', family: 1 }])),
    costPriority: () => unit(r),
    speedPriority: () => unit(r),
    intelligencePriority: () => unit(r),
  };
  const optional = {
    modelPreferences: () => r.some({}, preferences),
    systemPrompt: () => text(r),
    includeContext: () => r.pick(['none', 'thisServer', 'allServers']),
    temperature: () => r.pick([0, 0.7, -1, 1e300]),
    stopSequences: () => r.list(2, () => text(r)),
    metadata: () => r.pick([{}, { a: json(r) }]),
    tools: () => r.list(2, () => tool(r)),
    toolChoice: () => r.pick([{}, { mode: 'auto' }, { mode: 'required' }, { mode: 'none', a: 1 }]),
    task: () => ({ ttl: 5 }),
    _meta: () => meta(r),
  };
  return r.some({ messages: r.list(4, () => message(r)), maxTokens: r.pick([1, 100, 0, -5, 2 ** 53 - 1]) }, optional);
}

function result(r) {
  const optional = { stopReason: () => r.pick(['endTurn', 'toolUse', 'content_filter', '']), _meta: () => meta(r), resultType: () => 'complete' };
  return r.some({ role: r.pick(['user', 'assistant']), content: content(r), model: text(r) }, optional);
}

const WRONG = [
  null, true, false, 0, -1, 1.5, 2, 1e21, 2 ** 53, '', 'x', 'text', 'tool_use', 'resource', 'Y', 'a_b-', '2025-05-03', [], {}, [null], [[]], ['a', 1],
  { type: 'text' }, { type: 'text', text: '' }, { type: 'video' }, { type: 'array' }, { mode: 'any' }, { name: 5 }, { priority: 1.5 },
];

/** A copy with one change at a random place. */
function mutate(r, value) {
  const copy = structuredClone(value);
  const places = [];
  walk(copy, (owner, key) => places.push([owner, key]));
  if (places.length === 0 || r.chance(0.01)) return r.pick(WRONG);
  const [owner, key] = r.pick(places);
  const change = r.below(4);
  if (change === 0 && Array.isArray(owner)) owner.splice(key, 1);
  else if (change === 0) delete owner[key];
  else if (change === 1) rename(owner, key);
  else owner[key] = r.pick(WRONG);
  return copy;
}

function rename(owner, key) {
  const value = owner[key];
  if (Array.isArray(owner)) owner.splice(key, 0, value);
  else {
    delete owner[key];
    owner[`${key}_`] = value;
  }
}

function walk(value, visit) {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    visit(value, key);
    walk(value[key], visit);
  }
}

/** A copy with something in a random place that breaks naive code: depth, odd keys, long lists. */
function hostile(r, value) {
  const copy = structuredClone(value);
  const places = [];
  walk(copy, (owner, key) => places.push([owner, key]));
  const [owner, key] = places.length > 0 ? r.pick(places) : [copy, 'x'];
  const odd = r.pick([
    () => nested(200),
    () => Object.fromEntries([['constructor', { prototype: 1 }], ['toString', null]]),
    () => JSON.parse('{"__proto__":{"type":"text","text":"","role":"user"}}'),
    () => Array.from({ length: 30 }, () => structuredClone(owner[key])),
    () => '\udc00'.repeat(20),
    () => Number.MAX_VALUE,
  ]);
  if (r.chance(0.5)) owner[key] = odd();
  else Object.defineProperty(owner, r.pick(['__proto__', 'constructor', '', 'x']), { value: odd(), enumerable: true, configurable: true, writable: true });
  return copy;
}

function nested(depth) {
  let value = {};
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { type: value };
  return value;
}
