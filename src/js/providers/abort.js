// Ending what nobody waits for any more.

/** Does some work that stops by itself when the signal tells it to; rejects with the signal's own reason at once. */
export async function abortable(signal, work) {
  if (!signal) return work();
  signal.throwIfAborted();
  let stop;
  const aborted = new Promise((_, reject) => (stop = () => reject(signal.reason)));
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Calls `stop` if the signal aborts while the work is under way. */
export async function stoppable(signal, stop, work) {
  signal?.addEventListener('abort', stop);
  try {
    return await work();
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Waits, but not longer than the signal. */
export async function pause(milliseconds, signal) {
  let timer;
  let wake;
  const waited = new Promise((resolve) => {
    wake = resolve;
    timer = setTimeout(resolve, milliseconds);
  });
  await stoppable(signal, wake, () => waited);
  clearTimeout(timer);
  signal?.throwIfAborted();
}
