// Arguments on their way to the core: checked, and as text.

import { makeError } from './errors.js';

/** The argument as JSON text, or an error that names it. */
export function textOf(value, name) {
  let text;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw makeError('INVALID_ARGUMENT', `${name} cannot be written as JSON`, '', cause);
  }
  expect(text?.[0] === '{', name, 'an object');
  return text;
}

// Strings cross into the module letter by letter; bytes cross at once.
export const encoder = new TextEncoder();

/** The argument as the bytes of its JSON text, which cross into the module faster than a string. */
export function bytesOf(value, name) {
  return encoder.encode(textOf(value, name));
}

/** Refuses an argument of the wrong kind. */
export function expect(holds, name, kind) {
  if (!holds) throw makeError('INVALID_ARGUMENT', `expected ${name} to be ${kind}`, '');
}

/** An object of options that may be left out. */
export function optionsOf(value, name) {
  expect(value == null || typeof value === 'object', name, 'an object');
  return value ?? {};
}

/** Fails for names and values that no header may have, which `fetch` would report as if the network had failed. */
export function headersOf(value, name) {
  try {
    return new Headers(value);
  } catch (cause) {
    const header = badHeader(value);
    if (header === undefined) throw makeError('INVALID_ARGUMENT', `expected ${name} to hold names and values of HTTP headers; see cause`, '', cause);
    // Without the cause, which would repeat the value.
    const message = `expected ${name} to hold names and values of HTTP headers: '${header}' has a character that none may have (encode values outside of Latin-1)`;
    throw makeError('INVALID_ARGUMENT', message, JSON.stringify({ header }));
  }
}

function badHeader(value) {
  try {
    const entries = typeof value[Symbol.iterator] === 'function' ? [...value] : Object.entries(value);
    return entries.map(([name]) => String(name).slice(0, 60))[entries.findIndex((entry) => isBad(entry))];
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
