// What is sent besides the body, where keys go and where they do not, and what a failure says.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as official from '@modelcontextprotocol/client';
import { pkg, rejection } from './support/installed.mjs';
import { asking, context, modelOf, providers, request } from './support/providers.mjs';
import { KEY, vendorServer } from './support/vendor-server.mjs';
import { VENDORS } from './support/vendors/index.mjs';

let server;
before(async () => (server = await vendorServer()));
after(() => server.close());

const seen = () => server.log.at(-1);

/** Everything about an error that could be shown or logged. */
const told = (error) => [error.message, error.stack, JSON.stringify(error), error.cause && told(error.cause)].join('\n');

for (const [name, vendor] of Object.entries(VENDORS)) {
  describe(name, () => {
    const model = (script, options) => modelOf(server, name, script, options);
    const ask = (script, options) => model(script, options)(request(asking()), context());

    test('nothing but the headers of the API is sent', async () => {
      await ask('hello');
      assert.deepEqual(seen().headers, { ...vendor.headers, ...vendor.keyHeader(KEY) });
    });

    test('the key is asked for at each request', async () => {
      let asked = 0;
      const called = model('hello', { apiKey: async () => (asked++, KEY) });
      await called(request(asking()));
      await called(request(asking()));
      assert.equal(asked, 2);
    });

    test('without a key no header is sent for it', async () => {
      for (const apiKey of [undefined, '', () => undefined]) {
        const error = await rejection(ask('hello', { apiKey }));
        assert.deepEqual([error.code, error.data.status], ['PROVIDER_ERROR', 401]);
        assert.deepEqual(seen().headers, vendor.headers);
      }
    });

    test('headers of the host come on top', async () => {
      const [keyName] = Object.keys(vendor.keyHeader(''));
      const result = await ask('hello', { apiKey: 'wrong-key-0123456789', headers: { [keyName]: Object.values(vendor.keyHeader(KEY))[0] } });
      assert.equal(result.stopReason, 'endTurn');
      const error = await rejection(ask('hello', { headers: [['x-mine', '1']] }));
      assert.match(error.data.message, /header x-mine is 1$/);
    });

    test('a wrong key is told, and never shown', async () => {
      const error = await rejection(ask('hello', { apiKey: 'my-secret-key-1' }));
      assert.deepEqual([error.code, error.data.status, error.data.retryable], ['PROVIDER_ERROR', 401, false]);
      assert.match(error.data.message, /invalid key.*\[key\]/, 'the server repeats it, the error does not');
      assert.ok(!told(error).includes('my-secret-key-1'));
    });

    test('errors are those of the package, whoever asks', async () => {
      const error = await rejection(ask('gateway'));
      for (const { SdkError, ProtocolError } of [pkg, official]) {
        assert.ok(error instanceof SdkError && SdkError.isInstance(error));
        assert.ok(!(error instanceof ProtocolError));
      }
      assert.deepEqual([error.data.type, error.data.status, error.data.retryable], ['http_error', 502, true]);
    });

    test('a web page is no answer', async () => {
      const error = await rejection(ask('page'));
      assert.deepEqual([error.data.type, error.data.retryable], ['invalid_reply', false]);
    });

    test('a redirect is not followed', async () => {
      const error = await rejection(ask('moved'));
      assert.deepEqual([error.data.type, error.data.status], ['redirect', 308]);
      assert.match(error.message, /baseURL/);
    });

    test('nothing is sent twice unless the host wants it', async () => {
      const error = await rejection(ask('limited'));
      assert.deepEqual([error.data.status, error.data.retryable, error.data.retryAfterMs], [429, true, 0]);
    });

    test('a busy provider is asked again when it says', async () => {
      const before = server.log.length;
      const result = await ask('limited', { retry: {} });
      assert.equal(result.stopReason, 'endTurn');
      const [first, second, ...more] = server.log.slice(before);
      assert.deepEqual(first.body, second.body);
      assert.equal(more.length, 0);
    });

    test('other failures are not, nor those that do not say when', async () => {
      for (const [script, status] of [['overloaded', 529], ['failing', 500], ['patient', 503]]) {
        const before = server.log.length;
        const error = await rejection(ask(script, { retry: { attempts: 3, maxDelayMs: 1000 } }));
        assert.equal(error.data.status, status);
        assert.equal(server.log.length, before + 1);
      }
    });

    test('a wrong option fails when the model is made', () => {
      for (const [option, value] of [['modle', 'x'], ['stream', 'yes'], ['model', ''], ['rules', { tempreature: true }]]) {
        assert.throws(() => model('hello', { [option]: value }), { name: 'SdkError', code: 'INVALID_ARGUMENT', message: option === 'rules' ? /rule/ : new RegExp(`'${option}'`) });
      }
      for (const [option, value] of [['apiKey', 1], ['fetch', 'x'], ['onDelta', {}], ['abilities', 'tools'], ['retry', 3], ['retry', { attempts: 0 }]]) {
        assert.throws(() => model('hello', { [option]: value }), { code: 'INVALID_ARGUMENT', message: new RegExp(`options.${option}`) }, option);
      }
      for (const baseURL of ['here', 'ftp://a', 'https://user:secret@a']) {
        assert.throws(() => model('hello', { baseURL }), (error) => error.code === 'INVALID_ARGUMENT' && !told(error).includes('secret'));
      }
    });
  });
}

const openai = (options) => providers.openai({ model: 'gpt-4o', ...options });

test('no header, no error shows a key that cannot be sent', async () => {
  const key = 'sk-0123456789\nabcdef';
  const error = await rejection(openai({ apiKey: key, fetch: () => assert.fail('sent') })(request(asking())));
  assert.equal(error.code, 'INVALID_ARGUMENT');
  assert.ok(!/sk-0123456789|abcdef/.test(told(error)));
  assert.throws(() => openai({ headers: { authorization: `Bearer ${key}` } }), (error) => !/sk-0123456789|abcdef/.test(told(error)));
});

test('a provider that cannot be reached', async () => {
  const error = await rejection(openai({ baseURL: 'http://127.0.0.1:9/v1', apiKey: KEY })(request(asking())));
  assert.deepEqual({ ...error.data }, { provider: 'openai', type: 'network_error', status: null, retryable: true });
  assert.match(error.message, /http:\/\/127\.0\.0\.1:9: /);
  assert.ok(error.cause instanceof TypeError);
});

test('where requests go', async () => {
  const urls = [];
  const fetch = async (url) => (urls.push(String(url)), Response.json({}, { status: 500 }));
  const models = [
    providers.anthropic({ model: 'm', fetch }),
    openai({ fetch }),
    openai({ fetch, profile: 'ollama' }),
    openai({ fetch, profile: { base: 'lmstudio', images: false } }),
    openai({ fetch, baseURL: new URL('https://llm.test/openai/v1/?api-version=7'), profile: 'generic' }),
    providers.openaiResponses({ model: 'm', fetch }),
    providers.gemini({ model: 'gemini-3-pro', fetch }),
    providers.gemini({ model: 'gemini-3-pro', fetch, baseURL: 'https://llm.test/?a=b', stream: false }),
  ];
  for (const model of models) await rejection(model(request(asking())));
  assert.deepEqual(urls, [
    'https://api.anthropic.com/v1/messages',
    'https://api.openai.com/v1/chat/completions',
    'http://localhost:11434/v1/chat/completions',
    'http://localhost:1234/v1/chat/completions',
    'https://llm.test/openai/v1/chat/completions?api-version=7',
    'https://api.openai.com/v1/responses',
    'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse',
    'https://llm.test/models/gemini-3-pro:generateContent?a=b',
  ]);
  assert.throws(() => openai({ profile: 'generic' }), { code: 'INVALID_ARGUMENT', message: /options\.baseURL/ });
});

test("Anthropic's newer API takes the key as a bearer", async () => {
  const sent = [];
  const fetch = async (_, { headers }) => (sent.push(Object.fromEntries(headers)), Response.json({}, { status: 500 }));
  for (const apiVersion of ['2023-06-01', '2026-10-21']) {
    await rejection(providers.anthropic({ model: 'm', apiKey: KEY, apiVersion, fetch })(request(asking())));
  }
  assert.deepEqual(sent, [
    { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', 'x-api-key': KEY },
    { 'content-type': 'application/json', 'anthropic-version': '2026-10-21', authorization: `Bearer ${KEY}` },
  ]);
});

test('warnings come before anything is sent, and strict makes them errors', async () => {
  const warnings = [];
  const params = asking('Hi', { temperature: 0.5, metadata: { a: 1 } });
  const fetch = async () => Response.json({}, { status: 500 });
  const options = { model: 'claude-opus-5-5', fetch, onWarning: (...args) => warnings.push(args) };
  await rejection(providers.anthropic(options)(request(params), context()));
  const told = warnings.map(([{ path, code }, ctx]) => [path, code, ctx]).sort();
  assert.deepEqual(told, [['/metadata/a', 'dropped', context()], ['/temperature', 'dropped', context()]]);
  const error = await rejection(providers.anthropic({ ...options, strict: true })(request(params)));
  assert.deepEqual([error.code, error.data.type], ['PROVIDER_ERROR', 'lossy']);
});

test('what the entry has', () => {
  const names = ['anthropic', 'gemini', 'openai', 'openaiResponses', 'promptApi', 'webllm', 'workersAI'];
  assert.deepEqual(Object.keys(providers), names);
  for (const name of names) assert.deepEqual(Object.keys(providers[name]), ['build', 'parse', 'accumulator']);
});

test('what a model is', () => {
  const model = openai({ cost: 0.2, speed: 1, intelligence: 0.5 });
  assert.deepEqual(Object.keys(model), ['name', 'provider', 'abilities', 'cost', 'speed', 'intelligence']);
  assert.deepEqual([model.name, model.provider, model.abilities, model.cost], ['gpt-4o', 'openai', ['tools', 'image', 'audio'], 0.2]);
  assert.deepEqual(providers.anthropic({ model: 'm', strict: true }).abilities, ['tools', 'image']);
  assert.deepEqual(openai({ abilities: ['tools'] }).abilities, ['tools']);
  const choice = pkg.selectModel({ hints: [{ name: 'opus' }] }, [model, providers.anthropic({ model: 'claude-opus-5-5' })], asking());
  assert.equal(choice.entry.provider, 'anthropic');
});

test('a request that breaks the rules goes nowhere', async () => {
  const fetch = () => assert.fail('sent');
  for (const params of [undefined, {}, asking([]), asking('Hi', { maxTokens: 0.5 })]) {
    const error = await rejection(openai({ fetch })(request(params)));
    assert.ok(['INVALID_SAMPLING_REQUEST', 'INVALID_ARGUMENT'].includes(error.code), error.code);
  }
});
