// The same program, from the packed tarball, in every runtime: same results, and the same bytes on the wire.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDemoServer } from '../support/demo-server.mjs';
import { done, event, events, result, scripted } from '../support/scripted.mjs';
import { runInChromium, runInNode, runInWorkerd, runRequire } from './support/runtimes.mjs';
import { serve } from './support/serve.mjs';

// As raw text: escapes that need not be there, half a surrogate pair, a blank at the end.
const STATE = String.raw`"a\/b\u0041\ud800 "`;

const RUNTIMES = [
  ['Node, import', runInNode],
  ['Node, require', runRequire],
  ['Chromium', runInChromium],
  ['workerd', runInWorkerd],
];

let server;
let log;
let first;
let gone;

before(async () => {
  const demo = createDemoServer();
  const streaming = createDemoServer({ responseMode: 'sse' });
  server = await serve({ handler: (request) => recorded(request, demo, streaming) });
});
after(() => server.close());

async function recorded(request, demo, streaming) {
  const query = new URL(request.url).searchParams;
  const text = await request.text();
  const scripted = query.has('scripted');
  log.push({ scripted, text, headers: Object.fromEntries(request.headers), message: JSON.parse(text) });
  const again = new Request(request.url, { method: 'POST', headers: request.headers, body: text, signal: request.signal });
  if (scripted) return scriptedPeer(text).handler(again);
  return (query.has('sse') ? streaming : demo).fetch(again);
}

// Keeps nothing between requests, as the real one.
const scriptedPeer = (text) =>
  scripted((leg) => {
    if (leg.message.params.name === 'endless') return endless(leg);
    return text.includes('"requestState"') ? done('the state came back') : asksAgain;
  });

const asksAgain = result(`{"resultType":"input_required","requestState":${STATE}}`);
const progress = event('{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$id,"progress":1}}');

function endless(leg) {
  gone = new Promise((resolve) => leg.signal.addEventListener('abort', () => resolve('gone')));
  return events([progress], { then: 'hang' });
}

/** What was sent about a tool, in order. */
const legs = (name) => log.filter(({ message }) => message.method === 'tools/call' && message.params.name === name);

for (const [name, run] of RUNTIMES) {
  describe(name, () => {
    let results;
    let streamed;
    before(async () => {
      log = [];
      streamed = { results: await run(`${server.endpoint}?sse`), wire: wire() };
      log = [];
      results = await run(server.endpoint);
      first ??= { results, wire: wire() };
    });

    test('every call has its result', () => checkResults(results));
    test('the steps of a call are told in order', () => checkSteps(results));
    test('errors and aborts are what they are elsewhere', () => checkFailures(results));
    test('the server sees that a call was given up', { timeout: 20_000 }, async () => assert.equal(await gone, 'gone'));
    test('each leg has an id of its own', checkIds);
    test('all questions of a round are answered', checkAnswers);
    test('the state comes back byte for byte', checkState);
    test('each leg says what it is', checkHeaders);
    test('results and wire are the same as in the first runtime', () => {
      assert.deepEqual(results, first.results);
      assert.deepEqual(wire(), first.wire);
    });
    test('replies that come as event streams make no difference', () => assert.deepEqual(streamed, first));
  });
}

// Calls that are under way together may take their turns in any order.
const wire = () => log.map(({ text }) => text.replace(/"id":\d+/, '"id":0')).sort();

function checkResults(results) {
  const { summarize, threeAtOnce, fiveRounds, stateOnly, oddState } = results;
  assert.equal(results.server, 'mcp-sampling-demo');
  assert.equal(results.revision, '2026-07-28');
  assert.deepEqual(results.tools, ['summarize', 'three_at_once', 'five_rounds', 'state_only', 'echo']);
  assert.equal(summarize.result.content[0].text, 'The harbour was built in 1602. Its walls are made of granite.');
  assert.deepEqual(summarize.result.structuredContent, { model: 'first-sentences', stopReason: 'endTurn' });
  assert.deepEqual(threeAtOnce.result.structuredContent, {
    sentence: 'Write about the tide.',
    form: { tone: 'formal', lines: 3, title: false },
    roots: ['file:///home/me'],
  });
  assert.deepEqual(fiveRounds.result.structuredContent, { rounds: 5 });
  assert.equal(fiveRounds.result.content[0].text, 'The harbour was built in 1602.');
  assert.equal(stateOnly.result.content[0].text, 'The state came back unchanged.');
  assert.equal(oddState.result.content[0].text, 'the state came back');
  assert.deepEqual(
    results.together,
    Array.from({ length: 8 }, (_, index) => `Text ${index} begins.`),
  );
  for (const { result } of [summarize, threeAtOnce, fiveRounds, stateOnly]) {
    assert.ok(!('resultType' in result) && !result.isError);
  }
}

const types = ({ steps }) => steps.map((step) => step.type).join(' ');

function checkSteps({ summarize, threeAtOnce, fiveRounds, stateOnly }) {
  assert.equal(types(summarize), 'sent asked answered retried done');
  assert.equal(types(stateOnly), 'sent waiting retried done');
  assert.equal(types(fiveRounds), `sent ${'asked answered retried '.repeat(5)}done`);
  assert.deepEqual(
    fiveRounds.steps.filter((step) => step.type === 'retried').map((step) => [step.round, step.leg]),
    [
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
      [5, 6],
    ],
  );
  const askedFor = threeAtOnce.steps.filter((step) => step.type === 'asked').map((step) => [step.key, step.method]);
  assert.deepEqual(askedFor, [
    ['sentence', 'sampling/createMessage'],
    ['choice', 'elicitation/create'],
    ['folders', 'roots/list'],
  ]);
}

function checkFailures({ failures, endless }) {
  assert.deepEqual(endless, { aborted: true, next: 'the state came back' });
  assert.deepEqual(failures, { unknown: [true, true, -32602], aborted: true, bad: [true, true, 'INVALID_ARGUMENT'] });
}

function checkIds() {
  const ids = (entries) => entries.map(({ message }) => message.id);
  const demo = log.filter(({ scripted }) => !scripted);
  assert.equal(new Set(ids(demo)).size, demo.length);
  assert.equal(legs('five_rounds').length, 6);
  const [one, two] = ids(legs('three_at_once'));
  assert.notEqual(one, two);
}

function checkAnswers() {
  const [before, retry] = legs('three_at_once').map(({ message }) => message.params);
  const { inputResponses, requestState, _meta, ...rest } = retry;
  const { _meta: _, ...original } = before;
  assert.deepEqual(rest, original);
  assert.deepEqual(Object.keys(inputResponses), ['sentence', 'choice', 'folders']);
  assert.equal(inputResponses.sentence.content.text, 'Write about the tide.');
  assert.deepEqual(inputResponses.choice, { action: 'accept', content: { tone: 'formal', lines: 3, title: false } });
  assert.deepEqual(inputResponses.folders, { roots: [{ uri: 'file:///home/me', name: 'Home' }] });
  assert.equal(requestState, 'the tide');
  const stateOnly = legs('state_only')[1].message.params;
  assert.ok(!('inputResponses' in stateOnly));
}

function checkState() {
  const [before, retry] = legs('odd_state');
  assert.ok(!before.text.includes('requestState'));
  assert.ok(retry.text.includes(`"requestState":${STATE}`), retry.text);
}

function checkHeaders() {
  for (const { headers, message } of log) {
    assert.equal(headers['mcp-protocol-version'], '2026-07-28');
    assert.equal(headers['mcp-method'], message.method);
    assert.equal(headers['mcp-name'], message.method === 'tools/call' ? message.params.name : undefined);
    assert.equal(headers['content-type'], 'application/json');
    assert.match(headers.accept, /application\/json, text\/event-stream/);
    assert.equal(message.params._meta['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
    assert.deepEqual(message.params._meta['io.modelcontextprotocol/clientInfo'], { name: 'same-program', version: '1.0.0' });
    assert.deepEqual(message.params._meta['io.modelcontextprotocol/clientCapabilities'], { sampling: {}, elicitation: {}, roots: {} });
  }
}
