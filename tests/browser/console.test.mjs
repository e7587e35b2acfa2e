/** The console, as a user meets it: the whole page, the built package and the real server, in Chromium. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { SAMPLE_TEXT } from '../../www/sample.js';
import { summarize } from '../support/summarizer.mjs';
import { startConsole } from './console-page.mjs';

const GIF = 'R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
const TWO_LEGS = ['sent', 'asked', 'answered', 'retried', 'done'];

let shown;
let page;

before(async () => {
  shown = await startConsole();
});
after(() => shown?.close());
beforeEach(async () => {
  page = await shown.open();
});
afterEach(async () => {
  await page.close();
  assert.deepEqual(page.problems, []);
});

test('a call with auto-approve runs to its summary', async () => {
  await page.autoApprove();
  await page.run();
  assert.equal((await page.result()).text, summarize(SAMPLE_TEXT, { sentences: 3, maxTokens: 180 }).text);
  assert.deepEqual(await page.steps(), TWO_LEGS);
  assert.equal(await page.reviews.count(), 0);
  const legs = await page.wire();
  assert.deepEqual(legs.map(({ method }) => method), ['tools/call', 'tools/call']);
  assert.doesNotMatch(legs[0].text, /inputResponses/);
  assert.match(legs[1].text, /inputResponses/);
});

test('a request is shown before it is approved, and the model gets what the user made of it', async () => {
  await page.run();
  const review = page.reviews;
  assert.match(await review.innerText(), /sampling\/createMessage/);
  assert.match(await review.locator('blockquote').innerText(), /at most 3 sentences/);
  assert.equal(await page.focused(), 'The server asks your model');
  assert.deepEqual(await page.steps(), ['sent', 'asked']);

  const message = review.getByLabel('Message 1, user');
  assert.equal(await message.inputValue(), SAMPLE_TEXT);
  const edited = 'Otters eat crabs and mussels in the shallow water. Otters hold hands while they sleep in the kelp.';
  await message.fill(edited);
  await review.getByLabel(/maxTokens/).fill('16');
  await page.press('Approve');

  const { text, all } = await page.result();
  assert.equal(text, summarize(edited, { maxTokens: 16 }).text);
  assert.notEqual(text, edited);
  assert.doesNotMatch(all, /tide/);
  assert.equal(await page.reviews.count(), 0);
  assert.deepEqual(await page.steps(), TWO_LEGS);
});

test('declining ends the call with nothing more sent, and the next call works', async () => {
  await page.run();
  await page.press('Decline');
  assert.match((await page.result()).all, /declined/i);
  assert.deepEqual((await page.wire()).map(({ method }) => method), ['tools/call']);
  assert.ok((await page.steps()).includes('declined'));

  await page.autoApprove();
  await page.run();
  await page.page.locator('#rounds .step[data-type=done]').waitFor();
  assert.deepEqual(await page.steps(), TWO_LEGS);
});

test('three questions in one round: each one is answered where it belongs', async () => {
  await page.choose('three_at_once');
  await page.run();
  await page.reviews.nth(1).waitFor();
  const form = page.reviews.filter({ hasText: 'The server asks you' }).filter({ hasText: 'elicitation/create' });
  await form.getByLabel('Tone').selectOption('formal');
  await form.getByLabel('Lines').fill('5');
  await form.getByRole('button', { name: 'Send' }).click();
  assert.equal(await page.focused(), 'The server asks your model');
  await page.press('Approve');
  const { text } = await page.result();
  assert.match(text, /Sentence: Write about the tide\./);
  assert.match(text, /Form: \{"tone":"formal","lines":5,"title":false\}/);
  assert.match(text, /Folders: file:\/\/\/demo\/notes/);
});

test('five rounds in a row are drawn one after the other', async () => {
  await page.autoApprove();
  await page.choose('five_rounds');
  await page.run();
  await page.result();
  const round = ['asked', 'answered', 'retried'];
  assert.deepEqual(await page.steps(), ['sent', ...Array(5).fill(round).flat(), 'done']);
  assert.equal(await page.page.locator('#rounds .mark').count(), 5);
});

test('a state that is easy to damage comes back whole', async () => {
  await page.choose('state_only');
  await page.run();
  assert.equal((await page.result()).text, 'The state came back unchanged.');
});

test('stopping a call takes its question away', async () => {
  await page.run();
  await page.reviews.waitFor();
  await page.press('Stop');
  assert.match((await page.result()).all, /You stopped the call/);
  assert.equal(await page.reviews.count(), 0);
});

test('the same call goes to a server at an address', async () => {
  await page.page.getByLabel('At an address').check();
  const address = page.page.getByLabel('Address of the MCP endpoint');
  assert.equal(await address.inputValue(), `${shown.url}/mcp`);
  await page.press('Connect');
  await page.ready();
  await page.autoApprove();
  await page.run();
  assert.equal((await page.result()).text, summarize(SAMPLE_TEXT, { sentences: 3, maxTokens: 180 }).text);
  assert.match((await page.wire())[0].text, new RegExp(`POST ${shown.url}/mcp`));
});

test('an address without an MCP server is reported, and the page goes on', async () => {
  await page.page.getByLabel('At an address').check();
  await page.page.getByLabel('Address of the MCP endpoint').fill(`${shown.url}/nothing-here`);
  await page.press('Connect');
  await page.page.getByText(/Could not connect/).waitFor();
  assert.ok(await page.page.locator('#run').isDisabled());
  page.problems.length = 0; // the browser reports the status 404 by itself
  await page.page.getByLabel('In this page').check();
  await page.ready();
});

test('everything can be done from the keyboard', async () => {
  await page.page.getByLabel('Tool', { exact: true }).focus();
  const { keyboard } = page.page;
  while ((await page.focused()) !== 'Run the call') await keyboard.press('Tab');
  await keyboard.press('Enter');
  await page.reviews.waitFor();
  assert.equal(await page.focused(), 'The server asks your model');
  await keyboard.press('Tab');
  await keyboard.press('Control+Enter');
  assert.notEqual((await page.result()).text, '');
  assert.match(await page.focused(), /^\s*Result/);
});

test('a request with tools, pictures and several blocks is shown whole, and changed only where the user changed it', async () => {
  const params = {
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }, { type: 'image', mimeType: 'image/gif', data: GIF }] },
      { role: 'assistant', content: { type: 'tool_use', id: '1', name: 'look_up', input: { q: '<b>' } } },
    ],
    maxTokens: 10,
    temperature: 0.5,
    stopSequences: ['\n'],
    tools: [{ name: 'look_up', description: 'Looks things up', inputSchema: { type: 'object' } }],
    toolChoice: { mode: 'required' },
    _meta: { kept: true },
  };
  const { shown: text, image, read, same } = await page.page.evaluate(async (params) => {
    const { samplingForm } = await import('./request-view.js');
    const before = JSON.stringify(params);
    const { element, read } = samplingForm(params);
    document.querySelector('#reviews').append(element);
    const image = element.querySelector('img');
    await image.decode();
    element.querySelector('textarea').value = 'Who is this?';
    element.querySelector('input').value = '7';
    return { shown: element.innerText, image: image.alt, read: read(), same: before === JSON.stringify(params) };
  }, params);
  for (const part of [/look_up Looks things up/, /required/, /"q": "<b>"/, /Temperature\s+0\.5/, /"\\n"/]) assert.match(text, part);
  assert.match(image, /image\/gif/);
  assert.ok(same, 'the request of the server is left as it was');
  params.messages[0].content[0].text = 'Who is this?';
  assert.deepEqual(read, { ...params, maxTokens: 7 });
});

for (const width of [1280, 390]) {
  test(`at ${width} pixels nothing is wider than the screen`, async () => {
    const narrow = await shown.open({ viewport: { width, height: 844 } });
    await narrow.run();
    await narrow.reviews.waitFor();
    await narrow.press('Approve');
    await narrow.result();
    const overflow = await narrow.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await narrow.close();
    assert.ok(overflow <= 0, `${overflow} pixels too wide`);
  });
}
