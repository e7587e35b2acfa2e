// A person decides while the machine that asked is gone: the call goes on in another process, and in another isolate with
// nothing but what a Durable Object kept.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Miniflare } from 'miniflare';
import { createDemoServer } from '../support/demo-server.mjs';
import { serve } from '../support/http.mjs';
import { install } from './support/install.mjs';
import { modules } from './support/workerd.mjs';

const TEXT = 'The mill stood by the river. It had ground corn for two hundred years.';
const SUMMARY = 'An old mill by the river.';

let folder;
let server;
const legs = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-sampling-resume-'));
  const demo = createDemoServer();
  server = await serve(async (request) => {
    legs.push(JSON.parse(await request.clone().text()));
    return demo.fetch(request);
  });
});

after(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** The legs of tool calls since the last look. */
const toolLegs = () => legs.splice(0).filter(({ method }) => method === 'tools/call');

function checkLegs([first, second, ...more]) {
  assert.equal(more.length, 0);
  assert.equal(first.params.inputResponses, undefined);
  assert.equal(second.params.inputResponses.summary.content.text, SUMMARY);
  assert.notEqual(first.id, second.id);
}

const COMMON = `
  import { Client } from 'mcp-sampling';
  const connected = async (url, handler) => {
    const client = new Client({ name: 'resuming', version: '1.0.0' });
    client.setRequestHandler('sampling/createMessage', handler);
    await client.connect(url);
    return client;
  };
  const answer = (text) => ({ role: 'assistant', model: 'a-person', stopReason: 'endTurn', content: { type: 'text', text } });
  const ask = (url, store) => connected(url, () => { throw new Error('a person has to decide'); })
    .then((client) => client.callTool({ name: 'summarize', arguments: { text: ${JSON.stringify(TEXT)} } }))
    .catch(({ checkpoint }) => store(checkpoint));
  const goOn = async (url, checkpoint, text) => {
    const client = await connected(url, ({ params }) => {
      if (!JSON.stringify(params).includes('mill')) throw new Error('this is not what was asked');
      return answer(text);
    });
    return client.resumeCall(checkpoint);
  };`;

describe('a call outlives', () => {
  test('its process', async () => {
    toolLegs();
    const file = join(folder, 'checkpoint.json');
    const store = `import { writeFileSync } from 'node:fs'; await ask(process.argv[1], (checkpoint) => writeFileSync(process.argv[2], JSON.stringify(checkpoint)));`;
    await run(`${COMMON}${store} process.kill(process.pid, 'SIGKILL');`, [server.url + '/mcp', file]);
    const { requests } = JSON.parse(await readFile(file, 'utf8'));
    assert.deepEqual(requests.map(({ key, resultJson }) => [key, resultJson]), [['summary', undefined]]);
    const resume = `import { readFileSync } from 'node:fs';
      const result = await goOn(process.argv[1], JSON.parse(readFileSync(process.argv[2], 'utf8')), process.argv[3]);
      console.log(result.content[0].text);`;
    const { output } = await run(`${COMMON}${resume}`, [server.url + '/mcp', file, SUMMARY]);
    assert.equal(output.trim(), SUMMARY);
    checkLegs(toolLegs());
  });

  test('its isolate, in a Durable Object', { timeout: 60_000 }, async () => {
    toolLegs();
    const worker = `${COMMON}
      export class Calls {
        constructor(state) { this.storage = state.storage; }
        async fetch(request) {
          const { url, text } = await request.json();
          if (text === undefined) {
            await ask(url, (checkpoint) => this.storage.put('checkpoint', checkpoint));
            return Response.json('waiting for a person');
          }
          const result = await goOn(url, await this.storage.get('checkpoint'), text);
          return Response.json(result.content[0].text);
        }
      }
      export default { fetch: (request, env) => env.CALLS.get(env.CALLS.idFromName('call')).fetch(request) };`;
    const persisted = join(folder, 'objects');
    assert.equal(await visit(worker, persisted, { url: server.url + '/mcp' }), 'waiting for a person');
    // The runtime of the first visit has been stopped: only what the object stored is left.
    assert.equal(await visit(worker, persisted, { url: server.url + '/mcp', text: SUMMARY }), SUMMARY);
    checkLegs(toolLegs());
  });
});

async function visit(worker, durableObjectsPersist, body) {
  const miniflare = new Miniflare({
    modules: await modules(worker, install()),
    compatibilityDate: '2024-01-01',
    durableObjects: { CALLS: 'Calls' },
    durableObjectsPersist,
    cf: false,
  });
  try {
    const response = await miniflare.dispatchFetch('http://worker/', { method: 'POST', body: JSON.stringify(body) });
    assert.ok(response.ok, `the worker answered ${response.status}`);
    return await response.json();
  } finally {
    await miniflare.dispose();
  }
}

function run(program, args) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, ...args], { cwd: install() });
  let output = '';
  child.stdout.on('data', (bytes) => (output += bytes));
  child.stderr.pipe(process.stderr);
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, output })));
}
