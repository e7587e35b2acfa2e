// The one way into the core of the providers: what it is asked, by number, and what it answers. The numbers are those of
// src/wasm/provider.rs, which says what each kind makes of its arguments.

import { makeError } from '../errors.js';
import * as given from '../given.js';
import { core } from '../instance.js';

export const BUILD = 0;
export const PARSE = 1;
export const OPEN = 2;
export const PUSH = 3;
export const IS_DONE = 4;
export const FINISH = 5;
export const DROP = 6;

let answer;

/** Asks for something, and returns the `texts` and the `bytes` of the answer, and a `number`. */
export function ask(what, number, text = '', bytes = '', status = 0) {
  answer = { texts: [] };
  const told = answer;
  const { consult } = core();
  given.give([number, status], text, bytes);
  told.number = consult(what);
  if (told.error) throw makeError(...told.error);
  return told;
}

/** The next text of the answer. */
export function tell(text) {
  answer.texts.push(text);
}

/** The bytes of the answer, which are not there for longer than this call. */
export function give(bytes) {
  answer.bytes = bytes.slice();
}

/** There is no answer but an error. */
export function fail(...error) {
  answer.error = error;
}
