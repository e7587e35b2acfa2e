// Reads the operations in the body of a function, and finds the calls. https://webassembly.github.io/spec/core/binary/instructions.html

import { Cursor } from './wasm-sections.mjs';

/** `call`, `return_call` and `ref.func`: what has the number of a function. */
const CALLS = [0x10, 0x12, 0xd2];
/** The operations that numbers follow, from the first to the last, and how many. */
const NUMBERS = [
  [0x02, 0x04, 1],
  [0x0c, 0x0d, 1],
  [0x11, 0x11, 2],
  [0x13, 0x13, 2],
  [0x20, 0x26, 1],
  [0x28, 0x3e, 2],
  [0x3f, 0x42, 1],
  [0xd0, 0xd0, 1],
];
/** Those that nothing follows. */
const PLAIN = [0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, 0xd1];
const [FIRST_PLAIN, LAST_PLAIN] = [0x45, 0xc4];
const [BRANCH_TABLE, SELECT_TYPED, FLOAT_32, FLOAT_64, MORE] = [0x0e, 0x1c, 0x43, 0x44, 0xfc];
/** Of the operations with two bytes, conversions come first, without operands; these have two, the others one. */
const [CONVERSIONS, WITH_TWO] = [8, [8, 10, 12, 14]];

/** The body in pieces: bytes, and the numbers of the functions that are called. */
export function pieces(body) {
  const cursor = new Cursor(body);
  const found = [];
  let from = 0;
  skip(cursor, cursor.number(), () => (cursor.number(), cursor.take(1)));
  while (!cursor.ended) {
    const [operation] = cursor.take(1);
    if (CALLS.includes(operation)) {
      found.push(body.subarray(from, cursor.at), cursor.number());
      from = cursor.at;
    } else skipOperands(cursor, operation);
  }
  return [...found, body.subarray(from)];
}

/** Moves on behind the operands of an operation. */
export function skipOperands(cursor, operation) {
  const number = () => cursor.number();
  const known = NUMBERS.find(([first, last]) => first <= operation && operation <= last);
  if (known) skip(cursor, known[2], number);
  else if (operation === BRANCH_TABLE) skip(cursor, cursor.number() + 1, number);
  else if (operation === SELECT_TYPED) cursor.sized();
  else if (operation === FLOAT_32) cursor.take(4);
  else if (operation === FLOAT_64) cursor.take(8);
  else if (operation === MORE) more(cursor, cursor.number());
  else if (!PLAIN.includes(operation) && !(FIRST_PLAIN <= operation && operation <= LAST_PLAIN)) {
    throw new Error(`the operation 0x${operation.toString(16)} is not known here`);
  }
}

function more(cursor, operation) {
  if (operation >= CONVERSIONS) skip(cursor, WITH_TWO.includes(operation) ? 2 : 1, () => cursor.number());
}

function skip(cursor, count, once) {
  for (let left = count; left > 0; left--) once();
}
