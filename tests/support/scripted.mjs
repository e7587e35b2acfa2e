/**
 * A peer that follows a script: an MCP server that says exactly what a test wants it to say, bad bytes included. It runs
 * wherever `Response` does: as the `fetch` of a transport, or behind a web server.
 *
 * A script is a list of replies, one for each leg in turn, or a function that picks the reply to a leg. A reply is a
 * function that makes the response; the functions below make replies. `server/discover` is answered by itself and is not in the script.
 */

/**
 * @typedef {object} Leg what the client sent
 * @property {string} url
 * @property {RequestInit} [init] as it was given to `fetch`
 * @property {unknown} [receiver] the `this` of that call
 * @property {Headers} headers
 * @property {string} text the body, as it came
 * @property {any} message the body, parsed
 * @property {AbortSignal} signal aborted when the client goes away
 * @property {Promise<unknown>} cancelled settled when the body of the reply is cancelled
 * @typedef {(leg: Leg) => Response | Promise<Response>} Reply
 */

const SERVER = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  serverInfo: { name: 'scripted', version: '1.0.0' },
};

/**
 * @param {Reply[] | ((leg: Leg) => Reply)} script
 * @param {{ discover?: Reply }} [options]
 * @returns {{ legs: Leg[], fetch: typeof fetch, handler(request: Request): Promise<Response> }} `legs` does not hold the
 *   `server/discover` requests unless `discover` is given
 */
export function scripted(script, { discover } = {}) {
  const legs = [];
  const replies = typeof script === 'function' ? undefined : [...script];
  const pick = replies ? () => replies.shift() ?? nothingLeft : script;
  const answer = (leg) => {
    const discovers = leg.message.method === 'server/discover';
    if (!discovers || discover) legs.push(leg);
    return (discovers ? (discover ?? result(SERVER)) : pick(leg))(leg);
  };
  return {
    legs,
    // Not asynchronous: a reply may throw at once.
    fetch(url, init) {
      return answer(
        legOf({ url: String(url), init, receiver: this, headers: new Headers(init.headers), text: init.body, signal: init.signal }),
      );
    },
    async handler(request) {
      return answer(legOf({ url: request.url, headers: request.headers, text: await request.text(), signal: request.signal }));
    },
  };
}

function legOf(seen) {
  const leg = { ...seen, message: JSON.parse(seen.text) };
  leg.cancelled = new Promise((resolve) => (leg.cancel = resolve));
  return leg;
}

const nothingLeft = () => new Response('the script has no further reply', { status: 500, headers: { 'content-type': 'text/plain' } });

// Replies. `$id` in a text stands for the id of the request.

/** Any bytes or text, with any status and type. */
export function body(content, { status = 200, type = 'application/json', headers = {} } = {}) {
  return (leg) => new Response(filled(content, leg), { status, headers: { ...(type && { 'content-type': type }), ...headers } });
}

/** A success. `value` is an object, or JSON text that goes out as it is. */
export function result(value) {
  return body(`{"jsonrpc":"2.0","id":$id,"result":${typeof value === 'string' ? value : JSON.stringify(value)}}`);
}

/** A finished tool call. */
export function done(text = 'done', more = {}) {
  return result({ resultType: 'complete', content: [{ type: 'text', text }], ...more });
}

/** A round of questions: an object of requests by key, and a state. */
export function asks(inputRequests, requestState) {
  return result({ resultType: 'input_required', inputRequests, requestState });
}

/** A JSON-RPC error. */
export function failure(code, message, { data, status = 200 } = {}) {
  return body(`{"jsonrpc":"2.0","id":$id,"error":${JSON.stringify({ code, message, data })}}`, { status });
}

/**
 * An event stream, written piece by piece (text or bytes). `then` says what follows: `end`, `break` (an error of the
 * connection) or `hang` (it stays open).
 */
export function events(pieces, { then = 'end', headers = {} } = {}) {
  return (leg) => {
    const rest = pieces.map((piece) => bytesOf(filled(piece, leg)));
    const stream = new ReadableStream({
      pull(controller) {
        const piece = rest.shift();
        if (piece) return controller.enqueue(piece);
        if (then === 'end') return controller.close();
        if (then === 'break') return controller.error(new TypeError('the connection broke'));
        return new Promise(() => {});
      },
      cancel: leg.cancel,
    });
    return new Response(stream, { headers: { 'content-type': 'text/event-stream', ...headers } });
  };
}

/** One event that carries a message. */
export const event = (message) => `data: ${typeof message === 'string' ? message : JSON.stringify(message)}\n\n`;

/** A message with a result, as text; `$id` is replaced later. */
export const resultMessage = (value) => `{"jsonrpc":"2.0","id":$id,"result":${JSON.stringify(value)}}`;

/** No reply until the client goes away. */
export const silence = (leg) =>
  new Promise((_, reject) => {
    leg.signal.addEventListener('abort', () => reject(leg.signal.reason), { once: true });
  });

/** No reply ever, whatever the signal says. */
export const deaf = () => new Promise(() => {});

/** `fetch` itself fails, at once. */
export const throws = (error) => () => {
  throw error;
};

// Questions.

/** A sampling request that asks `text`. */
export function question(text = 'What is the answer?', more = {}) {
  const params = { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100, ...more };
  return { method: 'sampling/createMessage', params };
}

/** A good answer to {@link question}. */
export const sampled = (text = 'An answer.') => ({
  role: 'assistant',
  model: 'test-model',
  stopReason: 'endTurn',
  content: { type: 'text', text },
});

/** The text of the last message of a sampling request. */
export const asked = (params) => params.messages.at(-1).content.text;

function filled(content, leg) {
  return typeof content === 'string' ? content.replaceAll('$id', JSON.stringify(leg.message.id)) : content;
}

const bytesOf = (content) => (typeof content === 'string' ? new TextEncoder().encode(content) : content);
