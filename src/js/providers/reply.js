// Reading a reply: in one piece, or as a stream down to its reader.

import { stoppable } from './abort.js';
import { lost } from './failure.js';
import { Stream } from './pure.js';

/**
 * Has the core put a stream together. `pump(take)` hands each chunk to `take`, which says how to go on.
 *
 * @param {string} state
 * @param {import('./model.js').Run} run
 * @param {(take: (chunk: Uint8Array) => Promise<typeof GO_ON | typeof LET_END | typeof CUT>) => Promise<void>} pump
 */
export async function accumulated(state, run, pump) {
  const stream = new Stream(state);
  try {
    await pump(async (chunk) => {
      const deltas = JSON.parse(stream.push(chunk));
      for (const delta of deltas) await run.onDelta(delta);
      if (!stream.isDone) return GO_ON;
      return deltas.at(-1)?.type === 'stop' ? CUT : LET_END;
    });
    return JSON.parse(stream.finish());
  } finally {
    stream.drop();
  }
}

export const GO_ON = 0;
/** All is known, and the provider is about to end. */
export const LET_END = 1;
/** All is known, and the provider would go on and charge for it. */
export const CUT = 2;

/** Reads a body chunk by chunk. Whatever ends the reading early ends the body. */
export async function pumpBody(provider, body, signal, take) {
  const reader = body.getReader();
  const cancel = () => void reader.cancel(signal?.reason).catch(ignore);
  if (signal?.aborted) cancel();
  let how = GO_ON;
  await stoppable(signal, cancel, async () => {
    try {
      while (how === GO_ON) {
        const { done, value } = await reader.read().catch((cause) => lost(provider, 'the connection broke', cause));
        if (done) return;
        how = await take(value);
      }
    } catch (error) {
      cancel();
      throw error;
    }
  });
  if (how === CUT) cancel();
  if (how === LET_END) drain(reader);
}

/** Lets a body end by itself, so that its connection can serve the next request; one that does not is cut off. */
function drain(reader) {
  const timer = setTimeout(() => reader.cancel().catch(ignore), DRAIN_MS);
  timer.unref?.();
  const rest = async () => {
    while (!(await reader.read()).done);
  };
  rest()
    .catch(ignore)
    .finally(() => clearTimeout(timer));
}

const DRAIN_MS = 1000;

/** All bytes of a reply. */
export async function collected(provider, response, signal) {
  const chunks = [];
  await pumpResponse(provider, response, signal, (chunk) => {
    chunks.push(chunk);
    return GO_ON;
  });
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** As {@link pumpBody}; React Native's replies have no body to read piece by piece. */
export async function pumpResponse(provider, response, signal, take) {
  if (response.body) return pumpBody(provider, response.body, signal, take);
  await take(new Uint8Array(await response.arrayBuffer().catch((cause) => lost(provider, 'the connection broke', cause))));
}

function ignore() {}
