// Takes a module apart for the entries that hold it as text, where operations stand with operations, indices of locals with
// such indices and so on: that makes what compression leaves a twelfth smaller. src/js/entry/together.wat is the way back.

import { skipOperands } from './wasm-operations.mjs';
import { Cursor, isCode, sections } from './wasm-sections.mjs';

/** In the order of their numbers: what stands before the functions, their own locals, the operands, the operations, the rest. */
const PARTS = ['before', 'declared', 'blocks', 'branches', 'calls', 'locals', 'offsets', 'ints', 'longs', 'others', 'operations', 'after'];
const [BEFORE, DECLARED, BLOCKS, BRANCHES, CALLS, LOCALS, OFFSETS, INTS, LONGS, OTHERS, OPERATIONS, AFTER] = PARTS.keys();

// In which part the operands of these operations are: https://webassembly.github.io/spec/core/binary/instructions.html
const RANGES = [
  [BLOCKS, 0x02, 0x04],
  [BRANCHES, 0x0c, 0x0d],
  [OTHERS, 0x0e, 0x0e],
  [CALLS, 0x10, 0x10],
  [OTHERS, 0x11, 0x11],
  [LOCALS, 0x20, 0x22],
  [BRANCHES, 0x23, 0x24],
  [OFFSETS, 0x28, 0x3e],
  [OTHERS, 0x3f, 0x40],
  [INTS, 0x41, 0x41],
  [LONGS, 0x42, 0x42],
  [OTHERS, 0x43, 0x44],
  [OTHERS, 0xfc, 0xfc],
];

/** The part in which the operands of an operation are; 0 if it has none. */
const OPERANDS = new Uint8Array(256);
for (const [part, first, last] of RANGES) OPERANDS.fill(part, first, last + 1);

/** Where the parts are in the memory, and how far they may go: the module comes next. */
const [START, END] = [0x400, 0x80000];

/** @returns {{ bytes: Buffer, places: number[] }} the parts, one after the other, and where each begins and the last ends */
export function apart(module) {
  const parts = PARTS.map(() => []);
  const { content } = [...sections(module)].find(isCode);
  const begin = content.byteOffset - module.byteOffset;
  const cursor = new Cursor(content);
  const count = cursor.number();
  parts[BEFORE].push(module.subarray(0, begin + cursor.at));
  for (let left = count; left > 0; left--) takeApart(cursor.sized(), parts);
  parts[AFTER].push(module.subarray(begin + content.length));
  return inOrder([OPERANDS, ...parts.map((pieces) => Buffer.concat(pieces))]);
}

function inOrder(parts) {
  let end = START;
  const places = parts.map(({ length }) => (end += length));
  // A character may be two bytes.
  if (START + 2 * (end - START) > END || end > END * 2 - START) throw new Error('the module is too large for the memory of together.wat');
  return { bytes: Buffer.concat(parts), places };
}

function takeApart(body, parts) {
  const cursor = new Cursor(body);
  const groups = number(cursor, parts[DECLARED]);
  if (groups > 63) throw new Error('a function has too many kinds of locals');
  for (let left = groups * 2; left > 0; left--) number(cursor, parts[DECLARED]);
  while (!cursor.ended) {
    const [operation] = cursor.take(1);
    parts[OPERATIONS].push(Buffer.of(operation));
    const part = OPERANDS[operation];
    if (part === OTHERS) others(operation, cursor, parts[OTHERS]);
    else if (part) plain(part, cursor, parts[part]);
  }
}

function plain(part, cursor, pieces) {
  // The build has forgotten all alignments, which are hints.
  if (part === OFFSETS && cursor.number() !== 0) throw new Error('a load or store says how it is aligned');
  number(cursor, pieces);
}

/** Moves a number, and returns it. */
function number(cursor, pieces) {
  const start = cursor.at;
  const value = cursor.number();
  pieces.push(cursor.bytes.subarray(start, cursor.at));
  return value;
}

/** Operands that are not one number go as so many bytes. */
function others(operation, cursor, pieces) {
  const start = cursor.at;
  skipOperands(cursor, operation);
  const bytes = cursor.bytes.subarray(start, cursor.at);
  if (bytes.length > 255) throw new Error('the operands of an operation are longer than 255 bytes');
  pieces.push(Buffer.of(bytes.length), bytes);
}
