// One call with one request for the handler, by whichever client takes the place of 'mcp-client'.

import { Client, StreamableHTTPClientTransport } from 'mcp-client';

const DISCOVERED = '{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"resultType":"complete","ttlMs":0}';
const ASKING =
  '{"resultType":"input_required","inputRequests":{"q":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"maxTokens":9}}},"requestState":"s"}';
const DONE = '{"content":[{"type":"text","text":"done"}],"resultType":"complete"}';

async function fetch(_url, init) {
  const id = /"id":("[^"]*"|\d+)/.exec(init.body)[1];
  const result = init.body.includes('server/discover') ? DISCOVERED : init.body.includes('inputResponses') ? DONE : ASKING;
  return new Response(`{"jsonrpc":"2.0","id":${id},"result":${result}}`, { headers: { 'content-type': 'application/json' } });
}

export async function main() {
  const options = { capabilities: { sampling: {} }, versionNegotiation: { mode: { pin: '2026-07-28' } } };
  const client = new Client({ name: 'bench', version: '1.0.0' }, options);
  client.setRequestHandler('sampling/createMessage', async () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'Hello' } }));
  await client.connect(new StreamableHTTPClientTransport(new URL('http://mock.invalid/mcp'), { fetch }));
  const result = await client.callTool({ name: 'ask', arguments: {} });
  return result.content[0].text;
}
