// Providers that are reached over HTTP: where they are, and which header carries the key.

import { HTTP_OPTIONS, overHttp } from './http.js';
import { defineProvider } from './model.js';

const bearer = (key) => ['authorization', `Bearer ${key}`];

function hosted({ provider, baseURL, keyHeader = bearer, ownHeaders }) {
  return defineProvider({
    provider,
    own: HTTP_OPTIONS,
    connect(own, forBuild) {
      const streams = forBuild.stream !== false;
      return overHttp({ baseURL: baseURL(forBuild), ...own }, { provider, streams, keyHeader, ownHeaders });
    },
  });
}

export const anthropic = hosted({
  provider: 'anthropic',
  baseURL: () => 'https://api.anthropic.com',
  // The header changed with the version of the API that dropped the sampling parameters.
  keyHeader: (key, headers) => (headers.get('anthropic-version') < '2026-10-21' ? ['x-api-key', key] : bearer(key)),
  ownHeaders: () => (inPage() ? [['anthropic-dangerous-direct-browser-access', 'true']] : []),
});

/** True where requests say which page they come from: in pages and in their workers. */
function inPage() {
  const { document, location, WorkerGlobalScope } = globalThis;
  return typeof location?.origin === 'string' && (document !== undefined || WorkerGlobalScope !== undefined);
}

export const openai = hosted({ provider: 'openai', baseURL: serverOf });

export const openaiResponses = hosted({ provider: 'openaiResponses', baseURL: serverOf });

function serverOf({ profile }) {
  return SERVERS[profile?.base ?? profile ?? 'openai'];
}

/** Where servers with a profile are unless the host says otherwise. */
const SERVERS = {
  openai: 'https://api.openai.com/v1',
  deepseek: 'https://api.deepseek.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta/openai',
  ollama: 'http://localhost:11434/v1',
  lmstudio: 'http://localhost:1234/v1',
  vllm: 'http://localhost:8000/v1',
  llamacpp: 'http://localhost:8080/v1',
};

export const gemini = hosted({
  provider: 'gemini',
  baseURL: () => 'https://generativelanguage.googleapis.com/v1beta',
  keyHeader: (key) => ['x-goog-api-key', key],
});
