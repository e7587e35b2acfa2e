// Tells whether anything the package is made of has changed since it was last built.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { distDir, inRoot, tarball, workDir } from './project.mjs';

const SOURCES = ['Cargo.toml', 'Cargo.lock', 'pkg.json', 'package-lock.json', 'README.md', 'CHANGELOG.md', 'LICENSE-MIT', 'LICENSE-APACHE'];
const SCRIPTS = ['toolchain.sh', 'build-pkg.mjs', 'lib/bundle.mjs', 'lib/printable.mjs', 'lib/project.mjs'];

const stamp = join(workDir, 'inputs.sha256');

export function inputs(toolchain) {
  const hash = createHash('sha256').update(toolchain);
  for (const file of [...SOURCES, ...SCRIPTS.map((name) => join('scripts', name)), ...filesUnder('src')]) {
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
