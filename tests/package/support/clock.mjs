// A clock that stands still until a test moves it. The package reads `performance.now` and `setTimeout` when it needs them.

import { settled } from './failing.mjs';

/** Puts the clock in place for the length of `use(clock)`. */
export async function withClock(use) {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, now: performance.now };
  const clock = new Clock();
  globalThis.setTimeout = (run, delay = 0, ...given) => clock.add(() => run(...given), delay);
  globalThis.clearTimeout = (id) => clock.timers.delete(id);
  performance.now = () => clock.now;
  try {
    return await use(clock);
  } finally {
    globalThis.setTimeout = real.setTimeout;
    globalThis.clearTimeout = real.clearTimeout;
    performance.now = real.now;
  }
}

class Clock {
  now = 1000;
  timers = new Map();
  #next = 1;

  add(run, delay) {
    this.timers.set(this.#next, { run, at: this.now + delay });
    return this.#next++;
  }

  /** Moves on step by step, so that every timer runs at its own time. */
  async advance(milliseconds) {
    const end = this.now + milliseconds;
    await settled();
    for (let due = this.#due(end); due; due = this.#due(end)) {
      this.now = Math.max(this.now, due[1].at);
      this.timers.delete(due[0]);
      due[1].run();
      await settled();
    }
    this.now = end;
  }

  #due(end) {
    return [...this.timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
  }
}
