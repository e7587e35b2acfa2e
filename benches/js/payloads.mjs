// What the side-by-side measurements send: one sampling request in three sizes, and a mock server that asks for it.

/** @param {number} bytes */
export function text(bytes) {
  const sentence = 'The quick brown fox jumps over the lazy dog, and then it rests in the shade of an old oak. ';
  return sentence.repeat(Math.ceil(bytes / sentence.length)).slice(0, bytes);
}

/** A history of `count` messages that take turns, `bytes` in all. */
export function history(count, bytes) {
  const each = Math.floor(bytes / count);
  return Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: { type: 'text', text: text(each) },
  }));
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

export function image(bytes) {
  const data = Buffer.concat([PNG, Buffer.alloc(Math.floor((bytes * 3) / 4) - PNG.length, 'mcp-sampling')]).toString('base64');
  return [{ role: 'user', content: { type: 'image', mimeType: 'image/png', data } }];
}

export const SIZES = {
  '1 KB': () => history(1, 1000),
  '200 messages, 60 KB': () => history(199, 60_000),
  '5 MB text': () => history(1, 5_000_000),
  '5 MB image': () => image(5_000_000),
};

export const ANSWER = {
  role: 'assistant',
  model: 'mock-1',
  stopReason: 'endTurn',
  content: { type: 'text', text: text(200) },
};

const SERVER = { 'io.modelcontextprotocol/serverInfo': { name: 'mock', version: '1.0.0' } };
const DISCOVERED = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, resultType: 'complete', ttlMs: 0, _meta: SERVER };
const DONE = { content: [{ type: 'text', text: 'done' }], resultType: 'complete', _meta: SERVER };

/** The replies to a call that asks once for `messages`, and then for `rounds - 1` more times. */
export function mockFetch(messages, { requests = 1 } = {}) {
  const params = { messages, maxTokens: 500, systemPrompt: 'Be short.' };
  const entries = Array.from({ length: requests }, (_, index) => [`q${index}`, { method: 'sampling/createMessage', params }]);
  const asking = JSON.stringify({
    resultType: 'input_required',
    inputRequests: Object.fromEntries(entries),
    requestState: 'opaque-state-token',
    _meta: SERVER,
  });
  const [discovered, done] = [DISCOVERED, DONE].map((result) => JSON.stringify(result));
  return async (_url, init) => {
    const ends = init.body.length > 600 ? init.body.slice(0, 300) + init.body.slice(-300) : init.body;
    const id = /"id":("[^"]*"|\d+)/.exec(ends)[1];
    const isDiscover = ends.includes('"server/discover"');
    const result = isDiscover ? discovered : init.body.includes('"inputResponses"') ? done : asking;
    return new Response(`{"jsonrpc":"2.0","id":${id},"result":${result}}`, { headers: { 'content-type': 'application/json' } });
  };
}
