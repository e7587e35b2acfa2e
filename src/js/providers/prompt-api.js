// The browser's own model, `LanguageModel`: runs the descriptor that the core writes, and hands the core what comes back.

import { stoppable } from './abort.js';
import { failure } from './failure.js';
import { defineProvider } from './model.js';
import { bytesOf } from './pure.js';
import { GO_ON, accumulated } from './reply.js';
import { TokenLimit, measured } from './token-limit.js';

const provider = 'promptApi';

export const promptApi = defineProvider({
  provider,
  defaults: { model: 'prompt-api' },
  // Only a stream can be ended at the limit.
  always: { stream: true },
  own: ['LanguageModel', 'monitor'],
  connect({ LanguageModel, monitor }, { model }) {
    return ({ body, state }, run) => {
      const api = LanguageModel ?? globalThis.LanguageModel;
      if (!api) throw failure(provider, 'unavailable', 'there is no LanguageModel here: browsers have it in pages, and not all do');
      const descriptor = JSON.parse(new TextDecoder().decode(body), withBlobs);
      return accumulated(state, run, (take) => answer(api, { model, monitor, ...descriptor }, run.signal, take));
    };
  },
});

/** Images and sounds are written as their bytes in base64. */
function withBlobs(name, value) {
  if (name !== 'value' || typeof value?.base64 !== 'string') return value;
  const bytes = Uint8Array.from(atob(value.base64), (char) => char.charCodeAt(0));
  return new Blob([bytes], { type: value.mimeType });
}

/** One session for one answer. */
async function answer(api, descriptor, signal, take) {
  const controller = new AbortController();
  const tell = (event) => take(bytesOf(`data: ${JSON.stringify(event)}\n\n`));
  try {
    await stoppable(signal, () => controller.abort(signal.reason), () => inSession(api, descriptor, controller.signal, tell));
  } catch (error) {
    if (!(error instanceof Thrown)) throw error;
    await toldAs(error.cause, tell);
  } finally {
    // Ends what still runs.
    controller.abort();
  }
}

async function inSession(api, { model, prompt, maxTokens, stream, responseConstraint, omitResponseConstraintInput, ...about }, signal, tell) {
  const session = await theirs(() => api.create({ ...about, signal }));
  try {
    const asked = { prompt, maxTokens, model, options: { responseConstraint, omitResponseConstraintInput, signal } };
    await converse(session, asked, tell);
  } finally {
    session.destroy?.();
  }
}

async function converse(session, { prompt, maxTokens, model, options }, tell) {
  const size = await theirs(() => measured(session, prompt, options));
  if (maxTokens !== undefined && Number.isNaN(size)) throw failure(provider, 'unsupported', NO_COUNT);
  const input = (session.contextUsage ?? session.inputUsage) + size;
  checkRoom(session, input);
  const limit = new TokenLimit((text) => theirs(() => measured(session, text)), maxTokens);
  const reader = (await theirs(() => session.promptStreaming(prompt, options))).getReader();
  for (;;) {
    const { done, value = '' } = await theirs(() => reader.read());
    const { text, full } = await limit.take(value);
    if (text && (await tell({ text })) !== GO_ON) return;
    if (!done && !full) continue;
    if (full) reader.cancel().catch(() => {});
    const output = await limit.count();
    const usage = Number.isFinite(input + output) ? { input_tokens: input, output_tokens: output } : null;
    return void (await tell({ model, usage, finish: full ? 'maxTokens' : 'stop' }));
  }
}

const NO_COUNT = "this browser cannot count tokens, so it cannot keep maxTokens; omit: ['maxTokens'] leaves it out";

/** Where there is no room, browsers drop the beginning of the history without a word. */
function checkRoom(session, size) {
  const room = session.contextWindow ?? session.inputQuota;
  if (!(size > room)) return;
  const message = `the request takes ${size} tokens, and the model has room for ${room}`;
  throw new Thrown({ name: 'QuotaExceededError', message });
}

/** Marks what the browser throws, to tell it from what we and the host do. */
class Thrown {
  constructor(cause) {
    this.cause = cause;
  }
}

async function theirs(run) {
  try {
    return await run();
  } catch (error) {
    throw error instanceof Thrown ? error : new Thrown(error);
  }
}

/** The core decides what it means: an answer that the browser keeps back is no failure. */
async function toldAs(cause, tell) {
  try {
    await tell({ error: { name: String(cause?.name ?? 'Error'), message: String(cause?.message ?? cause) } });
  } catch (error) {
    throw cause instanceof Error ? Object.assign(error, { cause }) : error;
  }
}
