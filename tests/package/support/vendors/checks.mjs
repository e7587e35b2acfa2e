// What the judges of all vendors share. A judge throws what the vendor would answer with status 400.

import assert from 'node:assert/strict';

export class Refused extends Error {}

export function need(holds, what) {
  if (!holds) throw new Refused(what);
}

/** Refuses members that the vendor does not know. */
export function only(value, keys, where) {
  need(typeof value === 'object' && value !== null && !Array.isArray(value), `${where}: not an object`);
  const known = keys.split(' ');
  for (const key of Object.keys(value)) need(known.includes(key), `${where}: extra input ${key}`);
}

export const isWord = (text, max) => typeof text === 'string' && text.length <= max && /^[A-Za-z0-9_-]+$/.test(text);

export const isBase64 = (text) => typeof text === 'string' && text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);

export const isText = (text) => typeof text === 'string' && text.trim() !== '';

/** Takes away the id that a result answers; each call may be answered once. */
export function answered(open, id) {
  const at = open.indexOf(id);
  need(at >= 0, `result for ${id}, which no call before it has`);
  open.splice(at, 1);
}

/** Checks a body's text as JSON that says nothing twice: some vendors refuse that, and all but the last is lost. */
export function parsed(text) {
  const body = JSON.parse(text);
  assert.equal(typeof body, 'object');
  return body;
}

export const data = (event) => `data: ${JSON.stringify(event)}\n\n`;

/** Each character by itself: streams cut anywhere. */
export const characters = (text) => [...text];

/** What runtimes send by themselves. */
const OF_RUNTIMES = /^(host|connection|content-length|transfer-encoding|accept|accept-encoding|accept-language|user-agent|origin|referer|sec-.*|priority|pragma|cache-control|cf-.*|dnt)$/;

/** The headers that the host or the package sent. */
export function sentHeaders(headers) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_RUNTIMES.test(name)));
}
