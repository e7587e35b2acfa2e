// The suite's OAuth scenarios: the official client's OAuth functions plugged into our transport as a `fetch`. What they do
// is theirs; what is shown is that 401, 403 and every leg go through them.

import { auth, computeScopeUnion, extractWWWAuthenticateParams, isStrictScopeSuperset } from '@modelcontextprotocol/client';
import { pathToFileURL } from 'node:url';
import { inRoot } from '../../scripts/lib/project.mjs';

const { Client, StreamableHTTPClientTransport } = await import(pathToFileURL(inRoot('pkg/dist/index.js')));

const CALLBACK = 'http://localhost:3000/callback';
const CLIENT_METADATA = 'https://conformance-test.local/client-metadata.json';

export function scenario(given, url) {
  return async () => {
    const provider = new Provider(given);
    const client = new Client({ name: 'mcp-sampling-conformance', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(url, { fetch: authorizing(provider, url) }));
    await client.listTools();
    await client.callTool({ name: 'test-tool', arguments: {} });
    await client.close();
  };
}

/** A person who agrees at once: the redirect to the authorization page is followed here. */
class Provider {
  redirectUrl = CALLBACK;
  clientMetadata = { client_name: 'mcp-sampling-conformance', redirect_uris: [CALLBACK] };
  #kept = {};

  constructor({ client_id, client_secret }) {
    if (client_id) this.#kept.client = { client_id, client_secret, redirect_uris: [CALLBACK] };
    else this.clientMetadataUrl = CLIENT_METADATA;
  }

  clientInformation = () => this.#kept.client;
  saveClientInformation = (client) => void (this.#kept.client = client);
  tokens = () => this.#kept.tokens;
  saveTokens = (tokens) => void (this.#kept.tokens = tokens);
  codeVerifier = () => this.#kept.verifier;
  saveCodeVerifier = (verifier) => void (this.#kept.verifier = verifier);
  discoveryState = () => this.#kept.discovery;
  saveDiscoveryState = (discovery) => void (this.#kept.discovery = discovery);

  invalidateCredentials(scope) {
    if (scope === 'all') this.#kept = {};
    else delete this.#kept[scope];
  }

  async redirectToAuthorization(address) {
    const response = await fetch(address, { redirect: 'manual' });
    this.callback = new URL(response.headers.get('location')).searchParams;
  }
}

function authorizing(provider, serverUrl) {
  const request = (url, init) => {
    const headers = new Headers(init.headers);
    const token = provider.tokens()?.access_token;
    if (token) headers.set('authorization', `Bearer ${token}`);
    return fetch(url, { ...init, headers });
  };
  return async (url, init) => {
    const response = await request(url, init);
    if (response.status !== 401 && response.status !== 403) return response;
    await authorize(provider, serverUrl, response);
    return request(url, init);
  };
}

async function authorize(provider, serverUrl, response) {
  const { resourceMetadataUrl, scope: wanted } = extractWWWAuthenticateParams(response);
  const had = provider.tokens()?.scope;
  const scope = response.status === 403 ? computeScopeUnion(had, wanted) : wanted;
  // A token that no longer counts may mean another authorization server.
  if (response.status === 401) provider.invalidateCredentials('discovery');
  const options = { serverUrl, resourceMetadataUrl, scope };
  const result = await auth(provider, { ...options, forceReauthorization: isStrictScopeSuperset(scope, had) });
  if (result !== 'REDIRECT') return;
  const authorizationCode = provider.callback.get('code');
  await auth(provider, { ...options, authorizationCode, iss: provider.callback.get('iss') ?? undefined });
}
