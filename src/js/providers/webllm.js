// A model that runs in the page: WebLLM's engine, which takes and gives what Chat Completions do, as objects.

import { expect } from '../text.js';
import { stoppable } from './abort.js';
import { thrownBy } from './failure.js';
import { defineProvider } from './model.js';
import { bytesOf } from './pure.js';
import { GO_ON, accumulated } from './reply.js';

export const webllm = defineProvider({
  provider: 'webllm',
  format: 'openai',
  fixed: { profile: 'webllm' },
  // Only a stream tells when the engine has come to a request, and so whose generation `interruptGenerate` ends.
  always: { stream: true },
  own: ['engine'],
  connect({ engine }) {
    expect(typeof engine?.chat?.completions?.create === 'function', 'options.engine', "an engine of '@mlc-ai/web-llm'");
    return (built, run) => ask(engine, built, run);
  },
});

async function ask(engine, { body, state }, run) {
  // An object of its own: the engine writes into it.
  const request = JSON.parse(new TextDecoder().decode(body));
  const chunks = await engine.chat.completions.create(request).catch(failed);
  return accumulated(state, run, (take) => pump(engine, chunks[Symbol.asyncIterator](), run.signal, take));
}

async function pump(engine, chunks, signal, take) {
  let ours = false;
  const interrupt = () => {
    if (ours) engine.interruptGenerate();
    ours = false;
  };
  await stoppable(signal, interrupt, async () => {
    try {
      for (;;) {
        const { done, value } = await chunks.next().catch(failed);
        ours = !done && !signal?.aborted;
        if (done || signal?.aborted) return;
        if ((await take(bytesOf(`data: ${JSON.stringify(value)}\n\n`))) !== GO_ON) return;
      }
    } finally {
      interrupt();
      // An engine that is left in the middle may keep the next request waiting for ever.
      drain(chunks).catch(() => {});
    }
  });
}

async function drain(chunks) {
  while (!(await chunks.next()).done);
}

function failed(cause) {
  throw thrownBy('webllm', cause);
}
