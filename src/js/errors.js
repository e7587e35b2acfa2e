// The error classes. They carry the brands of the official client's classes, so `error instanceof SdkError` holds
// whichever package `SdkError` was imported from, and across copies of either.

const BRANDS = Symbol.for('mcp.sdk.errorBrands');

function stamp(error, brands) {
  Object.defineProperty(error, BRANDS, { value: new Set(brands), configurable: true });
}

function carries(value, brand) {
  return typeof value === 'object' && value !== null && value[BRANDS] instanceof Set && value[BRANDS].has(brand);
}

export class SdkError extends Error {
  constructor(code, message, data, options) {
    super(message, options);
    this.name = new.target === SdkError ? 'SdkError' : 'SdkHttpError';
    this.code = code;
    this.data = data;
    stamp(this, new.target === SdkError ? ['mcp.SdkError'] : ['mcp.SdkError', 'mcp.SdkHttpError']);
  }

  static isInstance(value) {
    return value instanceof this;
  }

  static [Symbol.hasInstance](value) {
    return carries(value, this === SdkHttpError ? 'mcp.SdkHttpError' : 'mcp.SdkError');
  }
}

export class SdkHttpError extends SdkError {
  get status() {
    return this.data.status;
  }

  get statusText() {
    return this.data.statusText;
  }
}

export class ProtocolError extends Error {
  constructor(code, message, data) {
    super(message);
    this.name = 'ProtocolError';
    this.code = code;
    this.data = data;
    stamp(this, ['mcp.ProtocolError']);
  }

  static isInstance(value) {
    return value instanceof this;
  }

  static [Symbol.hasInstance](value) {
    return carries(value, 'mcp.ProtocolError');
  }
}

/** Builds what a promise rejects with. `code` is a number for errors that the server sent. */
export function makeError(code, message, dataText, cause) {
  const data = dataText === '' ? undefined : JSON.parse(dataText);
  if (typeof code === 'number') return new ProtocolError(code, message, data);
  const options = cause === undefined ? undefined : { cause };
  return code.startsWith('CLIENT_HTTP_')
    ? new SdkHttpError(code, message, data, options)
    : new SdkError(code, message, data, options);
}

/** The code of one of our own errors; nothing for anything else. */
export function codeOf(error) {
  return error instanceof SdkError || error instanceof ProtocolError ? String(error.code) : undefined;
}
