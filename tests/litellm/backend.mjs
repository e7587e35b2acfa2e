// The model behind the proxy: a server that speaks Chat Completions and goes through the conversation of the tests.

import { createServer } from 'node:http';
import { HELLO, LOOP } from '../package/support/vendor-scripts.mjs';
import { openai } from '../package/support/vendors/openai.mjs';

/** @returns {Promise<{ url: string, log: object[], close(): Promise<void> }>} `log` has the bodies that came in */
export async function backend() {
  const log = [];
  const server = createServer((req, res) => answer(req, res, log).catch((error) => res.destroy(error)));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    log,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(req, res, log) {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  const body = JSON.parse(Buffer.concat(chunks).toString());
  log.push(body);
  if (req.url !== '/v1/chat/completions') return res.writeHead(404).end();
  if (body.model === 'failing') return res.writeHead(400, JSON_TYPE).end(JSON.stringify(openai.error('invalid_request_error', 'The tide is out')));
  const reply = replyTo(body);
  if (!body.stream) return res.writeHead(200, JSON_TYPE).end(JSON.stringify(reply));
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of openai.events(reply)) res.write(event);
  res.end();
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** What the conversation has come to. */
function replyTo({ messages, tools }) {
  const turn = messages.filter((message) => message.role === 'assistant').length;
  const { thought, ...said } = tools ? LOOP[turn] : HELLO;
  return openai.reply(said, tools ? openai.toolNames({ tools }) : [], turn);
}
