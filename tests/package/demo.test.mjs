/** `make demo` as a user runs it in a terminal. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SAMPLE_TEXT } from '../../www/sample.js';
import { summarize } from '../support/summarizer.mjs';

const DEMO = fileURLToPath(new URL('../../scripts/demo.mjs', import.meta.url));

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-'));
});
after(() => rm(folder, { recursive: true }));

function start(args, { env = {}, input } = {}) {
  const child = spawn(process.execPath, [DEMO, ...args], { env: { ...process.env, TEXT: '', ONCE: '', ...env }, timeout: 60_000 });
  const run = { child, out: '', err: '' };
  child.stdout.on('data', (data) => (run.out += data));
  child.stderr.on('data', (data) => (run.err += data));
  child.stdin.end(input);
  run.ended = new Promise((resolve) => child.on('close', (code) => resolve({ ...run, code })));
  return run;
}

const demo = (...args) => start(...args).ended;
const oneLine = (text) => text.replace(/\s+/g, ' ').trim();

test('prints a call of two legs, step by step, and the summary', async () => {
  const { code, out, err } = await demo(['--once']);
  assert.equal(err, '');
  assert.equal(code, 0);
  const steps = [...out.matchAll(/^ +[\d.]+ m?s +\d+ +(\w+) /gm)].map(([, type]) => type);
  assert.deepEqual(steps, ['sent', 'asked', 'answered', 'retried', 'done']);
  assert.ok(oneLine(out).endsWith(`Summary ${summarize(SAMPLE_TEXT).text}`));
  assert.ok(!out.includes('\x1b'), 'colours are for terminals');
});

test('takes the text from a file or from standard input', async () => {
  const text = 'Cranes rest on the island in March. Cranes dance when the ice has gone.';
  const file = join(folder, 'cranes.txt');
  await writeFile(file, text);
  const runs = [demo([file, '--once']), demo(['-', '--once'], { input: text }), demo([], { env: { TEXT: file, ONCE: '1' } })];
  for (const { code, out } of await Promise.all(runs)) {
    assert.equal(code, 0);
    assert.ok(oneLine(out).endsWith(`Summary ${text}`));
  }
});

test('says what is wrong in one sentence', async () => {
  await writeFile(join(folder, 'empty'), ' \n');
  await writeFile(join(folder, 'picture'), Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
  await writeFile(join(folder, 'zeros'), Buffer.alloc(10));
  const cases = [
    [['nowhere.txt'], /^demo: cannot read nowhere\.txt: there is no such file\.\n$/],
    [[folder], /: it is a folder\.\n$/],
    [[join(folder, 'empty')], /^demo: there is no text in .*empty\.\n$/],
    [[join(folder, 'picture')], /is not text in UTF-8\.\n$/],
    [[join(folder, 'zeros')], /does not hold text\.\n$/],
    [['--twice'], /^demo: there is no option --twice\./],
  ];
  for (const [args, message] of cases) {
    const { code, out, err } = await demo(args);
    assert.match(err, message);
    assert.equal(out, '');
    assert.equal(code, 1);
  }
  assert.match((await demo(['-'])).err, /there is no text in standard input/);
  assert.match((await demo([], { env: { PORT: 'eighty' } })).err, /^demo: PORT must be a port number/);
});

test('serves the console and all it needs until it is interrupted', async () => {
  const run = start([]);
  await until(() => /open +http/.test(run.out), run);
  const origin = /open +(http:\S+?)\/\s/.exec(run.out)[1];
  for (const path of ['/', '/main.js', '/style.css', '/pkg/index.js', '/server.js', '/support/summarizer.mjs']) {
    assert.equal((await fetch(origin + path)).status, 200, path);
  }
  assert.equal((await fetch(`${origin}/nothing`)).status, 404);
  const busy = await demo(['--once'], { env: { PORT: new URL(origin).port } });
  assert.match(busy.err, /^demo: port \d+ is in use/);
  run.child.kill('SIGINT');
  const { code, out, err } = await run.ended;
  assert.equal(code, 0);
  assert.equal(err, '');
  assert.match(out, /Stopped\.\n$/);
});

async function until(done, run) {
  const deadline = Date.now() + 30_000;
  while (!done()) {
    if (Date.now() > deadline || run.child.exitCode !== null) throw new Error(`the demo did not get so far\n${run.out}${run.err}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
