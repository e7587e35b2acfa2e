// `make bench`: every measurement, side by side in one run; a table of medians, and target/bench/report.json. The spread is
// the middle half of the values as a part of their median, of each contestant.
// `node scripts/bench.mjs calls check` runs only those; `--write` puts the figures of a whole run into docs/performance.md,
// and some of them into README.md.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { HEAD, brief, cells, line, markdown, missed } from './lib/figures.mjs';
import { inRoot } from './lib/project.mjs';

/** What is measured in this process comes before what fills it with other programs. */
const SUITES = ['calls', 'check', 'loop', 'stream', 'providers', 'concurrent', 'memory', 'download', 'cold'];
/** What README.md shows: how these rows begin. */
const BRIEF = ['download, default entry (', 'cold start', 'CPU per two-leg call', 'event stream of 100,000 events, to the callback of', '1000 calls'];
const MACHINE = `Node ${process.version}, ${cpus().length} × ${cpus()[0].model.trim()}`;

const wanted = process.argv.slice(2).filter((name) => name !== '--write');
const isToWrite = process.argv.includes('--write');
checkArguments();
const rows = [];
console.log(line(HEAD));
for (const suite of SUITES.filter((name) => wanted.length === 0 || wanted.includes(name))) {
  const module = await import(`../benches/js/${suite}.mjs`);
  for (const row of await module[suite]()) print(row);
}
report();
if (isToWrite) writePages();
console.log(`\n${MACHINE}; target/bench/report.json`);

function checkArguments() {
  const unknown = wanted.filter((name) => !SUITES.includes(name));
  if (unknown.length) fail(`unknown measurement ${unknown.join(', ')}; there are ${SUITES.join(', ')}`);
  if (isToWrite && wanted.length) fail('--write needs the figures of a whole run');
}

function fail(message) {
  console.error(message);
  process.exit(2);
}

function print(row) {
  rows.push(row);
  console.log(`${line(cells(row))}${missed(row) ? '  missed' : ''}`);
}

function report() {
  mkdirSync(inRoot('target/bench'), { recursive: true });
  writeFileSync(inRoot('target/bench/report.json'), `${JSON.stringify(rows, null, 2)}\n`);
}

function writePages() {
  write('docs/performance.md', `${MACHINE}.\n\n${markdown(rows)}`);
  write('README.md', brief(rows.filter(({ name }) => BRIEF.some((start) => name.startsWith(start)))));
}

function write(page, figures) {
  const marked = `<!-- figures -->\n${figures}\n<!-- /figures -->`;
  const text = readFileSync(inRoot(page), 'utf8');
  writeFileSync(inRoot(page), text.replace(/<!-- figures -->[^]*<!-- \/figures -->/, () => marked));
}
