// Compiled, never run: every way to a server, and what is known of it.

import { Client, StreamableHTTPClientTransport } from 'mcp-sampling';
import type { AuthProvider, ClientOptions, ConnectOptions, PriorDiscovery, SendFunction, Transport } from 'mcp-sampling';
import { ClientCredentialsProvider, InMemoryTransport, StreamableHTTPClientTransport as OfficialTransport, withOAuth } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const options: ClientOptions = {
  versionNegotiation: { mode: { pin: '2026-07-28' }, probe: { timeoutMs: 5000, maxRetries: 1 } },
  mirrorToolHeaders: true,
};
const client = new Client({ name: 'x', version: '1' }, options);

const authProvider: AuthProvider = {
  token: async () => undefined,
  onUnauthorized: ({ response, serverUrl, fetchFn }) => void [response.status, serverUrl.href, fetchFn],
};
const oauth = new ClientCredentialsProvider({ clientId: 'a', clientSecret: 'b' });
const own = new StreamableHTTPClientTransport('https://example.com/mcp', { authProvider, redirectPolicy: 'follow' });
const session: string | undefined = own.sessionId;

const pipe: SendFunction = async (message, { signal }) => (signal.aborted ? undefined : message);
const channel: Transport = {
  start: async () => {},
  send: async (message: object) => void message,
  close: async () => {},
};
const prior: PriorDiscovery | undefined = client.getPriorDiscovery();
const known: ConnectOptions = prior === undefined ? {} : { prior };

export const ways = async () => {
  await client.connect(own, known);
  await client.connect(new StreamableHTTPClientTransport(new URL('https://example.com'), { fetch: withOAuth(oauth)(fetch) }));
  await client.connect(new StreamableHTTPClientTransport('https://example.com', session === undefined ? {} : { sessionId: session }));
  await client.connect(pipe);
  await client.connect(channel);
  await client.connect(InMemoryTransport.createLinkedPair()[0]);
  await client.connect(new StdioClientTransport({ command: 'server' }));
  await client.connect(new OfficialTransport(new URL('https://example.com')));
  const era: 'modern' | 'legacy' | undefined = client.getProtocolEra();
  const { tools } = await client.listTools();
  const [toolDefinition] = tools;
  if (toolDefinition) await client.callTool({ name: toolDefinition.name }, { toolDefinition });
  await client.setLoggingLevel('debug');
  await client.ping({ timeout: 1000 });
  // @ts-expect-error no such era
  await client.connect(own, { prior: { kind: 'ancient' } });
  // @ts-expect-error a provider gives tokens
  new StreamableHTTPClientTransport('x', { authProvider: {} });
  return [era, client.getDiscoverResult()?.supportedVersions];
};
