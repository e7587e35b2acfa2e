// Where things are, and what the manifests say.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const inRoot = (...parts) => join(root, ...parts);

/** The package as npm would publish it. */
export const pkgDir = inRoot('pkg');
export const distDir = join(pkgDir, 'dist');

/** Where the package is put together before it takes the place of the one before it, so that pkg/ is always whole. */
export const stageDir = inRoot('target/pkg/stage');
export const stageDist = join(stageDir, 'dist');

/** Intermediate files of the package build, and the tarball. */
export const workDir = inRoot('target/pkg');

/** A module as it ships, but with the names of its functions. */
export const namedWasm = (name) => join(workDir, 'named', `${name}.wasm`);

export const tarball = () => join(workDir, `${manifest().name}-${manifest().version}.tgz`);

let read;

/** pkg.json with what Cargo.toml owns filled in; Cargo.toml holds the only version number. */
export function manifest() {
  return (read ??= fill(JSON.parse(readFileSync(inRoot('pkg.json'), 'utf8')), crate()));
}

function fill(pkg, crate) {
  for (const field of ['name', 'version', 'description', 'license']) {
    if (pkg[field] !== undefined && pkg[field] !== crate[field]) {
      throw new Error(`pkg.json and Cargo.toml disagree about ${field}: '${pkg[field]}' and '${crate[field]}'`);
    }
  }
  const { name, version, description, license } = crate;
  return { name, version, description, license, ...pkg };
}

function crate() {
  const text = execFileSync('cargo', ['metadata', '--no-deps', '--format-version', '1'], { cwd: root, encoding: 'utf8' });
  return JSON.parse(text).packages[0];
}
