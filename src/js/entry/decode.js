// Makes a module from the text that the inlined entries hold.

/**
 * @param {object} parts as scripts/lib/wasm-apart.mjs and scripts/lib/printable.mjs made them
 * @param {string} parts.short for each byte 1 if its character is one byte of UTF-8, else 0
 * @param {string} parts.loader together.wat, which says what is where in its memory
 * @param {string} parts.text
 * @param {number[]} parts.places where each part begins and the last one ends
 */
export function decode({ short, loader, text, places }) {
  if (text.length !== places.at(-1) - TEXT) throw new Error(NOT_UTF8);
  const bytes = bytesOfCharacters(short);
  const module = new WebAssembly.Module(Uint8Array.from(loader, (char) => bytes[char.charCodeAt(0)]));
  const { memory, together } = new WebAssembly.Instance(module).exports;
  const view = new Uint8Array(memory.buffer);
  view.set(bytes);
  new Uint32Array(memory.buffer, PLACES).set(places);
  const { written } = new TextEncoder().encodeInto(text, view.subarray(TEXT));
  return view.slice(MODULE, together(TEXT + written));
}

const PLACES = 0x200;
const TEXT = 0x400;
const MODULE = 0x80000;
const NOT_UTF8 = 'mcp-sampling: this script was not read as UTF-8; add <meta charset="utf-8"> to the page';

/** For each character the byte that it stands for. Both kinds come in the order of their bytes. */
function bytesOfCharacters(short) {
  const bytes = new Uint8Array(PLACES);
  let [ascii, other] = [0x20, 0xbf];
  for (let byte = 0; byte < 256; byte++) {
    while (/["$'<\\`]/.test(String.fromCharCode(ascii))) ascii++;
    if (other === 0x132) other = 0x14a;
    bytes[short[byte] > 0 ? ascii++ : other++] = byte;
  }
  return bytes;
}
