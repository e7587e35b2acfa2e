// Renames the imports of a module: what wasm-bindgen calls them is long, and hashes do not compress.

import { Cursor, HEADER, encoded, sections } from './wasm-sections.mjs';

const IMPORT = 2;
const FUNCTION = 0;

/** Where JavaScript puts the imports, each under its number. */
export const FROM = '_';

/** The module with numbers for imports: where they stand in its list. */
export function numbered(bytes) {
  const parts = [...sections(bytes)].map((section) => (section.id === IMPORT ? renamed(section.content) : section.whole));
  return Buffer.concat([bytes.subarray(0, HEADER), ...parts]);
}

function renamed(content) {
  const cursor = new Cursor(content);
  const count = cursor.number();
  const entries = Array.from({ length: count }, (_, index) => [...text(FROM), ...text(String(index)), ...typeOf(cursor)]);
  const body = [...encoded(count), ...entries.flat()];
  return Uint8Array.from([IMPORT, ...encoded(body.length), ...body]);
}

/** What comes after the two names. */
function typeOf(cursor) {
  cursor.sized();
  const name = cursor.sized();
  if (cursor.take(1)[0] !== FUNCTION) throw new Error(`the import ${name} is no function`);
  return [FUNCTION, ...encoded(cursor.number())];
}

const text = (ascii) => [...encoded(ascii.length), ...Buffer.from(ascii)];
