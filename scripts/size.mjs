// Compares the built package with scripts/size-budget.json (bytes after brotli) and fails when a file is over.

import { readFileSync } from 'node:fs';
import { inRoot } from './lib/project.mjs';
import { main } from './lib/run.mjs';
import { MEASURED, measure, table } from './lib/sizes.mjs';

await main(() => {
  const budget = JSON.parse(readFileSync(inRoot('scripts/size-budget.json'), 'utf8'));
  const rows = MEASURED.map(measure);
  console.log(table(rows, ({ name }) => `/ ${budget[name] ?? 'none'}`).join('\n'));
  for (const { name, brotli } of rows) check(name, brotli, budget[name]);
});

function check(name, size, allowed) {
  if (size <= allowed) return;
  const why = allowed === undefined ? 'has no budget' : `is ${size - allowed} bytes over its budget of ${allowed}`;
  console.error(`${name} ${why}; change scripts/size-budget.json only together with the reason`);
  process.exitCode = 1;
}
