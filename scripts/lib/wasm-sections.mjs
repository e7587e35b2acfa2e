// Reads a WebAssembly module as far as its sizes need it: the sections, and the functions with their names.
// https://webassembly.github.io/spec/core/binary/modules.html

const [CUSTOM, CODE] = [0, 10];
const FUNCTION_NAMES = 1;
export const HEADER = 8;

/** A place in the bytes that moves on as it is read. */
export class Cursor {
  constructor(bytes, at = 0) {
    Object.assign(this, { bytes, at });
  }

  get ended() {
    return this.at >= this.bytes.length;
  }

  /** A number in LEB128; multiplied, because shifts end at 32 bits. */
  number() {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes[this.at++];
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  }

  take(length) {
    return this.bytes.subarray(this.at, (this.at += length));
  }

  /** What is written as a length and so many bytes. */
  sized() {
    return this.take(this.number());
  }
}

/** Each section: its kind, what it holds, and what it takes with its head. */
export function* sections(bytes) {
  const cursor = new Cursor(bytes, HEADER);
  while (!cursor.ended) {
    const start = cursor.at;
    const [id] = cursor.take(1);
    const content = cursor.sized();
    yield { id, content, whole: bytes.subarray(start, cursor.at) };
  }
}

/** A number in LEB128. */
export const encoded = (number) => (number < 128 ? [number] : [(number % 128) + 128, ...encoded(Math.floor(number / 128))]);

export const isCode = ({ id }) => id === CODE;

/** The module without what only people read: names, and the like. */
export function withoutCustom(bytes) {
  const kept = [...sections(bytes)].filter(({ id }) => id !== CUSTOM).map(({ whole }) => whole);
  return Buffer.concat([bytes.subarray(0, HEADER), ...kept]);
}

/** The functions of the module with their sizes; those that have no name are called ''. */
export function functions(bytes) {
  const module = new WebAssembly.Module(bytes);
  const names = namesOf(module);
  const imported = WebAssembly.Module.imports(module).filter(({ kind }) => kind === 'function').length;
  return bodySizes(bytes).map((size, index) => ({ name: names.get(imported + index) ?? '', size }));
}

function bodySizes(bytes) {
  const cursor = new Cursor([...sections(bytes)].find(isCode).content);
  return Array.from({ length: cursor.number() }, () => {
    const start = cursor.at;
    cursor.sized();
    return cursor.at - start;
  });
}

function namesOf(module) {
  const [section] = WebAssembly.Module.customSections(module, 'name');
  const names = new Map();
  for (const cursor = new Cursor(new Uint8Array(section ?? [])); !cursor.ended; ) {
    const [kind] = cursor.take(1);
    const content = cursor.sized();
    if (kind === FUNCTION_NAMES) readNames(new Cursor(content), names);
  }
  return names;
}

function readNames(cursor, names) {
  const decoder = new TextDecoder();
  for (let left = cursor.number(); left > 0; left--) names.set(cursor.number(), decoder.decode(cursor.sized()));
}
