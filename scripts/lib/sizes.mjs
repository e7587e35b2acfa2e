// How many bytes a user downloads: raw, and as the two usual compressions send it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { MODULES } from './modules.mjs';
import { distDir } from './project.mjs';

const wasm = ({ name }) => `${name}.wasm`;

/** The files of dist/ that run. */
export const MEASURED = MODULES.flatMap((module) => [wasm(module), ...module.files.map(({ to }) => to)]);

/** The entries that are more than one file: what loads the module, and the module. */
export const ENTRIES = MODULES.flatMap((module) => module.files.filter(({ from }) => from !== 'inline').map(({ to }) => [to, wasm(module)]));

export function measure(name) {
  const bytes = readFileSync(join(distDir, name));
  return { name, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes).length };
}

/** An entry from the rows of its files. */
export function together(names, rows) {
  const parts = names.map((name) => rows.find((row) => row.name === name));
  const sum = (key) => parts.reduce((total, part) => total + part[key], 0);
  return { name: `${names[0]} and its .wasm`, raw: sum('raw'), gzip: sum('gzip'), brotli: sum('brotli') };
}

/** Lines of one table; `note` may add a last cell to a row. */
export function table(rows, note = () => '') {
  const cells = [['', 'raw', 'gzip', 'brotli', ''], ...rows.map((row) => [row.name, row.raw, row.gzip, row.brotli, note(row)])];
  return cells.map(line);
}

/** Lines of what is in a module: bytes and share by crate, and below each crate by its parts. */
export function crateTable(file, rows, note) {
  const total = rows.reduce((sum, { size }) => sum + size, 0);
  const cells = (name, size, last) => [name, size, `${((100 * size) / total).toFixed(1)} %`, last];
  const nested = ({ parts }) => parts.map(({ name, size }) => cells(`    ${name}`, size, ''));
  const body = rows.flatMap((row) => [cells(row.name, row.size, note(row)), ...nested(row)]);
  return [[`in ${file}`, 'raw', 'share', ''], ...body, cells('all', total, '')].map(line);
}

function line([name, ...rest]) {
  return `${name.padEnd(38)}${rest.map((cell) => String(cell).padStart(10)).join('')}`.trimEnd();
}
