// The program that the official conformance suite starts: one process for each scenario, with the URL of the suite's
// server as the last argument. It only uses the package as a user would.

import { pathToFileURL } from 'node:url';
import { inRoot } from '../../scripts/lib/project.mjs';

const { Client, StreamableHTTPClientTransport } = await import(pathToFileURL(inRoot('pkg/dist/index.js')));

const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_PROTOCOL_VERSION: version, MCP_CONFORMANCE_CONTEXT: context } = process.env;
const url = process.argv.at(-1);
const given = JSON.parse(context ?? '{}');
const isModern = version === '2026-07-28';

const INFO = { name: 'mcp-sampling-conformance', version: '1.0.0' };

/** Some of the suite's servers of 2026 have no `server/discover`, which clients need not ask for. */
const KNOWN = { kind: 'modern', discover: { supportedVersions: ['2026-07-28'], capabilities: { tools: {}, prompts: {}, resources: {} } } };

const SCENARIOS = {
  initialize: () => using({}, (client) => client.listTools()),
  tools_call: () => using({}, callAddNumbers),
  'request-metadata': () => using({ ask: true, capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} } }, (client) => client.listTools()),
  'http-standard-headers': () => using({ ask: true }, useEverything),
  'http-custom-headers': () => using({}, callGivenTools),
  'http-invalid-tool-headers': () => using({}, callAllTools),
  'json-schema-ref-no-deref': () => using({}, (client) => client.listTools()),
  'json-schema-2020-12-preservation': () => using({}, returnSchema),
  'sep-2322-client-request-state': () => using({}, answerForms),
  'elicitation-sep1034-client-defaults': () => using({}, (client) => callTools(client, () => ({}))),
  'sse-retry': () => using({}, (client) => callTools(client, () => ({}))),
};

const run = SCENARIOS[scenario] ?? (scenario?.startsWith('auth/') ? (await import('./auth.mjs')).scenario(given, url) : undefined);
if (!run) throw new Error(`no program for the scenario '${scenario}'`);
await run();

/** Connects, acts, and closes. `ask` lets the client ask the server what it speaks, as it does without options. */
async function using({ ask = false, capabilities }, act) {
  const client = new Client(INFO, { ...(capabilities && { capabilities }), onWarning: (warning) => console.error('warning:', warning.message) });
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
  await client.connect(new StreamableHTTPClientTransport(url), isModern && !ask ? { prior: KNOWN } : {});
  await act(client);
  await client.close();
}

async function callAddNumbers(client) {
  await client.listTools();
  await client.callTool({ name: 'add_numbers', arguments: { a: 5, b: 3 } });
}

async function useEverything(client) {
  await callTools(client, () => ({}));
  const { resources } = await client.listResources();
  for (const { uri } of resources) await client.readResource({ uri });
  const { prompts } = await client.listPrompts();
  for (const { name } of prompts) await client.getPrompt({ name });
}

async function callGivenTools(client) {
  await client.listTools();
  for (const call of given.toolCalls) await client.callTool(call);
}

function callAllTools(client) {
  return callTools(client, () => ({ region: 'us-west1' }));
}

async function callTools(client, argumentsFor) {
  const { tools } = await client.listTools();
  for (const tool of tools) await client.callTool({ name: tool.name, arguments: argumentsFor(tool) });
}

/** Reads a schema and sends it back. */
async function returnSchema(client) {
  const { tools } = await client.listTools();
  const { inputSchema: schema } = tools.find(({ name }) => name === 'json_schema_2020_12_tool');
  await client.callTool({ name: 'json_schema_echo', arguments: { schema } });
}

/** The unrelated tool is called while another call waits for its form. */
async function answerForms(client) {
  let unrelated;
  client.setRequestHandler('elicitation/create', async () => {
    unrelated ??= client.callTool({ name: 'test_mrtr_unrelated', arguments: {} });
    await unrelated;
    return { action: 'accept', content: { confirmed: true } };
  });
  for (const name of ['test_mrtr_echo_state', 'test_mrtr_no_state', 'test_mrtr_no_result_type']) {
    await client.callTool({ name, arguments: {} });
  }
}
