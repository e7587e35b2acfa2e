// The one way into the core: what it is told or asked, by number.

import { give } from './given.js';
import { core } from './instance.js';

export * from './what.js';

let answer;

/** Tells or asks something, and returns a number. The core says what each kind makes of its arguments. Bytes may be a text. */
export function enter(what, client, call = 0, leg = 0, number = 0, text = '', bytes = '', x = NaN, y = NaN) {
  const { enter } = core();
  give([client, call, leg, number, x, y], text, bytes);
  return enter(what);
}

/** Asks for a text; nothing if there is none. */
export function ask(what, client, number, text, bytes, at) {
  answer = undefined;
  enter(what, client, 0, at, number, text, bytes);
  return answer;
}

/** The text that was asked for. */
export function told(text) {
  answer = text;
}

/** Texts in lines of their own. Only the last one may have line breaks, and no text is as good as an empty one. */
export function lines(...fields) {
  const last = fields.pop() ?? '';
  let text = '';
  for (const field of fields) text += field == null ? '\n' : `${String(field).replaceAll('\n', ' ')}\n`;
  return text + last;
}

/** Tells what happened. If the core stops on that, whoever waits is told otherwise. */
export function tell(...told) {
  try {
    return enter(...told);
  } catch (error) {
    if (error.code !== 'INTERNAL_ERROR') throw error;
    return undefined;
  }
}
