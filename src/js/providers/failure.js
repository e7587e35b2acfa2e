// Failures that the core does not see, in the form of those it reports.

import { SdkError, makeError } from '../errors.js';

/** Throws that no reply came, or only a part of one. */
export function lost(provider, message, cause) {
  throw failure(provider, 'network_error', message, { retryable: true, cause });
}

export function failure(provider, type, message, { status = null, retryable = false, cause, ...more } = {}) {
  const data = JSON.stringify({ provider, type, status, retryable, ...more });
  return makeError('PROVIDER_ERROR', `${provider}: ${message}`, data, cause);
}

/** What an engine or a binding threw, which may be anything. */
export function thrownBy(provider, cause) {
  const type = cause?.name ?? 'error';
  const message = String(cause?.message ?? cause);
  return failure(provider, type, `${type}: ${message.slice(0, 300)}`, { message, cause });
}

/** The same error without the key, which some servers repeat. What is shorter stands in for a key where none is needed. */
export function withoutKey(error, key) {
  if (!(key?.length >= 12) || !(error instanceof SdkError)) return error;
  const clean = (text) => text.replaceAll(key, '[key]');
  const data = JSON.stringify(error.data, (_, value) => (typeof value === 'string' ? clean(value) : value));
  if (error.message === clean(error.message) && data === JSON.stringify(error.data)) return error;
  return makeError(error.code, clean(error.message), data, error.cause);
}
