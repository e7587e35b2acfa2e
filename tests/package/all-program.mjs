// One program for every runtime: a client and a model of one entry, side by side with those of the entries apart. Returns
// plain JSON.

import * as main_ from 'mcp-sampling';
import * as all from 'mcp-sampling/all';
import * as providers from 'mcp-sampling/providers';

/** @param {string} urls the demo server, and a model's answer at the vendor's */
export async function main(urls) {
  const [endpoint, baseURL] = urls.split(' ');
  return {
    exports: [names(all), [...names(main_), ...names(providers)].sort()],
    together: await summary(all, all, endpoint, baseURL),
    apart: await summary(main_, providers, endpoint, baseURL),
    refused: await refused(),
  };
}

// A namespace made from a CommonJS module has a `default` besides.
const names = (namespace) => Object.keys(namespace).filter((name) => name !== 'default').sort();

async function summary({ Client }, { anthropic }, endpoint, baseURL) {
  const client = new Client({ name: 'all-test', version: '1.0.0' });
  client.setRequestHandler('sampling/createMessage', anthropic({ model: 'claude-opus-5-5', apiKey: 'test-key-0123456789', baseURL }));
  await client.connect(endpoint);
  const result = await client.callTool({ name: 'summarize', arguments: { text: 'The tide rises.' } });
  await client.close();
  return JSON.parse(JSON.stringify(result));
}

/** An error of a model is one of the same class as those of the client. */
async function refused() {
  const error = await all.anthropic({ model: 'm' })({ params: { messages: 'none' } }).catch((error) => error);
  return [error.code, error instanceof all.SdkError, error instanceof main_.SdkError];
}
