// The pure functions of the core, for those who send requests by themselves, and for the models here.

import { makeError } from '../errors.js';
import { textOf } from '../text.js';
import { BUILD, DROP, FINISH, IS_DONE, OPEN, PARSE, PUSH, ask } from './ask.js';

/** `build`, `parse` and `accumulator` of one kind of model. */
export function pureFunctions({ provider, format = provider, defaults, fixed }) {
  return {
    build(params, options) {
      const { path, headers, body, warnings, state } = request(format, params, { ...defaults, ...options, ...fixed });
      return { path, headers: Object.fromEntries(headers), body, warnings, state: JSON.parse(state) };
    },
    parse,
    accumulator: (state) => new Accumulator(state),
  };
}

/** As `build`, with the state still a text and the headers a list of pairs. */
export function request(provider, params, options) {
  const asked = `${provider}\n${textOf(options, 'options')}`;
  const { texts, bytes: body } = ask(BUILD, 0, asked, bytesOf(params, 'params'));
  const [path, warnings, state, ...flat] = texts;
  const headers = flat.flatMap((name, index) => (index % 2 ? [] : [[name, flat[index + 1]]]));
  return { path, headers, body, warnings: JSON.parse(warnings), state };
}

export function parse(reply, state, status) {
  return JSON.parse(ask(PARSE, 0, stateText(state), bytesOf(reply, 'the reply'), status).texts[0]);
}

class Accumulator {
  #stream;

  constructor(state) {
    this.#stream = new Stream(stateText(state));
  }

  push(chunk) {
    return JSON.parse(this.#running().push(bytesOf(chunk, 'the chunk')));
  }

  get isDone() {
    return this.#stream?.isDone ?? true;
  }

  finish() {
    const stream = this.#running();
    this.#stream = undefined;
    return JSON.parse(stream.finish());
  }

  #running() {
    if (!this.#stream) throw makeError('INVALID_ARGUMENT', 'the stream was finished already', '');
    return this.#stream;
  }
}

const dropped = globalThis.FinalizationRegistry && new FinalizationRegistry((number) => ask(DROP, number));
let lastStream = 0;

/** A streamed reply, which the core knows by its number. */
export class Stream {
  #number = ++lastStream;

  constructor(state) {
    ask(OPEN, this.#number, state);
    dropped?.register(this, this.#number);
  }

  /** What is new, as the JSON text of a list. */
  push(chunk) {
    return ask(PUSH, this.#number, '', chunk).texts[0];
  }

  get isDone() {
    return ask(IS_DONE, this.#number).number === 1;
  }

  /** The whole, as JSON text. */
  finish() {
    return ask(FINISH, this.#number).texts[0];
  }

  drop() {
    ask(DROP, this.#number);
  }
}

const stateText = (state) => (typeof state === 'string' ? state : textOf(state, 'state'));

/** Bytes and texts as they are, anything else as JSON. */
export function bytesOf(value, name) {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (Object.prototype.toString.call(value) === '[object ArrayBuffer]') return new Uint8Array(value);
  return typeof value === 'string' ? value : textOf(value, name);
}
