// One program for every runtime. It imports the package by its name and nothing else, and returns plain JSON.

import { Client, ProtocolError, SdkError } from 'mcp-sampling';

const TEXT =
  'The harbour was built in 1602. Its walls are made of granite. Every spring the tide rises above the lowest of them. ' +
  'Then the boats lie level with the street. Children walk on board without a plank. In autumn the water is low again.';

/** @param {string} url the demo server; with `scripted` in its query, a peer with an odd state and a tool without end */
export async function main(url) {
  const client = await hostOf(url);
  const address = new URL(url);
  address.searchParams.set('scripted', '');
  const scripted = await hostOf(address);
  return {
    server: client.getServerVersion().name,
    revision: client.getNegotiatedProtocolVersion(),
    tools: (await client.listTools()).tools.map((tool) => tool.name),
    summarize: await watched(client, { name: 'summarize', arguments: { text: TEXT, sentences: 2 } }),
    threeAtOnce: await watched(client, { name: 'three_at_once', arguments: { topic: 'the tide' } }),
    fiveRounds: await watched(client, { name: 'five_rounds', arguments: { text: TEXT } }),
    stateOnly: await watched(client, { name: 'state_only', arguments: {} }),
    together: await together(client),
    failures: await failures(client),
    oddState: await watched(scripted, { name: 'odd_state', arguments: {} }),
    endless: await endless(scripted),
  };
}

async function hostOf(url) {
  const client = new Client({ name: 'same-program', version: '1.0.0' });
  client.setRequestHandler('sampling/createMessage', async ({ params }) => answer(params));
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { tone: 'formal' } }));
  client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///home/me', name: 'Home' }] }));
  await client.connect(url);
  return client;
}

// Stands in for a model: the first sentences of the text, as many as it is asked for.
function answer({ systemPrompt, messages }) {
  const wanted = Number(/\d+/.exec(systemPrompt ?? '')?.[0] ?? 1);
  const text = messages
    .at(-1)
    .content.text.split(/(?<=\.) /)
    .slice(0, wanted)
    .join(' ');
  return { role: 'assistant', model: 'first-sentences', stopReason: 'endTurn', content: { type: 'text', text } };
}

/** The result of a call and its steps, without the times. */
async function watched(client, params) {
  const steps = [];
  const onround = ({ timeMs, ...step }) => steps.push(step);
  const result = await client.callTool(params, { onround });
  return { result, steps };
}

async function together(client) {
  const texts = Array.from({ length: 8 }, (_, index) => `Text ${index} begins. Text ${index} ends.`);
  const calls = texts.map((text) => client.callTool({ name: 'summarize', arguments: { text, sentences: 1 } }));
  return (await Promise.all(calls)).map((result) => result.content[0].text);
}

async function failures(client) {
  const unknown = await thrown(client.callTool({ name: 'no_such_tool', arguments: {} }));
  const reason = new Error('enough');
  const aborted = await thrown(client.listTools({}, { signal: AbortSignal.abort(reason) }));
  const bad = await thrown(client.callTool({ name: 'echo', arguments: { text: 1n } }));
  return {
    unknown: [unknown instanceof Error, unknown instanceof ProtocolError, unknown.code],
    aborted: aborted === reason,
    bad: [bad instanceof Error, bad instanceof SdkError, bad.code],
  };
}

/** Gives up when the first progress comes, which is long after the request has arrived. */
async function endless(client) {
  const controller = new AbortController();
  const reason = new Error('long enough');
  const onprogress = () => controller.abort(reason);
  const error = await thrown(client.callTool({ name: 'endless', arguments: {} }, { signal: controller.signal, onprogress }));
  const { result } = await watched(client, { name: 'odd_state', arguments: {} });
  return { aborted: error === reason, next: result.content[0].text };
}

const thrown = (promise) =>
  promise.then(
    () => undefined,
    (error) => error,
  );
