// Runs one program in every runtime. A program is a module that exports `async function main(url)`, imports the package
// by its name and returns plain JSON.

import { build } from 'esbuild';
import { copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { install } from './install.mjs';
import { withPage } from './chromium.mjs';
import { runWorker } from './workerd.mjs';

const DEFAULT = fileURLToPath(new URL('../program.mjs', import.meta.url));

/** By import, in a process of its own: it must also come to an end. */
export function runInNode(url, { program = DEFAULT } = {}) {
  return runNode('module', `import { main } from './${place(program)}'; ${REPORT}`, url);
}

/** The same program compiled to CommonJS: the package is loaded with require. */
export async function runRequire(url, { program = DEFAULT } = {}) {
  const outfile = join(install(), `${basename(program, '.mjs')}.cjs`);
  await build({ entryPoints: [program], outfile, bundle: true, packages: 'external', format: 'cjs', platform: 'node', logLevel: 'error' });
  return runNode('commonjs', `const { main } = require('./${basename(outfile)}'); ${REPORT}`, url);
}

/**
 * In a page of the server that `url` belongs to (see serve.mjs), or of another: no bundler, an import map. `expected` are
 * the complaints of the browser that do not count.
 */
export function runInChromium(url, { program = DEFAULT, origin = url, expected = /(?!)/ } = {}) {
  const name = place(program);
  return withPage(new URL('/', origin).href, async (page) => {
    const result = await page.evaluate(async ([name, url]) => (await import(`/${name}`)).main(url), [name, url]);
    const problems = page.problems.filter((problem) => !expected.test(problem));
    if (problems.length) throw new Error(`the page reported:\n${problems.join('\n')}`);
    return result;
  });
}

export function runInWorkerd(url, { program = DEFAULT } = {}) {
  return runWorker(WORKER.replace('PROGRAM', place(program)), { from: install(), body: url });
}

// Beside node_modules, so that the package is found by its name.
function place(program) {
  const name = basename(program);
  copyFileSync(program, join(install(), name));
  return name;
}

const REPORT = 'main(process.argv[1]).then((result) => console.log(JSON.stringify(result)));';

const WORKER = `import { main } from './PROGRAM';
export default {
  async fetch(request) {
    try {
      return Response.json(await main(await request.json()));
    } catch (error) {
      return new Response(String(error?.stack ?? error), { status: 500 });
    }
  },
};`;

// Not synchronous: the server that the program talks to lives in this process.
function runNode(type, text, url, limitMs = 60_000) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [`--input-type=${type}`, '--eval', text, '--', String(url)], { cwd: install(), timeout: limitMs });
    let out = '';
    let err = '';
    child.stdout.on('data', (data) => (out += data));
    child.stderr.on('data', (data) => (err += data));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(JSON.parse(out.trim().split('\n').at(-1)));
      reject(new Error(`node ended with ${signal ? `${signal} after ${limitMs} ms` : `code ${code}`}\n${err}${out}`));
    });
  });
}
