/**
 * Says in words what an `onround` event means. The terminal demo and the page both show rounds through this file, so
 * the shape of the events is known in one place.
 */

/**
 * Who takes part: the server, the client (this library) and the host (the program around it, its model, its user).
 * `bytes` of 0 says nothing, and `method` is there only when the event is about one request of the server.
 * @typedef {'server' | 'client' | 'host'} Party
 * @typedef {{ type: string, round: number, leg?: number, timeMs: number, key?: string, method?: string, bytes?: number }} RoundEvent
 * @typedef {{ type: string, round: number, at: number, from: Party, to: Party, tone: string, what: string, about: string, size: string }} Step
 */

const MEANING = {
  sent: { from: 'client', to: 'server', tone: 'wire', about: 'the call' },
  asked: { from: 'server', to: 'host', tone: 'ask' },
  answered: { from: 'host', to: 'client', tone: 'good' },
  declined: { from: 'host', to: 'client', tone: 'warn' },
  waiting: { from: 'client', to: 'client', tone: 'quiet', about: 'a pause before the next leg' },
  retried: { from: 'client', to: 'server', tone: 'wire', about: 'the call again' },
  done: { from: 'server', to: 'client', tone: 'good', about: 'the result' },
  failed: { from: 'client', to: 'host', tone: 'bad', about: 'the call ends' },
};

/** An event of a later version is shown by its name. */
const UNKNOWN = { from: 'client', to: 'client', tone: 'quiet' };

/**
 * A function that turns the events of one call into steps, with times since its first event.
 * @param {string} [method] of the call
 * @returns {(event: RoundEvent) => Step}
 */
export function stepsOfOneCall(method = 'tools/call') {
  let start;
  return (event) => {
    start ??= event.timeMs;
    const { from, to, tone, about = '' } = MEANING[event.type] ?? UNKNOWN;
    return {
      type: event.type,
      round: event.round,
      at: event.timeMs - start,
      from,
      to,
      tone,
      what: event.method ?? method,
      about: event.key ?? about,
      size: event.bytes > 0 ? formatBytes(event.bytes) : '',
    };
  };
}

/** @param {number} ms */
export function formatMs(ms) {
  if (ms < 100) return `${ms.toFixed(1)} ms`;
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** @param {number} bytes */
export function formatBytes(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
