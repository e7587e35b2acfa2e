/**
 * The host side of one connection: a client of this package, joined to a server in the page or at an address, that
 * answers what the server asks with the page's reviewer and the stand-in model.
 */
import { Client, StreamableHTTPClientTransport } from './pkg/index.js';
import { answerSampling } from './support/summarizer.mjs';

/** The address the server in the page is given; no request leaves the page. */
const IN_PAGE = 'http://in-page.invalid/mcp';

/**
 * @param {string | undefined} url of the endpoint; none means the server in the page
 * @param {{ wire: { wrap(inner: typeof fetch): typeof fetch }, reviewer: object, isAuto(): boolean, roots(): string[] }} host
 * @returns {Promise<{ client: Client, tools: object[] }>}
 */
export async function connect(url, { wire, reviewer, isAuto, roots }) {
  const client = new Client({ name: 'mcp-sampling-console', version: '1.0.0' });
  client.setRequestHandler('sampling/createMessage', async (request, ctx) => {
    const params = isAuto() ? request.params : await reviewer.sampling(request, ctx);
    return answerSampling({ params });
  });
  client.setRequestHandler('elicitation/create', (request, ctx) => reviewer.elicitation(request, ctx));
  client.setRequestHandler('roots/list', () => ({ roots: roots().map((uri) => ({ uri })) }));

  const inner = url === undefined ? await pageServer() : (...args) => fetch(...args);
  await client.connect(new StreamableHTTPClientTransport(new URL(url ?? IN_PAGE), { fetch: wire.wrap(inner) }));
  const { tools } = await client.listTools();
  return { client, tools };
}

async function pageServer() {
  const { createDemoServer } = await import('./server.js');
  const server = createDemoServer();
  return (url, init) => server.fetch(new Request(url, init));
}
