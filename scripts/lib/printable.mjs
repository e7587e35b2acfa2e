// Writes bytes as a string of printable characters, one per byte. The commonest bytes get the characters that UTF-8 and
// JavaScript write as one byte, so that the string compresses about as well as the bytes; base64 costs a fifth more,
// because its characters straddle the bytes that repeat.

/** 256 characters that stand for themselves in a JavaScript string, in HTML and under every Unicode normal form NFC. */
const characters = [...range(0x20, 0x7e), ...range(0xa1, 0x17e)].filter(isPlain).slice(0, 256);

// U+00AD is invisible, U+0132 to U+0149 hold compatibility characters.
function isPlain(char) {
  return !`"'\`\\$<\u00ad`.includes(char) && char.normalize('NFKC') === char;
}

function* range(first, last) {
  for (let code = first; code <= last; code++) yield String.fromCharCode(code);
}

/** `alphabet[b]` is the character of byte `b`. */
export function printable(bytes) {
  const alphabet = alphabetOf(bytes);
  return { alphabet: alphabet.join(''), text: Array.from(bytes, (byte) => alphabet[byte]).join('') };
}

function alphabetOf(bytes) {
  const counts = new Array(256).fill(0);
  for (const byte of bytes) counts[byte]++;
  const ordered = [...counts.keys()].sort((a, b) => counts[b] - counts[a]);
  const cheap = characters.filter((char) => char < '\x7f').length;
  // Within both groups the order of the bytes is kept: that alone is worth half a percent to brotli.
  const bySize = [...ordered.slice(0, cheap).sort(ascending), ...ordered.slice(cheap).sort(ascending)];
  const alphabet = [];
  bySize.forEach((byte, i) => (alphabet[byte] = characters[i]));
  return alphabet;
}

const ascending = (a, b) => a - b;
