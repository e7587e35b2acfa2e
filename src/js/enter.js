// The one way into the core: what it is told or asked, by number. The numbers are those of src/wasm/client/enter.rs.

import { core } from './instance.js';

export const OPEN = 0;
export const DROP = 1;
export const HANDLERS = 2;
export const WATCH = 3;
export const IS_CONNECTED = 4;
export const CONNECT = 5;
export const CLOSE = 6;
export const REQUEST = 7;
export const RESUME = 8;
export const FACT = 9;
export const HEAD = 10;
export const BODY = 11;
export const CHUNK = 12;
export const END = 13;
export const LOST = 14;
export const REFUSED = 15;
export const SENT = 16;
export const UNDELIVERED = 17;
export const FOLLOWS = 18;
export const MESSAGE = 19;
export const CLOSED = 20;
export const ANSWERED = 21;
export const THREW = 22;
export const SAVED = 23;
export const TICK = 24;
export const ABORT = 25;
export const CHECK_REQUEST = 26;
export const CHECK_RESULT = 27;
export const SELECT = 28;

const NOTHING = new Uint8Array();
let answer;

/** Tells or asks something, and returns a number. The core says what each kind makes of its arguments. */
export function enter(what, client, call = 0, leg = 0, number = 0, text = '', bytes = NOTHING, x = NaN, y = NaN) {
  return core().enter(what, client, call, leg, number, x, y, text, bytes);
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
  return fields.map((field) => `${String(field ?? '').replace(/\n/g, ' ')}\n`).join('') + last;
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
