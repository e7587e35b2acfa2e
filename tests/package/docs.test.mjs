// docs/errors.md knows every code that the sources know, and no other.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { inRoot } from '../../scripts/lib/project.mjs';

const page = readFileSync(inRoot('docs/errors.md'), 'utf8');
const codes = [...readFileSync(inRoot('src/error.rs'), 'utf8').matchAll(/^ +\w+ = "([A-Z_]+)" by \w+;/gm)].map((found) => found[1]);
const rows = page.split('\n').filter((line) => line.startsWith('| `'));
const cells = (row) =>
  row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

test('each code has one row that says when, with what data, and what to do', () => {
  assert.ok(codes.length > 25, 'codes were found in the sources');
  const described = new Map(rows.map((row) => [cells(row)[0].replaceAll('`', ''), cells(row)]));
  for (const code of codes) {
    const [, when, , remedy] = described.get(code) ?? assert.fail(`docs/errors.md lacks ${code}`);
    assert.ok(when && remedy, `${code} says when and what to do`);
  }
  const rowsOfCodes = [...described.keys()].filter((name) => /^[A-Z_]+$/.test(name));
  assert.deepEqual(
    rowsOfCodes.filter((name) => !codes.includes(name)),
    [],
    'rows of codes that there are not',
  );
  assert.equal(rowsOfCodes.length, rows.filter((row) => /^\| `[A-Z_]+`/.test(row)).length, 'a code has one row');
});

test('the text names no code that there is not', () => {
  const named = [...page.matchAll(/['`]([A-Z]+_[A-Z_]+)['`]/g)].map((found) => found[1]);
  assert.deepEqual(
    named.filter((name) => !codes.includes(name)),
    [],
  );
});

test('codes made in JavaScript are codes too', () => {
  for (const file of readdirSync(inRoot('src/js')).filter((name) => name.endsWith('.js'))) {
    const made = [...readFileSync(inRoot('src/js', file), 'utf8').matchAll(/makeError\(\s*'([A-Z_]+)'/g)].map((found) => found[1]);
    for (const code of made) assert.ok(codes.includes(code), `${file}: ${code}`);
  }
});
