// Whose code a module holds: its bytes by crate, and within our crate by top module.

import { functions, isCode, sections } from './wasm-sections.mjs';

const OURS = 'mcp_sampling';

/** What is not a function of a crate; the names are those of the table. */
const [DROP, EXPORTS, REST] = ['drop glue', 'exports and shims', 'tables and types'];
const DATA_SECTION = 11;

/**
 * The whole of the module, the largest first.
 *
 * @param {Uint8Array} named a module that still has its names
 * @param {Uint8Array} shipped the same without them
 * @returns {{ name: string, size: number, parts: { name: string, size: number }[] }[]}
 */
export function crates(named, shipped) {
  const tally = new Map();
  for (const { name, size } of functions(named)) add(tally, ownerOf(name), size);
  const others = [...sections(shipped)].filter((section) => !isCode(section));
  for (const { id, whole } of others) add(tally, { crate: id === DATA_SECTION ? 'data' : REST }, whole.length);
  const counted = [...tally.values()].reduce((sum, { size }) => sum + size, 0);
  add(tally, { crate: REST }, shipped.length - counted);
  return largestFirst(tally).map((row) => ({ ...row, parts: row.parts.size > 1 ? largestFirst(row.parts) : [] }));
}

function add(tally, { crate, part }, size) {
  const row = entry(tally, crate);
  row.size += size;
  if (part) entry(row.parts, part).size += size;
}

function entry(tally, name) {
  if (!tally.has(name)) tally.set(name, { name, size: 0, parts: new Map() });
  return tally.get(name);
}

const largestFirst = (tally) => [...tally.values()].sort((a, b) => b.size - a.size);

/** Generic code counts for the crate that wrote it, in a part of its own where it was made for types of ours. */
export function ownerOf(name) {
  // Rust's newer names tell versions of a crate apart by a hash, its older ones end with one.
  const plain = name.replaceAll(/\[[0-9a-f]{16}\]|::h[0-9a-f]{16}$/g, '');
  if (!plain.includes('::')) return { crate: EXPORTS };
  if (/\bptr::drop_(glue|in_place)::</.test(plain)) return { crate: DROP };
  const crate = crateOf(plain);
  const [, part] = /\bmcp_sampling::(\w+)/.exec(plain) ?? [];
  if (crate === OURS) return { crate, part: `::${part}` };
  return { crate, part: part ? `for ${OURS}` : 'for others' };
}

/** `<a::B as c::D>::e` is of `a`; what a trait does for a type of the language itself is of the trait. */
function crateOf(plain) {
  const first = /^[^\w{]*(?:(?:mut|const|dyn) )*(\w+)::/.exec(plain) ?? / as (\w+)::/.exec(plain);
  return first?.[1] ?? 'core';
}
