// Arguments on their way to the core: checked, and as text.

import { invalid } from './errors.js';

/** The argument as JSON text, or an error that names it. */
export function textOf(value, name) {
  let text;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw invalid(`${name} cannot be written as JSON`, undefined, cause);
  }
  expect(text?.[0] === '{', name, 'an object');
  return text;
}

// What may be long crosses into the module as bytes: a string would be copied once more.
export const encoder = new TextEncoder();

const scratch = new Uint8Array(512);

/** A text as bytes, until the next one. What is short, as it mostly is, is faster written by hand than by the encoder. */
export function utf8(text) {
  const { length } = text;
  let at = 0;
  while (at < length && length <= 512) {
    const code = text.charCodeAt(at);
    if (code > 127) break;
    scratch[at++] = code;
  }
  return at < length ? encoder.encode(text) : scratch.subarray(0, length);
}

/** One piece of all. */
export function concat(pieces) {
  if (pieces.length === 1) return pieces[0];
  const bytes = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  pieces.reduce((at, piece) => (bytes.set(piece, at), at + piece.length), 0);
  return bytes;
}

/** Refuses an argument of the wrong kind. */
export function expect(holds, name, kind) {
  if (!holds) throw invalid(`expected ${name} to be ${kind}`);
}

/** An object of options that may be left out. */
export function optionsOf(value, name = 'options') {
  expect(value == null || typeof value === 'object', name, 'an object');
  return value ?? {};
}

/** Fails for names and values that no header may have, which `fetch` would report as if the network had failed. */
export function headersOf(value, name) {
  try {
    return new Headers(value);
  } catch (cause) {
    const header = badHeader(value);
    const message = `expected ${name} to hold names and values of HTTP headers`;
    if (header === undefined) throw invalid(`${message}; see cause`, undefined, cause);
    // Without the cause, which would repeat the value.
    throw invalid(`${message}: '${header}' has a character that none may have (encode values outside of Latin-1)`, { header });
  }
}

/** The name of the first that is bad; nothing if that is not what is wrong. */
function badHeader(value) {
  try {
    const entries = typeof value[Symbol.iterator] === 'function' ? [...value] : Object.entries(value);
    const [name] = entries.find(isBad);
    return String(name).slice(0, 60);
  } catch {
    return undefined;
  }
}

function isBad(entry) {
  try {
    return !new Headers([entry]);
  } catch {
    return true;
  }
}
