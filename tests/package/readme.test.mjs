// The example of the README, run as it stands: only the address and the reader's own model are put in.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createDemoServer } from '../support/demo-server.mjs';
import { inRoot } from '../../scripts/lib/project.mjs';
import { serve } from '../support/http.mjs';
import { install } from './support/install.mjs';

const MARK = '<!-- example: tests run this block -->';

const blocks = readFileSync(inRoot('README.md'), 'utf8')
  .split(MARK)
  .slice(1)
  .map((rest) => /^\s*```js\n(.*?)```/s.exec(rest)?.[1]);

test('the example is type-checked too', () => {
  const usage = readFileSync(inRoot('tests/types/usage.ts'), 'utf8');
  const lines = blocks[0].split('\n').filter((line) => line && !line.startsWith('import '));
  for (const line of lines) assert.ok(usage.includes(line), `tests/types/usage.ts has: ${line}`);
});

test('the example calls a tool that asks the model', { timeout: 30_000 }, async () => {
  assert.ok(blocks.length > 0 && blocks.every(Boolean), 'a js block follows each mark');
  const server = await serve(createDemoServer());
  try {
    for (const [index, block] of blocks.entries()) await run(block, index, server.url);
  } finally {
    await server.close();
  }
});

async function run(block, index, url) {
  const address = 'https://example.com/mcp';
  assert.ok(block.includes(address), `the example connects to ${address}`);
  const asked = [];
  globalThis.askMyModel = async (...given) => (asked.push(given), 'What the model says.');
  const file = join(install(), `readme-${index}.mjs`);
  writeFileSync(file, `${block.replaceAll(address, `${url}/mcp`)}\nexport { client, result };\n`);
  const { client, result } = await import(pathToFileURL(file));
  delete globalThis.askMyModel;
  assert.deepEqual(result.content, [{ type: 'text', text: 'What the model says.' }]);
  assert.equal(result.structuredContent.model, 'my-model');
  const [[systemPrompt, messages, maxTokens]] = asked;
  assert.match(systemPrompt, /summar/i);
  assert.equal(messages[0].content.text, 'A long text.');
  assert.ok(maxTokens > 0);
  await client.close();
}
