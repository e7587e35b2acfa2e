// The error classes. They carry the brands of the official client's classes, so `error instanceof SdkError` holds
// whichever package `SdkError` was imported from, and across copies of either.

const BRANDS = Symbol.for('mcp.sdk.errorBrands');

const isBranded = (constructor) => Object.hasOwn(constructor, 'mcpBrand');

class Branded extends Error {
  constructor(name, code, message, data, options) {
    super(message, options);
    Object.assign(this, { name, code, data });
    const value = new Set();
    for (let at = new.target; at; at = Object.getPrototypeOf(at)) {
      if (isBranded(at)) value.add(at.mcpBrand);
    }
    Object.defineProperty(this, BRANDS, { value, configurable: true });
  }

  static isInstance(value) {
    return value instanceof this;
  }

  /** `instanceof` by brand. A class of the host's own that extends one of these has none, and is matched as usual. */
  static [Symbol.hasInstance](value) {
    try {
      if (isBranded(this)) return Boolean(value?.[BRANDS]?.has(this.mcpBrand));
    } catch {
      return false; // A proxy that refuses.
    }
    return super[Symbol.hasInstance](value);
  }
}

export class SdkError extends Branded {
  static get mcpBrand() {
    return 'mcp.SdkError';
  }

  constructor(...given) {
    super('SdkError', ...given);
  }
}

export class SdkHttpError extends SdkError {
  static get mcpBrand() {
    return 'mcp.SdkHttpError';
  }

  constructor(...given) {
    super(...given);
    this.name = 'SdkHttpError';
  }

  get status() {
    return this.data.status;
  }

  get statusText() {
    return this.data.statusText;
  }
}

export class ProtocolError extends Branded {
  static get mcpBrand() {
    return 'mcp.ProtocolError';
  }

  constructor(code, message, data) {
    super('ProtocolError', code, message, data);
  }
}

/** Builds what a promise rejects with. `code` is a number for errors that the server sent. */
export function makeError(code, message, dataText, cause) {
  const data = dataText ? JSON.parse(dataText) : undefined;
  if (typeof code === 'number') return new ProtocolError(code, message, data);
  const kind = code.startsWith('CLIENT_HTTP_') ? SdkHttpError : SdkError;
  return new kind(code, message, data, cause === undefined ? undefined : { cause });
}

/** What the host is told of an argument that cannot be used. */
export function invalid(message, about, cause) {
  return makeError('INVALID_ARGUMENT', message, about && JSON.stringify(about), cause);
}

/** The code of one of our own errors; nothing for anything else. */
export function codeOf(error) {
  return error instanceof SdkError || error instanceof ProtocolError ? String(error.code) : undefined;
}
