// Writes bytes as a string of printable characters, one per byte. The commonest bytes get the characters that UTF-8 and
// JavaScript write as one byte, so that the string compresses about as well as the bytes; base64 costs a fifth more,
// because its characters straddle the bytes that repeat. src/js/entry/decode.js reads it.

// Characters that stand for themselves in a JavaScript string, in HTML and under every Unicode normal form.
const SHORT = [...range(0x20, 0x7e)].filter((char) => !/["$'<\\`]/.test(char));
// U+0132 to U+0149 hold compatibility characters.
const LONG = [...range(0xbf, 0x131), ...range(0x14a, 0x17e)];

function* range(first, last) {
  for (let code = first; code <= last; code++) yield String.fromCharCode(code);
}

/**
 * @param {Buffer} bytes
 * @returns {{ short: string, text(bytes: Buffer): string }} `short[b]` is `1` if byte `b` has a short character; within both
 *   groups characters have the order of their bytes
 */
export function printable(bytes) {
  const short = shortOf(bytes);
  const [shorts, longs] = [SHORT.values(), LONG.values()];
  const alphabet = short.map((is) => (is ? shorts : longs).next().value);
  return { short: short.join(''), text: (bytes) => Array.from(bytes, (byte) => alphabet[byte]).join('') };
}

function shortOf(bytes) {
  const counts = new Array(256).fill(0);
  for (const byte of bytes) counts[byte]++;
  const ordered = [...counts.keys()].sort((a, b) => counts[b] - counts[a]);
  const commonest = new Set(ordered.slice(0, SHORT.length));
  return counts.map((_, byte) => (commonest.has(byte) ? 1 : 0));
}
