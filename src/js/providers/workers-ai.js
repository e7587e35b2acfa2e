// Cloudflare Workers AI: the binding of a worker, or the REST API of an account.

import { expect } from '../text.js';
import { HTTP_OPTIONS, overHttp } from './http.js';
import { defineProvider } from './model.js';
import { bytesOf, parse } from './pure.js';
import { accumulated, pumpBody } from './reply.js';

const provider = 'workersAI';

export const workersAI = defineProvider({
  provider,
  own: ['ai', 'gateway', 'accountId', ...HTTP_OPTIONS],
  connect({ ai, gateway, accountId, ...http }, { model, stream }) {
    if (ai != null) return overBinding(ai, model, gateway);
    expect(typeof accountId === 'string' || http.baseURL != null, 'options', 'given the binding (ai), or an accountId');
    const baseURL = `https://api.cloudflare.com/client/v4/accounts/${encodeURIComponent(accountId)}`;
    const keyHeader = (key) => ['authorization', `Bearer ${key}`];
    return overHttp({ baseURL, ...http }, { provider, streams: stream !== false, keyHeader });
  },
});

function overBinding(ai, model, gateway) {
  expect(typeof ai.run === 'function', 'options.ai', 'the binding of Workers AI, with run()');
  return async ({ body, state }, run) => {
    const { signal } = run;
    const options = { ...(gateway && { gateway }), ...(signal && { signal }) };
    const reply = await ask(() => ai.run(model, JSON.parse(new TextDecoder().decode(body)), options), state);
    if (typeof reply?.getReader === 'function') return accumulated(state, run, (take) => pumpBody(provider, reply, signal, take));
    return parse(JSON.stringify(reply), state);
  };
}

/** What the binding throws, the core reads as it reads the reply of the REST API. */
async function ask(call, state) {
  try {
    return await call();
  } catch (cause) {
    throw withCause(() => parse(bytesOf({ error: { message: String(cause?.message ?? cause) } }), state), cause);
  }
}

function withCause(read, cause) {
  try {
    read();
    return cause;
  } catch (error) {
    return Object.assign(error, { cause });
  }
}
