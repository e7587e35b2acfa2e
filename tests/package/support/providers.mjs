// The installed package's providers, for tests that run in this process.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inRoot } from '../../../scripts/lib/project.mjs';
import { install } from './install.mjs';
import { VENDORS } from './vendors/index.mjs';
import { KEY } from './vendor-server.mjs';

export const providers = await import(pathToFileURL(join(install(), 'node_modules/mcp-sampling/dist/providers.js')));

let conversations = 0;

/** A model of a vendor that follows a script; see vendor-server.mjs. */
export function modelOf(server, vendor, script, options) {
  const baseURL = `${server.origin}/${vendor}/${script}/${++conversations}`;
  return providers[vendor]({ apiKey: KEY, baseURL, ...VENDORS[vendor].options, ...options });
}

/** The params of a request that says `content`, a text or blocks. */
export function asking(content = 'Hi', more = {}) {
  const blocks = typeof content === 'string' ? { type: 'text', text: content } : content;
  return { messages: [{ role: 'user', content: blocks }], maxTokens: 100, ...more };
}

/** As a handler is called. */
export const request = (params) => ({ method: 'sampling/createMessage', params });

export const context = (signal) => ({ mcpReq: { id: 'a', method: 'sampling/createMessage', signal } });

/** The events of a vendor's stream as one run of bytes. */
export const streamOf = (vendor, said, names = [], turn = 0) => new TextEncoder().encode(vendor.events(vendor.reply(said, names, turn)).join(''));

/** A `fetch` that answers with these chunks. */
export const fetchOf = (chunks) => async () => new Response(ReadableStream.from(chunks), { headers: { 'content-type': 'text/event-stream' } });

/** One of the tables in tests/fixtures/provider. `raw` has the members of each case as they are written there. */
export function fixtures(name) {
  const text = readFileSync(inRoot('tests/fixtures/provider', name), 'utf8');
  const cases = JSON.parse(text);
  const paragraphs = text.split(/^ {2}\{$/m).slice(1);
  return cases.map((given, index) => Object.defineProperty(given, 'raw', { value: rawMembers(paragraphs[index] ?? '') }));
}

const rawMembers = (paragraph) => Object.fromEntries(Array.from(paragraph.matchAll(/^ {4}"(\w+)": (.*?),?$/gm), ([, name, value]) => [name, value]));

/** The elements of a JSON array as they are written. */
export function elements(text) {
  const found = [];
  let depth = 0;
  let start = 1;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]/g)) {
    const ends = (depth === 1 && token === ',') || (token === ']' && depth === 1);
    if (ends && index > start) found.push(text.slice(start, index));
    if (ends) start = index + 1;
    depth += /[[{]/.test(token[0]) - /[\]}]/.test(token[0]);
  }
  return found;
}

/** The folder of a provider's tables. */
export const FOLDERS = { anthropic: 'anthropic', openai: 'openai', openaiResponses: 'openai_responses', gemini: 'gemini', promptApi: 'prompt_api', workersAI: 'workers_ai' };

export const TOOLS = {
  systemPrompt: 'Use the tools.',
  tools: [
    { name: 'fs.read', description: 'Reads', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
    { name: 'add', description: 'Adds', inputSchema: { type: 'object' } },
  ],
};

export const PNG = 'iVBORw0KGgo=';
