/**
 * What is known of a server, as plain JSON: keep it and hand it to the next {@link Client.connect}. Servers change; keep
 * it for hours, not for ever.
 */
export type PriorDiscovery =
  | { kind: 'modern'; discover: { supportedVersions: string[]; capabilities: object; [key: string]: unknown } }
  | { kind: 'legacy' };

/** Gives tokens. Has the shape of the official client's `AuthProvider`. */
export interface AuthProvider {
  /** The token for the next request. Called for every one of them, since a call may outlive a token. */
  token(): string | undefined | Promise<string | undefined>;
  /**
   * Called once for a request that was answered with 401; afterwards the request goes out again. What it throws is what
   * the call rejects with.
   */
  onUnauthorized?(context: { response: Response; serverUrl: URL; fetchFn: typeof fetch }): void | Promise<unknown>;
}

/** Options of {@link StreamableHTTPClientTransport}. */
export interface StreamableHTTPClientTransportOptions {
  /** In place of the global one. The official client's `withOAuth(provider, url)(fetch)` fits here. */
  fetch?(url: string, init: RequestInit): Promise<Response>;
  /** Added to every request. */
  requestInit?: RequestInit;
  /** Gives the token for each request. */
  authProvider?: AuthProvider;
  /**
   * Where a token or headers of the host are sent, redirects are only followed within the origin of the server, and else
   * fail the request; browsers do not follow any then. `follow` leaves them to `fetch`. Default: `same-origin`.
   */
  redirectPolicy?: 'same-origin' | 'follow';
  /** A session of 2025 to go on with, as {@link StreamableHTTPClientTransport.sessionId} gave it elsewhere. */
  sessionId?: string;
  /** The revision of that session. */
  protocolVersion?: string;
}

/** The Streamable HTTP endpoint of a server. Specification: basic/transports/streamable-http. */
export class StreamableHTTPClientTransport {
  constructor(url: URL | string, options?: StreamableHTTPClientTransportOptions);
  /** The session with a server of 2025, while there is one. */
  readonly sessionId?: string;
  /** The revision that was agreed on. */
  readonly protocolVersion?: string;
}

/**
 * A channel of one's own: the shape of the official package's transports, such as `StdioClientTransport` and
 * `InMemoryTransport`. Messages are plain objects.
 */
export interface Transport {
  start(): Promise<void>;
  send(message: object, options?: object): Promise<void>;
  close(): Promise<void>;
  onmessage?(message: object, extra?: object): void;
  onclose?(): void;
  onerror?(error: Error): void;
  /** A session of 2025 that the other end has already opened; then nothing is negotiated. */
  sessionId?: string | undefined;
  /** Told the revision that was agreed on. */
  setProtocolVersion?(version: string): void;
}

/**
 * A pipe of one's own: given the bytes of a message, returns those of the answer, and nothing for a message that has none.
 * The signal is aborted when the answer is not wanted any more.
 */
export type SendFunction = (
  message: Uint8Array,
  options: { signal: AbortSignal },
) => Uint8Array | string | undefined | Promise<Uint8Array | string | undefined>;
