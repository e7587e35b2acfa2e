// The installed package, for tests that run in this process, and clients of it that talk to a scripted peer.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { scripted } from '../../support/scripted.mjs';
import { install } from './install.mjs';

export const entry = join(install(), 'node_modules/mcp-sampling/dist/index.js');

export const pkg = await import(pathToFileURL(entry));

export const INFO = { name: 'package-test', version: '1.0.0' };

/**
 * A connected client whose server follows `script`. Everything but `handlers` and `peer` goes to the client as options.
 *
 * @param {object} [options] `handlers` by method; `peer` goes to {@link scripted}
 */
export async function connected(script, { handlers = {}, peer: peerOptions, transport = {}, ...options } = {}) {
  const peer = scripted(script, peerOptions);
  const client = new pkg.Client(INFO, options);
  for (const [method, handler] of Object.entries(handlers)) client.setRequestHandler(method, handler);
  await client.connect(new pkg.StreamableHTTPClientTransport('http://peer.test/mcp', { fetch: peer.fetch, ...transport }));
  return { client, peer };
}

/** What a promise rejects with; fails if it is fulfilled. */
export async function rejection(promise) {
  let value;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`expected a rejection, but got ${JSON.stringify(value)}`);
}
