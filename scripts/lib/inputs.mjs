// Tells whether anything the package is made of has changed since it was last built.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { distDir, inRoot, tarball, workDir } from './project.mjs';

const SOURCES = ['Cargo.toml', 'Cargo.lock', 'pkg.json', 'package-lock.json', 'README.md', 'CHANGELOG.md', 'LICENSE-MIT', 'LICENSE-APACHE'];
const SCRIPTS = [
  ...['toolchain.sh', 'build-pkg.mjs', 'lib/bundle.mjs', 'lib/glue.mjs', 'lib/modules.mjs', 'lib/printable.mjs', 'lib/wasm-apart.mjs', 'lib/project.mjs'],
  ...['lib/wasm-operations.mjs', 'lib/wasm-imports.mjs', 'lib/wasm-order.mjs', 'lib/wasm-sections.mjs'],
];

const stamp = join(workDir, 'inputs.sha256');

export function inputs(toolchain) {
  return hashOf(toolchain, [...SOURCES, ...SCRIPTS.map((name) => join('scripts', name)), ...filesUnder('src')]);
}

/** As {@link inputs}, but only what the compiler and wasm-bindgen are given. */
export function crateInputs(toolchain) {
  return hashOf(toolchain, ['Cargo.toml', 'Cargo.lock', 'scripts/build-pkg.mjs', 'scripts/lib/modules.mjs', ...filesUnder('src').filter((name) => name.endsWith('.rs'))]);
}

function hashOf(toolchain, files) {
  const hash = createHash('sha256').update(toolchain);
  for (const file of files) {
    if (existsSync(inRoot(file))) hash.update(`\0${file}\0`).update(readFileSync(inRoot(file)));
  }
  return hash.digest('hex');
}

function filesUnder(folder) {
  const entries = readdirSync(inRoot(folder), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.path, entry.name).slice(inRoot().length)).sort();
}

export const builtFrom = (hash) => complete() && readFileSync(stamp, 'utf8') === hash;

const complete = () => [stamp, join(distDir, 'index.js'), tarball()].every((file) => existsSync(file));

export const remember = (hash) => writeFileSync(stamp, hash);
