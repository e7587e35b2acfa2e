// What kinds of endpoints there are, as the bits that the core is told. In a file of their own esbuild writes the numbers
// where they are used.

export const HTTP = 0;
export const SHARED = 32;
export const FUNCTION = 64;

/** A URL to post to, one channel for all messages, or a function from bytes to bytes. */
export function kindOf(endpoint) {
  if (typeof endpoint === 'function') return FUNCTION;
  return typeof endpoint?.send === 'function' ? SHARED : HTTP;
}
