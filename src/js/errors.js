// The error classes. They carry the brands of the official client's classes, so `error instanceof SdkError` holds
// whichever package `SdkError` was imported from, and across copies of either.

const BRANDS = Symbol.for('mcp.sdk.errorBrands');

function stamp(error, constructor) {
  const brands = new Set();
  for (let at = constructor; typeof at === 'function'; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, 'mcpBrand')) brands.add(at.mcpBrand);
  }
  Object.defineProperty(error, BRANDS, { value: brands, configurable: true });
}

/** `instanceof` by brand. A class of the host's own that extends one of these has none, and is matched as usual. */
function matches(value, constructor) {
  try {
    if (Object.hasOwn(constructor, 'mcpBrand')) return Boolean(value?.[BRANDS]?.has(constructor.mcpBrand));
  } catch {
    return false; // A proxy that refuses.
  }
  return Function.prototype[Symbol.hasInstance].call(constructor, value);
}

function brand(constructor, mcpBrand) {
  Object.defineProperty(constructor, 'mcpBrand', { value: mcpBrand });
}

export class SdkError extends Error {
  static {
    brand(this, 'mcp.SdkError');
  }

  constructor(code, message, data, options) {
    super(message, options);
    this.name = 'SdkError';
    this.code = code;
    this.data = data;
    stamp(this, new.target);
  }

  static isInstance(value) {
    return matches(value, this);
  }

  static [Symbol.hasInstance](value) {
    return matches(value, this);
  }
}

export class SdkHttpError extends SdkError {
  static {
    brand(this, 'mcp.SdkHttpError');
  }

  constructor(code, message, data, options) {
    super(code, message, data, options);
    this.name = 'SdkHttpError';
  }

  get status() {
    return this.data.status;
  }

  get statusText() {
    return this.data.statusText;
  }
}

export class ProtocolError extends Error {
  static {
    brand(this, 'mcp.ProtocolError');
  }

  constructor(code, message, data) {
    super(message);
    this.name = 'ProtocolError';
    this.code = code;
    this.data = data;
    stamp(this, new.target);
  }

  static isInstance(value) {
    return matches(value, this);
  }

  static [Symbol.hasInstance](value) {
    return matches(value, this);
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
