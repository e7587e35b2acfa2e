// Every method that may ask for input, against the official server over HTTP: every kind, mixed rounds, ten rounds in a
// row, as JSON and as event streams. The wire log is what is asserted.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAskingServer } from '../support/asking-server.mjs';
import { serve } from '../support/http.mjs';
import { INFO, pkg } from './support/installed.mjs';

const HANDLERS = {
  'sampling/createMessage': ({ params }) => ({ role: 'assistant', model: 'm', stopReason: 'endTurn', content: { type: 'text', text: `answer to ${params.messages[0].content.text}` } }),
  'elicitation/create': () => ({ action: 'accept', content: {} }),
  'roots/list': () => ({ roots: [{ uri: 'file:///home' }] }),
};

const METHODS = {
  'tools/call': { call: (client, plan, options) => client.callTool({ name: 'ask', arguments: { plan } }, options), texts: ({ content }) => content.map(({ text }) => text) },
  'prompts/get': { call: (client, plan, options) => client.getPrompt({ name: 'ask', arguments: { plan } }, options), texts: ({ messages }) => messages.map(({ content }) => content.text) },
  'resources/read': { call: (client, plan, options) => client.readResource({ uri: `ask://${encodeURIComponent(plan)}` }, options), texts: ({ contents }) => contents.map(({ text }) => text) },
};

const PLANS = {
  'a completion': ['sampling', ['answer to round 1']],
  'a form, with its default put in': ['form', ['accept 3']],
  'the roots': ['roots', ['file:///home']],
  'all three at once': ['sampling+form+roots', ['answer to round 1 & accept 3 & file:///home']],
  'mixed rounds': ['sampling,form+roots,nothing,sampling', ['answer to round 1', 'accept 3 & file:///home', '', 'answer to round 4']],
  'ten rounds': [Array(10).fill('sampling').join(), Array.from({ length: 10 }, (_, index) => `answer to round ${index + 1}`)],
};

for (const responseMode of ['json', 'sse']) {
  describe(`the official server, ${responseMode}`, () => {
    const legs = [];
    let server;
    let client;

    before(async () => {
      const asking = createAskingServer({ responseMode });
      server = await serve(async (request) => {
        legs.push({ headers: request.headers, message: JSON.parse(await request.clone().text()) });
        return asking.fetch(request);
      });
      client = new pkg.Client(INFO);
      for (const [method, handler] of Object.entries(HANDLERS)) client.setRequestHandler(method, handler);
      await client.connect(`${server.url}/mcp`);
    });

    after(async () => {
      await client.close();
      await server.close();
    });

    for (const [method, { call, texts }] of Object.entries(METHODS)) {
      for (const [name, [plan, expected]] of Object.entries(PLANS)) {
        test(`${method} asks for ${name}`, async () => {
          legs.length = 0;
          const events = [];
          const result = await call(client, plan, { onround: (event) => events.push(event) });
          assert.deepEqual(texts(result), expected);
          assert.equal(result.resultType, undefined);
          checkLegs(method, plan.split(','));
          checkEvents(events, plan.split(','));
        });
      }
    }

    function checkLegs(method, rounds) {
      assert.equal(legs.length, rounds.length + 1);
      assert.equal(new Set(legs.map(({ message }) => message.id)).size, legs.length);
      const { inputResponses, requestState, ...first } = legs[0].message.params;
      assert.deepEqual([inputResponses, requestState], [undefined, undefined]);
      legs.forEach(({ headers, message }, index) => {
        const { inputResponses, requestState, ...params } = message.params;
        assert.equal(message.method, method);
        assert.equal(headers.get('mcp-method'), method);
        assert.deepEqual(params, first);
        if (index === 0) return;
        const asked = rounds[index - 1].split('+').filter((kind) => kind !== 'nothing');
        assert.deepEqual(inputResponses && Object.keys(inputResponses).sort(), asked.length ? asked.sort() : undefined);
        assert.equal(JSON.parse(requestState).round, index);
      });
    }
  });
}

function checkEvents(events, rounds) {
  const types = events.map(({ type }) => type);
  assert.equal(types[0], 'sent');
  assert.equal(types.at(-1), 'done');
  assert.equal(types.filter((type) => type === 'retried').length, rounds.length);
  assert.equal(types.filter((type) => type === 'waiting').length, rounds.filter((round) => round === 'nothing').length);
  const asked = rounds.flatMap((round) => round.split('+')).filter((kind) => kind !== 'nothing').length;
  assert.deepEqual(['asked', 'answered'].map((type) => types.filter((found) => found === type).length), [asked, asked]);
  const sized = events.filter(({ type, method }) => type !== 'waiting' && !(type === 'asked' && method === 'roots/list'));
  for (const { type, bytes } of sized) assert.ok(bytes > 0, `${type} has a size`);
  assert.deepEqual(events.map(({ timeMs }) => timeMs), events.map(({ timeMs }) => timeMs).sort((a, b) => a - b));
}
