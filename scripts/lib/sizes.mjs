// How many bytes a user downloads: raw, and as the two usual compressions send it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { MODULES } from './modules.mjs';
import { distDir } from './project.mjs';

export const MEASURED = MODULES.flatMap(({ name, files }) => [`${name}.wasm`, ...files.map(({ to }) => to)]);

export function measure(name) {
  const bytes = readFileSync(join(distDir, name));
  return { name, raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes).length };
}

/** Lines of one table; `note` may add a last cell to a row. */
export function table(rows, note = () => '') {
  const cells = [['', 'raw', 'gzip', 'brotli', ''], ...rows.map((row) => [row.name, row.raw, row.gzip, row.brotli, note(row)])];
  return cells.map(([name, ...rest]) => `${name.padEnd(28)}${rest.map((cell) => String(cell).padStart(10)).join('')}`.trimEnd());
}
