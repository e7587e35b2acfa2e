// Puts the functions of a module in another order, which takes 2 % off what is left of it after compression: those of one type
// stand together, so that the list of types has runs, and each comes after the one that it has most in common with, so that
// what repeats is near. What counts as common is a guess, so several are tried.
// https://webassembly.github.io/spec/core/binary/modules.html

import { brotliCompressSync } from 'node:zlib';
import { pieces } from './wasm-operations.mjs';
import { Cursor, HEADER, encoded, sections, withoutCustom } from './wasm-sections.mjs';

const [CUSTOM, IMPORT, FUNCTION, EXPORT, START, ELEMENT, CODE] = [0, 2, 3, 7, 8, 9, 10];
const FUNCTION_NAMES = 1;
/** How many bytes in a row must be the same, and how much less the likeness of short functions counts. */
const GUESSES = [3, 4, 5, 6].flatMap((run) => [0, 5, 30].map((least) => ({ run, least })));

/** The module with its functions in the order that compresses best. */
export function ordered(bytes) {
  const parts = [...sections(bytes)];
  const content = (kind) => new Cursor(parts.find(({ id }) => id === kind)?.content ?? [0]);
  const types = list(content(FUNCTION), (cursor) => cursor.number());
  const bodies = list(content(CODE), (cursor) => cursor.sized());
  const tried = GUESSES.map((guess) => rearranged(bytes, { parts, types, bodies, imported: content(IMPORT).number() }, arranged(types, bodies, guess)));
  const sizes = tried.map((module) => brotliCompressSync(withoutCustom(module)).length);
  return tried[sizes.indexOf(Math.min(...sizes))];
}

function rearranged(bytes, { parts, types, bodies, imported }, order) {
  const places = new Map(order.map((index, place) => [imported + index, imported + place]));
  const moved = (index) => encoded(places.get(index) ?? index);
  const change = {
    [CUSTOM]: (cursor) => custom(cursor, moved),
    [FUNCTION]: () => written(order, (index) => encoded(types[index])),
    [EXPORT]: (cursor) => written(list(cursor, entry), ([name, kind, index]) => [...name, kind, ...(kind ? encoded(index) : moved(index))]),
    [START]: (cursor) => moved(cursor.number()),
    [ELEMENT]: (cursor) => written(list(cursor, elements), ([place, members]) => [...place, ...written(members, moved)]),
    [CODE]: () => written(order, (index) => sized(pieces(bodies[index]).flatMap((piece) => (typeof piece === 'number' ? moved(piece) : [...piece])))),
  };
  const sectionsOf = ({ id, content: old, whole }) => (change[id] ? Uint8Array.from([id, ...sized(change[id](new Cursor(old)))]) : whole);
  return Buffer.concat([bytes.subarray(0, HEADER), ...parts.map(sectionsOf)]);
}

/** The functions type by type, beginning with a small one and going on with what is most like the last. */
function arranged(types, bodies, { run, least }) {
  const runs = bodies.map((body) => runsOf(body, run));
  const left = new Set(types.keys());
  const order = [];
  for (const type of [...new Set(types)].sort((one, other) => one - other)) {
    const group = new Set([...left].filter((index) => types[index] === type));
    let last = [...group].reduce((least, index) => (bodies[index].length < bodies[least].length ? index : least));
    while (last !== undefined) {
      order.push(last);
      group.delete(last);
      last = best(group, runs, runs[last], least);
    }
  }
  return order;
}

function best(group, runs, last, least) {
  let [found, most] = [undefined, -1];
  for (const index of group) {
    const likeness = common(last, runs[index], least);
    if (likeness > most) [found, most] = [index, likeness];
  }
  return found;
}

/** The part of the runs of bytes of two functions that both have. What is short is alike by chance. */
function common(one, other, least) {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  let count = 0;
  for (const run of few) count += many.has(run);
  return count / (few.size + many.size - count + least);
}

function runsOf(body, length) {
  const text = Buffer.from(body).toString('latin1');
  return new Set(Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length)));
}

function entry(cursor) {
  const name = cursor.sized();
  return [sized(name), cursor.take(1)[0], cursor.number()];
}

/** Where the elements go, and which they are. Others than functions at a constant place in the one table do not occur. */
function elements(cursor) {
  const [kind, operation] = cursor.take(2);
  if (kind !== 0 || operation !== 0x41) throw new Error('the table is filled in a way that is not known here');
  const place = [kind, operation, ...encoded(cursor.number()), ...cursor.take(1)];
  return [place, list(cursor, () => cursor.number())];
}

/** Only the names of functions are kept, which is what `make size` reads. */
function custom(cursor, moved) {
  const title = sized(cursor.sized());
  if (String.fromCharCode(...title.slice(1)) !== 'name') return [...title, ...cursor.take(cursor.bytes.length)];
  const parts = [];
  while (!cursor.ended) {
    const [kind] = cursor.take(1);
    const names = new Cursor(cursor.sized());
    if (kind === FUNCTION_NAMES) parts.push(kind, ...sized(written(list(names, () => [names.number(), names.sized()]), ([index, name]) => [...moved(index), ...sized(name)])));
  }
  return [...title, ...parts];
}

const list = (cursor, read) => Array.from({ length: cursor.number() }, () => read(cursor));
const written = (items, write) => [...encoded(items.length), ...items.flatMap(write)];
const sized = (content) => [...encoded(content.length), ...content];
