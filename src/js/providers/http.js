// Sending a request to a provider with fetch, and reading what comes back. Nothing is sent that the core, the key or the
// host did not ask for.

import { makeError } from '../errors.js';
import { expect, optionsOf } from '../text.js';
import { pause } from './abort.js';
import { failure, lost, withoutKey } from './failure.js';
import { parse } from './pure.js';
import { accumulated, collected, pumpResponse } from './reply.js';

/** The options that {@link overHttp} reads. */
export const HTTP_OPTIONS = ['apiKey', 'fetch', 'baseURL', 'headers', 'retry'];

/**
 * @param {object} options those of {@link HTTP_OPTIONS}
 * @param {object} about
 * @param {string} about.provider
 * @param {boolean} about.streams whether requests ask for a stream
 * @param {(key: string, headers: Headers) => [string, string]} about.keyHeader
 * @param {() => [string, string][]} [about.ownHeaders]
 * @returns {import('./model.js').Answer}
 */
export function overHttp(options, about) {
  const endpoint = { ...about, ...checked(options) };
  return async (built, run) => {
    const key = await keyOf(options.apiKey);
    try {
      const response = await send(endpoint, built, key, run.signal);
      return await answerOf(endpoint, response, built.state, run);
    } catch (error) {
      throw withoutKey(error, key);
    }
  };
}

function checked({ apiKey, fetch, baseURL, headers, retry }) {
  expect(apiKey == null || ['string', 'function'].includes(typeof apiKey), 'options.apiKey', 'a string or a function');
  expect(fetch == null || typeof fetch === 'function', 'options.fetch', 'a function');
  const { attempts = 3, maxDelayMs = 60_000 } = retry ? optionsOf(retry, 'options.retry') : { attempts: 1 };
  expect(Number.isInteger(attempts) && attempts > 0, 'options.retry.attempts', 'a whole number from 1');
  expect(maxDelayMs >= 0, 'options.retry.maxDelayMs', 'a number of milliseconds');
  return { fetch, base: baseOf(baseURL), headers: headersFrom(headers, 'options.headers'), attempts, maxDelayMs };
}

function baseOf(baseURL) {
  let base;
  try {
    base = new URL(baseURL);
  } catch {
    // Said below.
  }
  // `fetch` refuses a name and a password there, and shows both in its error.
  expect(base?.protocol.startsWith('http') && !base.username && !base.password, 'options.baseURL', 'an http(s) URL without a user name');
  return base;
}

// Their own errors show values, which may be keys.
function headersFrom(values, name) {
  try {
    return new Headers(values);
  } catch {
    throw makeError('INVALID_ARGUMENT', `expected ${name} to hold names and values of HTTP headers`, '');
  }
}

async function keyOf(apiKey) {
  const key = typeof apiKey === 'function' ? await apiKey() : apiKey;
  expect(key == null || typeof key === 'string', 'the key that options.apiKey returned', 'a string');
  return key || undefined;
}

async function send(endpoint, built, key, signal) {
  const init = { method: 'POST', headers: headersOf(endpoint, built, key), body: built.body, redirect: 'manual', ...(signal && { signal }) };
  for (let attempt = 1; ; attempt++) {
    const response = await attempted(endpoint, urlOf(endpoint.base, built.path), init, signal);
    const delayMs = attempt < endpoint.attempts && RETRIED.has(response.status) ? retryAfterMs(response) : NaN;
    if (!(delayMs <= endpoint.maxDelayMs)) return response;
    response.body?.cancel().catch(() => {});
    await pause(delayMs, signal);
  }
}

/** Too many requests, unavailable, overloaded. */
const RETRIED = new Set([429, 503, 529]);

/** Seconds or a date, as milliseconds from now; NaN if the provider does not say, or a page may not see it. */
function retryAfterMs(response) {
  const value = response.headers.get('retry-after') ?? '';
  const date = /[a-z]/i.test(value) ? Date.parse(value) - Date.now() : NaN;
  return Math.max(0, /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : date);
}

async function attempted(endpoint, url, init, signal) {
  // A function that made the key may have taken its time.
  signal?.throwIfAborted();
  // Called without a receiver: the browser's fetch refuses any other than the window.
  const fetch = endpoint.fetch ?? globalThis.fetch;
  try {
    return await fetch(url, init);
  } catch (cause) {
    signal?.throwIfAborted();
    return lost(endpoint.provider, `no reply from ${endpoint.base.origin}: ${REASONS}; see cause`, cause);
  }
}

const REASONS = 'it is not there, or it does not let this page in (CORS)';

function headersOf({ provider, keyHeader, ownHeaders, headers: extra }, built, key) {
  const headers = new Headers([...built.headers, ...(ownHeaders?.() ?? [])]);
  if (key) {
    const [name, value] = keyHeader(key, headers);
    for (const [known, text] of headersFrom([[name, value]], `options.apiKey (${provider})`)) headers.set(known, text);
  }
  for (const [name, value] of extra) headers.set(name, value);
  return headers;
}

/** The path after that of the base, with the queries of both. */
function urlOf(base, path) {
  const url = new URL(base);
  const [pathname, query] = path.split('?');
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${pathname}`;
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.append(name, value);
  return url.href;
}

async function answerOf({ provider, streams, base }, response, state, run) {
  const { ok, status, headers, type } = response;
  // Servers and proxies may answer with one JSON text all the same, which the core sees; a web page is neither.
  if (ok && streams && !headers.get('content-type')?.startsWith('text/html')) {
    return accumulated(state, run, (take) => pumpResponse(provider, response, run.signal, take));
  }
  if ((status >= 300 && status < 400) || type === 'opaqueredirect') {
    response.body?.cancel().catch(() => {});
    throw failure(provider, 'redirect', `${base.origin} answers with a redirect, which a key must not follow; correct baseURL`, { status });
  }
  const bytes = await collected(provider, response, run.signal);
  try {
    return parse(bytes, state, status);
  } catch (error) {
    const delayMs = retryAfterMs(response);
    if (error.data && delayMs >= 0) error.data.retryAfterMs = delayMs;
    throw error;
  }
}
