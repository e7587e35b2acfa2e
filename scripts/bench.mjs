// `make bench`: every measurement, side by side in one run; a table, and target/bench/report.json.
// `node scripts/bench.mjs calls check` runs only those; `--write` puts the figures into docs/performance.md.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { inRoot } from './lib/project.mjs';

const SUITES = ['download', 'calls', 'check', 'cold', 'concurrent', 'loop', 'stream', 'providers', 'memory'];

const wanted = process.argv.slice(2).filter((name) => name !== '--write');
const rows = [];
for (const suite of SUITES.filter((name) => wanted.length === 0 || wanted.includes(name))) {
  if (!existsSync(inRoot(`benches/js/${suite}.mjs`))) continue;
  const module = await import(`../benches/js/${suite}.mjs`);
  for (const row of await module[suite]()) print(row);
}
mkdirSync(inRoot('target/bench'), { recursive: true });
writeFileSync(inRoot('target/bench/report.json'), `${JSON.stringify(rows, null, 2)}\n`);
if (process.argv.includes('--write')) write();
console.log(`\nNode ${process.version}, ${cpus().length} × ${cpus()[0].model.trim()}; target/bench/report.json`);

/** Puts the figures into docs/performance.md. */
function write() {
  const cells = (row) => [row.name, figure(row.ours), figure(row.peer), figure(row.floor), row.unit, figure(row.ratio), row.target === undefined ? '' : `≤ ${row.target}`];
  const head = ['what', 'ours', 'peer', 'floor', 'unit', 'ratio', 'target'];
  const lines = [head, head.map(() => '---'), ...rows.map(cells)].map((row) => `| ${row.join(' | ')} |`);
  const page = inRoot('docs/performance.md');
  const text = readFileSync(page, 'utf8');
  const figures = `<!-- figures -->\nNode ${process.version}, ${cpus().length} × ${cpus()[0].model.trim()}.\n\n${lines.join('\n')}\n<!-- /figures -->`;
  writeFileSync(page, text.replace(/<!-- figures -->[^]*<!-- \/figures -->/, () => figures));
}

function print(row) {
  if (rows.length === 0) console.log(line('', 'ours', 'peer', 'floor', 'unit', 'ratio', 'target'));
  rows.push(row);
  const target = row.target === undefined ? '' : `≤ ${row.target}${row.ratio <= row.target ? '' : '  missed'}`;
  console.log(line(row.name, figure(row.ours), figure(row.peer), figure(row.floor), row.unit, figure(row.ratio), target));
}

function line(name, ours, peer, floor, unit, ratio, target) {
  return `${name.padEnd(72)}${[ours, peer, floor].map((text) => text.padStart(11)).join('')}  ${unit.padEnd(13)}${ratio.padStart(6)}  ${target}`;
}

function figure(number) {
  if (number === undefined) return '';
  return number >= 1000 ? Math.round(number).toLocaleString('en') : number.toPrecision(3);
}
