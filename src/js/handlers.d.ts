import type { Implementation } from './index.js';
import type { CreateMessageRequestParams, CreateMessageResult } from './types.js';

/** What a server may ask for in the middle of a call. */
export type InputMethod = 'sampling/createMessage' | 'elicitation/create' | 'roots/list';

/** What a handler is told besides the request. */
export interface HandlerContext {
  mcpReq: {
    /** The server's key of the request; in a session of 2025 its id. */
    id: string | number;
    method: InputMethod;
    /**
     * Aborted when the answer is no longer wanted: the call was aborted, timed out, or another handler failed. Made when it is
     * read first, so a copy by spreading lacks it.
     */
    signal: AbortSignal;
    _meta?: Record<string, unknown>;
  };
  /** Which server asks, as far as it says; read while the client is connected. */
  server?: Implementation;
  /** Inside which call it asks; unknown for what a server of 2025 asks outside of any, or of several at once. */
  call?: { method: string; name?: string; key: string; round: number };
}

/** A form or a page that the server wants a person to see. Specification: client/elicitation. */
export interface ElicitRequestParams {
  mode?: 'form' | 'url';
  message: string;
  requestedSchema?: { type: 'object'; properties: Record<string, object>; required?: string[]; [key: string]: unknown };
  url?: string;
  _meta?: Record<string, unknown>;
  [key: string]: unknown;
}

/** The person's answer. Only an accepted form has content. Specification: client/elicitation. */
export interface ElicitResult {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, string | number | boolean | string[]>;
  _meta?: Record<string, unknown>;
}

/** The roots that the server may work in. Specification: client/roots. */
export interface ListRootsResult {
  roots: { uri: string; name?: string; _meta?: Record<string, unknown> }[];
  _meta?: Record<string, unknown>;
}

/** What the handlers of the three requests are given and return. */
export interface HandlerTypes {
  'sampling/createMessage': { params: CreateMessageRequestParams; result: CreateMessageResult };
  'elicitation/create': { params: ElicitRequestParams; result: ElicitResult };
  'roots/list': { params: { _meta?: Record<string, unknown> } | undefined; result: ListRootsResult };
}

/** Answers one kind of request of the server. */
export type RequestHandler<M extends InputMethod> = (
  request: { method: M; params: HandlerTypes[M]['params'] },
  context: HandlerContext,
) => HandlerTypes[M]['result'] | Promise<HandlerTypes[M]['result']>;
