// Installs the packed tarball into a project of its own, as a user would. Everything in tests/package runs against that copy.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inRoot, tarball } from '../../../scripts/lib/project.mjs';
import { capture } from '../../../scripts/lib/run.mjs';

const project = inRoot('target/pkg-project');
const stamp = join(project, 'installed.sha256');

/** The folder of the project; installs only when the tarball is another one than last time. */
export function install() {
  if (!existsSync(tarball())) throw new Error("there is no package yet: run 'make pkg'");
  const hash = createHash('sha256').update(readFileSync(tarball())).digest('hex');
  if (!installed(hash)) reinstall(hash);
  return project;
}

const installed = (hash) => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;

function reinstall(hash) {
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
  const flags = ['--no-save', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', project];
  capture('npm', ['install', ...flags, tarball()]);
  writeFileSync(stamp, hash);
}

// Run by itself before the test files, which else would all install at once.
if (process.argv[1] === fileURLToPath(import.meta.url)) install();
