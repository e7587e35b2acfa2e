// An engine that behaves as WebLLM's: one generation at a time, and the request is its to write into.

import { setTimeout as sleep } from 'node:timers/promises';

/** @param {(request: object) => { pieces?: string[], calls?: object[], endless?: boolean }} script */
export class Engine {
  requests = [];
  interrupts = 0;
  ended = 0;
  #lock = Promise.resolve();
  #interrupted = false;
  chat = { completions: { create: async (request) => this.#generate(request) } };

  constructor(script) {
    this.script = script;
  }

  interruptGenerate() {
    this.interrupts++;
    this.#interrupted = true;
  }

  async *#generate(request) {
    this.requests.push(structuredClone(request));
    request.messages = 'written over';
    const before = this.#lock;
    let release;
    this.#lock = new Promise((resolve) => (release = resolve));
    await before;
    try {
      this.#interrupted = false;
      yield* this.#chunks(request);
    } finally {
      this.ended++;
      release();
    }
  }

  async *#chunks(request) {
    const { pieces = [], calls, endless } = this.script(request);
    const chunk = (delta, finish_reason = null) => ({ id: 'a', object: 'chat.completion.chunk', model: request.model, created: 1, choices: [{ index: 0, delta, finish_reason }] });
    for (let index = 0; endless || index < pieces.length; index++) {
      await sleep(1);
      if (this.#interrupted) return yield chunk({}, 'abort');
      yield chunk({ role: 'assistant', content: pieces[index % pieces.length] });
    }
    yield chunk(calls ? { role: 'assistant', tool_calls: calls } : {}, calls ? 'tool_calls' : 'stop');
    yield { ...chunk({}), choices: [], usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8, extra: SPEEDS } };
  }
}

const SPEEDS = { e2e_latency_s: 1, prefill_tokens_per_s: 5, decode_tokens_per_s: 3, time_to_first_token_s: 1, time_per_output_token_s: 1 };
