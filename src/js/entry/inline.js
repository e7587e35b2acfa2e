// Browsers, Node, Deno, Bun and every bundler: the module travels inside the script and is compiled at first use.

import { short, size, text } from 'wasm:printable';
import { provide } from '../instance.js';

provide(() => new WebAssembly.Module(decode()));

// One character for each byte, as scripts/lib/printable.mjs wrote them: compressed a fifth smaller than base64.
function decode() {
  if (text.length !== size) throw new Error(NOT_UTF8);
  const values = new Uint8Array(0x180);
  let [ascii, other] = [0x20, 0xbf];
  for (let byte = 0; byte < 256; byte++) {
    while (/["$'<\\`]/.test(String.fromCharCode(ascii))) ascii++;
    if (other === 0x132) other = 0x14a;
    values[short[byte] > 0 ? ascii++ : other++] = byte;
  }
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = values[text.charCodeAt(i)];
  return bytes;
}

const NOT_UTF8 = 'mcp-sampling: this script was not read as UTF-8; add <meta charset="utf-8"> to the page';

export * from 'wasm:public';
