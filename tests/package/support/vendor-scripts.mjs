// What the scripted vendors do. A script is a function of the turn and of the exchange that answers it.

import { setImmediate } from 'node:timers/promises';

/** One conversation with tools; the numbers of tools are their places in the request. */
export const LOOP = [
  {
    thought: 'thought one',
    text: 'I look.',
    calls: [
      { tool: 0, input: { path: '/a "b"' } },
      { tool: 1, input: { a: 1.5, b: [true, null] } },
    ],
  },
  { thought: 'thought two', calls: [{ tool: 1, input: { a: 2, b: [] } }] },
  { text: 'Done: é😀.' },
];

export const HELLO = { text: 'Hello é😀.' };

export const SCRIPTS = {
  hello: (_, exchange) => say(HELLO, 0, exchange),
  loop: (turn, exchange) => say(LOOP[turn], turn, exchange),
  refusal: (_, exchange) => say({ text: 'I will not.', end: 'refusal' }, 0, exchange),
  length: (_, exchange) => say({ text: 'Once upon', end: 'length' }, 0, exchange),
  nothing: (_, exchange) => say({}, 0, exchange),
  // The reply in one piece, whatever was asked for.
  whole: (_, { json, vendor, body }) => json(200, vendor.reply(HELLO, names(vendor, body), 0)),
  // An error in the middle of a stream.
  broken: (_, exchange) => play(exchange, (events) => [...events.slice(0, half(events)), exchange.vendor.midStream]),
  // A stream that ends too early.
  cut: (_, exchange) => play(exchange, (events) => events.slice(0, half(events))),
  // A connection that breaks.
  lost: async (_, exchange) => {
    await play(exchange, (events) => events.slice(0, half(events)), false);
    exchange.res.destroy();
  },
  // A stream that goes on for ever.
  endless: (_, exchange) => play(exchange, (events) => events.slice(0, half(events)), false),
  silent: () => undefined,
  limited: (turn, exchange) => (turn === 0 ? refuse(exchange, 429, { 'retry-after': '0' }) : say(HELLO, 0, exchange)),
  patient: (turn, exchange) => (turn === 0 ? refuse(exchange, 503, { 'retry-after': '120' }) : say(HELLO, 0, exchange)),
  overloaded: (turn, exchange) => (turn === 0 ? refuse(exchange, 529, {}) : say(HELLO, 0, exchange)),
  failing: (turn, exchange) => (turn === 0 ? refuse(exchange, 500, { 'retry-after': '0' }) : say(HELLO, 0, exchange)),
  page: (_, { res }) => res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<!doctype html><p>Welcome</p>'),
  gateway: (_, { res }) => res.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
  moved: (_, { res }) => res.writeHead(308, { location: '/elsewhere' }).end(),
};

const half = (events) => Math.ceil(events.length / 2);

const names = (vendor, body) => (body.tools ? vendor.toolNames(body) : []);

function refuse({ json, vendor }, status, headers) {
  json(status, vendor.error('rate_limit_error', 'Too many requests'), headers);
}

function say(said, turn, exchange) {
  const { json, vendor, body, streamed } = exchange;
  const reply = vendor.reply(said, names(vendor, body), turn);
  return streamed ? write(exchange, vendor.events(reply)) : json(200, reply);
}

function play(exchange, edit, end = true) {
  return write(exchange, edit(exchange.vendor.events(exchange.vendor.reply(HELLO, [], 0))), end);
}

/** One event after the other, each as soon as it can leave. */
async function write({ res }, events, end = true) {
  res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (const event of events) {
    res.write(event);
    await setImmediate();
  }
  if (end) res.end();
}
