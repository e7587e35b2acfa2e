// Runs the legs named on the command line, or all: `node scripts/test.mjs native wasm-node`.
// The whole output of a leg is in target/test-logs/<leg>.log; the last line here is always `N passed, M failed`.

import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { count, explanation } from './lib/counts.mjs';
import { ALONE, LEGS, TOGETHER } from './lib/legs.mjs';
import { inRoot } from './lib/project.mjs';
import { supervise } from './lib/run.mjs';

const LIMIT_MS = 15 * 60_000;
const logs = inRoot('target/test-logs');
const wanted = process.argv.slice(2);
const totals = { passed: 0, failed: 0 };

checkNames();
mkdirSync(logs, { recursive: true });
await Promise.all(TOGETHER.map(runInOrder));
await runInOrder(ALONE);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed ? 1 : 0;

function checkNames() {
  const unknown = wanted.filter((name) => !LEGS[name]);
  if (!unknown.length) return;
  console.error(`unknown leg ${unknown.join(', ')}; there are ${Object.keys(LEGS).join(', ')}`);
  process.exit(2);
}

async function runInOrder(names) {
  for (const name of names) {
    if (!wanted.length || wanted.includes(name)) await runLeg(name);
  }
}

async function runLeg(name) {
  const start = Date.now();
  const file = join(logs, `${name}.log`);
  const log = createWriteStream(file);
  const result = { passed: 0, failed: 0, said: [] };
  try {
    const steps = LEGS[name]();
    if (!steps.length) return console.log(`skipped ${name}: this machine has no tool for it, or nobody asked for it`);
    for (const step of steps) await runStep(step, log, result);
  } catch (error) {
    result.failed++;
    result.said.push(String(error.stack ?? error));
    log.write(`${result.said.at(-1)}\n`);
  }
  log.end();
  report(name, result, Date.now() - start, file);
}

async function runStep({ count: kind, command, args, env }, log, result) {
  const chunks = [];
  const onData = (data) => {
    chunks.push(data);
    log.write(data);
  };
  log.write(`$ ${command.replace(inRoot('/'), '')} ${args.join(' ')}\n`);
  const code = await supervise(command, args, { env, limitMs: LIMIT_MS, onData });
  const text = Buffer.concat(chunks).toString();
  const { passed, failed } = count(kind, text, code);
  result.passed += passed;
  result.failed += failed;
  if (failed) result.said.push(code === null ? `ended after ${LIMIT_MS / 60_000} minutes\n${text.slice(-4000)}` : explanation(text));
}

function report(name, { passed, failed, said }, ms, file) {
  totals.passed += passed;
  totals.failed += failed;
  const seconds = `${(ms / 1000).toFixed(1)} s`;
  console.log(`${failed ? 'FAILED' : 'ok    '} ${name.padEnd(14)} ${String(passed).padStart(5)} passed ${String(failed).padStart(3)} failed ${seconds.padStart(9)}`);
  for (const text of said) console.log(text.replace(/^/gm, '    '));
  if (!failed) return;
  console.log(`    (all of it: ${file.replace(inRoot('/'), '')})`);
  if (name.startsWith('wasm-')) console.log('    (MCP_SAMPLING_VERBOSE=1 keeps the places and values of panics in the module)');
}
