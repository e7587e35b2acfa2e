// What users download: every file of the package, and what is in its modules, against scripts/size-budget.json. Fails when
// something is over its budget, or has none.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODULES } from './lib/modules.mjs';
import { distDir, inRoot, namedWasm } from './lib/project.mjs';
import { main } from './lib/run.mjs';
import { ENTRIES, MEASURED, crateTable, measure, table, together } from './lib/sizes.mjs';
import { crates } from './lib/wasm-crates.mjs';
import { withoutCustom } from './lib/wasm-sections.mjs';

/** What is smaller than this needs no budget: a new dependency that matters is larger. */
const SMALL = 1000;

const budget = JSON.parse(readFileSync(inRoot('scripts/size-budget.json'), 'utf8'));
const problems = [];

await main(() => {
  files();
  for (const { name } of MODULES) inside(`${name}.wasm`, name);
  if (problems.length) problems.push('change scripts/size-budget.json only together with the reason');
  for (const problem of problems) console.error(`error: ${problem}`);
  process.exitCode = problems.length ? 1 : 0;
});

function files() {
  const rows = MEASURED.map(measure);
  const entries = ENTRIES.map((names) => together(names, rows));
  const note = ({ name }) => (MEASURED.includes(name) ? `/ ${budget.files[name] ?? 'none'}` : '');
  console.log(table([...rows, ...entries], note).join('\n'));
  for (const { name, brotli } of rows) check(name, brotli, budget.files[name]);
}

function inside(file, module) {
  const shipped = readFileSync(join(distDir, file));
  const named = existsSync(namedWasm(module)) && readFileSync(namedWasm(module));
  if (!named || !withoutCustom(named).equals(shipped)) return problems.push(`${file} has no copy with names of the same build: run make pkg`);
  const allowed = budget.crates[file] ?? {};
  const rows = crates(named, shipped);
  console.log(`\n${crateTable(file, rows, ({ name }) => (allowed[name] ? `/ ${allowed[name]}` : '')).join('\n')}`);
  for (const { name, size } of rows) check(`${name} in ${file}`, size, allowed[name] ?? (size < SMALL ? SMALL : undefined));
}

function check(name, size, allowed) {
  if (size <= allowed) return;
  problems.push(allowed === undefined ? `${name} takes ${size} bytes and has no budget` : `${name} is ${size - allowed} bytes over its budget of ${allowed}`);
}
