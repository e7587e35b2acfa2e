// Arguments on their way to the core.

import { makeError } from './errors.js';

/** The argument as JSON text, or an error that names it. */
export function textOf(value, name) {
  let text;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw makeError('INVALID_ARGUMENT', `${name} cannot be written as JSON`, '', cause);
  }
  if (text === undefined || text[0] !== '{') {
    throw makeError('INVALID_ARGUMENT', `expected ${name} to be an object`, '');
  }
  return text;
}
